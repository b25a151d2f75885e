import type { CurvedSurplus, FaceRange } from '../../content/model.js';
import { triangleNormal } from '../../content/triangle-normal.js';

/**
 * Least cosine between a triangle's normal and those of the surface at its corners: about twice what the tessellation
 * allows. Beyond it the face has a crease, and the triangle is left as it is.
 */
const LEAST_COSINE = 0.97;
/** Least sine of the angle between two faces at which their common edge says where the curve between its ends lies. */
const LEAST_SINE = 0.3;

/** Corner of a triangle after and before the given one. */
const AFTER = [1, 2, 0];

/** What a surface has beyond a triangle, mm³ and mm², and its height over the middle of each side, mm. */
export interface Surplus {
  readonly volume: number;
  readonly area: number;
  readonly heights: readonly [number, number, number];
}

/** A face whose surface is known. */
export interface CurvedFace {
  /** triangle: counted from the first one of the face. The area reaches to where the surface lies over the sides. */
  surplusOf(triangle: number): Surplus;
}

/**
 * Estimates volume and area between the triangles of a welded mesh and the curved faces that they stand for; the
 * corners lie on these. The normal of a face at a vertex is the mean of its triangles there, weighted by their angles.
 * Along each side of a triangle the surface is then a cubic, and over the triangle a quadratic through its middles.
 * Where two faces meet at an angle, the heights of both say how far the edge bulges, which adds to the area of both.
 * Faces are looked at one by one, so an edge between two planes stays sharp however flat it is.
 * @param known faces whose surface is known, by their place in `faces`; these are not estimated.
 */
export function curvedSurplus(
  positions: Float64Array,
  indices: Uint32Array,
  faces: readonly Pick<FaceRange, 'first' | 'count'>[],
  known: ReadonlyMap<number, CurvedFace> = new Map(),
): CurvedSurplus {
  const sides = new TriangleSides(positions, indices);
  const normals = new Float64Array(positions.length);
  let volumeMm3 = 0,
    areaMm2 = 0;
  for (const [place, { first, count }] of faces.entries()) {
    const surface = known.get(place);
    for (let i = 0; surface !== undefined && i < count; i++) {
      const { volume, area, heights } = surface.surplusOf(i);
      volumeMm3 += volume;
      areaMm2 += area;
      sides.keepHeights(first + i, heights);
    }
    if (surface !== undefined) continue;
    if (sides.isPlane(first, count)) continue;
    sides.sumNormals(first, count, normals);
    for (let triangle = first; triangle < first + count; triangle++) {
      const added = sides.bulgeOf(triangle, normals);
      volumeMm3 += added.volume;
      areaMm2 += added.area;
    }
    sides.clear(first, count, normals);
  }
  return { volumeMm3, areaMm2: areaMm2 + sides.areaBetween(faces, known) };
}

/** The triangles of a mesh, with the height of the surface over the middle of each side. */
class TriangleSides {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  /** f64[3 * triangles]: unit normals. */
  readonly #normals: Float64Array;
  /** f64[triangles]: twice their areas. */
  readonly #doubles: Float64Array;
  /** f64[3 * triangles]: height over the side from each corner to the next, mm. */
  readonly #heights: Float64Array;

  constructor(positions: Float64Array, indices: Uint32Array) {
    this.#positions = positions;
    this.#indices = indices;
    this.#normals = new Float64Array(indices.length);
    this.#doubles = new Float64Array(indices.length / 3);
    this.#heights = new Float64Array(indices.length);
    const normal = new Float64Array(3);
    for (let at = 0; at < indices.length; at += 3) {
      const double = triangleNormal(positions, indices, at / 3, normal);
      this.#doubles[at / 3] = double;
      if (double === 0) continue;
      this.#normals[at] = normal[0] / double;
      this.#normals[at + 1] = normal[1] / double;
      this.#normals[at + 2] = normal[2] / double;
    }
  }

  /** Whether all triangles of a face have one normal. */
  isPlane(first: number, count: number): boolean {
    const n = this.#normals;
    for (let at = 3 * first; at < 3 * (first + count); at += 3)
      if (n[at] * n[3 * first] + n[at + 1] * n[3 * first + 1] + n[at + 2] * n[3 * first + 2] < 1 - 1e-9) return false;
    return true;
  }

  /** Adds the normals of a face to those of its vertices. */
  sumNormals(first: number, count: number, normals: Float64Array): void {
    for (let at = 3 * first; at < 3 * (first + count); at++) {
      const angle = this.#angleAt(at),
        own = at - (at % 3),
        vertex = 3 * this.#indices[at];
      for (let axis = 0; axis < 3; axis++) normals[vertex + axis] += angle * this.#normals[own + axis];
    }
  }

