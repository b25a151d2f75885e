import { latin1 } from '../text/text-scanner.js';
import { isBinaryDxf } from './binary-dxf.js';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
/** A file with no line feed in so many bytes has none, bytes. */
const HEAD = 4_096;
/** Larger files are not rewritten, bytes. */
const LONGEST = 128 * 1024 * 1024;
/** A text of blanks as programs write it, with the line before it. */
const BLANK_TEXTS = ['\n  1\n \n', '\n  1\r\n \r\n', '\n1\n \n', '\n1\r\n \r\n'];

/**
 * A DXF text whose lines end in a carriage return alone, with line feeds: no reader behind this one knows the first.
 */
export function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const head = bytes.subarray(0, HEAD);
  if (isBinaryDxf(bytes) || head.includes(LINE_FEED) || !head.includes(RETURN)) return bytes;
  return bytes.map((byte) => (byte === RETURN ? LINE_FEED : byte));
}

/**
 * A DXF text with `\~` for a text of blanks alone, which suppresses the text of a dimension: acad-ts 3.2.0 trims it,
 * and without a text a dimension shows what it measures.
 */
export function withBlankTexts(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > LONGEST || isBinaryDxf(bytes) || !BLANK_TEXTS.some((text) => file.includes(text))) return bytes;
  const text = latin1(bytes, 0, bytes.length);
  return Buffer.from(text.replace(/(\n *1\r?\n) (?=\r?\n)/g, '$1\\~'), 'latin1');
}
