import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';

const SAVE = 0x71,
  RESTORE = 0x51,
  SPACE = 0x20,
  NUL = 0x00;

/**
 * Checks how many graphics states the content in a stream saves in each other (`q` less `Q`), before pdfjs reads it:
 * its states are prototypes of each other, so that reading text takes time by the square of the depth. An estimate: in
 * other streams, strings and comments these letters stand alone as well, but not a thousand times more often than the
 * others. Content that is split over streams is not put together; there `limits.timeoutMs` holds.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.savedStates`.
 */
export function checkSavedStates(bytes: Uint8Array, limits: Limits): void {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if ((byte !== SAVE && byte !== RESTORE) || !isBlank(bytes[at - 1]) || !isBlank(bytes[at + 1])) continue;
    depth = byte === SAVE ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) deepest = depth;
  }
  checkLimit('the content of the PDF', limits, 'savedStates', deepest);
}

/** Whether a word ends here: white space (ISO 32000-1, 7.2.2), or an end of the stream. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === SPACE || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) || byte === NUL;
}
