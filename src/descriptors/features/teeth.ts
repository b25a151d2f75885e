import { addTo } from '../../content/groups.js';
import type { PartFace } from '../faces/part-face.js';
import { normalAt } from '../faces/fitted-surface.js';
import { SAMPLE } from '../faces/free-samples.js';
import { across, dot, frameOf, minus, plus, unit, type Vector } from '../faces/vector.js';
import { areParallel, type AxisLine } from './axis-line.js';
import type { FaceGraph } from './face-graph.js';
import { pointsOn } from './face-points.js';
import type { Feature } from './feature.js';
import { FirstAlike } from './first-alike.js';
import { mainLines, sizeOfPoints } from './main-lines.js';

/** Fewest and most teeth: a shaft may have six splines; finer ones are a knurl. */
const LEAST_TEETH = 6;
const MOST_TEETH = 400;
/** Axes that are one, as a share of the part's size. */
const SAME_LINE = 1e-3;
/**
 * Places of faces that a turn brings onto each other, as a share of the largest radius; and their areas, as a share.
 */
const SAME_PLACE = 5e-3;
const SAME_AREA = 0.05;
const SAME_LEAN = 0.1;
/** Areas further apart than by this factor are not the same; a little more than needed, so that rounding parts none. */
const NEXT_AREA = 1.001 / (1 - SAME_AREA);
/** How far a face may stand off its even angle, as a share of the angle from tooth to tooth. */
const OFF_ANGLE = 0.04;
/** Ridges and grooves of teeth turn by so much, rad. */
const SHARP = 0.25;
/** Least cosine between the normal of an end face and the axis. */
const ACROSS = 0.9;
/**
 * Teeth are so high: less than this share of their diameter, or they are blades; of the way from one to the next, or
 * they are fins.
 */
const BLADE = { few: 0.12, many: 0.23 };
/** Fewer teeth are few: splines are, and fans and wheels with spokes. */
const FEW = 8;
const FIN = 1.3;
/** Least height, as shares of the diameter and of the way from one tooth to the next. */
const LEAST_HEIGHT = 2e-3;
const LEAST_OF_PITCH = 0.06;
/** Sections along the axis in which the height is taken: those of helical teeth are turned against each other. */
const SECTIONS = 16;
/** Steps of the way from tooth to tooth; share of these that material fills half way up. */
const STEPS = 16;
const FILLED = { least: 0.12, most: 0.9 };
/** Modules in mm, ISO 54, both series; how near a gear must come to one, and how high its teeth are, in modules. */
const MODULES = [
  0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 1.125, 1.25, 1.375, 1.5, 1.75, 2, 2.25, 2.5,
  2.75, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 25, 28, 32, 36, 40, 45, 50,
];
const SAME_MODULE = 0.01;
const OF_MODULE = { least: 1.9, most: 2.6 };

/** A face that is beside an axis, in coordinates about it. */
interface Turned {
  readonly face: number;
  readonly radius: number;
  readonly along: number;
  readonly angle: number;
  /**
   * How far its normal in the middle points around the axis, -1 to 1: the two flanks of a tooth lean against each
   * other.
   */
  readonly lean: number;
}

/** Directions and groups of like faces from which axes are taken. */
const MOST_DIRECTIONS = 2;
const MOST_GROUPS = 2;
/** How far the parts of two parallel unit vectors along an edge of space differ at most. */
const SAME_LEVEL = 2e-3;

/** Faces that turns about an axis bring onto each other, and into how many equal steps they part a full turn. */
interface Ring {
  readonly members: readonly Turned[];
  readonly fold: number;
}

/**
 * Teeth around an axis: of gears, sprockets, ratchets, toothed pulleys, splines and toothed washers, outside or inside.
 * They are faces that a turn by one tooth brings onto each other, with ridges and grooves between them. Polygons have
 * no grooves, lobes no ridges, fans and fins are higher.
 * @param taken faces that belong to holes.
 */
