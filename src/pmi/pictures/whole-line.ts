import { LINE_CHARACTERS } from './line-characters.js';
import { LINE_BASE, LINE_CAPITAL, LINE_HIGH, LINE_OUTPUTS, lineNet, type LineScores } from './line-net.js';
import type { InkGrid } from './text-blocks.js';

/** Where a line is on a picture, pixels: start of its baseline, its direction, height of capitals, length. */
export interface LinePlace {
  readonly x: number;
  readonly y: number;
  readonly angleRad: number;
  readonly height: number;
  readonly width: number;
}

/** A line as the network reads it. */
export interface WholeLine {
  readonly text: string;
  /** Mean logarithm of the letters' probabilities, what stands between them counted in: 0 is certain. */
  readonly confidence: number;
  readonly letters: readonly WholeLetter[];
  /** What the network says of each place. */
  readonly scores: LineScores;
}

/** A letter of it. */
export interface WholeLetter {
  readonly text: string;
  /** Where its middle is, pixels from the start of the line. */
  readonly at: number;
  /** The same as a place of the network's output. */
  readonly place: number;
  /** Logarithm of the probability that it is this letter, small or capital where both have one form. */
  readonly sure: number;
}

/** Paper before and behind the line, in pixels of the network's picture; longest line. */
const MARGIN = 7;
const BEHIND = 8;
const LONGEST = 1600;
/** Nearer than this, the same letter is one that was seen twice, but for thin ones; pixels of the network's picture. */
const TWICE = 6;
const THIN = /^[1Il.,':"]$/;
/**
 * The network expects points in numbers: one counts only where there is ink so near to it, in pixels of its picture,
 * and at least so dark.
 */
const POINT = /^[.,]$/;
const POINT_HIGH = 6;
const POINT_LOW = 4;
const POINT_BESIDE = 4;
const POINT_INK = 0.06;
/** Of each output the one of its other case, where the small letter is the capital made smaller; 0 for others. */
const OTHER_CASE: readonly number[] = [0, ...LINE_CHARACTERS].map((sign) => {
  if (typeof sign === 'number' || !/[COSUVWXZ]/i.test(sign)) return 0;
  return LINE_CHARACTERS.indexOf(sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase()) + 1;
});
/** Smallest letters, pixels. */
const LEAST_PX = 4;

/** Reads a line of text as a whole; no letters where it shows none, undefined for what is too small or too long. */
export function readWholeLine(grid: InkGrid, place: LinePlace): WholeLine | undefined {
  const ratio = place.height / LINE_CAPITAL;
  if (!(place.height >= LEAST_PX && place.width > 0)) return undefined;
  const used = Math.ceil(place.width / ratio) + 2 * MARGIN;
  const width = 4 * Math.ceil((used + BEHIND) / 4);
  if (width > LONGEST) return undefined;
  const picture = pictureOf(grid, place, { used, width, ratio });
  if (picture === undefined) return undefined;
  const scores = lineNet().read(picture, width);
  const { values, places } = scores;
  const letters: { text: string; at: number; place: number; sure: number }[] = [];
  let last = 0,
    sum = 0;
  for (let i = 0; i < places; i++) {
    let best = 0;
    for (let k = 1; k < LINE_OUTPUTS; k++) if (values[i * LINE_OUTPUTS + k] > values[i * LINE_OUTPUTS + best]) best = k;
    sum += values[i * LINE_OUTPUTS + best];
    const sure = surenessOf(values, i, best);
    const at = (2 * i + 1 - MARGIN) * ratio;
    const before = letters.at(-1);
    if (best !== 0) {
      const read = LINE_CHARACTERS[best - 1];
      const text = POINT.test(read) && !hasPoint(picture, width, 2 * i + 1) ? ' ' : read;
      const isSame = best === last || (before?.text === text && at - before.at <= TWICE * ratio && !THIN.test(text));
      if (!isSame) letters.push({ text, at, place: i, sure });
      else if (before !== undefined && sure > before.sure) Object.assign(before, { at, place: i, sure });
    }
    last = best;
  }
  while (letters.length > 0 && letters[0].text === ' ') letters.shift();
  while (letters.length > 0 && letters[letters.length - 1].text === ' ') letters.pop();
  if (letters.length === 0) return { text: '', confidence: sum / places, letters, scores };
  return { text: letters.map(({ text }) => text).join(''), confidence: sum / letters.length, letters, scores };
}

/** The logarithm of the probability of an output at a place, with that of its other case where both have one form. */
function surenessOf(values: Float32Array, place: number, output: number): number {
  const sure = values[place * LINE_OUTPUTS + output];
  const other = OTHER_CASE[output];
  if (other === 0) return sure;
  return Math.min(0, sure + Math.log(1 + Math.exp(values[place * LINE_OUTPUTS + other] - sure)));
}

/** Whether there is ink at the baseline about a column. */
function hasPoint(picture: Float32Array, width: number, column: number): boolean {
  for (let v = LINE_BASE - POINT_HIGH; v < LINE_BASE + POINT_LOW; v++)
    for (let u = Math.max(0, column - POINT_BESIDE); u <= Math.min(width - 1, column + POINT_BESIDE); u++)
      if (picture[v * width + u] > POINT_INK) return true;
  return false;
}

/** The line's picture, level, capitals of LINE_CAPITAL pixels, its darkest ink 1; undefined where there is no ink. */
function pictureOf(
  { width: gridWidth, height: gridHeight, ink }: InkGrid,
  { x, y, angleRad }: LinePlace,
  { used, width, ratio }: { readonly used: number; readonly width: number; readonly ratio: number },
): Float32Array | undefined {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  // Large letters are averaged, so that no ink is passed over.
  const fine = Math.max(1, Math.ceil(ratio));
  const picture = new Float32Array(LINE_HIGH * width);
  let most = 0;
  for (let v = 0; v < LINE_HIGH; v++) {
    for (let u = 0; u < used; u++) {
      let sum = 0;
      for (let j = 0; j < fine; j++) {
        const down = (v + (j + 0.5) / fine - LINE_BASE) * ratio;
        for (let i = 0; i < fine; i++) {
          const along = (u + (i + 0.5) / fine - MARGIN) * ratio;
          const fromX = x + along * cos - down * sin - 0.5,
            fromY = y + along * sin + down * cos - 0.5;
          const left = Math.floor(fromX),
            upper = Math.floor(fromY);
          if (left < 0 || upper < 0 || left + 1 >= gridWidth || upper + 1 >= gridHeight) continue;
          const p = fromX - left,
            q = fromY - upper,
            at = upper * gridWidth + left;
          sum +=
            (1 - q) * ((1 - p) * ink[at] + p * ink[at + 1]) +
            q * ((1 - p) * ink[at + gridWidth] + p * ink[at + gridWidth + 1]);
        }
      }
      picture[v * width + u] = sum;
      if (sum > most) most = sum;
    }
  }
  if (most === 0) return undefined;
  for (let i = 0; i < picture.length; i++) picture[i] /= most;
  return picture;
}
