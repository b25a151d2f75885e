import { DisjointSets } from '../../content/groups.js';
import type { TriangleMesh } from '../../core/mesh.js';
import { cylinderOf, dot, dotAt, type Cylinder, type Vector } from './cylinder.js';
import type { MeshFace } from './smooth-faces.js';

/** A round wall: faces on one cylinder that go (nearly) all the way round its axis. */
export interface Wall extends Cylinder {
  /** Numbers of its triangles. */
  readonly triangles: readonly number[];
}

/** Most faces on cylinders that are looked at; a part with more is a screen or a knurl. */
const MOST_CYLINDERS = 2_000;
/**
 * A wall covers so many of these steps of a turn, 340°: a bore may have an oil groove. The end of a slot covers half, and
 * the gap of a circlip takes more than 20° (circlips of the sample, made by code).
 */
const STEPS = 72;
const LEAST_STEPS = 68;
/** Directions of axes that are equal, as 1 minus the cosine (0.1°), and radii that are, as a share. */
const SAME_DIRECTION = 1.5e-6;
const SAME_RADIUS = 2e-3;
/** Largest distance between equal axes, as a share of the radius. */
const SAME_LINE = 0.01;
/** Walls of one axis, this near to each other as a share of the wider diameter, are steps of one hole. */
const STEPPED = 0.5;

/** The round walls of a surface. */
export function findWalls(mesh: TriangleMesh, faces: readonly MeshFace[]): Wall[] {
  const found: { readonly cylinder: Cylinder; readonly face: MeshFace }[] = [];
  for (const face of faces) {
    const cylinder = cylinderOf(mesh, face);
    if (cylinder !== undefined && found.push({ cylinder, face }) === MOST_CYLINDERS) break;
  }
  const cylinders = found.map(({ cylinder }) => cylinder);
  const walls: Wall[] = [];
  for (const group of joined(cylinders, continues)) {
    const triangles = group.flatMap((i) => [...found[i].face]);
    const [first] = group.map((i) => cylinders[i]);
    if (coveredSteps(mesh, triangles, first) < LEAST_STEPS) continue;
    walls.push({
      ...first,
      from: Math.min(...group.map((i) => cylinders[i].from)),
      to: Math.max(...group.map((i) => cylinders[i].to)),
      triangles,
    });
  }
  return walls;
}

/** The diameter of each hole, mm: hollow walls of one axis that follow each other are one, as wide as the narrowest. */
export function holesOf(walls: readonly Wall[]): number[] {
  const hollow = walls.filter(({ isHollow }) => isHollow);
  const isStep = (a: Cylinder, b: Cylinder): boolean =>
    isSameLine(a, b) && gapOf(a, b) <= STEPPED * 2 * Math.max(a.radiusMm, b.radiusMm);
  return joined(hollow, isStep).map((group) => 2 * Math.min(...group.map((i) => hollow[i].radiusMm)));
}

/** Whether two cylinders have one axis. */
export function isSameLine(a: Pick<Cylinder, 'axis' | 'foot' | 'radiusMm'>, b: typeof a): boolean {
  if (1 - Math.abs(dot(a.axis, b.axis)) > SAME_DIRECTION) return false;
  const apart = [0, 1, 2].map((k) => a.foot[k] - b.foot[k]) as unknown as Vector;
  const along = dot(apart, a.axis);
  return (
    Math.hypot(...apart.map((value, k) => value - along * a.axis[k])) <= SAME_LINE * Math.min(a.radiusMm, b.radiusMm)
  );
}

/** Whether a face carries on the wall of another: one cylinder, one side, side by side or one after another. */
function continues(a: Cylinder, b: Cylinder): boolean {
  return (
    a.isHollow === b.isHollow &&
    Math.abs(a.radiusMm - b.radiusMm) <= SAME_RADIUS * a.radiusMm &&
    gapOf(a, b) <= SAME_LINE * a.radiusMm &&
    isSameLine(a, b)
  );
}

/** Length along the axis between two cylinders of one axis; negative where they overlap. */
function gapOf(a: Cylinder, b: Cylinder): number {
  return Math.max(a.from, b.from) - Math.min(a.to, b.to);
}

/** Groups of items that are related, directly or by others, in the order of their first members. */
function joined<T>(items: readonly T[], areRelated: (a: T, b: T) => boolean): number[][] {
  const sets = new DisjointSets(items.length);
  for (let i = 0; i < items.length; i++)
    for (let j = 0; j < i; j++)
      if (sets.rootOf(i) !== sets.rootOf(j) && areRelated(items[i], items[j])) sets.join(i, j);
  const groups = new Map<number, number[]>();
  for (let i = 0; i < items.length; i++) {
    const root = sets.rootOf(i),
      group = groups.get(root);
    if (group === undefined) groups.set(root, [i]);
    else group.push(i);
  }
  return [...groups.values()];
}

/** How many of {@link STEPS} directions from the axis meet one of the triangles. */
function coveredSteps(
  { positions, indices }: TriangleMesh,
  triangles: readonly number[],
  { foot, across: [u, v] }: Cylinder,
): number {
  const covered = new Uint8Array(STEPS);
  const x = dot(foot, u),
    y = dot(foot, v);
  for (const t of triangles) {
    const turns = [0, 1, 2].map((corner) => {
      const at = 3 * indices[3 * t + corner];
      return Math.atan2(dotAt(positions, at, v) - y, dotAt(positions, at, u) - x) / (2 * Math.PI);
    });
    // The shortest arc over the corners, from the first of them.
    const others = turns.map((turn) => turn - turns[0] - Math.round(turn - turns[0]));
    const from = Math.floor((turns[0] + Math.min(...others)) * STEPS + 1e-6),
      to = Math.ceil((turns[0] + Math.max(...others)) * STEPS - 1e-6);
    for (let step = from; step < to; step++) covered[((step % STEPS) + STEPS) % STEPS] = 1;
  }
  return covered.reduce((sum, one) => sum + one, 0);
}
