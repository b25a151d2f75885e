import { DisjointSets } from '../../content/groups.js';
import type { Mesh } from '../../content/model.js';
import { triangleNormal } from '../../content/triangle-normal.js';
import type { Geometry, Triangles } from './face-patch.js';
import { SAMPLE } from './free-samples.js';
import { groupedBy } from './smooth-faces.js';

/** Triangles with their neighbours, normals and areas, and ways to walk over them. */
export class TriangleNet {
  readonly geometry: Geometry;
  /** By corner: the triangle beyond the edge from it; negative unless there is exactly one. */
  readonly neighbours: Int32Array;
  /** Of each triangle: unit normal, f64[3 * n], 0 without area, and area, mm². */
  readonly normals: Float64Array;
  readonly areas: Float64Array;
  /** By triangle: the last mark that it was given. */
  readonly #marks: Uint32Array;
  #lastMark = 0;
  /** The search that reached a triangle last. */
  readonly #reachedBy: Uint32Array;
  #searches = 0;
  readonly #queue: Uint32Array;
  /** By triangle: its place in the list that is joined now. */
  readonly #places: Uint32Array;

  /** @param partners as of `pairCorners`. */
  constructor({ positions, indices }: Mesh, partners: Int32Array) {
    this.geometry = { positions, indices, sign: 1 };
    const count = indices.length / 3;
    this.neighbours = partners.map((partner) => (partner >= 0 ? Math.floor(partner / 3) : -1));
    this.normals = new Float64Array(3 * count);
    this.areas = new Float64Array(count);
    this.#fillNormals();
    this.#marks = new Uint32Array(count);
    this.#reachedBy = new Uint32Array(count);
    this.#queue = new Uint32Array(count);
    this.#places = new Uint32Array(count);
  }

  #fillNormals(): void {
    const { positions, indices } = this.geometry;
    const normal = new Float64Array(3);
    for (let t = 0; t < this.areas.length; t++) {
      const length = triangleNormal(positions, indices, t, normal);
      this.areas[t] = length / 2;
      if (!(length > 0)) continue;
      const factor = 1 / length;
      this.normals[3 * t] = factor * normal[0];
      this.normals[3 * t + 1] = factor * normal[1];
      this.normals[3 * t + 2] = factor * normal[2];
    }
  }

  /** Of all these triangles together, mm². */
  areaOf(triangles: Triangles): number {
    let sum = 0;
    for (const t of triangles) sum += this.areas[t];
    return sum;
  }

  /** Of the edge from a corner to the next of its triangle, mm. */
  edgeLength(corner: number): number {
    const { positions, indices } = this.geometry;
    const a = 3 * indices[corner],
      b = 3 * indices[corner % 3 === 2 ? corner - 2 : corner + 1];
    const x = positions[b] - positions[a],
      y = positions[b + 1] - positions[a + 1],
      z = positions[b + 2] - positions[a + 2];
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Marks triangles, and no others, with a number of their own. */
  mark(triangles: Triangles): number {
    const mark = ++this.#lastMark;
    for (const t of triangles) this.#marks[t] = mark;
    return mark;
  }

  /** Whether a triangle was given this mark last. */
  has(t: number, mark: number): boolean {
    return this.#marks[t] === mark;
  }

  /** At most so many triangles that are reached from one by neighbours with a mark, the nearest first. */
  reached(
    seed: number,
    { mark, most, accepts }: { mark: number; most: number; accepts: (t: number) => boolean },
  ): Triangles {
    const search = ++this.#searches,
      queue = this.#queue,
      neighbours = this.neighbours;
    queue[0] = seed;
    this.#reachedBy[seed] = search;
    let count = 1;
    for (let at = 0; at < count && count < most; at++)
      for (let corner = 3 * queue[at]; corner < 3 * queue[at] + 3 && count < most; corner++) {
        const other = neighbours[corner];
        if (other < 0 || this.#reachedBy[other] === search || this.#marks[other] !== mark || !accepts(other)) continue;
        this.#reachedBy[other] = search;
        queue[count++] = other;
      }
    return queue.slice(0, count);
  }

  /**
   * The same, over the longest edges first: along the strips of a rounded edge rather than into the corners at its
   * ends.
   */
  reachedOverLongest(seed: number, { mark, most }: { mark: number; most: number }): Triangles {
    const search = ++this.#searches;
    const taken = [seed];
    const open: { readonly t: number; readonly length: number }[] = [];
    this.#reachedBy[seed] = search;
    while (taken.length < most) {
      const t = taken[taken.length - 1];
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const other = this.neighbours[corner];
        if (other < 0 || this.#reachedBy[other] === search || this.#marks[other] !== mark) continue;
        this.#reachedBy[other] = search;
        open.push({ t: other, length: this.edgeLength(corner) });
      }
      if (open.length === 0) break;
      let longest = 0;
      for (let i = 1; i < open.length; i++) if (open[i].length > open[longest].length) longest = i;
      taken.push(open[longest].t);
      open.splice(longest, 1);
    }
    return Uint32Array.from(taken);
  }

  /** Pieces of triangles that hang together, in the order of their first ones. */
  joined(triangles: Triangles, areTogether: (a: number, b: number) => boolean): Triangles[] {
    const mark = this.mark(triangles);
    const places = this.#places;
    for (let i = 0; i < triangles.length; i++) places[triangles[i]] = i;
    const sets = new DisjointSets(triangles.length);
    for (const t of triangles)
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const other = this.neighbours[corner];
        if (other > t && this.#marks[other] === mark && areTogether(t, other)) sets.join(places[t], places[other]);
      }
    return groupedBy(triangles, (i) => sets.rootOf(i));
  }

  /**
   * Centroids and normals around so many triangles that divide the area evenly, as samples of a free face: of each with
   * its neighbours, because the two triangles of a twisted quad lean to both sides of the surface.
   */
  centroidsOf(triangles: Triangles, count: number): Float64Array {
    const samples = new Float64Array(SAMPLE * count);
    const mark = this.mark(triangles);
    const whole = this.areaOf(triangles);
    let next = 0,
      before = 0;
    for (const t of triangles) {
      before += this.areas[t];
      for (; next < count && (next + 0.5) * whole <= before * count; next++)
        this.#fillAround(t, { mark, sample: samples.subarray(SAMPLE * next, SAMPLE * (next + 1)) });
    }
    return samples.subarray(0, SAMPLE * next);
  }

  #fillAround(t: number, { mark, sample }: { mark: number; sample: Float64Array }): void {
    const { positions, indices } = this.geometry;
    let areaMm2 = 0;
    for (let corner = 3 * t - 1; corner < 3 * t + 3; corner++) {
      const other = corner < 3 * t ? t : this.neighbours[corner];
      if (other < 0 || this.#marks[other] !== mark) continue;
      const area = this.areas[other];
      areaMm2 += area;
      for (let axis = 0; axis < 3; axis++) {
        for (let k = 0; k < 3; k++) sample[axis] += (area / 3) * positions[3 * indices[3 * other + k] + axis];
        sample[3 + axis] += area * this.normals[3 * other + axis];
      }
    }
    let length = 0;
    for (let axis = 0; axis < 3; axis++) {
      sample[axis] /= areaMm2;
      length += sample[3 + axis] * sample[3 + axis];
    }
    for (let axis = 3; axis < 6; axis++) sample[axis] /= Math.sqrt(length);
  }
}
