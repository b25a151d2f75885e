import type { WireFace } from '../api/endpoints.js';
import { figure, lengthText } from '../common/figures.js';

type Three = readonly [number, number, number];

/** Directions that differ by less are parallel, rad. */
const PARALLEL_RAD = 1e-4;
/** Lengths below are no distance, mm: what is stored has single precision. */
const NO_DISTANCE_MM = 1e-3;

/** How two faces of one part lie to each other: `parallel, 12 mm apart`; '' where nothing can be said. */
export function relationText(a: WireFace, b: WireFace): string {
  const [first, second] = [partOf(a), partOf(b)];
  if (first === undefined || second === undefined) return '';
  const between = minus(b.origin, a.origin);
  if (first === 'point' || second === 'point') {
    if (first === second) return apart('their centres are', length(between));
    const [other, what] = first === 'point' ? [b, second] : [a, first];
    return what === 'plane'
      ? apart('the centre is', Math.abs(dot(between, other.axis)), 'from the plane')
      : apart('the centre is', length(cross(between, other.axis)), 'from the axis');
  }
  const angle = Math.acos(Math.min(1, Math.abs(dot(a.axis, b.axis))));
  if (first === second) {
    const words = first === 'plane' ? 'parallel' : 'axes parallel';
    if (angle < PARALLEL_RAD) {
      const away = first === 'plane' ? Math.abs(dot(between, a.axis)) : length(cross(between, a.axis));
      if (away < NO_DISTANCE_MM) return first === 'plane' ? 'in one plane' : 'on one axis';
      return `${words}, ${lengthText(away)} apart`;
    }
    return `${first === 'plane' ? '' : 'axes '}at ${degrees(angle)}`;
  }
  // A plane and an axis: the angle to the plane is what is left of a right one.
  const lean = Math.PI / 2 - angle;
  if (lean < PARALLEL_RAD) {
    const plane = first === 'plane' ? a : b;
    return apart('the axis is parallel to the plane,', Math.abs(dot(between, plane.axis)), 'from it');
  }
  return `the axis is at ${degrees(lean)} to the plane`;
}

function apart(words: string, distanceMm: number, end = 'apart'): string {
  return `${words} ${lengthText(distanceMm < NO_DISTANCE_MM ? 0 : distanceMm)} ${end}`;
}

function degrees(rad: number): string {
  return `${figure((180 * rad) / Math.PI, 4)}°`;
}

/** What places a face: a plane, an axis or a centre; undefined of free faces. */
function partOf({ kind }: WireFace): 'plane' | 'axis' | 'point' | undefined {
  if (kind === 'plane') return 'plane';
  if (kind === 'sphere') return 'point';
  return kind === 'cylinder' || kind === 'cone' || kind === 'torus' ? 'axis' : undefined;
}

function minus(a: Three, b: Three): Three {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Three, b: Three): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Three, b: Three): Three {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function length(a: Three): number {
  return Math.sqrt(dot(a, a));
}
