import type { TriangleMesh } from '../../core/mesh.js';
import { brokenLength, nextBrokenLength } from '../broken-length.js';
import type { BrokenOff } from '../shapelet.js';

/** Number of steps into which the part is divided along the axis. */
const STEPS = 1024;
/** Sine of the largest angle between a face and the axis at which the section counts as constant. */
const EVEN = 0.02;
/** Least ratio of the length to the width and height of a part that is shown with a break. */
const SLENDER = 6;
/** Least length of a run of constant section that is shortened, in widths; shorter ones belong to an end. */
const LEAST_RUN = 1;
/**
 * Least length of the rest of the part, in widths, where all of it has one section: a plain bar has nothing to show.
 * Least length of an end that is shown alone.
 */
const LEAST_SHAPE = 0.05;
/** Steps that a plain end takes on both sides. */
const ENDS = 2;
const LEAST_END = 0.5;
/** Least length as a multiple of the length of the rest, and in widths. */
const FIRST = 1.25;
const LEAST_LENGTH = 1.2;
const MOST_LENGTHS = 5;
/** Largest share of the length that is left: a break removes at least a third. */
const LONGEST = 2 / 3;
/** Part of the run of constant section that an end keeps, as a share of the length of the end. */
const STUB = 0.1;

/** Long runs of steps in which the section of the part is constant. */
interface Sections {
  readonly low: number;
  readonly stepMm: number;
  readonly runs: readonly { readonly from: number; readonly to: number }[];
}

/** The ways in which drawings may shorten the part; empty for parts that are not slender and for plain bars. */
export function breaksOf(mesh: TriangleMesh): BrokenOff[] {
  const extents = extentsOf(mesh);
  const longest = Math.max(...extents.map(({ length }) => length));
  const axis = extents.findIndex(({ length }) => length === longest) as 0 | 1 | 2;
  const width = widthOf(extents, axis);
  if (!(width > 0 && longest >= SLENDER * width)) return [];
  const { runs, stepMm } = sectionsOf(mesh, axis);
  const shapeMm = longest - stepMm * runs.reduce((sum, { from, to }) => sum + to - from, 0);
  if (runs.length === 0 || (runs.length === 1 && shapeMm < LEAST_SHAPE * width + ENDS * stepMm)) return [];
  const breaks: BrokenOff[] = [];
  let lengthMm = brokenLength(Math.max(FIRST * shapeMm, LEAST_LENGTH * width), width);
  for (; lengthMm < LONGEST * longest && breaks.length < MOST_LENGTHS; lengthMm = nextBrokenLength(lengthMm))
    breaks.push({ axis, shows: 'both ends', lengthMm });
  if (breaks.length === 0) return [];
  const { from, to } = longestOf(runs);
  for (const [shows, steps] of [
    ['low end', from],
    ['high end', STEPS - to],
  ] as const) {
    const lengthMm = steps * stepMm;
    if (lengthMm >= LEAST_END * width)
      breaks.push({ axis, shows, lengthMm: lengthMm + Math.min(STUB * lengthMm, (to - from) * stepMm) });
  }
  return breaks;
}

/** The shortened part. The second argument is one of {@link breaksOf} of the same mesh. */
export function breakOff(mesh: TriangleMesh, { axis, shows, lengthMm }: BrokenOff): TriangleMesh {
  const sections = sectionsOf(mesh, axis);
  if (shows === 'both ends') return shortened(mesh, axis, sections, lengthMm);
  const { low, stepMm } = sections;
  return shows === 'low end'
    ? cut(mesh, axis, -Infinity, low + lengthMm)
    : cut(mesh, axis, low + STEPS * stepMm - lengthMm, Infinity);
}

