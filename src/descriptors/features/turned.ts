import type { TriangleMesh } from '../../core/mesh.js';
import { principalAxes } from '../surface-measures.js';
import { cross, crossOf, dot, dotAt, type Vector } from './cylinder.js';
import { isSameLine, type Wall } from './walls.js';

/** An axis that a part may be turned about. */
interface Line {
  readonly axis: Vector;
  readonly foot: Vector;
  readonly radiusMm: number;
}

/** Least share of the surface across the axis that is of revolution: a shaft may have a keyway or a flat. */
const LEAST_SHARE = 0.9;
/** The same of what is farthest from the axis: a hexagon head is no turned part, however long the screw. */
const FAR = 0.9;
/** Sine of the largest angle between a normal and the plane of the axis: facets of a circle of 11 sides. */
const MOST_ASIDE = 0.1;
/** Largest deviation of a facet's corners from its meridian, as a share of their radius and of its change. */
const OFF_RADIUS = 4e-3;
const OFF_CHANGE = 0.05;
/** Axes of round walls that are tried, those with most surface first. */
const MOST_LINES = 3;

/** Whether nearly all of a surface but holes beside the axis is of revolution about one axis. */
export function isTurned(mesh: TriangleMesh, walls: readonly Wall[]): boolean {
  return linesOf(mesh, walls).some((line) => {
    const holes = new Set<number>();
    for (const wall of walls)
      if (wall.isHollow && !isSameLine(wall, line)) for (const triangle of wall.triangles) holes.add(triangle);
    return isTurnedAbout(mesh, line, holes);
  });
}

function linesOf(mesh: TriangleMesh, walls: readonly Wall[]): Line[] {
  const lines: { readonly line: Line; area: number }[] = [];
  for (const wall of walls) {
    const area = wall.radiusMm * (wall.to - wall.from);
    const known = lines.find(({ line }) => isSameLine(line, wall));
    if (known === undefined) lines.push({ line: wall, area });
    else known.area += area;
  }
  const { axes, centroidMm, radiiMm } = principalAxes(mesh);
  const principal = [0, 3, 6].map((at): Line => {
    const axis: Vector = [axes[at], axes[at + 1], axes[at + 2]];
    const along = dot(centroidMm, axis);
    return {
      axis,
      foot: [0, 1, 2].map((k) => centroidMm[k] - along * axis[k]) as unknown as Vector,
      radiusMm: radiiMm[2],
    };
  });
  return [
    ...lines
      .sort((a, b) => b.area - a.area)
      .slice(0, MOST_LINES)
      .map(({ line }) => line),
    ...principal,
  ];
}

function isTurnedAbout(mesh: TriangleMesh, { axis, foot }: Line, holes: ReadonlySet<number>): boolean {
  const { positions, indices } = mesh;
  const radii = new Float64Array(positions.length / 3),
    heights = new Float64Array(radii.length);
  let reach = 0;
  for (let i = 0; i < radii.length; i++) {
    heights[i] = dotAt(positions, 3 * i, axis);
    const from = [0, 1, 2].map((k) => positions[3 * i + k] - foot[k] - heights[i] * axis[k]);
    radii[i] = Math.sqrt(from[0] ** 2 + from[1] ** 2 + from[2] ** 2);
    reach = Math.max(reach, radii[i]);
  }
  let all = 0,
    round = 0,
    far = 0,
    farRound = 0;
  for (let t = 0; t < indices.length / 3; t++) {
    if (holes.has(t)) continue;
    const normal = crossOf(mesh, t);
    const along = dot(normal, axis);
    const across = Math.sqrt(Math.max(0, dot(normal, normal) - along * along));
    if (!(across > 0)) continue;
    const corners = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
    const middle = [0, 1, 2].map(
      (k) => corners.reduce((sum, i) => sum + positions[3 * i + k], 0) / 3 - foot[k],
    ) as unknown as Vector;
    const aside = cross(axis, middle);
    const distance = Math.sqrt(dot(aside, aside));
    const isRound =
      Math.abs(dot(normal, aside)) <= MOST_ASIDE * across * distance &&
      followsMeridian(corners, radii, heights, along / across);
    all += across;
    if (isRound) round += across;
    if (Math.max(...corners.map((i) => radii[i])) < FAR * reach) continue;
    far += across;
    if (isRound) farRound += across;
  }
  return all > 0 && round >= LEAST_SHARE * all && farRound >= LEAST_SHARE * far;
}

/** Whether the corners of a facet change their radius along the axis as its slope says, and not around the axis. */
function followsMeridian(
  [first, ...others]: readonly number[],
  radii: Float64Array,
  heights: Float64Array,
  slope: number,
): boolean {
  return others.every((i) => {
    const change = radii[i] - radii[first];
    const off = Math.abs(change + slope * (heights[i] - heights[first]));
    return off <= OFF_RADIUS * Math.max(radii[i], radii[first]) + OFF_CHANGE * Math.abs(change);
  });
}
