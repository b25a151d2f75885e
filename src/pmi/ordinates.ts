import { TurnedFrame } from '../content/geometry.js';
import { numberOf } from './dimension-text.js';
import type { LineIndex } from './line-index.js';
import type { TextLine } from './text-lines.js';

/** A lone number of a sheet, which may be a position. */
export interface OrdinateCandidate {
  readonly line: TextLine;
  readonly nominal: number;
}

/** Ordinates of one row: at least so many, the zero among them. */
const FEW = 3;
/** Most numbers of a sheet that are compared. */
const MOST = 1_000;
/** In letter heights: how far the line of a position ends from its number, and how long it is at least. */
const BESIDE = 1.6;
const LEAST = 1.5;
/** How far it lies above and below the middle of the number. */
const ACROSS = 0.75;
/** Numbers of one row begin, or end, in one line; and stand no farther apart. In letter heights. */
const ALIGNED = 0.7;
const APART = 30;
const SAME_DIRECTION_RAD = 0.03;

/**
 * Which lone numbers of a sheet are positions from a common zero (ISO 129-1, 9.4: ascending dimension lines), and no
 * lengths: numbers that stand in a row, each at the end of a line in its own direction, with nothing on its other side,
 * and that grow away from the zero, or from the first of the row.
 */
export function ordinatesOf(
  candidates: readonly OrdinateCandidate[],
  zeros: readonly TextLine[],
  index: LineIndex,
): ReadonlySet<TextLine> {
  const all = [
    ...candidates.map(({ line, nominal }) => ({ line, nominal })),
    ...zeros.map((line) => ({ line, nominal: 0 })),
  ]
    .slice(0, MOST)
    .flatMap((each): Position[] => {
      const side = sideOfLine(each.line, index);
      return side === undefined ? [] : [{ ...each, side }];
    });
  const found = new Set<TextLine>();
  const left = new Set(all);
  for (const first of all) {
    if (!left.has(first)) continue;
    const row = rowOf(first, [...left]);
    for (const each of row) left.delete(each);
    if (row.length >= FEW && growsFromZero(row)) for (const { line } of row) found.add(line);
  }
  return found;
}

/** A number with the side on which its line ends. */
interface Position extends OrdinateCandidate {
  readonly side: 'start' | 'end';
}

/** On which side of a number a line in its direction ends; undefined where none or both have one, as in a gap. */
function sideOfLine({ angleRad, start, end, t, height }: TextLine, index: LineIndex): Position['side'] | undefined {
  const frame = new TurnedFrame(angleRad);
  const middle = t - height / 2;
  const edges = index
    .nearIn(frame, (start + end) / 2, middle, (end - start) / 2 + BESIDE * height)
    .filter(
      ({ x0, y0, x1, y1 }) =>
        Math.abs(y0 - y1) < 0.1 * height &&
        Math.abs(x1 - x0) > LEAST * height &&
        Math.abs((y0 + y1) / 2 - middle) < ACROSS * height,
    )
    .map(({ x0, x1 }) => ({ from: Math.min(x0, x1), to: Math.max(x0, x1) }));
  const slack = 0.3 * height;
  const isBefore = edges.some(({ to }) => to > start - BESIDE * height && to < start + slack);
  const isBehind = edges.some(({ from }) => from > end - slack && from < end + BESIDE * height);
  const isThrough = edges.some(({ from, to }) => from < start - slack && to > end + slack);
  if (isThrough || isBefore === isBehind) return undefined;
  return isBefore ? 'start' : 'end';
}

/** The numbers in a row with one, in the order in which they stand. */
function rowOf(first: Position, all: readonly Position[]): Position[] {
  const { line, side } = first;
  const aligned = all
    .filter(
      (other) =>
        other.side === side &&
        Math.abs(other.line.angleRad - line.angleRad) < SAME_DIRECTION_RAD &&
        Math.abs(other.line[side] - line[side]) < ALIGNED * line.height,
    )
    .sort((a, b) => a.line.t - b.line.t);
  const at = aligned.indexOf(first);
  const isNear = (i: number): boolean => aligned[i + 1].line.t - aligned[i].line.t < APART * line.height;
  let from = at,
    to = at;
  while (from > 0 && isNear(from - 1)) from--;
  while (to + 1 < aligned.length && isNear(to)) to++;
  return aligned.slice(from, to + 1);
}

/** Whether numbers grow from one end of the row to the other, or to both sides of a zero. */
function growsFromZero(row: readonly Position[]): boolean {
  const values = row.map(({ nominal }) => nominal);
  const zero = values.indexOf(0);
  const grows = (some: readonly number[]): boolean => some.every((value, i) => i === 0 || value > some[i - 1]);
  if (zero < 0) return grows(values) || grows(values.toReversed());
  return grows(values.slice(zero)) && grows(values.slice(0, zero + 1).toReversed());
}

/** A zero that is written alone: `0`, `0.00`. */
export function isZero(text: string): boolean {
  return /^0(?:[.,]0+)?$/.test(text.trim()) && numberOf(text) === 0;
}
