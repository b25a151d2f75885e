import type { FaceEdge, FaceTable, PartFace } from './part-face.js';
import { cross, dot, lengthOf, minus, movedPoint, turned, unit, type Vector } from './vector.js';

/**
 * What the faces of a part are, whatever its pose and size: shares of area and of number by kind and side, radii,
 * largest faces, edges by the kinds that meet, neighbours, equal faces, what turns about one axis. Only arithmetic and
 * square roots, in a fixed order.
 */

/** Plane; cylinder, cone, sphere and torus, each solid and hollow; free. */
const CLASSES = 10;
const PLANE = 0,
  FREE = 9;
const RADII = 8;
const LARGEST = 12;
/** Kinds of pairs of faces (plane, round, free) and of edges (convex, concave, smooth). */
const PAIRS = 6,
  EDGES = 3;
const TURNS = 12;
const NEIGHBOURS = 10;
const EQUALS = 6;
const ARCS = 5;
/** Quarters by which a full turn may fall short. */
const ARC_SLACK = 0.02;
/** Faces whose area differs by less are equal. */
const EQUAL = 1.03;
/** Axes of so many largest round faces are tried as the main one. */
const AXES = 12;
const PARALLEL = 0.999,
  COAXIAL = 1e-3;
/** Most faces that are counted, over all places of bodies. */
const MOST_COUNTED = 20_000;

/** Numbers of {@link faceStatistics}. */
export const FACE_STATISTICS =
  3 * CLASSES + 1 + 6 * RADII + LARGEST + 2 * PAIRS * EDGES + 2 * TURNS + 2 * NEIGHBOURS + 3 * EQUALS + 8 + 2 * ARCS;

interface Counted {
  readonly face: PartFace;
  readonly kind: number;
  readonly areaMm2: number;
  readonly radiusMm: number;
  readonly axis: Vector;
  readonly origin: Vector;
  neighbours: number;
}

interface Joint {
  readonly edge: FaceEdge;
  readonly kinds: readonly [number, number];
  readonly lengthMm: number;
}

