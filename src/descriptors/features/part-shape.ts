import type { PartFace } from '../faces/part-face.js';
import type { SurfaceKind } from '../faces/fitted-surface.js';
import { covers, pointAt } from '../faces/region.js';
import { cross, dot, lengthOf, minus, plus, scaled, type Vector } from '../faces/vector.js';
import { areOneLine, areParallel, distanceFrom, type AxisLine } from './axis-line.js';
import { blockAround } from './block.js';
import { pointsOn } from './face-points.js';
import type { Feature, PartShape } from './feature.js';
import { mainLines, sizeOfLists } from './main-lines.js';

/** What a part is, and of what wall. */
export interface ShapeFound {
  readonly shape: PartShape | null;
  /** Thickness of a sheet or of the wall of a tube, mm. */
  readonly wallMm?: number;
  /** Bends of a sheet. */
  readonly bends?: Feature;
}

/** Least share of the surface across the axis that is of revolution: a shaft may have a flat. */
const LEAST_ROUND = 0.9;
/** What is so near to the farthest from the axis is asked for by itself: a hexagon head is no turned part. */
const FAR = 0.9;
/** A flat face of a smaller share lies across the axis, as the ends of a shaft do. */
const NO_SHARE = 0.01;
/** All cells of half a region. */
const FULL = 0xff_ff_ff_ff;
/** Axes that are one, as a share of the part's size. */
const SAME_LINE = 1e-3;
/** Share of the surface of a sheet or tube that has its other side at one distance; edges have none. */
const LEAST_PAIRED = 0.8;
/** Largest faces that are paired. */
const MOST_PAIRED = 400;
/** Thicknesses that are equal, as a share. */
const SAME_WALL = 0.02;
/** A flat sheet is at most so thick, mm, and as a share of the part's size; a bent one of its size. */
const FLAT = { mm: 6, share: 0.05 };
const BENT = 0.1;
/** Wall of a tube, as a share of its radius. */
const TUBE_WALL = 0.3;
/** A round tube is so much longer than wide, or it is a ring. */
const TUBE_LONG = 1.5;
/** Least share of flat faces along the block of what is milled. */
const MILLED = 0.5;
/** A bend turns by less than a tube, rad. */
const MOST_BEND = 3.5;

/**
 * What a part is made by.
 * @param holes faces of the walls of holes and of keyways.
 * @param passages faces of passages with flat walls.
 */
export function shapeOf(
  faces: readonly PartFace[],
  holes: ReadonlySet<number>,
  passages: ReadonlySet<number>,
): ShapeFound {
  const sizeMm = sizeOf(faces);
  const sheet = thinWall(faces, sizeMm);
  if (sheet !== undefined && isTube(faces, sheet, passages)) return { shape: 'tube', wallMm: sheet.wallMm };
  if (isTurned(faces, holes, sizeMm)) return { shape: 'turned' };
  const bends = sheet && bendsOf(faces, sheet);
  if (sheet !== undefined && isSheet(sheet, bends)) return { shape: 'sheet metal', wallMm: sheet.wallMm, ...bends };
  return { shape: isMilled(faces) ? 'milled' : null };
}

/** Whether nearly all of a surface but holes beside the axis, and keyways, is of revolution about one axis. */
function isTurned(faces: readonly PartFace[], holes: ReadonlySet<number>, size: number): boolean {
  return mainLines(faces, SAME_LINE * size).some((line) => {
    const shares = faces.map((face) => shareAcross(face, line.axis));
    const reaches = faces.map((face, i) => (shares[i] > NO_SHARE ? reachOf(face, line) : 0));
    const reach = reaches.reduce((most, value) => Math.max(most, value), 0);
    const sums = { all: 0, round: 0, far: 0, farRound: 0 };
    faces.forEach((face, i) => {
      const isRound = isAbout(face, line, SAME_LINE * size);
      if (holes.has(i) && !isRound) return;
      const area = face.areaMm2 * shares[i];
      sums.all += area;
      if (isRound) sums.round += area;
      if (reaches[i] < FAR * reach) return;
      sums.far += area;
      if (isRound) sums.farRound += area;
    });
    return sums.all > 0 && sums.round >= LEAST_ROUND * sums.all && sums.farRound >= LEAST_ROUND * sums.far;
  });
}

