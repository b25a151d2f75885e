import type { Bitmap, PixelBox } from '../bitmap/bitmap.js';

/** Direction of a part on a page: 0 along rows, 1 along columns. */
export type Along = 0 | 1;

/** First and last pixel of a range. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a view is broken: its lines run into the zone from both sides, and it shows nothing of the part. */
export interface ViewBreak {
  readonly along: Along;
  readonly zone: Range;
  /** Across: where lines of the part go on behind the break. */
  readonly lines: readonly Range[];
  /** Distance between the outer ones, pixels. */
  readonly width: number;
}

/**
 * Units (points on a sheet): widest break; by how much both pieces may overlap, because their break lines sway; depths
 * of a break line that are tried; and length of what lies behind it, where the lines that run along are read.
 */
const WIDEST = 144;
const OVERLAP = 24;
const DEPTHS = [32, 16, 8, 3];
/** In pixels the break lines still stand out from the view, which makes them deeper. */
const DEPTHS_OF_PIXELS = [64, ...DEPTHS];
const BODY = 6;
/** Least share of {@link BODY} that a line takes which runs along. */
const RUNNING = 0.6;
/** Units by which lines of both sides may be apart, and least share of them that have a partner. */
const APART = 1.5;
const SHARED = 0.8;
/**
 * Least distance between the outer lines, units, and as a share of the narrower piece: two break lines that stand out
 * from a view are no part of it.
 */
const LEAST_WIDTH = 6;
const LEAST_SHARE = 0.25;
/**
 * Least share of the rows between the lines that are empty where the ends are open, and units before the break that are
 * empty as well: just before it an edge may close a view whose outer lines reach farther.
 */
const OPEN = 0.75;
const BEFORE = 2;
/**
 * Break lines: least share of the rows that both cross once, least share of these in which they have one distance, and
 * largest share of a line that lies straight across: then it is the edge of a view.
 */
const CROSSED = 0.7;
const PARALLEL = 0.85;
const STRAIGHT = 0.9;

/** A break and the pieces, by their numbers, that it joins. */
export interface PiecesBreak extends ViewBreak {
  readonly first: number;
  readonly second: number;
}

/**
 * The widest break between any two pieces, given their boxes; undefined where there is none.
 * @param unit pixels of a point of the sheet. @param isPicture the page is known by its pixels alone.
 */
export function widestBreak(
  ink: Bitmap,
  boxes: readonly PixelBox[],
  unit: number,
  isPicture = false,
): PiecesBreak | undefined {
  const depths = isPicture ? DEPTHS_OF_PIXELS : DEPTHS;
  let widest: PiecesBreak | undefined;
  for (let first = 0; first < boxes.length; first++)
    for (let second = 0; second < boxes.length; second++) {
      if (first === second) continue;
      const found =
        breakBetween(ink, [boxes[first], boxes[second]], 0, unit, depths) ??
        breakBetween(ink, [boxes[first], boxes[second]], 1, unit, depths);
      if (found !== undefined && (widest === undefined || found.width > widest.width))
        widest = { ...found, first, second };
    }
  return widest;
}

/**
 * The break between two pieces of a view, the first one to the left or above. Their facing ends are open, or are closed
 * by two equal lines that are not straight, and the same lines run into the break from both sides. Undefined where
 * this is not so: views that stand beside each other have straight edges there.
 * @param unit pixels of a point of the sheet
 */
export function breakBetween(
  ink: Bitmap,
  pieces: readonly [PixelBox, PixelBox],
  along: Along,
  unit: number,
  depths: readonly number[] = DEPTHS,
): ViewBreak | undefined {
  const [a, b] = pieces.map((box) => rangesOf(box, along));
  const gap = b.along.from - a.along.to;
  if (gap > WIDEST * unit || gap < -OVERLAP * unit || a.along.from >= b.along.from || a.along.to >= b.along.to)
    return undefined;
  const across = {
    from: Math.max(0, Math.floor(Math.min(a.across.from, b.across.from))),
    to: Math.min(along === 0 ? ink.height : ink.width, Math.ceil(Math.max(a.across.to, b.across.to))),
  };
  const shared = Math.min(a.across.to, b.across.to) - Math.max(a.across.from, b.across.from);
  if (shared < LEAST_WIDTH * unit) return undefined;
  const narrower = Math.min(a.across.to - a.across.from, b.across.to - b.across.from);
  for (const depth of depths) {
    const zone = { from: Math.floor(a.along.to - depth * unit), to: Math.ceil(b.along.from + depth * unit) };
    const body = Math.max(2, Math.round(BODY * unit));
    // Pieces that reach past each other have nothing between them at this depth, so nothing would seem open.
    if (zone.to <= zone.from) return undefined;
    if (zone.from - body < a.along.from || zone.to + body > b.along.to) return undefined;
    const lines = sharedLines(ink, along, { across, zone, body }, unit);
    if (lines === undefined) continue;
    const width = lines[lines.length - 1].to - lines[0].from;
    if (width >= LEAST_SHARE * narrower && isBreak(ink, along, zone, lines, unit)) return { along, zone, lines, width };
  }
  return undefined;
}

