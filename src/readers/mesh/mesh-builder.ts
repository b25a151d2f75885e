import type { Color, FaceRange } from '../../content/model.js';
import { limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { GrowableF64, GrowableU32 } from '../geometry/growable.js';
import { Triangulator } from './triangulate.js';

/** A named run of triangles as the file gives it: not welded, in the file's unit. */
export interface Piece {
  readonly name: string;
  /** f64[3 * n]; pieces may share it, and it may hold NaN or infinity. */
  readonly positions: Float64Array;
  /** u32[3 * triangleCount]; values of n or more refer to no vertex. */
  readonly indices: Uint32Array;
  readonly color?: Color;
  /** Runs of triangles with one colour, in ascending order, covering all triangles. */
  readonly colorRuns?: readonly FaceRange[];
}

/** Replaces an index that cannot be a vertex; welding drops its triangle. */
const NO_VERTEX = 0xffffffff;

/**
 * Collects vertices and polygons in file order; faces may come before their vertices. Every triangle and vertex is
 * counted against the limits before memory is allocated for it.
 */
export class MeshBuilder {
  readonly #limits: Limits;
  readonly #positions: GrowableF64;
  readonly #corners = new GrowableU32();
  /** End of each polygon in the corners. */
  readonly #ends = new GrowableU32();
  readonly #pieces: { readonly name: string; readonly first: number; readonly color?: Color }[] = [];
  #triangles = 0;

  /** @param positions existing vertices, f64[3 * n]; used in place, not copied. */
  constructor(limits: Limits, positions?: Float64Array) {
    this.#limits = limits;
    this.#positions = new GrowableF64(positions);
  }

  get vertexCount(): number {
    return this.#positions.length / 3;
  }

  /** Number of triangles that the polygons so far become. */
  get triangleCount(): number {
    return this.#triangles;
  }

  /**
   * Adds a vertex, in the file's unit.
   * @throws EngineError `LIMIT_EXCEEDED` for more than three vertices per allowed triangle.
   */
  vertex(x: number, y: number, z: number): void {
    if (this.#positions.length >= 9 * this.#limits.triangles)
      throw limitExceeded(
        'the file',
        'limits.triangles',
        this.#limits.triangles,
        'vertices of more triangles than that',
      );
    this.#positions.push3(x, y, z);
  }

  /** Starts a piece; the polygons that follow belong to it. A piece without polygons is dropped. */
  startPiece(name: string, color?: Color): void {
    const first = this.#ends.length;
    if (this.#pieces.at(-1)?.first === first) this.#pieces.pop();
    if (this.#pieces.length >= this.#limits.components)
      throw limitExceeded('the file', 'limits.components', this.#limits.components, 'more');
    this.#pieces.push({ name, first, color });
  }

  /** Adds a corner to the current polygon: a vertex number from 0. Vertices and faces may come in any order. */
  corner(vertex: number): void {
    // Corners are counted as they come: a polygon that never ends must not fill the memory.
    if (this.#triangles + this.#openCorners() - 2 >= this.#limits.triangles)
      throw limitExceeded('the file', 'limits.triangles', this.#limits.triangles, 'more');
    this.#corners.push(vertex >>> 0 === vertex ? vertex : NO_VERTEX);
  }

  /** Ends the current polygon. Returns false when it had fewer than three corners and was dropped. */
  endPolygon(): boolean {
    const count = this.#openCorners();
    if (count < 3) {
      this.#corners.length -= count;
      return false;
    }
    this.#triangles += count - 2;
    this.#ends.push(this.#corners.length);
    return true;
  }

  /** Discards the corners of the current polygon. */
  dropPolygon(): void {
    this.#corners.length -= this.#openCorners();
  }

  triangle(a: number, b: number, c: number): void {
    this.corner(a);
    this.corner(b);
    this.corner(c);
    this.endPolygon();
  }

  /**
   * The pieces with polygons, as triangles. Polygons before the first {@link startPiece} form a piece with an empty
   * name.
   */
  pieces(): Piece[] {
    const positions = this.#positions.view();
    const triangulator = new Triangulator();
    const starts = this.#pieces[0]?.first === 0 ? this.#pieces : [{ name: '', first: 0 }, ...this.#pieces];
    return starts
      .map(({ name, first, color }, i) => {
        const indices = this.#trianglesOf(first, starts[i + 1]?.first ?? this.#ends.length, triangulator);
        return { name, positions, indices, color };
      })
      .filter((piece) => piece.indices.length > 0);
  }

  #trianglesOf(firstPolygon: number, endPolygon: number, triangulator: Triangulator): Uint32Array {
    const positions = this.#positions.view();
    const triangles = new GrowableU32();
    let start = firstPolygon === 0 ? 0 : this.#ends.values[firstPolygon - 1];
    for (let polygon = firstPolygon; polygon < endPolygon; polygon++) {
      const end = this.#ends.values[polygon];
      if (end - start === 3) {
        triangles.push3(this.#corners.values[start], this.#corners.values[start + 1], this.#corners.values[start + 2]);
      } else {
        triangulator.triangulate(positions, this.#corners.values.subarray(start, end), triangles);
      }
      start = end;
    }
    return triangles.view();
  }

  #openCorners(): number {
    return this.#corners.length - (this.#ends.length === 0 ? 0 : this.#ends.values[this.#ends.length - 1]);
  }
}
