import type { StoredRun } from '../store/catalog/file-text.js';
import { storedJson } from '../store/database/stored-json.js';

/** Positions are stored in ten-thousandths of the page: a fifth of a millimetre on the longest standard sheet. */
const SHARES = 10_000;
/** Numbers of a run: start, end, x, y, width, height. */
const NUMBERS = 6;

/**
 * Where the pieces of a page's text stand, in the form in which it is stored: a JSON list of whole numbers, six for
 * each piece. The process that read the file makes it: 500 000 pieces as objects would take 100 MiB of the host, as
 * text they take 15.
 */
export function encodePlaces(runs: readonly StoredRun[]): string {
  // What has no place stands at 0: one number that is none would make the whole list unreadable.
  const share = (value: number): number => Math.round(SHARES * value) || 0;
  const pieces = runs.map(({ start, end, box: { x, y, width, height } }) =>
    [start, end, share(x), share(y), share(width), share(height)].join(),
  );
  return `[${pieces.join()}]`;
}

/** @throws EngineError `LIBRARY_DAMAGED` when the text is no list of places. */
export function decodePlaces(text: string): StoredRun[] {
  const numbers = storedJson<number[]>(arePlaces(text) ? text : '', 'the places of words on a page');
  return Array.from({ length: numbers.length / NUMBERS }, (_, i) => {
    const [start, end, x, y, width, height] = numbers.slice(NUMBERS * i, NUMBERS * (i + 1));
    return { start, end, box: { x: x / SHARES, y: y / SHARES, width: width / SHARES, height: height / SHARES } };
  });
}

const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const COMMA = 44;
/** More digits than any place has. */
const MOST_DIGITS = 9;

/**
 * Whether a text that anybody may have written is what {@link encodePlaces} writes: a list of whole numbers, six for
 * each piece. Read character by character: a list of half a million pieces would take more memory than the text.
 */
export function arePlaces(text: string): boolean {
  if (text === '[]') return true;
  if (!text.startsWith('[') || !text.endsWith(']')) return false;
  let numbers = 1,
    digits = 0,
    first = 0;
  for (let i = 1; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      // JSON has no leading zeros.
      if (digits === 1 && first === ZERO) return false;
      if (digits === 0) first = code;
      if (++digits > MOST_DIGITS) return false;
    } else if (code === COMMA) {
      if (digits === 0) return false;
      digits = 0;
      numbers++;
    } else if (code !== MINUS || digits > 0 || text.charCodeAt(i - 1) === MINUS) return false;
  }
  return digits > 0 && numbers % NUMBERS === 0;
}