/** Shortens the longest runs of constant section to one common length, so that the whole has the wanted length. */
function shortened(
  { positions, indices }: TriangleMesh,
  axis: number,
  { low, stepMm, runs }: Sections,
  lengthMm: number,
): TriangleMesh {
  const lengths = runs.map(({ from, to }) => (to - from) * stepMm).sort((a, b) => a - b);
  let left = lengthMm - (STEPS * stepMm - lengths.reduce((sum, length) => sum + length, 0));
  let kept = Infinity;
  for (const [i, length] of lengths.entries()) {
    kept = Math.max(0, left / (lengths.length - i));
    if (length > kept) break;
    left -= length;
  }
  const steps = new Float64Array(STEPS).fill(stepMm);
  for (const { from, to } of runs) steps.fill(Math.min(stepMm, kept / (to - from)), from, to);
  const places = new Float64Array(STEPS + 1).fill(low);
  for (let step = 0; step < STEPS; step++) places[step + 1] = places[step] + steps[step];
  const moved = positions.slice();
  for (let i = axis; i < moved.length; i += 3) {
    const at = (moved[i] - low) / stepMm,
      step = Math.min(STEPS - 1, Math.max(0, Math.floor(at)));
    moved[i] = places[step] + (at - step) * steps[step];
  }
  return { positions: moved, indices };
}

/** The part between two places in runs of constant section; triangles that extend beyond them are clamped. */
function cut({ positions, indices }: TriangleMesh, axis: number, from: number, to: number): TriangleMesh {
  const kept: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i], indices[i + 1], indices[i + 2]];
    const along = corners.map((corner) => positions[3 * corner + axis]);
    if (Math.max(...along) > from && Math.min(...along) < to) kept.push(...corners);
  }
  const moved = positions.slice();
  for (let i = axis; i < moved.length; i += 3) moved[i] = Math.min(to, Math.max(from, moved[i]));
  return { positions: moved, indices: Uint32Array.from(kept) };
}

/** Long runs of steps in which all faces are parallel to the axis. */
function sectionsOf(mesh: TriangleMesh, axis: number): Sections {
  const { positions, indices } = mesh,
    extents = extentsOf(mesh);
  const { low, length } = extents[axis];
  const stepMm = length / STEPS,
    least = (LEAST_RUN * widthOf(extents, axis)) / stepMm;
  const stepOf = (place: number): number => Math.min(STEPS - 1, Math.max(0, Math.floor((place - low) / stepMm)));
  // +1 at the step where an inclined face begins, −1 after the step where it ends.
  const changes = new Int32Array(STEPS + 1);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const bu = positions[b + u] - positions[a + u],
      bv = positions[b + v] - positions[a + v],
      bw = positions[b + axis] - positions[a + axis];
    const cu = positions[c + u] - positions[a + u],
      cv = positions[c + v] - positions[a + v],
      cw = positions[c + axis] - positions[a + axis];
    const along = bu * cv - bv * cu;
    if (Math.abs(along) <= EVEN * Math.hypot(along, bv * cw - bw * cv, bw * cu - bu * cw)) continue;
    changes[stepOf(Math.min(positions[a + axis], positions[b + axis], positions[c + axis]))]++;
    changes[stepOf(Math.max(positions[a + axis], positions[b + axis], positions[c + axis])) + 1]--;
  }
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  for (let step = 0, open = 0; step <= STEPS; step++) {
    open += step < STEPS ? changes[step] : 1;
    const isEven = step < STEPS && open === 0;
    if (isEven) continue;
    if (step - from >= Math.max(1, least)) runs.push({ from, to: step });
    from = step + 1;
  }
  return { low, stepMm, runs };
}

function longestOf(runs: Sections['runs']): { readonly from: number; readonly to: number } {
  return runs.reduce((best, run) => (run.to - run.from > best.to - best.from ? run : best));
}

function widthOf(extents: readonly { readonly length: number }[], axis: number): number {
  return Math.max(...extents.map(({ length }, i) => (i === axis ? 0 : length)));
}

function extentsOf({ positions, indices }: TriangleMesh): { low: number; length: number }[] {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const vertex of indices) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * vertex + axis];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  return low.map((value, axis) => ({ low: value, length: high[axis] - value }));
}
