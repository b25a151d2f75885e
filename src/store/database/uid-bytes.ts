/** Bytes of a UID that is written as a UUID is. */
export const UID_BYTES = 16;

const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const UUID_LENGTH = 36;
const DASH = 0x2d;
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Writes a UID from byte `first` on.
 * @returns false: the text is no UUID in small letters, and nothing was written.
 */
export function putUid(uid: string, bytes: Uint8Array, first: number): boolean {
  if (uid.length !== UUID_LENGTH) return false;
  for (let i = 0; i < UUID_LENGTH; i++)
    if (DASHES.has(i) ? uid.charCodeAt(i) !== DASH : digitOf(uid.charCodeAt(i)) < 0) return false;
  let at = first;
  for (let i = 0; i < UUID_LENGTH; i += 2) {
    if (DASHES.has(i)) i++;
    bytes[at++] = 16 * digitOf(uid.charCodeAt(i)) + digitOf(uid.charCodeAt(i + 1));
  }
  return true;
}

/** The UID that {@link putUid} wrote from byte `first` on. */
export function uidOf(bytes: Uint8Array, first: number): string {
  let text = '';
  for (let i = 0; i < UID_BYTES; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += PAIRS[bytes[first + i]];
  }
  return text;
}

/** -1: it is none. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
