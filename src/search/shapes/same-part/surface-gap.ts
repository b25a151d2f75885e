import { QUERY_LENGTH } from '../../../core/surface-tree.js';
import { heightOverChord } from './chord-height.js';
import type { SurfaceSamples } from './part-surface.js';
import type { SurfacePair } from './placed-queries.js';
import type { Pose } from './pose.js';

/**
 * The true surface may be above a triangle by this factor times the height of its arc, up to {@link MOST_ARC} of the
 * part's reach. By experiment (`npm run bench -- same-part`).
 */
const ARC_FACTOR = 1.6;
export const MOST_ARC = 0.03;

/** The distance of a placed sample from the nearest triangle of the other surface, mm. */
export interface SurfaceGap {
  /** How far the sample is above the triangle (negative: below), beyond what the arcs of both meshes explain. */
  above: number;
  /** How far it is beside the triangle, beyond what the arcs explain. */
  aside: number;
}

/** The samples of the last query, and the pose that placed them. */
export interface PlacedSamples {
  readonly pose: Pose;
  /** Lengths of `to` by those of `from`. */
  readonly scale: number;
  readonly samples: SurfaceSamples;
  /** Number of the sample at place 0. */
  readonly first: number;
}

/**
 * Largest deviation from the height over a chord that the curvature of the other mesh predicts, as a share of that
 * height.
 */
const CHORD_SLACK = 0.4;

/**
 * Computes the gap that tessellation does not explain. The true surface is within a range above and below each
 * triangle, given by the bends towards its neighbours; if the ranges of both triangles overlap, the two can be one
 * surface. Corners are on it exactly. If one mesh is much coarser, its triangle may also be a chord of the surface that
 * the other mesh shows.
 * @param place place of the sample among the placed queries, for which a triangle was found.
 * @param gap receives the result.
 */
export function measureGap(
  { from, to, placed }: SurfacePair,
  { pose, scale, samples, first }: PlacedSamples,
  place: number,
  gap: SurfaceGap,
): void {
  const number = first + place;
  const source = samples.triangles[number],
    target = placed.triangles[place];
  const most = MOST_ARC * to.facts.reachMm;
  const { positions: p, indices, normals: n, edges } = to;
  const { queries } = placed;
  const a = 3 * indices[3 * target],
    t = 3 * target,
    q = QUERY_LENGTH * place;
  const x = queries[q],
    y = queries[q + 1],
    z = queries[q + 2];
  const height = n[t] * (x - p[a]) + n[t + 1] * (y - p[a + 1]) + n[t + 2] * (z - p[a + 2]);
  const m = 3 * number,
    u = samples.normals[m],
    v = samples.normals[m + 1],
    w = samples.normals[m + 2];
  const slant =
    n[t] * (pose[0] * u + pose[1] * v + pose[2] * w) +
    n[t + 1] * (pose[3] * u + pose[4] * v + pose[5] * w) +
    n[t + 2] * (pose[6] * u + pose[7] * v + pose[8] * w);
  const facing = slant < 0 ? -1 : 1;
  const isCorner = samples.isCorner[number] === 1;
  let rises = 0,
    falls = 0,
    beyond = edges.beyond[target];
  if (!isCorner) {
    const above = arc(scale * from.edges.above[source], most),
      below = arc(scale * from.edges.below[source], most);
    rises = facing < 0 ? below : above;
    falls = facing < 0 ? above : below;
    beyond = Math.max(beyond, scale * from.edges.beyond[source]);
  }
  const arcAbove = arc(edges.above[target], most),
    arcBelow = arc(edges.below[target], most);
  const over = height - falls - arcAbove,
    under = -(height + rises) - arcBelow;
  gap.above = over > 0 ? over : under > 0 ? -under : 0;
  if (gap.above !== 0) {
    const onFrom = { part: from, triangle: source, pose },
      onTo = { part: to, triangle: target, pose: undefined },
      point = [x, y, z] as const;
    const offChord = (standing: number, slack: number): void => {
      if (standing === 0 || Math.abs(standing) > most) return;
      const off = height - standing,
        rest = Math.abs(off) - CHORD_SLACK * Math.abs(standing) - slack;
      if (rest < Math.abs(gap.above)) gap.above = rest > 0 ? Math.sign(off) * rest : 0;
    };
    offChord(facing * heightOverChord(onTo, onFrom, facing, point), isCorner ? 0 : rises + falls);
    if (!isCorner && gap.above !== 0) offChord(-heightOverChord(onFrom, onTo, facing, point), arcAbove + arcBelow);
  }
  const distance = placed.distances[place];
  gap.aside = Math.max(0, Math.sqrt(Math.max(0, distance * distance - height * height)) - arc(beyond, most));
}

function arc(heightMm: number, mostMm: number): number {
  return Math.min(mostMm, ARC_FACTOR * heightMm);
}
