import { dot, frameOf, minus, plus, type Vector } from '../faces/vector.js';
import { areParallel, type AxisLine } from './axis-line.js';
import type { Feature } from './feature.js';
import { related, type FaceGraph } from './face-graph.js';
import { patternOf, type Place } from './pattern.js';
import { areCoaxial, gapOf, spanAlong, type RoundWall } from './round-walls.js';

/** A round hole or a round boss. */
export interface RoundFeature extends AxisLine {
  readonly diameterMm: number;
  readonly depthMm: number;
  /** Middle between its ends. */
  readonly middle: Vector;
  readonly isThrough: boolean;
  readonly sunk?: 'counterbored' | 'countersunk';
  readonly sunkDiameterMm?: number;
  readonly sunkDepthMm?: number;
  readonly faces: readonly number[];
}

/** Walls of one axis, this near to each other as a share of the wider diameter, are steps of one hole. */
const STEPPED = 0.5;
/** A mouth is so much wider than its hole; a smaller cone only breaks the edge. */
const SUNK = 1.35;
const COUNTERBORED = 1.1;
/** A floor covers so much of its circle; a cone that ends narrower than this share is a point. */
const FLOOR = 0.5;
const POINT = 0.1;
/** Relative difference of diameters and depths that are the same: less than between drill sizes. */
const SAME_DIAMETER = 2e-3;
const SAME_DEPTH = 5e-3;
/** Distance of middles that lie in one plane, as a share of the diameter. */
const SAME_PLANE = 0.02;

/** The holes of a body: hollow walls of one axis that follow each other are one, as wide as the narrowest cylinder. */
export function holesOf(graph: FaceGraph, walls: readonly RoundWall[]): RoundFeature[] {
  const hollow = walls.filter(({ isHollow }) => isHollow);
  const isStep = (a: RoundWall, b: RoundWall): boolean =>
    areCoaxial(a, b) && gapOf(a, b) <= STEPPED * 2 * Math.max(a.radiusMm, b.radiusMm);
  return related(hollow, isStep).flatMap((steps) => {
    const cylinders = steps.filter(({ kind }) => kind === 'cylinder');
    if (cylinders.length === 0) return [];
    const narrowest = cylinders.reduce((a, b) => (b.radiusMm < a.radiusMm ? b : a));
    const walled = steps.filter(({ kind, narrowMm, radiusMm }) => kind === 'cylinder' || narrowMm >= POINT * radiusMm);
    const spans = walled.map((wall) => spanAlong(narrowest, wall));
    const from = Math.min(...spans.map(([low]) => low)),
      to = Math.max(...spans.map(([, high]) => high));
    return [
      {
        axis: narrowest.axis,
        origin: narrowest.origin,
        diameterMm: 2 * narrowest.radiusMm,
        depthMm: to - from,
        middle: plus(narrowest.origin, narrowest.axis, (from + to) / 2),
        isThrough: !isClosed(graph, steps),
        ...mouthOf(steps, narrowest),
        faces: steps.flatMap(({ faces }) => faces),
      },
    ];
  });
}

/** Whether a hole ends at a floor, at the point of a drill or in a dome. */
function isClosed(graph: FaceGraph, steps: readonly RoundWall[]): boolean {
  const own = new Set(steps.flatMap(({ faces }) => faces));
  return steps.some(({ kind, axis, radiusMm, narrowMm, faces }) => {
    if (kind === 'cone') return narrowMm < POINT * radiusMm;
    const isFloor = (face: number): boolean => {
      const { kind: surface, axis: normal, areaMm2 } = graph.faces[face];
      if (surface !== 'plane' || !areParallel(normal, axis) || areaMm2 < FLOOR * Math.PI * radiusMm ** 2) return false;
      return !graph.beside(face).some((other) => other.kind === 'convex' && own.has(other.face));
    };
    const isEnd = (face: number): boolean => {
      const { kind: surface, isHollow } = graph.faces[face];
      if (surface === 'sphere') return isHollow;
      if (surface === 'cone') return isHollow && !own.has(face) && graph.faces[face].region.from[1] <= 1e-6 * radiusMm;
      return surface === 'torus' && isHollow && graph.beside(face).some((other) => isFloor(other.face));
    };
    return faces.some((face) =>
      graph.beside(face).some((other) => other.kind !== 'convex' && (isFloor(other.face) || isEnd(other.face))),
    );
  });
}