/** f32[FACE_STATISTICS]: the statistics of all faces as they are placed; 0 to 1 each. All 0 without faces. */
export function faceStatistics(table: FaceTable): Float32Array {
  const { faces, joints } = counted(table);
  const area = faces.reduce((sum, { areaMm2 }) => sum + areaMm2, 0);
  const out = new Float32Array(FACE_STATISTICS);
  if (!(area > 0)) return out;
  const size = Math.sqrt(area);
  const parts = [
    ...ofKinds(faces, area),
    ...ofRadii(faces, area, size),
    largest(faces, area),
    ...ofEdges(joints),
    ...ofNeighbours(faces, area),
    ...ofEquals(faces, area),
    aboutAxes(faces, area, size),
    ...ofArcs(faces, area),
  ];
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function counted({ bodies, places }: FaceTable): { faces: Counted[]; joints: Joint[] } {
  const faces: Counted[] = [];
  const joints: Joint[] = [];
  for (const { body, matrix } of places) {
    const own = bodies[body];
    if (faces.length > 0 && faces.length + own.faces.length > MOST_COUNTED) break;
    const [x, y, z] = [turned(matrix, [1, 0, 0]), turned(matrix, [0, 1, 0]), turned(matrix, [0, 0, 1])];
    const scale = Math.cbrt(Math.abs(dot(x, cross(y, z))));
    const first = faces.length;
    for (const face of own.faces) {
      faces.push({
        face,
        kind: kindOf(face),
        areaMm2: face.areaMm2 * scale * scale,
        radiusMm: face.radiusMm * scale,
        axis: unit(turned(matrix, face.axis)),
        origin: movedPoint(matrix, face.origin),
        neighbours: 0,
      });
    }
    for (const edge of own.edges) {
      const [a, b] = edge.faces.map((i) => faces[first + i]);
      a.neighbours++;
      b.neighbours++;
      joints.push({ edge, kinds: [a.kind, b.kind], lengthMm: edge.lengthMm * scale });
    }
  }
  return { faces, joints };
}

function kindOf({ kind, isHollow }: PartFace): number {
  if (kind === 'plane') return PLANE;
  if (kind === 'free') return FREE;
  return 1 + 2 * ['cylinder', 'cone', 'sphere', 'torus'].indexOf(kind) + (isHollow ? 1 : 0);
}

function isRound({ kind }: Pick<Counted, 'kind'>): boolean {
  return kind !== PLANE && kind !== FREE;
}

/** 0 to 1 from a number of things: few tell more than many. */
function fewOf(count: number): number {
  return 1 - 1 / Math.sqrt(1 + count);
}

/** Square roots of the shares of `weight` by bin; 0 without weight. whole: that of which they are shares. */
function shares<T>(
  items: readonly T[],
  bins: number,
  { bin, weight, whole }: { bin: (item: T) => number; weight: (item: T) => number; whole?: number },
): Float64Array {
  const sums = new Float64Array(bins);
  for (const item of items) sums[bin(item)] += weight(item);
  const all = whole ?? sums.reduce((sum, value) => sum + value, 0);
  return sums.map((sum) => (all > 0 ? Math.sqrt(sum / all) : 0));
}

const areaOf = ({ areaMm2 }: Counted): number => areaMm2;
const one = (): number => 1;

function ofKinds(faces: readonly Counted[], whole: number): Float64Array[] {
  const bin = ({ kind }: Counted): number => kind;
  const counts = new Float64Array(CLASSES + 1);
  for (const { kind } of faces) counts[kind]++;
  counts[CLASSES] = faces.length;
  return [
    shares(faces, CLASSES, { bin, weight: areaOf, whole }),
    shares(faces, CLASSES, { bin, weight: one }),
    counts.map(fewOf),
  ];
}

/** Radii in octaves of the part's size: of solid and of hollow cylinders, of all else that is round. */
function ofRadii(faces: readonly Counted[], whole: number, size: number): Float64Array[] {
  const bin = ({ radiusMm }: Counted): number => {
    let octave = 0;
    for (let limit = size / 64; octave < RADII - 1 && radiusMm >= limit; octave++) limit *= 2;
    return octave;
  };
  return [[1], [2], [3, 4, 5, 6, 7, 8]].flatMap((kinds) => {
    const some = faces.filter(({ kind }) => kinds.includes(kind));
    return [
      shares(some, RADII, { bin, weight: areaOf, whole }),
      shares(some, RADII, { bin, weight: one, whole: faces.length }),
    ];
  });
}

function largest(faces: readonly Counted[], whole: number): Float64Array {
  const areas = Float64Array.from(faces, areaOf).sort().reverse();
  return Float64Array.from({ length: LARGEST }, (_, i) => Math.sqrt((areas[i] ?? 0) / whole));
}

function ofEdges(joints: readonly Joint[]): Float64Array[] {
  const groupOf = (kind: number): number => (kind === PLANE ? 0 : kind === FREE ? 2 : 1);
  const kindsOf = { convex: 0, concave: 1, smooth: 2 } as const;
  const bin = ({ edge, kinds }: Joint): number => {
    const [low, high] = kinds.map(groupOf).sort((a, b) => a - b);
    return EDGES * (high + (low === 0 ? 0 : low === 1 ? 2 : 3)) + kindsOf[edge.kind];
  };
  const turn = ({ edge }: Joint): number =>
    // Bins are 15° wide and centred on multiples of 15°: 30°, 45° and 90° lie in the middle of one.
    Math.min(TURNS - 1, Math.round((TURNS * edge.turnRad) / Math.PI)) + (edge.kind === 'concave' ? TURNS : 0);
  const weight = ({ lengthMm }: Joint): number => lengthMm;
  return [
    shares(joints, PAIRS * EDGES, { bin, weight }),
    shares(joints, PAIRS * EDGES, { bin, weight: one }),
    shares(
      joints.filter(({ edge }) => edge.kind !== 'smooth'),
      2 * TURNS,
      { bin: turn, weight },
    ),
  ];
}

function ofNeighbours(faces: readonly Counted[], whole: number): Float64Array[] {
  const bin = ({ neighbours }: Counted): number => Math.min(NEIGHBOURS - 1, neighbours);
  return [shares(faces, NEIGHBOURS, { bin, weight: one }), shares(faces, NEIGHBOURS, { bin, weight: areaOf, whole })];
}

/** How many faces are equal to a face, in octaves: of planes, of round faces, of all area. */
function ofEquals(faces: readonly Counted[], whole: number): Float64Array[] {
  const order = [...faces.keys()].sort(
    (a, b) => faces[a].kind - faces[b].kind || faces[a].areaMm2 - faces[b].areaMm2 || a - b,
  );
  const octaves = new Map<Counted, number>();
  for (let from = 0, to = 0; from < order.length; from = to) {
    const { kind, areaMm2 } = faces[order[from]];
    const isEqual = (i: number): boolean => faces[i].kind === kind && faces[i].areaMm2 <= EQUAL * areaMm2;
    for (to = from + 1; to < order.length && isEqual(order[to]); to++);
    let octave = 0;
    while (octave < EQUALS - 1 && to - from >= 2 ** (octave + 1)) octave++;
    for (const i of order.slice(from, to)) octaves.set(faces[i], octave);
  }
  const bin = (face: Counted): number => octaves.get(face)!;
  return [
    shares(
      faces.filter(({ kind }) => kind === PLANE),
      EQUALS,
      { bin, weight: one, whole: faces.length },
    ),
    shares(faces.filter(isRound), EQUALS, { bin, weight: one, whole: faces.length }),
    shares(faces, EQUALS, { bin, weight: areaOf, whole }),
  ];
}

/**
 * About the axis with most area, parallel to it, in other directions: hollow and solid area; numbers of the last two.
 */
function aboutAxes(faces: readonly Counted[], whole: number, size: number): Float64Array {
  const round = faces.filter(({ kind }) => (kind >= 1 && kind <= 4) || kind === 7 || kind === 8);
  const mains = [...round.keys()].sort((a, b) => round[b].areaMm2 - round[a].areaMm2 || a - b).slice(0, AXES);
  let most = -1,
    places: number[] = [];
  for (const main of mains) {
    const { axis, origin } = round[main];
    const own = round.map((other) => {
      if (Math.abs(dot(other.axis, axis)) <= PARALLEL) return 2;
      return lengthOf(cross(minus(other.origin, origin), axis)) < COAXIAL * size ? 0 : 1;
    });
    const area = round.reduce((sum, { areaMm2 }, i) => sum + (own[i] === 0 ? areaMm2 : 0), 0);
    if (area <= most) continue;
    most = area;
    places = own;
  }
  const numbers = [...round.keys()];
  const sides = shares(numbers, 6, {
    bin: (i) => 2 * places[i] + (round[i].kind % 2 === 0 ? 0 : 1),
    weight: (i) => round[i].areaMm2,
    whole,
  });
  const count = (place: number): number => fewOf(places.filter((own) => own === place).length);
  return Float64Array.from([...sides, count(1), count(2)]);
}

/** How far round faces go, in quarters: those of solid and of hollow cylinders, cones and tori. */
function ofArcs(faces: readonly Counted[], whole: number): Float64Array[] {
  const bin = ({ face: { region } }: Counted): number =>
    Math.min(ARCS - 1, Math.floor((region.to[0] - region.from[0]) / (Math.PI / 2) + ARC_SLACK));
  return [
    [1, 3, 7],
    [2, 4, 8],
  ].map((kinds) =>
    shares(
      faces.filter(({ kind }) => kinds.includes(kind)),
      ARCS,
      { bin, weight: areaOf, whole },
    ),
  );
}
