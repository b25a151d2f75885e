import type { PartFace } from '../faces/part-face.js';
import { covers } from '../faces/region.js';
import { cross, dot, lengthOf, minus, plus, unit, type Vector } from '../faces/vector.js';
import { areParallel } from './axis-line.js';
import type { FaceGraph } from './face-graph.js';
import { pointsOn } from './face-points.js';
import type { Feature } from './feature.js';

/** Sides of a rib: their normals are opposite up to its draft, as 1 plus the cosine (5°). */
const OPPOSITE = 4e-3;
/** A rib is so much higher, and so much longer, than thick. */
const HIGH = 1.5;
const LONG = 3;
/** What it stands on is so much larger than its top, and at least so square to its sides (cosine). */
const BASE = 2;
const SQUARE = 0.2;
/** Least cosine between the normals of top and base. */
const ABOVE = 0.2;
/** Thicknesses and heights that are the same, as a share. */
const SAME = 0.02;
/** Most faces that are looked at as tops, and of each its neighbours with the longest edges: a sieve has thousands. */
const MOST_FACES = 5_000;
const MOST_SIDES = 8;

interface Rib {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly faces: readonly number[];
}

/**
 * Ribs: thin walls with two flat sides that stand in grooves on the same base, at one end of them or on two; with a
 * top, flat or round, between them. Equal ones together.
 * @param taken faces that belong to something else.
 */
export function ribsOf(graph: FaceGraph, taken: ReadonlySet<number>): Feature[] {
  const ribs: Rib[] = [];
  const used = new Set(taken);
  const { faces } = graph;
  const tops = [...faces.keys()]
    .filter((i) => faces[i].kind === 'plane' || (faces[i].kind === 'cylinder' && !faces[i].isHollow))
    .sort((a, b) => faces[a].areaMm2 - faces[b].areaMm2)
    .slice(0, MOST_FACES);
  for (const top of tops) {
    if (used.has(top)) continue;
    const rib = ribUnder(graph, top, used);
    if (rib === undefined) continue;
    ribs.push(rib);
    for (const face of rib.faces) used.add(face);
  }
  const groups: { readonly first: Rib; readonly faces: number[]; count: number }[] = [];
  for (const rib of ribs) {
    const known = groups.find(
      ({ first }) => isNear(first.widthMm, rib.widthMm) && isNear(first.heightMm, rib.heightMm),
    );
    if (known === undefined) groups.push({ first: rib, faces: [...rib.faces], count: 1 });
    else {
      known.faces.push(...rib.faces);
      known.count++;
    }
  }
  return groups.map(({ first, faces: members, count }) => ({
    kind: 'rib',
    count,
    faces: members,
    widthMm: first.widthMm,
    depthMm: first.heightMm,
  }));
}

/** The rib whose top a face is. */
function ribUnder(graph: FaceGraph, top: number, used: ReadonlySet<number>): Rib | undefined {
  const { faces } = graph;
  const beside = graph
    .beside(top)
    .filter(({ face, kind }) => kind !== 'concave' && faces[face].kind === 'plane' && !used.has(face))
    .sort((a, b) => b.lengthMm - a.lengthMm)
    .slice(0, MOST_SIDES);
  for (const [k, { face: a }] of beside.entries())
    for (const { face: b } of beside.slice(0, k)) {
      if (1 + dot(faces[a].axis, faces[b].axis) > OPPOSITE) continue;
      const widthMm = dot(minus(faces[a].middle, faces[b].middle), faces[a].axis);
      if (!(widthMm > 0) || !isOpposite(faces[a], faces[b], widthMm)) continue;
      const base = baseOf(graph, { sides: [a, b], top });
      // The end of a beam lies beside its web, but not above a flange.
      if (base === undefined || !isAbove(faces[top], base.normal)) continue;
      const { heightMm, lengthMm } = extentOf(faces[a], base.normal);
      if (heightMm < HIGH * widthMm || lengthMm < LONG * widthMm) continue;
      return { widthMm, heightMm, faces: [top, a, b] };
    }
  return undefined;
}

/** Whether a top faces away from the base, straight or aslant as that of a gusset. */
function isAbove(top: PartFace, normal: Vector): boolean {
  return top.kind !== 'plane' || dot(top.axis, normal) >= ABOVE;
}

/** Whether material lies between two sides: one has the other behind it. */
function isOpposite(a: PartFace, b: PartFace, widthMm: number): boolean {
  const [small, large] = a.areaMm2 < b.areaMm2 ? [a, b] : [b, a];
  return pointsOn(small).some((point) => covers(large, large.region, plus(point, small.axis, -widthMm)));
}

/** The flat face, or faces in one plane, on which both sides stand. */
function baseOf(
  graph: FaceGraph,
  { sides: [a, b], top }: { sides: readonly [number, number]; top: number },
): { normal: Vector } | undefined {
  const { faces } = graph;
  const grounds = (side: number): number[] =>
    graph.beside(side).flatMap(({ face, kind }) => (kind === 'concave' && faces[face].kind === 'plane' ? [face] : []));
  const others = grounds(b);
  if (others.length === 0) return undefined;
  for (const one of grounds(a))
    for (const other of others) {
      const [p, q] = [faces[one], faces[other]];
      if (one !== other && !(areParallel(p.axis, q.axis) && Math.abs(dot(minus(p.origin, q.origin), p.axis)) < 1e-6))
        continue;
      const isLarge = p.areaMm2 + (one === other ? 0 : q.areaMm2) >= BASE * faces[top].areaMm2;
      if (isLarge && Math.abs(dot(p.axis, faces[a].axis)) <= SQUARE) return { normal: p.axis };
    }
  return undefined;
}

/** Extents of a side along the normal of its base, and along the base. */
function extentOf(side: PartFace, normal: Vector): { heightMm: number; lengthMm: number } {
  const along = unit(cross(side.axis, normal));
  const upright = unit(cross(along, side.axis));
  if (lengthOf(along) === 0) return { heightMm: 0, lengthMm: 0 };
  const { region } = side;
  const frame = [region.x, cross(side.axis, region.x)] as const;
  const corners = [region.from[0], region.to[0]].flatMap((u) =>
    [region.from[1], region.to[1]].map((v): Vector => plus(plus(side.origin, frame[0], u), frame[1], v)),
  );
  const isAligned = [upright, along].some((one) => Math.abs(dot(one, region.x)) > 0.999);
  const points = isAligned ? corners : pointsOn(side);
  const spread = (axis: Vector): number => {
    const values = points.map((point) => dot(point, axis));
    return Math.max(...values) - Math.min(...values);
  };
  return { heightMm: spread(upright), lengthMm: spread(along) };
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME * Math.max(a, b);
}
