/** First bytes of the picture formats that browsers show and that cannot contain scripts. */
const BEGINNINGS: readonly (readonly [mediaType: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

/** The media type of a picture by its first bytes; undefined unless it is PNG, JPEG, GIF or WebP. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0];
}
