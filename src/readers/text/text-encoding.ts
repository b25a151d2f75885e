/** Bytes that are examined to detect UTF-16 without a byte order mark. */
const HEAD_BYTES = 4_096;

/**
 * Decodes a text file: UTF-8 or UTF-16 by its byte order mark, else UTF-16 by its zero bytes, else the stated encoding,
 * else UTF-8 if the bytes are valid, else Windows-1252. Reads no more bytes than are needed for `most` + 1 UTF-16
 * units.
 *
 * @param stated encoding named by the file or its envelope.
 */
export function decodeText(bytes: Uint8Array, most: number, stated?: string): string {
  const marked = markOf(bytes);
  // UTF-8 has at most three bytes per UTF-16 unit, GB18030 two.
  const start = bytes.subarray(0, 3 * (most + 1) + 3);
  if (marked !== undefined) return new TextDecoder(marked).decode(start);
  const wide = bareUtf16(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(start);
  const named = stated === undefined ? undefined : encodingNamed(stated);
  if (named !== undefined && named !== 'utf-8') return decodeAs(named, start);
  const text = new TextDecoder('utf-8').decode(start, { stream: true });
  return isUtf8(text) ? text : decodeAs('windows-1252', start);
}

/** The name of an encoding in the WHATWG Encoding Standard by any of its labels; undefined for an unknown label. */
export function encodingNamed(name: string): string | undefined {
  try {
    return new TextDecoder(name.trim().toLowerCase()).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Characters 0x80 to 0x9f of Windows-1252; unassigned ones are control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes bytes in an encoding named by {@link encodingNamed}. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes);
  return fromWindows1252(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/**
 * Replaces the control characters 0x80 to 0x9f by those of Windows-1252. The TextDecoder of Node 20 leaves them,
 * because it decodes Windows-1252 as Latin-1.
 */
export function fromWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]);
}

function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/**
 * Detects UTF-16 without a byte order mark: Latin letters, blanks and line ends have a zero in every second byte and
 * only there.
 */
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

/** UTF-8 may have a few damaged bytes; in other encodings nearly every letter beyond ASCII is invalid as UTF-8. */
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
