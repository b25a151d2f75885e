import type { PixelBox } from '../../bitmap/bitmap.js';
import type { Segment } from '../../content/geometry.js';
import { widestBreak, type ViewBreak } from '../break-between.js';
import { bridgesOf } from './break-marks.js';
import { join, joinOverlapping, without, type Cluster, type SheetRaster } from './clusters.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Widest gap of a break, points; the second where both ends have matching break lines. */
const GAP = 36;
const LINED_GAP = 144;
/** Depths of a break line that are tried, and length of the piece behind it that is compared, points. */
const BREAKS = [14, 28];
const BODY = 14;
/** Largest difference between the ends of two pieces: points, and as a share of their width. */
const UNEVEN = 3;
const UNEVEN_SHARE = 0.12;
/** Least ratio of the length of a piece to its width at the break. */
const SLENDER = 1.5;
/** A piece of at least so many pixels is closed where a line lies straight across this share of its width. */
const LEAST_CLOSED = 8;
const CLOSED = 0.6;
/**
 * Least distance by which a break line protrudes from the piece, and largest difference of how far the lines of both
 * ends reach along it, points; and least ratio of its height to that reach.
 */
const OUT = 1;
const SWAYS_ALIKE = 3;
const UPRIGHT = 1.5;

/** A break line is at least so tall, in widths of the break, and sways by at most this share of its height. */
const TALL = 0.5;
const SWAY = 0.35;

/** Direction on the page: 0 horizontal, 1 vertical. */
type Axis = 0 | 1;
interface Extent {
  readonly from: number;
  readonly to: number;
}

/**
 * Joins the pieces of views that are shown with a break: two facing ends of equal width and position. Break lines that
 * protrude from the view do not belong to it.
 */
export function joinBrokenViews(clusters: readonly Cluster[], ink: SheetRaster, measures: SheetMeasures): Cluster[] {
  // Pieces of two views that stand above each other have equal widths as well, so what is surely a break comes first.
  const sure = joinOverlapping(joinAtBreaks(clusters, ink, measures));
  const whole = new Set(sure.filter(({ bridges }) => bridges !== undefined));
  const left = [...sure];
  for (let i = 0; i < left.length; i++) {
    for (let k = 0; k < left.length; k++) {
      const [a, b] = [left[i], left[k]];
      const joined = i === k || whole.has(a) || whole.has(b) ? undefined : joinEither(a, b, ink, measures);
      if (joined === undefined) continue;
      left[Math.min(i, k)] = joined;
      left.splice(Math.max(i, k), 1);
      i = -1;
      break;
    }
  }
  return left;
}

/**
 * Joins pieces whose facing ends are those of a break, at the widest one first. Not of shaded views: no edge closes
 * these, so that flanges of two views, one above the other, would be lines that go on behind a break.
 */
function joinAtBreaks(clusters: readonly Cluster[], ink: SheetRaster, measures: SheetMeasures): Cluster[] {
  const { scale } = ink;
  const shaded = clusters.filter(({ pictures }) => pictures.size > 0);
  const left = clusters.filter(({ pictures }) => pictures.size === 0);
  for (;;) {
    const boxes = left.map((cluster) => pixelsOf(cluster, scale));
    const found = widestBreak(ink, boxes, measures.point * scale);
    if (found === undefined) return [...left, ...shaded];
    left[found.first] = joinedAt(found, [left[found.first], left[found.second]], scale, measures);
    left.splice(found.second, 1);
  }
}

/** The pixels that are drawn of a cluster. */
function pixelsOf({ x0, y0, x1, y1 }: Cluster, scale: number): PixelBox {
  const [left, top, right, bottom] = [x0, y0, x1, y1].map((place) => Math.floor(scale * place));
  return { x0: left, y0: top, x1: right + 1, y1: bottom + 1 };
}

