import type { Core } from './core.js';
import { copyMeshIn, type TriangleMesh } from './mesh.js';

/** Lengths of the parts of a {@link ShapeFeatures}; keep equal to `assembly/describe/shape.ts`. */
export const SHAPE_LENGTHS = Object.freeze({
  hog: 2304,
  images: 1536,
  pairs: 480,
  plainPairs: 480,
  angles: 36,
  shares: 17,
  extents: 3,
  orbits: 192,
});

/** Features of a part's shape: numbers that do not change when the part is rotated, translated or scaled. */
export interface ShapeFeatures {
  /** f32[3 channels][6 views][4][4][8]: histograms of oriented gradients of depth, facing and layers; 0 to 1. */
  readonly hog: Float32Array;
  /** f32[6 views][16][16]: |normal · view direction|; 0 to 1. */
  readonly images: Float32Array;
  /**
   * f32[12][4][10]: histogram of point pairs by distance, angle of normals and angle to the connecting line, square
   * roots of shares; of the part scaled half-way to equal extents.
   */
  readonly pairs: Float32Array;
  /** f32[12][4][10]: the same histogram of the unscaled part, so that its proportions count. */
  readonly plainPairs: Float32Array;
  /** f32[36]: square roots of the shares of pairs by the angle between their normals, 0 to 90°. */
  readonly angles: Float32Array;
  /** f32[17]: square roots of the area shares of the 16 largest face directions, then their entropy / 5. */
  readonly shares: Float32Array;
  /** Side lengths of the box along the frame of face normals, mm, descending. */
  readonly extentsMm: readonly [number, number, number];
  /** f32[3 channels][2][32]: means and deviations of the hog over the orbits of the 24 rotations of the frame. */
  readonly orbits: Float32Array;
}

/**
 * Describes the shape of a mesh (see `assembly/describe/shape.ts` for the method and its sources).
 * Winding does not matter; the mesh may be open.
 * @throws EngineError `NO_GEOMETRY` when no triangle has an area.
 */
export function describeShape(core: Core, mesh: TriangleMesh): ShapeFeatures {
  return core.call((arena) => {
    const { hog, images, pairs, plainPairs, angles, shares, extents, orbits } = SHAPE_LENGTHS;
    const length = hog + images + pairs + plainPairs + angles + shares + extents;
    const meshAt = copyMeshIn(arena, mesh);
    const out = arena.reserve(4 * length);
    const orbitsOut = arena.reserve(4 * orbits);
    arena.run('describeShape', ...meshAt, out);
    arena.kernels.orbitMoments(out, 3, orbitsOut);
    let next = out;
    const take = (count: number): Float32Array => {
      const values = arena.f32(next, count);
      next += 4 * count;
      return values;
    };
    const features = {
      hog: take(hog),
      images: take(images),
      pairs: take(pairs),
      plainPairs: take(plainPairs),
      angles: take(angles),
      shares: take(shares),
    };
    const [a, b, c] = take(extents);
    return { ...features, extentsMm: [a, b, c], orbits: arena.f32(orbitsOut, orbits) };
  });
}