export function teethOf(graph: FaceGraph, taken: ReadonlySet<number>): Feature[] {
  const { faces } = graph;
  const near = SAME_LINE * sizeOfPoints(faces.map(({ middle }) => middle));
  if (!(near > 0)) return [];
  const isRepeated = repeating(faces, taken);
  if (!isRepeated.includes(true)) return [];
  const found: Feature[] = [];
  const known = new Set(taken);
  const normals = faces.map((face) => normalAt(face, face.middle));
  for (const line of [...mainLines(faces, near), ...middlesOfAlike(graph, near)]) {
    const rings = ringsAbout(graph, line, { near, taken: known, normals, isRepeated });
    // Lobes or windows may repeat with the teeth, but less often.
    const folds = [...new Set(rings.map(({ fold }) => fold))].sort((a, b) => b - a);
    for (const fold of folds) {
      if (fold > MOST_TEETH) continue;
      const members = rings.filter((ring) => ring.fold % fold === 0).flatMap((ring) => ring.members);
      const teeth = teethAt(graph, { line, fold, members: members.map(({ face }) => face), near });
      if (teeth === undefined) continue;
      found.push(teeth);
      for (const face of teeth.faces) known.add(face);
      break;
    }
  }
  return found;
}

/**
 * By face: whether as many faces as the fewest teeth are of its kind and side and of areas that lead from one to the
 * next. Faces of different such groups are never alike, so that nothing is lost where the others are left out.
 */
function repeating(faces: readonly PartFace[], taken?: ReadonlySet<number>): boolean[] {
  const groups = new Map<string, number[]>();
  for (let i = 0; i < faces.length; i++)
    if (taken?.has(i) !== true) addTo(groups, faces[i].isHollow ? `hollow ${faces[i].kind}` : faces[i].kind, i);
  const isRepeated = faces.map(() => false);
  for (const group of groups.values()) {
    if (group.length < LEAST_TEETH) continue;
    group.sort((a, b) => faces[a].areaMm2 - faces[b].areaMm2);
    for (let from = 0, to = 1; from < group.length; from = to++) {
      while (to < group.length && faces[group[to]].areaMm2 <= NEXT_AREA * faces[group[to - 1]].areaMm2) to++;
      if (to - from >= LEAST_TEETH) for (let k = from; k < to; k++) isRepeated[group[k]] = true;
    }
  }
  return isRepeated;
}

/**
 * Axes through the middles of faces that are alike, for gears without a round bore or hub: along the normals of the
 * largest planes.
 */
function middlesOfAlike({ faces }: FaceGraph, near: number): AxisLine[] {
  const directions = new FirstAlike<{ readonly axis: Vector; area: number }>([SAME_LEVEL, SAME_LEVEL]);
  for (const { kind, axis, areaMm2 } of faces) {
    if (kind !== 'plane') continue;
    const levels = [Math.abs(axis[2]), Math.abs(axis[1])];
    const known = directions.find(levels, (direction) => areParallel(direction.axis, axis));
    if (known === undefined) directions.add(levels, { axis, area: areaMm2 });
    else known.area += areaMm2;
  }
  const largest = directions.all.sort((a, b) => b.area - a.area).slice(0, MOST_DIRECTIONS);
  const isRepeated = repeating(faces);
  return largest.flatMap(({ axis }) => {
    const groups = new FirstAlike<{
      readonly first: PartFace;
      readonly along: number;
      readonly members: PartFace[];
      area: number;
    }>([near]);
    for (const [i, face] of faces.entries()) {
      if (!isRepeated[i]) continue;
      if (face.kind === 'plane' && Math.abs(dot(face.axis, axis)) > ACROSS) continue;
      const along = dot(face.middle, axis);
      const known = groups.find(
        [along],
        ({ first, along: other }) =>
          first.kind === face.kind &&
          first.isHollow === face.isHollow &&
          Math.abs(other - along) <= near &&
          Math.abs(first.areaMm2 - face.areaMm2) <= SAME_AREA * face.areaMm2,
      );
      if (known === undefined) groups.add([along], { first: face, along, members: [face], area: face.areaMm2 });
      else {
        known.members.push(face);
        known.area += face.areaMm2;
      }
    }
    return groups.all
      .filter(({ members }) => members.length >= LEAST_TEETH)
      .sort((a, b) => b.area - a.area)
      .slice(0, MOST_GROUPS)
      .map(({ members }) => {
        const sum = members.reduce<Vector>((total, { middle }) => plus(total, middle), [0, 0, 0]);
        return { axis, origin: [sum[0] / members.length, sum[1] / members.length, sum[2] / members.length] as const };
      });
  });
}

/** What is known of faces before axes are tried. */
interface Known {
  readonly near: number;
  readonly taken: ReadonlySet<number>;
  /** In their middles. */
  readonly normals: readonly Vector[];
  readonly isRepeated: readonly boolean[];
}

