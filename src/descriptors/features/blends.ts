import type { PartFace } from '../faces/part-face.js';
import { areParallel } from './axis-line.js';
import type { Feature } from './feature.js';
import type { FaceGraph } from './face-graph.js';
import type { RoundWall } from './round-walls.js';

/** A rounding turns by less, rad: the end of a slot turns by half a turn. */
const MOST_TURN = 2.6;
/** Bends from a chamfer to the faces beside it, rad: 20° to 70°. */
const BEVEL = { least: 0.35, most: 1.23 };
/** A chamfer is so much smaller than the faces beside it, and so much longer than wide. */
const BESIDE = 2;
const LONG = 2;
/** Its two long edges are alike up to this factor. */
const ALIKE = 1.5;
/** The cone of a turned chamfer is at most so high, as a share of its radius. */
const TURNED = 0.3;
/** Radii that are equal, as a share. */
const SAME_RADIUS = 5e-3;

/** Fillets: faces that run smoothly into two others around a small turn; those that run into each other count once. */
export function filletsOf(graph: FaceGraph, taken: ReadonlySet<number>): Feature[] {
  const { faces } = graph;
  const groups: { radius: number; readonly members: number[] }[] = [];
  faces.forEach((face, i) => {
    const radius = roundingOf(face);
    if (taken.has(i) || radius === undefined) return;
    const smooth = graph.beside(i).filter(({ kind }) => kind === 'smooth');
    if (smooth.length < 2 || !smooth.some(({ face: other }) => roundingOf(faces[other]) === undefined)) return;
    const known = groups.find((group) => Math.abs(group.radius - radius) <= SAME_RADIUS * radius);
    if (known === undefined) groups.push({ radius, members: [i] });
    else known.members.push(i);
  });
  return groups.map(({ radius, members }) => ({
    kind: 'fillet',
    count: graph.joined(members, (_, { kind }) => kind === 'smooth').length,
    faces: members,
    radiusMm: radius,
  }));
}

/** Radius of a face that can be a rounding. */
function roundingOf({ kind, radiusMm, second, region: { from, to } }: PartFace): number | undefined {
  if (kind === 'cylinder') return to[0] - from[0] < MOST_TURN ? radiusMm : undefined;
  if (kind === 'torus') return to[1] - from[1] < MOST_TURN ? second : undefined;
  return kind === 'sphere' && to[0] - from[0] < MOST_TURN ? radiusMm : undefined;
}

/** Chamfers: narrow flat faces between two larger ones, and short cones at the ends of round pins. */
export function chamfersOf(graph: FaceGraph, walls: readonly RoundWall[], taken: ReadonlySet<number>): Feature[] {
  const byWidth = new Map<number, { count: number; faces: number[]; width: number }>();
  const add = (faces: readonly number[], width: number): void => {
    const key = [...byWidth.keys()].find((other) => Math.abs(other - width) <= 0.02 * width) ?? width;
    const known = byWidth.get(key) ?? { count: 0, faces: [], width };
    known.count++;
    known.faces.push(...faces);
    byWidth.set(key, known);
  };
  graph.faces.forEach((_, i) => {
    const width = taken.has(i) ? undefined : flatChamfer(graph, i);
    if (width !== undefined) add([i], width);
  });
  for (const wall of walls) if (isTurnedChamfer(graph, wall, taken)) add(wall.faces, wall.to - wall.from);
  return [...byWidth.values()].map(({ count, faces, width }) => ({ kind: 'chamfer', count, faces, widthMm: width }));
}

/** Width of a face that is a flat chamfer. */
function flatChamfer(graph: FaceGraph, i: number): number | undefined {
  const face = graph.faces[i];
  if (face.kind !== 'plane') return undefined;
  const edges = graph.beside(i).filter(({ kind, turnRad }) => kind === 'convex' && turnRad > 0);
  const [first, second] = edges.toSorted((a, b) => b.lengthMm - a.lengthMm);
  if (second === undefined || first.lengthMm > ALIKE * second.lengthMm) return undefined;
  const isBevel = [first, second].every(({ turnRad, face: other }) => {
    const { areaMm2 } = graph.faces[other];
    return turnRad >= BEVEL.least && turnRad <= BEVEL.most && areaMm2 >= BESIDE * face.areaMm2;
  });
  const width = face.areaMm2 / first.lengthMm;
  return isBevel && first.lengthMm >= LONG * width ? width : undefined;
}

function isTurnedChamfer(graph: FaceGraph, wall: RoundWall, taken: ReadonlySet<number>): boolean {
  const { kind, isHollow, radiusMm, narrowMm, from, to, axis, faces } = wall;
  if (kind !== 'cone' || isHollow || narrowMm <= 0 || faces.some((i) => taken.has(i))) return false;
  if (to - from > TURNED * radiusMm || radiusMm - narrowMm > TURNED * radiusMm) return false;
  const beside = faces.flatMap((i) => graph.beside(i)).filter((edge) => edge.kind === 'convex');
  const isBesideA = (is: (face: PartFace) => boolean): boolean => beside.some(({ face }) => is(graph.faces[face]));
  return (
    isBesideA((face) => face.kind === 'plane' && areParallel(face.axis, axis)) &&
    isBesideA((face) => face.kind === 'cylinder' && !face.isHollow && areParallel(face.axis, axis))
  );
}