/** Whether a face is of revolution about a line; of a free face its centroid must tell. */
function isAbout(face: PartFace, line: AxisLine, near: number): boolean {
  if (face.kind === 'sphere') return distanceFrom(line, face.origin) <= near;
  if (face.kind === 'free') return distanceFrom(line, face.middle) <= near;
  return face.kind !== 'plane' && areOneLine(line, face, near);
}

/** The share of a face's area that is seen across an axis. */
function shareAcross({ kind, axis, second }: PartFace, along: Vector): number {
  if (kind === 'plane') return Math.min(1, lengthOf(cross(axis, along)));
  return kind === 'cylinder' ? 1 : kind === 'cone' ? Math.cos(second) : Math.SQRT1_2;
}

/** Largest distance of a face from a line. */
function reachOf(face: PartFace, line: AxisLine): number {
  const { kind, region } = face;
  if (kind === 'plane' || kind === 'free') {
    const frame = [region.x, cross(face.axis, region.x)] as const;
    const isFull = region.cells[0] === FULL && region.cells[1] === FULL;
    const corners = isFull
      ? [region.from[0], region.to[0]].flatMap((u) =>
          [region.from[1], region.to[1]].map((v) => pointAt(face, frame, [u, v])),
        )
      : pointsOn(face);
    return corners.reduce((most, point) => Math.max(most, distanceFrom(line, point)), 0);
  }
  const own = distanceFrom(line, face.origin);
  if (kind === 'cone') return own + Math.tan(face.second) * region.to[1];
  return own + face.radiusMm + (kind === 'torus' ? face.second : 0);
}

interface ThinWall {
  readonly wallMm: number;
  readonly sizeMm: number;
  /** Pairs of faces on both sides of the wall. */
  readonly pairs: readonly (readonly [number, number])[];
}

/** Two faces on both sides of a wall. */
interface Paired {
  readonly pair: readonly [number, number];
  readonly wallMm: number;
}

/** The wall of one thickness that most of a part consists of. */
function thinWall(faces: readonly PartFace[], sizeMm: number): ThinWall | undefined {
  const all = faces.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);
  const largest = faces
    .map((_, i) => i)
    .sort((a, b) => faces[b].areaMm2 - faces[a].areaMm2)
    .slice(0, MOST_PAIRED);
  const parallel = parallelPairs(faces, largest);
  // Most parts end here: whether faces lie opposite each other, which is dear, is asked of those that can be thin
  // walls.
  if (!canPair(faces, parallel, LEAST_PAIRED * all)) return undefined;
  const found = parallel.filter(({ pair: [i, k], wallMm }) => isOpposite(faces[i], faces[k], wallMm));
  let best: { readonly paired: readonly Paired[]; readonly wallMm: number; readonly area: number } | undefined;
  for (const { wallMm, paired } of equalWalls(found)) {
    const sides = new Set(paired.flatMap(({ pair }) => pair));
    const area = [...sides].reduce((sum, i) => sum + faces[i].areaMm2, 0);
    if (best === undefined || area > best.area) best = { paired, wallMm, area };
  }
  if (best === undefined || best.area < LEAST_PAIRED * all) return undefined;
  return { wallMm: best.wallMm, pairs: best.paired.map(({ pair }) => pair), sizeMm };
}

/** By thickness of the first pairs, the pairs of (nearly) that thickness, in their order; each different list once. */
function equalWalls(found: readonly Paired[]): { wallMm: number; paired: Paired[] }[] {
  const order = [...found.keys()].sort((a, b) => found[a].wallMm - found[b].wallMm || a - b);
  const walls = Float64Array.from(order, (i) => found[i].wallMm);
  const lists = new Map<number, { wallMm: number; paired: Paired[] }>();
  for (const { wallMm } of found.slice(0, MOST_PAIRED)) {
    const isFar = (other: number): boolean => Math.abs(other - wallMm) > SAME_WALL * wallMm;
    let from = firstAt(walls, wallMm),
      to = from;
    while (from > 0 && !isFar(walls[from - 1])) from--;
    while (to < walls.length && !isFar(walls[to])) to++;
    const key = from * (found.length + 1) + to;
    if (lists.has(key)) continue;
    const members = order.slice(from, to).sort((a, b) => a - b);
    lists.set(key, { wallMm, paired: members.map((i) => found[i]) });
  }
  return [...lists.values()];
}