  clear(first: number, count: number, normals: Float64Array): void {
    for (let at = 3 * first; at < 3 * (first + count); at++)
      normals.fill(0, 3 * this.#indices[at], 3 * this.#indices[at] + 3);
  }

  keepHeights(triangle: number, heights: Surplus['heights']): void {
    this.#heights.set(heights, 3 * triangle);
  }

  /** What the surface has beyond a triangle; keeps the heights of its sides. */
  bulgeOf(triangle: number, normals: Float64Array): { readonly volume: number; readonly area: number } {
    const own = 3 * triangle,
      double = this.#doubles[triangle];
    if (double === 0) return NOTHING;
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * this.#indices[own + corner];
      const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]);
      if (!(this.#dot(normals, at, this.#normals, own) >= LEAST_COSINE * length)) return NOTHING;
    }
    // Height in the middle of a side, of a cubic that is 0 at both ends and has the slopes of the surface there.
    for (let corner = 0; corner < 3; corner++) {
      const from = this.#indices[own + corner],
        to = this.#indices[own + AFTER[corner]];
      this.#heights[own + corner] =
        (this.#slope(own, normals, from, from, to) - this.#slope(own, normals, to, from, to)) / 8;
    }
    const [ab, bc, ca] = this.#heights.subarray(own, own + 3);
    const [a, b, c] = [0, 1, 2].map((corner) => this.#indices[own + corner]);
    const uu = this.#product(a, b, a, b),
      uv = this.#product(a, b, a, c),
      vv = this.#product(a, c, a, c);
    // The gradient is linear over the triangle, so its mean square is that of the middles of the sides.
    const square = (u: number, v: number): number => u * u * vv - 2 * u * v * uv + v * v * uu;
    const squares = square(0, bc + ca - ab) + square(bc - ab - ca, bc - ab - ca) + square(ab + bc - ca, 0);
    return { volume: (double / 6) * (ab + bc + ca), area: squares / (3 * double) };
  }

  /**
   * Area between the bulges of neighbouring triangles: of one face the gap that the angle between them leaves, of two
   * faces what lies between their edge and the curve that it stands for. Known surfaces reach there by themselves.
   */
  areaBetween(faces: readonly Pick<FaceRange, 'first' | 'count'>[], known: ReadonlyMap<number, CurvedFace>): number {
    const vertexCount = this.#positions.length / 3;
    const open = new Map<number, { readonly face: number; readonly side: number }>();
    let area = 0;
    for (const [face, { first, count }] of faces.entries()) {
      for (let side = 3 * first; side < 3 * (first + count); side++) {
        const from = this.#indices[side],
          to = this.#indices[side - (side % 3) + AFTER[side % 3]];
        const key = Math.min(from, to) * vertexCount + Math.max(from, to);
        const other = open.get(key);
        if (other === undefined) open.set(key, { face, side });
        else {
          const isSmooth = other.face === face;
          if (!known.has(face)) area += this.#sliver(side, other.side, isSmooth);
          if (!known.has(other.face)) area += this.#sliver(other.side, side, isSmooth);
        }
      }
    }
    return area;
  }

  /** Area that the bulge of a side adds to its triangle, given the same side of the neighbour. */
  #sliver(side: number, other: number, isSmooth: boolean): number {
    const height = this.#heights[side],
      across = this.#heights[other];
    if (height === 0 && across === 0) return 0;
    const own = side - (side % 3),
      from = 3 * this.#indices[side],
      to = 3 * this.#indices[own + AFTER[side % 3]];
    const [ex, ey, ez] = [0, 1, 2].map((axis) => this.#positions[to + axis] - this.#positions[from + axis]);
    const length = Math.hypot(ex, ey, ez);
    const [nx, ny, nz] = this.#normals.subarray(own, own + 3),
      [mx, my, mz] = this.#normals.subarray(other - (other % 3));
    // Outwards in the plane of the triangle.
    const sine = ((ey * nz - ez * ny) * mx + (ez * nx - ex * nz) * my + (ex * ny - ey * nx) * mz) / length;
    // Both planes hold the curve. At a small angle they say little, so it bulges midway between both normals.
    const outwards =
      isSmooth || Math.abs(sine) < LEAST_SINE
        ? ((height + across) * sine) / 4
        : (across - height * (nx * mx + ny * my + nz * mz)) / sine;
    return (2 / 3) * length * outwards;
  }

  /** Slope of the surface at a vertex along the side from one vertex to another, per length of that side. */
  #slope(own: number, normals: Float64Array, vertex: number, from: number, to: number): number {
    const p = this.#positions,
      at = 3 * vertex;
    let along = 0;
    for (let axis = 0; axis < 3; axis++) along += normals[at + axis] * (p[3 * to + axis] - p[3 * from + axis]);
    return -along / this.#dot(normals, at, this.#normals, own);
  }

  #angleAt(corner: number): number {
    const own = corner - (corner % 3),
      [at, next, last] = [0, 1, 2].map((step) => this.#indices[own + ((corner + step) % 3)]);
    return Math.atan2(this.#doubles[own / 3], this.#product(at, next, at, last));
  }

  /** Scalar product of two sides. */
  #product(from: number, to: number, from2: number, to2: number): number {
    const p = this.#positions;
    let sum = 0;
    for (let axis = 0; axis < 3; axis++)
      sum += (p[3 * to + axis] - p[3 * from + axis]) * (p[3 * to2 + axis] - p[3 * from2 + axis]);
    return sum;
  }

  #dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
    return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
  }
}

const NOTHING = Object.freeze({ volume: 0, area: 0 });
