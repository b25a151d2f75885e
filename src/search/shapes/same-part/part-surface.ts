import type { Core } from '../../../core/core.js';
import { buildSurfaceTree, type SurfaceTree } from '../../../core/surface-tree.js';
import type { Surface, SurfaceFacts } from '../../../descriptors/surface.js';
import { fillNormals, principalAxes } from '../../../descriptors/surface-measures.js';
import { angularSignature, type AngularSignature } from './angular-signature.js';
import { faceDirectionsOf, type FaceDirection } from './face-directions.js';
import { shareEdges, type SharedEdges } from '../../../descriptors/shared-edges.js';

/** Points on a surface with the normals of the triangles that they lie on. */
export interface SurfaceSamples {
  readonly count: number;
  /** f64[3 * count], from the surface's centroid. */
  readonly points: Float64Array;
  /** f64[3 * count], unit, of either sign; 0 where the triangle is too thin to have one. */
  readonly normals: Float64Array;
  /** The triangle of each point. */
  readonly triangles: Uint32Array;
  /** u8[count]: 1 if the point is a corner of its triangle, and therefore on the true surface. */
  readonly isCorner: Uint8Array;
}

/** Triangles lower than this share of the surface's reach have no meaningful normal on a 16-bit grid. */
const THIN = 2e-4;
/** Points spread over a surface by area. */
const SPREAD_SAMPLES = 512;
/** Triangles with sample points on each smooth patch, however small: a hole or a boss is one or two patches. */
const PATCH_TRIANGLES = 12;
/** Most triangles with sample points on all patches together. */
const MAX_PATCH_TRIANGLES = 4096;

/** A stored surface prepared for comparisons: centred on its centroid; expensive parts are computed on first use. */
export class PartSurface {
  readonly facts: SurfaceFacts;
  /** f32[3 * vertexCount], mm from {@link SurfaceFacts.centroidMm}. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** f64[triangleCount], mm². */
  readonly areas: Float64Array;
  /** f64[3 * triangleCount], unit, or 0 where the triangle is too thin to have one. */
  readonly normals: Float64Array;
  /** Root mean square extents along the axes, falling, and the axes as rows, of the stored triangles. */
  readonly radii: readonly [number, number, number];
  readonly axes: Float64Array;
  #tree: SurfaceTree | undefined;
  #edges: SharedEdges | undefined;
  #spread: SurfaceSamples | undefined;
  #patches: SurfaceSamples | undefined;
  #faceDirections: readonly FaceDirection[] | undefined;
  readonly #signatures = new Map<string, AngularSignature>();

  constructor(surface: Surface) {
    const { facts, indices } = surface;
    const [cx, cy, cz] = facts.centroidMm;
    const positions = new Float32Array(surface.positions.length);
    for (let i = 0; i < positions.length; i += 3) {
      positions[i] = surface.positions[i] - cx;
      positions[i + 1] = surface.positions[i + 1] - cy;
      positions[i + 2] = surface.positions[i + 2] - cz;
    }
    this.facts = facts;
    this.positions = positions;
    this.indices = indices;
    const { radiiMm, axes } = principalAxes({ positions, indices });
    this.radii = radiiMm;
    this.axes = axes;
    this.areas = new Float64Array(indices.length / 3);
    this.normals = new Float64Array(indices.length);
    fillNormals(this, THIN * facts.reachMm, this.areas, this.normals);
  }