/** The first place of a value in rising ones that hold it. */
function firstAt(values: Float64Array, value: number): number {
  let low = 0,
    high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Kinds of faces that can be the sides of a wall, two of which differ by the last bit if they are hollow and solid. */
const WALLS: Readonly<Record<SurfaceKind, number>> = { plane: 2, cylinder: 4, torus: 6, cone: 0, sphere: 0, free: 0 };
/** Directions are far from parallel where their cosine is less, whatever their rounding. */
const NEARLY_PARALLEL = 0.99;

/** Pairs of faces that lie along each other with material between them, each face with those before it. */
function parallelPairs(faces: readonly PartFace[], largest: readonly number[]): Paired[] {
  // Numbers only in the inner loop: most of 80 000 pairs are of other kinds or directions.
  const kinds = new Uint8Array(largest.length),
    axes = new Float64Array(3 * largest.length);
  for (let k = 0; k < largest.length; k++) {
    const { kind, axis, isHollow } = faces[largest[k]];
    kinds[k] = kind !== 'plane' && isHollow ? WALLS[kind] + 1 : WALLS[kind];
    axes.set(axis, 3 * k);
  }
  const found: Paired[] = [];
  for (let k = 0; k < largest.length; k++) {
    if (kinds[k] < 2) continue;
    const isFlat = kinds[k] === WALLS.plane;
    const wanted = isFlat ? kinds[k] : kinds[k] ^ 1;
    const x = axes[3 * k],
      y = axes[3 * k + 1],
      z = axes[3 * k + 2];
    for (let m = 0; m < k; m++) {
      if (kinds[m] !== wanted) continue;
      const cosine = x * axes[3 * m] + y * axes[3 * m + 1] + z * axes[3 * m + 2];
      if (isFlat ? cosine > -NEARLY_PARALLEL : Math.abs(cosine) < NEARLY_PARALLEL) continue;
      const face = faces[largest[k]],
        other = faces[largest[m]];
      const wallMm = isFlat ? wallOfPlanes(face, other) : wallOfRound(face, other);
      if (wallMm !== undefined) found.push({ pair: [largest[k], largest[m]], wallMm });
    }
  }
  return found;
}

/** Whether the faces of pairs of (nearly) one thickness can have so much surface together. */
function canPair(faces: readonly PartFace[], pairs: readonly Paired[], leastMm2: number): boolean {
  const least = (1 - 1e-6) * leastMm2;
  // By face: in how many of the pairs it is.
  const times = new Uint32Array(faces.length);
  let area = 0;
  for (const { pair } of pairs) for (const i of pair) if (times[i]++ === 0) area += faces[i].areaMm2;
  if (area < least) return false;
  times.fill(0);
  area = 0;
  const order = [...pairs].sort((a, b) => a.wallMm - b.wallMm);
  let from = 0,
    to = 0;
  for (const { wallMm } of order) {
    // A little more, so that rounding leaves none out.
    const reach = 1.001 * SAME_WALL * wallMm;
    for (; to < order.length && order[to].wallMm <= wallMm + reach; to++)
      for (const i of order[to].pair) if (times[i]++ === 0) area += faces[i].areaMm2;
    for (; order[from].wallMm < wallMm - reach; from++)
      for (const i of order[from].pair) if (--times[i] === 0) area -= faces[i].areaMm2;
    if (area >= least) return true;
  }
  return false;
}

/** Thickness of the material between two planes that face away from each other. */
function wallOfPlanes(a: PartFace, b: PartFace): number | undefined {
  if (dot(a.axis, b.axis) > 0 || !areParallel(a.axis, b.axis)) return undefined;
  const wall = dot(minus(a.origin, b.origin), a.axis);
  return wall > 0 ? wall : undefined;
}

/** Thickness of the material between two cylinders or tori, one in the other. */
function wallOfRound(a: PartFace, b: PartFace): number | undefined {
  const [inner, outer] = a.isHollow ? [a, b] : [b, a];
  if (!inner.isHollow || outer.isHollow) return undefined;
  const size = a.radiusMm + b.radiusMm;
  if (!areOneLine(a, b, SAME_LINE * size)) return undefined;
  const wall = a.kind === 'cylinder' ? outer.radiusMm - inner.radiusMm : outer.second - inner.second;
  if (a.kind === 'torus' && lengthOf(minus(a.origin, b.origin)) > SAME_LINE * size) return undefined;
  return wall > 0 ? wall : undefined;
}

/** Whether two faces that lie along each other are two sides of one wall: somewhere the one has the other behind it. */
function isOpposite(a: PartFace, b: PartFace, wallMm: number): boolean {
  if (a.kind !== 'plane') return a.isHollow ? isBesideAlong(a, b) : isBesideAlong(b, a);
  const [small, large] = a.areaMm2 < b.areaMm2 ? [a, b] : [b, a];
  return pointsOn(small).some((point) => covers(large, large.region, plus(point, small.axis, -wallMm)));
}

/** Whether two round faces of one axis lie beside each other along and around it. */
function isBesideAlong(inner: PartFace, outer: PartFace): boolean {
  if (inner.kind === 'torus') return true;
  return pointsOn(inner).some((point) => {
    const out = minus(point, inner.origin);
    const away = plus(out, inner.axis, -dot(out, inner.axis));
    return covers(outer, outer.region, plus(point, scaled(away, outer.radiusMm / inner.radiusMm - 1)));
  });
}

/** Whether the wall goes round: a round or bent tube, or one with flat walls around a passage. */
function isTube(
  faces: readonly PartFace[],
  { wallMm, pairs, sizeMm }: ThinWall,
  passages: ReadonlySet<number>,
): boolean {
  const all = pairs.flat().reduce((sum, i) => sum + faces[i].areaMm2, 0);
  const inner = pairs.flat().filter((i) => passages.has(i));
  if (inner.reduce((sum, i) => sum + faces[i].areaMm2, 0) >= 0.3 * all) return wallMm <= BENT * sizeMm;
  const round = pairs.filter(([i]) => {
    const { kind, region } = faces[i];
    return kind === 'torus' || (kind === 'cylinder' && region.to[0] - region.from[0] > Math.PI - 0.1);
  });
  if (round.flat().reduce((sum, i) => sum + faces[i].areaMm2, 0) < 0.9 * all) return false;
  const radius = Math.max(
    ...round.flat().map((i) => (faces[i].kind === 'torus' ? faces[i].second : faces[i].radiusMm)),
  );
  return wallMm <= TUBE_WALL * radius && sizeMm >= 2 * radius * Math.hypot(1, TUBE_LONG);
}

/** Bent somewhere, or one flat wall. */
function isSheet({ wallMm, pairs, sizeMm }: ThinWall, bends: { bends?: Feature } | undefined): boolean {
  if (bends?.bends !== undefined) return wallMm <= FLAT.mm && wallMm <= BENT * sizeMm;
  return pairs.length === 1 && wallMm <= FLAT.mm && wallMm <= FLAT.share * sizeMm;
}

function bendsOf(faces: readonly PartFace[], { pairs }: ThinWall): { bends?: Feature } {
  const bends = pairs.filter(([i]) => {
    const { kind, region } = faces[i];
    return kind === 'cylinder' && region.to[0] - region.from[0] < MOST_BEND;
  });
  const inner = bends.flat().filter((i) => faces[i].isHollow);
  if (inner.length === 0) return {};
  const radiusMm = Math.min(...inner.map((i) => faces[i].radiusMm));
  return { bends: { kind: 'bend', count: inner.length, faces: bends.flat(), radiusMm } };
}

function isMilled(faces: readonly PartFace[]): boolean {
  const block = blockAround(faces);
  if (block === undefined) return false;
  let all = 0,
    along = 0;
  for (const { kind, axis, areaMm2 } of faces) {
    all += areaMm2;
    if (kind === 'plane' && block.sides.some(({ normal }) => areParallel(normal, axis))) along += areaMm2;
  }
  return along >= MILLED * all;
}

/** Length of the diagonal of a box around the faces. */
function sizeOf(faces: readonly PartFace[]): number {
  return sizeOfLists(faces.map(pointsOn));
}
