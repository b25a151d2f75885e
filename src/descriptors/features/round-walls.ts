import type { PartFace } from '../faces/part-face.js';
import { cross, dot, minus } from '../faces/vector.js';
import { areOneLine, type AxisLine } from './axis-line.js';
import { related } from './face-graph.js';

/** Faces on one cylinder or cone, on one side of it, that go (nearly) all the way round its axis. */
export interface RoundWall extends AxisLine {
  readonly kind: 'cylinder' | 'cone';
  /** Of a cylinder; of a cone at its wide end. */
  readonly radiusMm: number;
  /** Of a cone at its narrow end, 0 at a point; of a cylinder its radius. */
  readonly narrowMm: number;
  /** Extent along the axis from the origin, mm. */
  readonly from: number;
  readonly to: number;
  readonly isHollow: boolean;
  /** Numbers of its faces. */
  readonly faces: readonly number[];
}

/** Most faces on cylinders and cones that are looked at; a part with more is a screen or a knurl. */
const MOST_CURVED = 2_000;
/**
 * A wall covers so many of these steps of a turn, 340°: a bore may have an oil groove. The end of a slot covers half,
 * and the gap of a circlip takes more than 20°.
 */
const STEPS = 72;
const LEAST_STEPS = 68;
/** Beside a keyway, which takes up to a fifth of a turn; a bore may have two of them. A half of it is a bearing's. */
const LEAST_BESIDE_KEYWAY = 38;
/** Radii that are equal, as a share; distances of equal axes and between parts of a wall, as a share of the radius. */
const SAME_RADIUS = 2e-3;
const SAME_LINE = 0.01;

/**
 * The round walls of a body.
 * @param keyed cylinders into which keyways are cut: these and the hollow walls about their axes are round beside gaps.
 */
export function roundWalls(faces: readonly PartFace[], keyed: readonly number[] = []): RoundWall[] {
  const bores = keyed.map((i) => wallOf(faces[i], i));
  const curved: RoundWall[] = [];
  for (const [i, face] of faces.entries()) {
    if (face.kind !== 'cylinder' && face.kind !== 'cone') continue;
    curved.push(wallOf(face, i));
    if (curved.length === MOST_CURVED) break;
  }
  const walls: RoundWall[] = [];
  for (const group of related(curved, continues)) {
    const [first] = group;
    const members = group.flatMap((wall) => wall.faces);
    const isKeyed = first.isHollow && bores.some((bore) => areCoaxial(bore, first));
    const least = isKeyed ? LEAST_BESIDE_KEYWAY : LEAST_STEPS;
    if (coveredSteps(members.map((i) => faces[i])) < least) continue;
    const spans = group.map((wall) => spanAlong(first, wall));
    walls.push({
      ...first,
      radiusMm: Math.max(...group.map(({ radiusMm }) => radiusMm)),
      narrowMm: Math.min(...group.map(({ narrowMm }) => narrowMm)),
      from: Math.min(...spans.map(([from]) => from)),
      to: Math.max(...spans.map(([, to]) => to)),
      faces: members,
    });
  }
  return walls;
}

/** Extent of a wall along the axis of another one with the same line, from that one's origin. */
export function spanAlong(line: AxisLine, { origin, axis, from, to }: RoundWall): [from: number, to: number] {
  const shift = dot(minus(origin, line.origin), line.axis);
  return dot(axis, line.axis) > 0 ? [shift + from, shift + to] : [shift - to, shift - from];
}

/** Length along the axis between two walls of one line; negative where they overlap. */
export function gapOf(a: RoundWall, b: RoundWall): number {
  const [from, to] = spanAlong(a, b);
  return Math.max(a.from, from) - Math.min(a.to, to);
}

/** Whether two walls have one axis. */
export function areCoaxial(a: RoundWall, b: RoundWall): boolean {
  return areOneLine(a, b, SAME_LINE * Math.min(a.radiusMm, b.radiusMm));
}

function wallOf({ kind, axis, origin, radiusMm, second, isHollow, region }: PartFace, i: number): RoundWall {
  const [from, to] = [region.from[1], region.to[1]];
  if (kind === 'cylinder') return { kind, axis, origin, radiusMm, narrowMm: radiusMm, from, to, isHollow, faces: [i] };
  const slope = Math.tan(second);
  return { kind: 'cone', axis, origin, radiusMm: slope * to, narrowMm: slope * from, from, to, isHollow, faces: [i] };
}

/** Whether a face carries on the wall of another: one surface, one side, side by side or one after another. */
function continues(a: RoundWall, b: RoundWall): boolean {
  if (a.kind !== b.kind || a.isHollow !== b.isHollow) return false;
  const near = SAME_RADIUS * a.radiusMm;
  if (Math.abs(a.radiusMm - b.radiusMm) > near || Math.abs(a.narrowMm - b.narrowMm) > near) return false;
  if (a.kind === 'cone' && dot(a.axis, b.axis) < 0) return false;
  return areCoaxial(a, b) && gapOf(a, b) <= SAME_LINE * a.radiusMm;
}

/** How many of {@link STEPS} directions from the axis of the first face meet one of the faces. */
function coveredSteps(faces: readonly PartFace[]): number {
  const [{ axis, region }] = faces;
  const y = cross(axis, region.x);
  const covered = new Uint8Array(STEPS);
  for (const face of faces) {
    const start = Math.atan2(dot(face.region.x, y), dot(face.region.x, region.x));
    const turns = [face.region.from[0], face.region.to[0]].map((u) => start + (dot(face.axis, axis) > 0 ? u : -u));
    const from = Math.floor((Math.min(...turns) / (2 * Math.PI)) * STEPS + 1e-6),
      to = Math.ceil((Math.max(...turns) / (2 * Math.PI)) * STEPS - 1e-6);
    for (let step = from; step < Math.min(to, from + STEPS); step++) covered[((step % STEPS) + STEPS) % STEPS] = 1;
  }
  return covered.reduce((sum, one) => sum + one, 0);
}
