import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';

/** Operators of one letter that paint or end a path (ISO 32000-1, 8.5.3). */
const PAINTING: ReadonlySet<number> = new Set(Buffer.from('SsfFBbn'));
const SPACE = 0x20;

/**
 * Checks how many paths the content in a stream paints, before pdfjs lists them with 1 kB each. An estimate: in other
 * streams and in strings these letters stand alone as well, but not two million times. Paths of several streams, of
 * encrypted ones and of forms that are drawn again are counted in the list of operators.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.entities`.
 */
export function checkPaths(bytes: Uint8Array, limits: Limits): void {
  // Each takes a letter and a blank.
  if (bytes.length < 2 * limits.entities) return;
  let paths = 0;
  for (let at = 0; at < bytes.length; at++)
    if (PAINTING.has(bytes[at]) && isBlank(bytes[at - 1]) && isBlank(bytes[at + 1])) paths++;
  checkLimit('the content of the PDF', limits, 'entities', paths);
}

/** Whether a word ends here: white space (ISO 32000-1, 7.2.2), or an end of the stream. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === SPACE || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) || byte === 0;
}