/** Both pieces without their break lines, with the lines that go on behind the break. */
function joinedAt(
  found: ViewBreak,
  [a, b]: readonly [Cluster, Cluster],
  scale: number,
  measures: SheetMeasures,
): Cluster {
  const { boxes } = measures;
  const { along, zone, width } = found;
  const [from, to] = [zone.from / scale, zone.to / scale];
  const across = 1 - along;
  const isBreakLine = (i: number): boolean => {
    const [start, end] = [boxes[4 * i + along], boxes[4 * i + 2 + along]];
    if (start >= from && end <= to) return true;
    const height = boxes[4 * i + 2 + across] - boxes[4 * i + across];
    return start < to && end > from && height > TALL * (width / scale) && end - start < SWAY * height;
  };
  const both = join(a, b);
  const whole = without(both, new Set(both.strokes.filter(isBreakLine)), measures);
  return { ...whole, bridges: [...(whole.bridges ?? []), ...bridgesOf(found, scale)] };
}

function joinEither(a: Cluster, b: Cluster, ink: SheetRaster, measures: SheetMeasures): Cluster | undefined {
  for (const deep of BREAKS) {
    const joined =
      joinAlong(a, b, { axis: 0, deep, ink }, measures) ?? joinAlong(a, b, { axis: 1, deep, ink }, measures);
    if (joined !== undefined) return joined;
  }
  return undefined;
}

/** Both clusters as one if `b` continues `a` along an axis; otherwise undefined. */
function joinAlong(
  a: Cluster,
  b: Cluster,
  { axis, deep, ink }: { readonly axis: Axis; readonly deep: number; readonly ink: SheetRaster },
  measures: SheetMeasures,
): Cluster | undefined {
  const { point } = measures;
  const [first, second] = [extentOf(a, axis), extentOf(b, axis)];
  const gap = second.from - first.to;
  if (gap < 0 || gap > LINED_GAP * point) return undefined;
  const one = inkedAcross(ink, a, axis, first.to - (deep + BODY) * point, first.to - deep * point);
  const other = inkedAcross(ink, b, axis, second.from + deep * point, second.from + (deep + BODY) * point);
  if (one === undefined || other === undefined) return undefined;
  const width = Math.max(one.to - one.from, other.to - other.from);
  const most = Math.max(UNEVEN * point, UNEVEN_SHARE * width);
  if (!areAlike(one, other, most)) return undefined;
  const left = breakLines(a, axis, one, { from: first.to - deep * point, to: first.to }, measures);
  const right = breakLines(b, axis, other, { from: second.from, to: second.from + deep * point }, measures);
  const areLined = areSameLines(left, right, { axis, most }, measures);
  const areShaded = a.pictures.size > 0 && b.pictures.size > 0;
  const isSlender = Math.min(first.to - first.from, second.to - second.from) >= SLENDER * width;
  const areOpen = areShaded || !(isClosed(ink, axis, one, first.to) && isClosed(ink, axis, other, second.from));
  if (!areLined && !(isSlender && areOpen && gap <= GAP * point)) return undefined;
  const whole = without(join(a, b), new Set([...left.all, ...right.all]), measures);
  if (!areLined && !areShaded) return whole;
  const zone = { from: first.to - deep * point, to: second.from + deep * point };
  return { ...whole, bridges: [...(whole.bridges ?? []), ...edgesAcross(axis, zone, [one, other])] };
}

/** The outer edges of both pieces, as they would run across the break. */
function edgesAcross(axis: Axis, { from, to }: Extent, [one, other]: readonly [Extent, Extent]): Segment[] {
  return [(one.from + other.from) / 2, (one.to + other.to) / 2].map((at) =>
    axis === 0 ? { x0: from, y0: at, x1: to, y1: at } : { x0: at, y0: from, x1: at, y1: to },
  );
}