  /** The search tree over the triangles. */
  treeIn(core: Core): SurfaceTree {
    return (this.#tree ??= buildSurfaceTree(core, this, THIN * this.facts.reachMm));
  }

  /** The centroid in the model's own frame. */
  get modelCentroidMm(): number[] {
    return this.facts.centroidMm.map((value, i) => value + this.facts.originMm[i]);
  }

  /** The bends of the mesh, which show how far the true surface can be from it. */
  get edges(): SharedEdges {
    return (this.#edges ??= shareEdges(this.positions, this.indices, this.normals, { chamfers: 'edges' }));
  }

  /** Points spread evenly by area; so is any number of them from the start. */
  get spread(): SurfaceSamples {
    return (this.#spread ??= this.#spreadSamples());
  }

  /**
   * Points on every smooth patch of the surface, alternately centroids and corners of triangles;
   * any number of them from the start is spread over the patches.
   */
  get patches(): SurfaceSamples {
    return (this.#patches ??= this.#patchSamples());
  }

  /** The directions of faces, of either sign, by falling area. */
  get faceDirections(): readonly FaceDirection[] {
    return (this.#faceDirections ??= faceDirectionsOf(this.normals, this.areas));
  }

  /** The angular signature about an axis through the centroid; cached. */
  signatureAbout(axis: ArrayLike<number>): AngularSignature {
    const key = `${axis[0]} ${axis[1]} ${axis[2]}`;
    let signature = this.#signatures.get(key);
    if (signature === undefined) this.#signatures.set(key, (signature = angularSignature(this, axis)));
    return signature;
  }

  #spreadSamples(): SurfaceSamples {
    const { areas, indices, positions: p } = this;
    let total = 0;
    for (const area of areas) total += area;
    const samples = emptySamples(SPREAD_SAMPLES);
    let triangle = 0;
    let passed = areas[0];
    // Systematic sampling along the list of triangles, golden-ratio sequences within a triangle; then permuted so that
    // every beginning is spread.
    for (let i = 0; i < SPREAD_SAMPLES; i++) {
      const wanted = ((i + 0.5) / SPREAD_SAMPLES) * total;
      while (passed < wanted && triangle < areas.length - 1) passed += areas[++triangle];
      let u = (0.5 + i * 0.7548776662466927) % 1;
      let v = (0.5 + i * 0.5698402909980532) % 1;
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      const to = (i * SPREAD_STEP) % SPREAD_SAMPLES;
      const a = 3 * indices[3 * triangle],
        b = 3 * indices[3 * triangle + 1],
        c = 3 * indices[3 * triangle + 2];
      for (let k = 0; k < 3; k++) {
        samples.points[3 * to + k] = p[a + k] + u * (p[b + k] - p[a + k]) + v * (p[c + k] - p[a + k]);
        samples.normals[3 * to + k] = this.normals[3 * triangle + k];
      }
      samples.triangles[to] = triangle;
    }
    return samples;
  }

  #patchSamples(): SurfaceSamples {
    const { patchOf } = this.edges;
    const sizes = new Map<number, number>();
    for (const patch of patchOf) sizes.set(patch, (sizes.get(patch) ?? 0) + 1);
    let wanted = 0;
    for (const size of sizes.values()) wanted += Math.min(size, PATCH_TRIANGLES);
    const share = Math.min(1, MAX_PATCH_TRIANGLES / wanted);
    const chosen: number[] = [];
    const seen = new Map<number, number>();
    let debt = 0;
    for (let t = 0; t < patchOf.length; t++) {
      const patch = patchOf[t];
      const size = sizes.get(patch) ?? 1;
      const number = seen.get(patch) ?? 0;
      seen.set(patch, number + 1);
      const take = Math.min(size, PATCH_TRIANGLES);
      // Evenly along the patch; with too many patches, evenly over all of them.
      if (Math.floor(((number + 1) * take) / size) === Math.floor((number * take) / size)) continue;
      debt += share;
      if (debt < 1 - 1e-9) continue;
      debt -= 1;
      chosen.push(t);
    }
    const { indices, positions: p } = this;
    const samples = emptySamples(2 * chosen.length);
    scattered(chosen).forEach((t, number) => {
      const a = 3 * indices[3 * t],
        b = 3 * indices[3 * t + 1],
        c = 3 * indices[3 * t + 2];
      for (const i of [2 * number, 2 * number + 1]) {
        const isCorner = i % 2;
        for (let k = 0; k < 3; k++) {
          samples.points[3 * i + k] = isCorner === 1 ? p[a + k] : (p[a + k] + p[b + k] + p[c + k]) / 3;
          samples.normals[3 * i + k] = this.normals[3 * t + k];
        }
        samples.triangles[i] = t;
        samples.isCorner[i] = isCorner;
      }
    });
    return samples;
  }
}

/**
 * Odd, near the golden section of SPREAD_SAMPLES: i · step mod count visits every number once, each far from the ones
 * before.
 */
const SPREAD_STEP = 317;

/** The list, permuted so that any beginning is spread over the whole. */
function scattered(list: readonly number[]): number[] {
  let step = Math.max(1, Math.floor(list.length * 0.618));
  while (commonDivisor(step, list.length) > 1) step++;
  return list.map((_, i) => list[(i * step) % list.length]);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function emptySamples(count: number): SurfaceSamples {
  return {
    count,
    points: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    triangles: new Uint32Array(count),
    isCorner: new Uint8Array(count),
  };
}
