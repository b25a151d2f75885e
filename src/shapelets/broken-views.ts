import type { Ink } from './page-raster.js';
import { join, type Cluster } from './clusters.js';

/** Lengths in points: the widest gap of a break, the end of a piece that is compared, and by how much ends differ. */
const GAP = 34;
const END = 5;
const UNEVEN = 3;
const UNEVEN_SHARE = 0.12;
/** A piece is so many times longer than its end is wide. */
const SLENDER = 1.5;

/** Joins the pieces of views that are broken off and go on: two ends of one width and height face each other. */
export function joinBrokenViews(clusters: readonly Cluster[], ink: Ink, point: number): Cluster[] {
  let left = [...clusters];
  for (let i = 0; i < left.length; i++) {
    for (let k = 0; k < left.length; k++) {
      if (i === k || !(facesAcross(left[i], left[k], ink, point) || facesDown(left[i], left[k], ink, point))) continue;
      const joined = join(left[i], left[k]);
      left = left.filter((_, n) => n !== i && n !== k);
      left.push(joined);
      i = -1;
      break;
    }
  }
  return left;
}

function facesAcross(a: Cluster, b: Cluster, ink: Ink, point: number): boolean {
  const gap = b.minX - a.maxX;
  if (gap < 0 || gap > GAP * point) return false;
  const one = extentOf(ink, a.maxX - END * point, a.maxX, a.minY, a.maxY, 1), other = extentOf(ink, b.minX, b.minX + END * point, b.minY, b.maxY, 1);
  return one !== undefined && other !== undefined && isOneEnd(one, other, point) && Math.min(a.maxX - a.minX, b.maxX - b.minX) > SLENDER * (one.to - one.from);
}

function facesDown(a: Cluster, b: Cluster, ink: Ink, point: number): boolean {
  const gap = b.minY - a.maxY;
  if (gap < 0 || gap > GAP * point) return false;
  const one = extentOf(ink, a.minX, a.maxX, a.maxY - END * point, a.maxY, 0), other = extentOf(ink, b.minX, b.maxX, b.minY, b.minY + END * point, 0);
  return one !== undefined && other !== undefined && isOneEnd(one, other, point) && Math.min(a.maxY - a.minY, b.maxY - b.minY) > SLENDER * (one.to - one.from);
}

function isOneEnd(a: Extent, b: Extent, point: number): boolean {
  const most = Math.max(UNEVEN * point, UNEVEN_SHARE * (a.to - a.from));
  return Math.abs(a.from - b.from) <= most && Math.abs(a.to - b.to) <= most;
}

interface Extent {
  readonly from: number;
  readonly to: number;
}

/** From where to where, along x (0) or y (1), something is drawn within a rectangle. */
function extentOf({ width, height, bits, scale }: Ink, minX: number, maxX: number, minY: number, maxY: number, axis: 0 | 1): Extent | undefined {
  let from = Infinity, to = -Infinity;
  for (let row = Math.max(0, Math.floor(minY * scale)); row <= Math.min(height - 1, Math.floor(maxY * scale)); row++) {
    for (let column = Math.max(0, Math.floor(minX * scale)); column <= Math.min(width - 1, Math.floor(maxX * scale)); column++) {
      if (bits[row * width + column] === 0) continue;
      const at = axis === 0 ? column : row;
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  return from > to ? undefined : { from: from / scale, to: (to + 1) / scale };
}
