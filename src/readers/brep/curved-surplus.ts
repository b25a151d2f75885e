import type { CurvedSurplus, FaceRange } from '../../content/model.js';
import { triangleNormal } from '../../content/triangle-normal.js';
import { cross, dot, times, type Vector } from '../geometry/vectors.js';
import { risesOf, type EdgeChord } from './edge-curves.js';
import { SurfaceNormals } from './surface-normals.js';

/**
 * Least cosine between a triangle's normal and those of the surface at its corners: about twice what the tessellation
 * allows. Beyond it the face has a crease, and the triangle is left as it is.
 */
const LEAST_COSINE = 0.97;

/** Corner of a triangle after and before the given one. */
const AFTER = [1, 2, 0];

/** What a surface has beyond a triangle, mm³ and mm². */
export interface Surplus {
  readonly volume: number;
  readonly area: number;
}

/** A face whose surface is known. */
export interface CurvedFace {
  /** triangle: counted from the first one of the face. The area reaches to the curves over the sides. */
  surplusOf(triangle: number): Surplus;
}

/**
 * Estimates volume and area between the triangles of a welded mesh and the curved faces that they stand for; the
 * corners lie on these, and its normals at them are told by {@link SurfaceNormals}.
 * Along each side of a triangle the surface is then a cubic, and over the triangle a quadratic through its middles.
 * What lies between an edge's chords and its curve adds to the area of the faces on both sides.
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
      const { volume, area } = surface.surplusOf(i);
      volumeMm3 += volume;
      areaMm2 += area;
    }
    if (surface !== undefined) continue;
    if (sides.isPlane(first, count)) continue;
    sides.findNormals(first, count, normals);
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
  readonly #surfaceNormals: SurfaceNormals;

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
    this.#surfaceNormals = new SurfaceNormals(positions, indices, this.#normals);
  }

  /** Whether all triangles of a face have one normal. */
  isPlane(first: number, count: number): boolean {
    const n = this.#normals;
    for (let at = 3 * first; at < 3 * (first + count); at += 3)
      if (n[at] * n[3 * first] + n[at + 1] * n[3 * first + 1] + n[at + 2] * n[3 * first + 2] < 1 - 1e-9) return false;
    return true;
  }

  /** Sets the normals of a face at its vertices. */
  findNormals(first: number, count: number, normals: Float64Array): void {
    for (let at = 3 * first; at < 3 * (first + count); at++) {
      const angle = this.#angleAt(at),
        own = at - (at % 3),
        vertex = 3 * this.#indices[at];
      for (let axis = 0; axis < 3; axis++) normals[vertex + axis] += angle * this.#normals[own + axis];
    }
    this.#surfaceNormals.refine(first, count, normals);
  }

  clear(first: number, count: number, normals: Float64Array): void {
    for (let at = 3 * first; at < 3 * (first + count); at++)
      normals.fill(0, 3 * this.#indices[at], 3 * this.#indices[at] + 3);
  }

  /** What the surface has beyond a triangle; keeps the heights of its sides. */
  bulgeOf(triangle: number, normals: Float64Array): { readonly volume: number; readonly area: number } {
    const own = 3 * triangle,
      double = this.#doubles[triangle];
    if (double === 0) return NOTHING;
    let steepest = 0;
    for (let corner = 0; corner < 3; corner++) {
      const cosine = this.#dot(normals, 3 * this.#indices[own + corner], this.#normals, own);
      if (!(cosine >= LEAST_COSINE)) return NOTHING;
      steepest = Math.max(steepest, 1 / cosine ** 2 - 1);
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
    return { volume: (double / 6) * (ab + bc + ca), area: Math.min(squares / (3 * double), (steepest * double) / 4) };
  }

  /**
   * Area between the bulges of neighbouring triangles: of one face the gap that the angle between them leaves, of two
   * faces what lies between their edge and the curve that it stands for. Known surfaces reach there by themselves.
   */
  areaBetween(faces: readonly Pick<FaceRange, 'first' | 'count'>[], known: ReadonlyMap<number, CurvedFace>): number {
    const vertexCount = this.#positions.length / 3;
    const open = new Map<number, { readonly face: number; readonly side: number }>();
    const pairs = new Map<number, number>();
    const borders: Border[] = [];
    const addBorder = (sides: readonly { face: number; side: number }[]): void => {
      const [one, other] = sides.length === 2 ? sides : [sides[0], sides[0]];
      const key = Math.min(one.face, other.face) * faces.length + Math.max(one.face, other.face);
      const pair = pairs.get(key) ?? pairs.size;
      pairs.set(key, pair);
      const chord = { pair, from: this.#indices[one.side], to: this.#endOf(one.side) };
      borders.push({ sides: sides.filter(({ face }) => !known.has(face)).map(({ side }) => side), chord });
    };
    let area = 0;
    for (const [face, { first, count }] of faces.entries()) {
      for (let side = 3 * first; side < 3 * (first + count); side++) {
        const from = this.#indices[side],
          to = this.#endOf(side);
        const key = Math.min(from, to) * vertexCount + Math.max(from, to);
        const other = open.get(key);
        if (other === undefined) {
          open.set(key, { face, side });
          continue;
        }
        open.delete(key);
        if (other.face === face) area += known.has(face) ? 0 : this.#gap(side, other.side);
        else addBorder([{ face, side }, other]);
      }
    }
    for (const side of open.values()) addBorder([side]);
    const rises = risesOf(
      borders.map(({ chord }) => chord),
      this.#positions,
    );
    for (const [i, { sides }] of borders.entries()) {
      for (const side of sides) {
        const [length, outwards] = this.#outwards(side);
        area += (2 / 3) * length * dot(rises[i], outwards);
      }
    }
    return area;
  }

  #endOf(side: number): number {
    return this.#indices[side - (side % 3) + AFTER[side % 3]];
  }

  /** The length of a side, and the unit vector across it out of its triangle, in the plane of that; 0 of none. */
  #outwards(side: number): readonly [number, Vector] {
    const own = side - (side % 3),
      from = 3 * this.#indices[side],
      to = 3 * this.#endOf(side);
    const p = this.#positions;
    const along: Vector = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
    const normal: Vector = [this.#normals[own], this.#normals[own + 1], this.#normals[own + 2]];
    const length = Math.hypot(...along);
    return [length, times(cross(along, normal), 1 / length)];
  }

  /** Area of one face between the bulges of two triangles, over their common side. */
  #gap(side: number, other: number): number {
    const height = this.#heights[side] + this.#heights[other];
    if (height === 0) return 0;
    const [length, outwards] = this.#outwards(side);
    const across = other - (other % 3);
    const normal: Vector = [this.#normals[across], this.#normals[across + 1], this.#normals[across + 2]];
    // The curve bulges midway between both normals, which is beyond either triangle by half of the sine.
    return (length * height * dot(outwards, normal)) / 3;
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

/** A chord of an edge, and the sides at it of triangles whose faces are not known. */
interface Border {
  readonly sides: readonly number[];
  readonly chord: EdgeChord;
}

const NOTHING = Object.freeze({ volume: 0, area: 0 });
