import type { PixelBox } from '../../bitmap/bitmap.js';
import { addTo, DisjointSets } from '../../content/groups.js';
import type { PageInk } from './page-ink.js';
import { isWalled } from './lines/walled.js';

/** Most pieces of a page that are put into rows: a page with more is a picture. */
const MOST_PIECES = 12_000;
/** Heights of pieces that may be letters, and of points, pixels on a page of 2400; the widest word, in its heights. */
const LEAST_HIGH = 5;
const MOST_HIGH = 60;
const POINT = 2;
const WIDEST = 30;
/** In heights of the larger piece: the gap between words, and between a letter and a point. */
const GAP = 0.95;
const POINT_GAP = 0.7;
/** Pieces of one row share so much of the smaller one's height, and differ by less in height. */
const OVERLAP = 0.5;
const SIMILAR = 2.3;
/** Pieces that are lower than this share of the largest are points and dashes. */
export const LETTER = 0.5;
/** A point stands beside a letter where both have more than this share of the point's height. */
const WITHIN = 0.2;

/** Pieces that stand in one row, however many letters each is: numbers of pieces, from left to right. */
export function rowsOf({ pieces: { list }, walls, unit }: PageInk): number[][] {
  const numbers: number[] = [];
  for (let i = 1; i < list.length && numbers.length < MOST_PIECES; i++) {
    const { x0, y0, x1, y1 } = list[i].box;
    const high = y1 - y0;
    const isPiece = high >= POINT * unit && high <= MOST_HIGH * unit && x1 - x0 < WIDEST * Math.max(high, LEAST_HIGH);
    if (isPiece && list[i].area >= 3) numbers.push(i);
  }
  numbers.sort((a, b) => list[a].box.x0 - list[b].box.x0 || list[a].box.y0 - list[b].box.y0);
  const joined = new DisjointSets(list.length);
  const points = new Map<number, PointBeside[]>();
  numbers.forEach((i, at) => {
    const a = list[i].box;
    const high = a.y1 - a.y0;
    for (let k = at + 1; k < numbers.length; k++) {
      const j = numbers[k];
      const b = list[j].box;
      const gap = b.x0 - a.x1;
      if (gap > GAP * MOST_HIGH * unit) break;
      const other = b.y1 - b.y0;
      const larger = Math.max(high, other),
        smaller = Math.min(high, other);
      if (larger < LEAST_HIGH * unit) continue;
      const isPoint = smaller < LETTER * larger;
      if (gap > (isPoint ? POINT_GAP : GAP) * larger) continue;
      const over = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
      const isBeside = isPoint ? over > -0.3 * larger : over > OVERLAP * smaller && larger < SIMILAR * smaller;
      if (!isBeside || isWalled(a, b, walls)) continue;
      if (!isPoint) joined.join(i, j);
      else if (high < other) addTo(points, i, { letter: j, over, gap, box: a, of: b });
      else addTo(points, j, { letter: i, over, gap, box: b, of: a });
    }
  });
  // Small letters of a row of their own, such as a label's, are no points of large ones below them.
  const ofLetters = new Map<number, number>();
  for (const i of numbers) ofLetters.set(joined.rootOf(i), (ofLetters.get(joined.rootOf(i)) ?? 0) + 1);
  const alone = new Set(numbers.filter((i) => ofLetters.get(joined.rootOf(i)) === 1));
  for (const [point, beside] of points)
    for (const letter of lettersOf(beside, alone.has(point))) joined.join(point, letter);
  const rows = new Map<number, number[]>();
  for (const i of numbers) addTo(rows, joined.rootOf(i), i);
  return [...rows.values()].filter((row) => row.some((i) => list[i].box.y1 - list[i].box.y0 >= LEAST_HIGH * unit));
}

/** A point, a dash or an accent beside a letter, of the same line or of the one above or below. */
interface PointBeside {
  readonly letter: number;
  /** Rows of pixels that both have; less than 0 where they stand above each other. */
  readonly over: number;
  /** Columns between them. */
  readonly gap: number;
  readonly box: PixelBox;
  readonly of: PixelBox;
}

/**
 * The letters in whose line a point is: those that it stands beside, or else the one that it stands on, or else the
 * nearest. A point joins no lines.
 * @param isAlone whether it is in no row of pieces of its own size.
 */
function lettersOf(all: readonly PointBeside[], isAlone: boolean): readonly number[] {
  const beside = all.filter(({ over, box }) => over > WITHIN * (box.y1 - box.y0));
  if (beside.length > 0 || !isAlone) return beside.map(({ letter }) => letter);
  const middle = (box: PixelBox): number => (box.x0 + box.x1) / 2;
  const below = all.filter(({ box, of }) => middle(box) >= of.x0 && middle(box) <= of.x1 && of.y1 > box.y1);
  const awayOf = ({ over, gap }: PointBeside): number => Math.max(0, gap) + 2 * Math.max(0, -over);
  const [nearest] = (below.length > 0 ? below : all).toSorted((a, b) => awayOf(a) - awayOf(b));
  return [nearest.letter];
}
