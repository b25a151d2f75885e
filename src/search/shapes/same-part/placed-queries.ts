import type { Core } from '../../../core/core.js';
import { QUERY_LENGTH, withSurfaceTree, type SurfaceQuery } from '../../../core/surface-tree.js';
import type { PartSurface, SurfaceSamples } from './part-surface.js';
import type { Pose } from './pose.js';

/** Points of one query of the tree, at most. */
export const MOST_QUERIES = 256;

/** Two surfaces that are laid on each other. */
export interface SurfacePair {
  readonly from: PartSurface;
  readonly to: PartSurface;
  /** Finds the nearest triangles in the tree of `to`. */
  readonly nearest: SurfaceQuery;
  /** Buffers for the samples of `from`. */
  readonly placed: PlacedQueries;
}

/**
 * A point can only match triangles whose normals differ by less than 60° from its own; otherwise the wall of a small
 * hole would match the plate.
 */
const FACING_COS = 0.5;

/** Runs `body` with two surfaces and the tree of the second in the core's memory. */
export function onSurface<T>(
  core: Core,
  { from, to, placed }: Pick<SurfacePair, 'from' | 'to'> & { readonly placed?: PlacedQueries },
  body: (pair: SurfacePair) => T,
): T {
  const options = { mostQueries: MOST_QUERIES, cosLimit: FACING_COS };
  return withSurfaceTree(core, to.treeIn(core), options, (nearest) =>
    body({ from, to, nearest, placed: placed ?? new PlacedQueries() }),
  );
}

/** A run of consecutive samples of a surface. */
export interface SampleRun {
  readonly samples: SurfaceSamples;
  readonly first: number;
  /** At most {@link MOST_QUERIES}. */
  readonly count: number;
}

/** Samples of one surface, transformed to another, with the nearest triangles there. One object serves many queries. */
export class PlacedQueries {
  /** f32[QUERY_LENGTH * n]: positions x y z, normals x y z (0 if a sample has none), limits. */
  readonly queries = new Float32Array(QUERY_LENGTH * MOST_QUERIES);
  /** Distances to the nearest triangle, mm; the limit if there is none. */
  readonly distances = new Float32Array(MOST_QUERIES);
  /** These triangles, or −1. */
  readonly triangles = new Int32Array(MOST_QUERIES);

  /**
   * Finds the nearest triangle of each sample of a run; the results are at places 0 to `count` - 1.
   * @param facing 'same way': only triangles that face the same way.
   * @param limitMm largest distance.
   */
  ask(
    nearest: SurfaceQuery,
    pose: Pose,
    { samples, first, count }: SampleRun,
    limitMm: number,
    facing: 'same way' | 'any way',
  ): void {
    const { queries } = this;
    const { points: p, normals: n } = samples;
    // L scales normals by the scale of the pose.
    const unit = facing === 'any way' ? 0 : 1 / Math.sqrt(pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2]);
    for (let i = 0; i < count; i++) {
      const at = 3 * (first + i),
        to = QUERY_LENGTH * i;
      const x = p[at],
        y = p[at + 1],
        z = p[at + 2];
      const u = n[at] * unit,
        v = n[at + 1] * unit,
        w = n[at + 2] * unit;
      queries[to] = pose[0] * x + pose[1] * y + pose[2] * z + pose[9];
      queries[to + 1] = pose[3] * x + pose[4] * y + pose[5] * z + pose[10];
      queries[to + 2] = pose[6] * x + pose[7] * y + pose[8] * z + pose[11];
      queries[to + 3] = pose[0] * u + pose[1] * v + pose[2] * w;
      queries[to + 4] = pose[3] * u + pose[4] * v + pose[5] * w;
      queries[to + 5] = pose[6] * u + pose[7] * v + pose[8] * w;
      queries[to + 6] = limitMm;
    }
    nearest(queries, count, this.distances, this.triangles);
  }
}