/** The wider mouth of a hole of one diameter. */
function mouthOf(
  steps: readonly RoundWall[],
  narrowest: RoundWall,
): Pick<RoundFeature, 'sunk' | 'sunkDiameterMm' | 'sunkDepthMm'> | undefined {
  const wide = steps.reduce((a, b) => (b.radiusMm > a.radiusMm ? b : a));
  if (wide.kind === 'cone' && wide.radiusMm > SUNK * narrowest.radiusMm) {
    const cones = steps.filter(({ kind, radiusMm }) => kind === 'cone' && isNear(radiusMm, wide.radiusMm, SAME_DEPTH));
    return { sunk: 'countersunk', sunkDiameterMm: 2 * wide.radiusMm, ...depthOfMouths(cones, narrowest) };
  }
  const bores = steps.filter(
    ({ kind, radiusMm }) => kind === 'cylinder' && radiusMm > COUNTERBORED * narrowest.radiusMm,
  );
  if (bores.length === 0) return undefined;
  const widestMm = Math.max(...bores.map(({ radiusMm }) => radiusMm));
  const mouths = bores.filter(({ radiusMm }) => isNear(radiusMm, widestMm, SAME_DEPTH));
  return { sunk: 'counterbored', sunkDiameterMm: 2 * widestMm, ...depthOfMouths(mouths, narrowest) };
}

/** How deep a mouth is, from its opening to its floor, or where its cone meets the hole; nothing for unlike ones. */
function depthOfMouths(mouths: readonly RoundWall[], narrowest: RoundWall): Pick<RoundFeature, 'sunkDepthMm'> {
  const [depthMm, ...others] = mouths.map((wall) => {
    const [from, to] = spanAlong(narrowest, wall);
    return to - from;
  });
  return others.every((other) => isNear(other, depthMm, SAME_DEPTH)) ? { sunkDepthMm: depthMm } : {};
}

/**
 * Equal holes or bosses together, and of these the patterns by themselves; most frequent first, then widest first.
 * @param round middles of round walls, for squares that are circles of four.
 */
export function groupedRound(
  kind: 'hole' | 'boss',
  found: readonly RoundFeature[],
  walls: readonly RoundWall[],
): Feature[] {
  const groups: RoundFeature[][] = [];
  for (const item of [...found].sort((a, b) => a.diameterMm - b.diameterMm)) {
    const group = groups.find(([first]) => areEqual(first, item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups.flatMap((group) => {
    const features: Feature[] = [];
    const alone: RoundFeature[] = [];
    for (const plane of related(group, isBesideInPlane)) {
      const pattern = patternOf(...placesOf(plane, walls));
      if (pattern === undefined) alone.push(...plane);
      else features.push({ ...featureOf(kind, plane), pattern });
    }
    return alone.length === 0 ? features : [...features, featureOf(kind, alone)];
  });
}

function areEqual(a: RoundFeature, b: RoundFeature): boolean {
  return (
    a.isThrough === b.isThrough &&
    a.sunk === b.sunk &&
    isNear(a.diameterMm, b.diameterMm, SAME_DIAMETER) &&
    isNear(a.sunkDiameterMm ?? 0, b.sunkDiameterMm ?? 0, SAME_DEPTH) &&
    isNear(a.sunkDepthMm ?? 0, b.sunkDepthMm ?? 0, SAME_DEPTH) &&
    (a.isThrough || isNear(a.depthMm, b.depthMm, SAME_DEPTH))
  );
}

function isBesideInPlane(a: RoundFeature, b: RoundFeature): boolean {
  return areParallel(a.axis, b.axis) && Math.abs(dot(minus(a.middle, b.middle), a.axis)) <= SAME_PLANE * a.diameterMm;
}

function placesOf(
  items: readonly RoundFeature[],
  walls: readonly RoundWall[],
): [places: Place[], isRoundAt: (middle: Place) => boolean] {
  const [{ axis, diameterMm }] = items;
  const [u, v] = frameOf(axis);
  const placeOf = (point: Vector): Place => [dot(point, u), dot(point, v)];
  const isRoundAt = ([x, y]: Place): boolean =>
    walls.some((wall) => {
      if (!areParallel(wall.axis, axis)) return false;
      const [wx, wy] = placeOf(wall.origin);
      return Math.hypot(wx - x, wy - y) <= SAME_PLANE * diameterMm;
    });
  return [items.map(({ origin }) => placeOf(origin)), isRoundAt];
}

function featureOf(kind: 'hole' | 'boss', items: readonly RoundFeature[]): Feature {
  const [{ diameterMm, depthMm, isThrough, sunk, sunkDiameterMm, sunkDepthMm }] = items;
  const isOneDepth = items.every((item) => isNear(item.depthMm, depthMm, SAME_DEPTH));
  return {
    kind,
    count: items.length,
    faces: items.flatMap(({ faces }) => faces),
    diameterMm,
    ...(isOneDepth ? { depthMm } : {}),
    ...(kind === 'hole' ? { isThrough } : {}),
    ...(sunk === undefined ? {} : { sunk, sunkDiameterMm }),
    ...(sunkDepthMm === undefined ? {} : { sunkDepthMm }),
  };
}

function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.max(a, b);
}