/** Whether a straight edge closes a piece at its end, as it closes a view that only stands beside another one. */
function isClosed({ width, height, bits, scale }: SheetRaster, axis: Axis, body: Extent, end: number): boolean {
  const at = Math.floor(end * scale);
  const [from, to] = [Math.floor(body.from * scale), Math.ceil(body.to * scale)];
  if (to - from < LEAST_CLOSED) return false;
  return [at - 1, at, at + 1].some((line) => {
    let inked = 0;
    for (let row = from; row < to; row++) {
      const [x, y] = axis === 0 ? [line, row] : [row, line];
      if (x >= 0 && y >= 0 && x < width && y < height) inked += bits[y * width + x];
    }
    return inked > CLOSED * (to - from);
  });
}

function areAlike(one: Extent, other: Extent, most: number): boolean {
  return Math.abs(one.from - other.from) <= most && Math.abs(one.to - other.to) <= most;
}

/**
 * Whether the lines that protrude at both ends are the same ones, moved along the axis. Where two views stand beside
 * each other, edges of a flange or lines of dimensions protrude, which differ or run along the axis.
 */
function areSameLines(
  left: EndLines,
  right: EndLines,
  { axis, most }: { readonly axis: Axis; readonly most: number },
  { boxes, point }: SheetMeasures,
): boolean {
  if (left.out.length === 0 || left.out.length !== right.out.length) return false;
  const across = 1 - axis;
  const lineOf = (i: number): { readonly across: Extent; readonly along: number } => ({
    across: { from: boxes[4 * i + across], to: boxes[4 * i + 2 + across] },
    along: boxes[4 * i + 2 + axis] - boxes[4 * i + axis],
  });
  const others = right.out.map(lineOf);
  return left.out.map(lineOf).every((line) => {
    if (line.across.to - line.across.from < UPRIGHT * line.along) return false;
    const i = others.findIndex(
      (other) => areAlike(other.across, line.across, most) && Math.abs(other.along - line.along) <= SWAYS_ALIKE * point,
    );
    if (i >= 0) others.splice(i, 1);
    return i >= 0;
  });
}

const NO_LINES: EndLines = Object.freeze({ all: [], out: [] });

/** The strokes at the end of a piece where some of them protrude from it, and those that do. */
interface EndLines {
  readonly all: readonly number[];
  readonly out: readonly number[];
}

function breakLines(
  { strokes }: Cluster,
  axis: Axis,
  body: Extent,
  end: Extent,
  { boxes, point }: SheetMeasures,
): EndLines {
  const lies = (i: number): boolean =>
    boxes[4 * i + axis] >= end.from - point && boxes[4 * i + 2 + axis] <= end.to + point;
  const across = 1 - axis;
  const standsOut = (i: number): boolean =>
    boxes[4 * i + across] < body.from - OUT * point || boxes[4 * i + 2 + across] > body.to + OUT * point;
  const all = strokes.filter(lies);
  const out = all.filter(standsOut);
  return out.length > 0 ? { all, out } : NO_LINES;
}

function extentOf({ x0, x1, y0, y1 }: Cluster, axis: Axis): Extent {
  return axis === 0 ? { from: x0, to: x1 } : { from: y0, to: y1 };
}

/** Extent of a cluster's ink perpendicular to an axis, between two places along it. */
function inkedAcross(
  { width, height, bits, scale }: SheetRaster,
  cluster: Cluster,
  axis: Axis,
  along: number,
  end: number,
): Extent | undefined {
  const own = extentOf(cluster, axis === 0 ? 1 : 0);
  const [x, y] = axis === 0 ? [{ from: along, to: end }, own] : [own, { from: along, to: end }];
  let from = Infinity,
    to = -Infinity;
  const [top, bottom] = [Math.max(0, Math.floor(y.from * scale)), Math.min(height - 1, Math.floor(y.to * scale))];
  const [left, right] = [Math.max(0, Math.floor(x.from * scale)), Math.min(width - 1, Math.floor(x.to * scale))];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      if (bits[row * width + column] === 0) continue;
      const at = axis === 0 ? row : column;
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  return from > to ? undefined : { from: from / scale, to: (to + 1) / scale };
}