function ringsAbout({ faces }: FaceGraph, line: AxisLine, { near, taken, normals, isRepeated }: Known): Ring[] {
  const [u, v] = frameOf(line.axis);
  const items: Turned[] = [];
  let reach = 0;
  for (let face = 0; face < faces.length; face++) {
    if (taken.has(face)) continue;
    const from = minus(faces[face].middle, line.origin);
    const x = dot(from, u),
      y = dot(from, v);
    const radius = Math.hypot(x, y);
    if (radius <= near) continue;
    reach = Math.max(reach, radius);
    if (!isRepeated[face]) continue;
    const normal = normals[face];
    const lean = (x * dot(normal, v) - y * dot(normal, u)) / radius;
    items.push({ face, radius, along: dot(from, line.axis), angle: Math.atan2(y, x), lean });
  }
  const same = SAME_PLACE * reach;
  const groups = new FirstAlike<Turned[]>([same, same, SAME_LEAN]);
  for (const item of items) {
    const { kind, areaMm2, isHollow } = faces[item.face];
    const place = [item.radius, item.along, item.lean];
    const group = groups.find(
      place,
      ([first]) =>
        faces[first.face].kind === kind &&
        faces[first.face].isHollow === isHollow &&
        Math.abs(first.radius - item.radius) <= same &&
        Math.abs(first.along - item.along) <= same &&
        Math.abs(first.lean - item.lean) <= SAME_LEAN &&
        Math.abs(faces[first.face].areaMm2 - areaMm2) <= SAME_AREA * areaMm2,
    );
    if (group === undefined) groups.add(place, [item]);
    else group.push(item);
  }
  return groups.all.flatMap((members) => {
    const fold = foldOf(members.map(({ angle }) => angle));
    return fold === undefined ? [] : [{ members, fold }];
  });
}

/** The largest number of equal turns that bring angles onto each other. */
function foldOf(angles: readonly number[]): number | undefined {
  const count = angles.length;
  if (count < LEAST_TEETH || count > 4 * MOST_TEETH) return undefined;
  const sorted = [...angles].sort((a, b) => a - b);
  for (let apart = 1; count / apart >= LEAST_TEETH; apart++) {
    if (count % apart !== 0) continue;
    const step = (2 * Math.PI * apart) / count;
    const isEven = sorted.every((angle, i) => {
      const next = sorted[(i + apart) % count] + (i + apart >= count ? 2 * Math.PI : 0);
      return Math.abs(next - angle - step) <= OFF_ANGLE * step;
    });
    if (isEven) return count / apart;
  }
  return undefined;
}

interface Candidate {
  readonly line: AxisLine;
  readonly fold: number;
  readonly members: readonly number[];
  readonly near: number;
}

/** The teeth that faces with so many equal turns make, if they do. */
function teethAt(graph: FaceGraph, { line, fold, members, near }: Candidate): Feature | undefined {
  const { faces } = graph;
  const own = new Set(members);
  const isAcross = (i: number): boolean =>
    faces[i].kind === 'plane' && Math.abs(dot(faces[i].axis, line.axis)) > ACROSS;
  let ridges = 0,
    grooves = 0;
  for (const i of members)
    for (const { face, kind, turnRad } of graph.beside(i)) {
      if (isAcross(face)) continue;
      // An edge between two members is met twice.
      const weight = own.has(face) ? 0.5 : 1;
      if (kind === 'convex' && turnRad >= SHARP) ridges += weight;
      if (kind === 'concave' && turnRad >= SHARP) grooves += weight;
    }
  const rounded = members.filter(
    (i) => (faces[i].kind === 'cylinder' && faces[i].isHollow) || faces[i].kind === 'free',
  );
  if (ridges < fold || grooves + rounded.length < fold) return undefined;
  const profile = profileOf(faces, { line, fold, members, near });
  if (profile === undefined) return undefined;
  const { low, high, filled } = profile;
  const height = high - low;
  const pitch = (Math.PI * (low + high)) / fold;
  if (
    height > (fold < FEW ? BLADE.few : BLADE.many) * 2 * high ||
    height > FIN * pitch ||
    height < LEAST_HEIGHT * 2 * high
  )
    return undefined;
  if (height < LEAST_OF_PITCH * pitch || filled < FILLED.least || filled > FILLED.most) return undefined;
  const isInternal = facesInwards(faces, line, members);
  const diameterMm = 2 * (isInternal ? low : high);
  return {
    kind: 'teeth',
    count: fold,
    faces: members,
    diameterMm,
    depthMm: height,
    ...(isInternal ? { isInternal } : {}),
    ...moduleOf({ diameterMm, height, fold, isInternal }),
  };
}

