/** Bytes that tell whether a text is UTF-16 without a mark, and where a page may name its character set. */
const HEAD_BYTES = 4_096;

/**
 * The characters of a text file: UTF-8 or UTF-16 by its byte order mark, else UTF-16 by its zero bytes, else UTF-8 if it is that,
 * else Windows-1252. At most so many bytes are looked at that `most` UTF-16 units, and one more, can come out.
 *
 * @param stated the encoding that the file or its envelope names; believed where there is no mark and no UTF-16.
 */
export function decodeText(bytes: Uint8Array, most: number, stated?: string): string {
  const marked = markOf(bytes);
  // UTF-8 takes three bytes a UTF-16 unit at most, GB18030 two.
  const start = bytes.subarray(0, 3 * (most + 1) + 3);
  if (marked !== undefined) return new TextDecoder(marked).decode(start);
  const wide = bareUtf16(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(start);
  const named = stated === undefined ? undefined : encodingNamed(stated);
  if (named !== undefined && named !== 'utf-8') return decodeAs(named, start);
  const text = new TextDecoder('utf-8').decode(start, { stream: true });
  return isUtf8(text) ? text : decodeAs('windows-1252', start);
}

/** The name in the WHATWG Encoding Standard of what a file calls its encoding; undefined when it is none of them. */
export function encodingNamed(name: string): string | undefined {
  try {
    return new TextDecoder(name.trim().toLowerCase()).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Bytes 0x80 to 0x9f of Windows-1252; where it has none they stand for control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The characters of bytes in an encoding of {@link encodingNamed}. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes);
  // Node 20 takes it for Latin-1, in which these are control characters.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]);
}

function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** UTF-16 of texts in Latin letters, or with their blanks and line ends: zeros stand in every second byte and nowhere else. */
export function bareUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  let even = 0;
  let odd = 0;
  for (let i = 0; i < head.length; i++) {
    if (head[i] !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  if (odd > head.length / 8 && even === 0) return 'utf-16le';
  return even > head.length / 8 && odd === 0 ? 'utf-16be' : undefined;
}

/** A damaged byte among many sound sequences leaves it UTF-8; in other encodings nearly every letter beyond ASCII is unsound. */
function isUtf8(text: string): boolean {
  let unsound = 0;
  let wide = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) unsound++;
    else if (code > 0x7f) wide++;
  }
  return unsound === 0 || 10 * unsound < wide;
}
