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

/** Rotations of a frame: a cube's. */
export const ARRANGEMENTS = 24;

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

/** How the rotations of a frame permute its views. */
export interface ArrangementTables {
  /** u16[24][768]: for each number of one channel of {@link ShapeFeatures.hog} its old place. */
  readonly hog: Uint16Array;
  /** u16[24][1536]: the same of {@link ShapeFeatures.images}. */
  readonly images: Uint16Array;
  /** u16[24]: the old axis of each new axis (2 bits each), then whether it is turned round (1 bit each). */
  readonly codes: Uint16Array;
}

/** The tables of the core. */
export function arrangementTables(core: Core): ArrangementTables {
  const lengths = [SHAPE_LENGTHS.hog / 3, SHAPE_LENGTHS.images, 1].map((length) => ARRANGEMENTS * length);
  return core.call((arena) => {
    const at = lengths.map((length) => arena.reserve(2 * length));
    const [hogAt, imagesAt, codesAt] = at;
    arena.kernels.arrangementTables(hogAt, imagesAt, codesAt);
    const [hog, images, codes] = at.map((address, i) => new Uint16Array(arena.u8(address, 2 * lengths[i]).buffer));
    return { hog, images, codes };
  });
}