/**
 * Radii between which faces lie in a section across the axis, and the share of the way from tooth to tooth that is
 * filled half way up.
 */
function profileOf(
  faces: readonly PartFace[],
  { line, fold, members }: Candidate,
): { low: number; high: number; filled: number } | undefined {
  const [u, v] = frameOf(line.axis);
  const lists = members.map((i) => pointsOn(faces[i]));
  const count = lists.reduce((sum, points) => sum + points.length, 0);
  if (count < 2 * fold) return undefined;
  const step = (2 * Math.PI) / fold;
  // Of each point: distance from the axis, step of the way from tooth to tooth, place along the axis.
  const radii = new Float64Array(count),
    steps = new Uint8Array(count),
    places = new Float64Array(count);
  let [start, end] = [Infinity, -Infinity];
  let next = 0;
  for (const points of lists)
    for (const point of points) {
      const from = minus(point, line.origin);
      const x = dot(from, u),
        y = dot(from, v),
        along = dot(from, line.axis);
      const angle = Math.atan2(y, x);
      radii[next] = Math.hypot(x, y);
      steps[next] = Math.floor((((angle % step) + step) % step) / (step / STEPS)) % STEPS;
      places[next++] = along;
      start = Math.min(start, along);
      end = Math.max(end, along);
    }
  const thick = (end - start) / SECTIONS;
  const sections: { low: number; high: number; filled: number }[] = [];
  for (let section = 0; section < SECTIONS; section++) {
    const from = start + section * thick;
    let [low, high] = [Infinity, 0];
    let inside = 0;
    const tops = new Float64Array(STEPS).fill(-1);
    for (let i = 0; i < count; i++) {
      if (!(places[i] >= from - 1e-9 && places[i] <= from + thick + 1e-9)) continue;
      inside++;
      low = Math.min(low, radii[i]);
      high = Math.max(high, radii[i]);
      tops[steps[i]] = Math.max(tops[steps[i]], radii[i]);
    }
    if (inside < 2 * fold) continue;
    const seen = tops.filter((top) => top >= 0);
    const filled = seen.filter((top) => top > (low + high) / 2).length / seen.length;
    sections.push({ low, high, filled });
  }
  // Blades and bevelled teeth reach inwards in some sections alone.
  return sections.reduce<(typeof sections)[number] | undefined>(
    (best, section) => (best === undefined || section.high - section.low > best.high - best.low ? section : best),
    undefined,
  );
}

/** Whether the surface of the teeth faces their axis, as that of a ring gear does. */
function facesInwards(faces: readonly PartFace[], line: AxisLine, members: readonly number[]): boolean {
  let outwards = 0;
  for (const i of members) {
    const face = faces[i];
    const { samples, areaMm2, isHollow } = face;
    if (samples.length > 0)
      for (let at = 0; at < samples.length; at += SAMPLE)
        outwards +=
          (areaMm2 / (samples.length / SAMPLE)) *
          outwardShare(
            line,
            [samples[at], samples[at + 1], samples[at + 2]],
            [samples[at + 3], samples[at + 4], samples[at + 5]],
          );
    else {
      const points = pointsOn(face);
      for (const point of points)
        outwards +=
          (((isHollow ? -1 : 1) * areaMm2) / points.length) * outwardShare(line, point, normalAt(face, point));
    }
  }
  return outwards < 0;
}

/** The component of a normal away from a line. */
function outwardShare({ origin, axis }: AxisLine, point: Vector, normal: Vector): number {
  return dot(normal, unit(across(minus(point, origin), axis)));
}

/**
 * The module of a gear with full teeth, if it is one of the standard. Source: ISO 54; ISO 53 for the height of 2.25
 * modules.
 */
function moduleOf(gear: {
  diameterMm: number;
  height: number;
  fold: number;
  isInternal: boolean;
}): Pick<Feature, 'moduleMm'> | undefined {
  const { diameterMm, height, fold, isInternal } = gear;
  const exact = diameterMm / (isInternal ? fold - 2 : fold + 2);
  const moduleMm = MODULES.find((value) => Math.abs(value - exact) <= SAME_MODULE * value);
  if (moduleMm === undefined || height < OF_MODULE.least * moduleMm || height > OF_MODULE.most * moduleMm)
    return undefined;
  return { moduleMm };
}
