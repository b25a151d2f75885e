import { triangleNormal } from '../../content/triangle-normal.js';
import type { FacePatch } from './fit-surface.js';
import type { Vector } from './vector.js';

/** Numbers of the triangles of one face. */
export type Triangles = Uint32Array;

/** A mesh, and whether its normals must be reversed to point outwards. */
export interface Geometry {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly sign: number;
}

/** Makes patches of triangles of one mesh. */
export class Patches {
  readonly #geometry: Geometry;
  /** By vertex: the patch that had it last. */
  readonly #seen: Uint32Array;
  /** By vertex: its place in that patch. */
  readonly #places: Uint32Array;
  /** The vertices of the present patch. */
  readonly #vertices: Uint32Array;
  #made = 0;

  constructor(geometry: Geometry) {
    this.#geometry = geometry;
    this.#seen = new Uint32Array(geometry.positions.length / 3);
    this.#places = new Uint32Array(this.#seen.length);
    this.#vertices = new Uint32Array(this.#seen.length);
  }

  /** The vertices, normals and areas of triangles, for fitting. */
  of(triangles: Triangles): FacePatch {
    const { positions, indices, sign } = this.#geometry;
    const patch = ++this.#made;
    const corners = new Uint32Array(3 * triangles.length),
      normals = new Float64Array(3 * triangles.length),
      centroids = new Float64Array(3 * triangles.length),
      areas = new Float64Array(triangles.length);
    const normal = new Float64Array(3);
    let vertices = 0,
      count = 0,
      next = 0;
    for (const t of triangles) {
      for (let k = 0; k < 3; k++) {
        const vertex = indices[3 * t + k];
        if (this.#seen[vertex] !== patch) {
          this.#seen[vertex] = patch;
          this.#places[vertex] = vertices;
          this.#vertices[vertices++] = vertex;
        }
        corners[next++] = this.#places[vertex];
      }
      const a = 3 * indices[3 * t],
        b = 3 * indices[3 * t + 1],
        c = 3 * indices[3 * t + 2];
      const length = triangleNormal(positions, indices, t, normal);
      if (!(length > 0)) continue;
      normals[3 * count] = (sign * normal[0]) / length;
      normals[3 * count + 1] = (sign * normal[1]) / length;
      normals[3 * count + 2] = (sign * normal[2]) / length;
      for (let axis = 0; axis < 3; axis++)
        centroids[3 * count + axis] = (positions[a + axis] + positions[b + axis] + positions[c + axis]) / 3;
      areas[count++] = length / 2;
    }
    const points = new Float64Array(3 * vertices);
    for (let i = 0, at = 0; i < vertices; i++) {
      const from = 3 * this.#vertices[i];
      points[at++] = positions[from];
      points[at++] = positions[from + 1];
      points[at++] = positions[from + 2];
    }
    // Views cost as much as the arrays of a small face.
    if (count === triangles.length) return { points, corners, normals, centroids, areas };
    return {
      points,
      corners,
      normals: normals.subarray(0, 3 * count),
      centroids: centroids.subarray(0, 3 * count),
      areas: areas.subarray(0, count),
    };
  }
}

/** The corners of a triangle. */
export function cornersAt(positions: Float64Array, indices: Uint32Array, t: number): [Vector, Vector, Vector] {
  return [
    pointOf(positions, indices[3 * t]),
    pointOf(positions, indices[3 * t + 1]),
    pointOf(positions, indices[3 * t + 2]),
  ];
}

/** A vertex. */
export function pointOf(positions: Float64Array, vertex: number): Vector {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}