/** The lines that run into the zone from both sides; undefined if they differ. */
function sharedLines(
  ink: Bitmap,
  along: Along,
  { across, zone, body }: { readonly across: Range; readonly zone: Range; readonly body: number },
  unit: number,
): Range[] | undefined {
  const before = runningLines(ink, along, across, { from: zone.from - body, to: zone.from });
  const behind = runningLines(ink, along, across, { from: zone.to, to: zone.to + body });
  const reach = Math.max(1, Math.round(APART * unit));
  if (before.length < 2 || behind.length < 2) return undefined;
  const hasPartner = (line: Range, others: readonly Range[]): boolean =>
    others.some(({ from, to }) => from <= line.to + reach && to >= line.from - reach);
  const paired = before.filter((line) => hasPartner(line, behind));
  const others = behind.filter((line) => hasPartner(line, before));
  if (paired.length < SHARED * before.length || others.length < SHARED * behind.length) return undefined;
  const ends = [before, behind].map((lines) => [lines[0].from, lines[lines.length - 1].to]);
  if ([0, 1].some((i) => Math.abs(ends[0][i] - ends[1][i]) > 2 * reach)) return undefined;
  return paired.length < 2 || ends[0][1] - ends[0][0] < LEAST_WIDTH * unit ? undefined : paired;
}

/** Rows across the part in which most of a range along it is ink. */
function runningLines(ink: Bitmap, along: Along, across: Range, range: Range): Range[] {
  const lines: { from: number; to: number }[] = [];
  for (let row = across.from; row < across.to; row++) {
    let count = 0;
    for (let at = range.from; at < range.to; at++) count += inkAt(ink, along, at, row);
    if (count < RUNNING * (range.to - range.from)) continue;
    const last = lines.at(-1);
    if (last !== undefined && last.to === row) last.to = row + 1;
    else lines.push({ from: row, to: row + 1 });
  }
  return lines;
}

/** Whether between the lines the ends are open or closed by two equal lines that are not straight. */
function isBreak(ink: Bitmap, along: Along, zone: Range, lines: readonly Range[], unit: number): boolean {
  const beside = Math.max(1, Math.round(unit));
  const isLine = (row: number): boolean => lines.some(({ from, to }) => row >= from - beside && row < to + beside);
  const before = Math.round(BEFORE * unit);
  const wide = { from: zone.from - before, to: zone.to + before };
  let rows = 0,
    empty = 0;
  const ends: { first: number; last: number }[] = [];
  for (let row = lines[0].from; row < lines[lines.length - 1].to; row++) {
    if (isLine(row)) continue;
    rows++;
    const runs = runsOf(ink, along, zone, row);
    if (runsOf(ink, along, wide, row).length === 0) empty++;
    if (runs.length === 2) ends.push({ first: runs[0], last: runs[1] });
  }
  if (rows === 0) return false;
  if (empty >= OPEN * rows) return true;
  if (ends.length < CROSSED * rows) return false;
  const width = middleOf(ends.map(({ first, last }) => last - first)),
    place = middleOf(ends.map(({ first }) => first));
  const near = (value: number, middle: number): boolean => Math.abs(value - middle) <= Math.max(1, APART * unit);
  const parallel = ends.filter(({ first, last }) => near(last - first, width)).length;
  const swaying = ends.filter(({ first }) => !near(first, place));
  const together = swaying.filter(({ first, last }) => near(last - first, width)).length;
  return (
    parallel >= PARALLEL * ends.length &&
    swaying.length > (1 - STRAIGHT) * ends.length &&
    together >= PARALLEL * swaying.length
  );
}

/** Middles of the runs of ink of one row in the zone. */
function runsOf(ink: Bitmap, along: Along, zone: Range, row: number): number[] {
  const runs: number[] = [];
  for (let at = zone.from, start = -1; at <= zone.to; at++) {
    const isInk = at < zone.to && inkAt(ink, along, at, row) === 1;
    if (isInk && start < 0) start = at;
    if (isInk || start < 0) continue;
    runs.push((start + at) / 2);
    start = -1;
  }
  return runs;
}

function inkAt({ width, bits }: Bitmap, along: Along, at: number, row: number): number {
  return along === 0 ? bits[row * width + at] : bits[at * width + row];
}

function middleOf(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 1];
}

function rangesOf({ x0, x1, y0, y1 }: PixelBox, along: Along): { readonly along: Range; readonly across: Range } {
  const [x, y] = [
    { from: x0, to: x1 },
    { from: y0, to: y1 },
  ];
  return along === 0 ? { along: x, across: y } : { along: y, across: x };
}
