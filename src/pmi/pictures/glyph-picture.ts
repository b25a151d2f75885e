import { inkBoxOf } from '../glyph.js';

/** Ink of one letter or sign, cut out, with any margin of paper. */
export interface GlyphPicture {
  readonly width: number;
  readonly height: number;
  /** height × width, row by row: 0 paper; the darkest value is ink, on any scale. */
  readonly ink: Uint8Array | Float32Array;
}

/** Side of a normalised picture, pixels; the glyph's longer side fills all but a border of one. */
export const GLYPH_SIDE = 22;
const INNER = GLYPH_SIDE - 2;
/** Pixels below this share of the darkest do not count for the glyph's box. */
const FAINT = 0.3;

/**
 * Normalises a glyph: its box is cut out, scaled with its proportions and centred; darkness becomes 0 to 1.
 * @param into f32[GLYPH_SIDE²].
 * @returns whether there is any ink.
 */
export function normaliseGlyph({ width, height, ink }: GlyphPicture, into: Float32Array): boolean {
  into.fill(0);
  const box = inkBoxOf(ink, width, height, FAINT);
  if (box === undefined) return false;
  const { left: x0, top: y0, right: x1, bottom: y1, darkest } = box;
  const w = x1 - x0,
    h = y1 - y0;
  const across = keptWeightsOf(w, Math.max(w, h)),
    down = keptWeightsOf(h, Math.max(w, h));
  for (const row of down) {
    for (const column of across) {
      let sum = 0;
      for (let j = 0; j < row.weights.length; j++) {
        const line = (y0 + row.first + j) * width + x0 + column.first;
        let part = 0;
        for (let i = 0; i < column.weights.length; i++) part += column.weights[i] * ink[line + i];
        sum += row.weights[j] * part;
      }
      into[row.at * GLYPH_SIDE + column.at] = sum / darkest;
    }
  }
  return true;
}

interface Weights {
  /** Row or column of the normalised picture. */
  readonly at: number;
  /** First pixel of the box with a weight. */
  readonly first: number;
  readonly weights: Float32Array;
}

/** Weights that were made, by both lengths: glyphs of a page have few sizes. Most of them. */
const KEPT = new Map<number, readonly Weights[]>();
const MOST_KEPT = 4_000;
const LONGEST_KEPT = 1_000;

/** Weights of a side of a box by its length and that of the longer side, pixels. */
function keptWeightsOf(length: number, longest: number): readonly Weights[] {
  const step = longest / INNER;
  if (longest > LONGEST_KEPT) return weightsOf(length, step);
  const key = length * (LONGEST_KEPT + 1) + longest;
  const known = KEPT.get(key);
  if (known !== undefined) return known;
  const made = weightsOf(length, step);
  if (KEPT.size >= MOST_KEPT) KEPT.clear();
  KEPT.set(key, made);
  return made;
}

/** Triangle filter of two steps' width, at least two pixels, around the middle of each row or column. */
function weightsOf(length: number, step: number): Weights[] {
  const reach = Math.max(1, step);
  const middle = GLYPH_SIDE / 2;
  const found: Weights[] = [];
  for (let at = 0; at < GLYPH_SIDE; at++) {
    const centre = length / 2 + (at + 0.5 - middle) * step - 0.5;
    const first = Math.max(0, Math.ceil(centre - reach)),
      last = Math.min(length - 1, Math.floor(centre + reach));
    if (last < first) continue;
    const weights = Float32Array.from(
      { length: last - first + 1 },
      (_, i) => (1 - Math.abs(first + i - centre) / reach) / reach,
    );
    found.push({ at, first, weights });
  }
  return found;
}
