import type { FaceRange } from '../../content/model.js';

/** A mesh after welding; it satisfies the rules of `Mesh.positions` and `Mesh.indices`. */
export interface WeldedMesh {
  /** f64[3 * vertexCount]; no two vertices coincide, all are finite, all are used. */
  readonly positions: Float64Array;
  /** u32[3 * triangleCount]; no triangle uses a vertex twice. */
  readonly indices: Uint32Array;
  /** Number of triangles dropped: coinciding corners, a coordinate that is not finite, or an index out of range. */
  readonly dropped: number;
  /** The given faces over the remaining triangles, without faces that lost all; absent when none were given. */
  readonly faces?: readonly FaceRange[];
}

/**
 * Joins vertices at exactly the same place (−0 equals 0) and drops invalid triangles. Triangles stay in order and
 * vertices are numbered by first use, so the result does not depend on the hash. Thin triangles with three distinct
 * corners are kept: removing them would separate their neighbours.
 *
 * positions: f64[3 * n], any unit, not changed. indices: u32[3 * m], any values, not changed. faces: runs in ascending
 * order that cover all m triangles.
 */
export function weld(positions: Float64Array, indices: Uint32Array, faces?: readonly FaceRange[]): WeldedMesh {
  const twins = firstTwins(positions);
  const vertexCount = twins.length;
  const triangleCount = Math.floor(indices.length / 3);
  const numbers = new Int32Array(vertexCount).fill(-1);
  const kept = new Uint32Array(3 * triangleCount);
  const places = new Float64Array(positions.length);
  const runs = faces === undefined ? undefined : new FaceRuns(faces);
  let vertices = 0;
  let corners = 0;

  function numberOf(twin: number): number {
    if (numbers[twin] < 0) {
      numbers[twin] = vertices;
      // Adding 0 turns −0 into 0, so that the coordinate does not depend on which twin came first.
      places[3 * vertices] = positions[3 * twin] + 0;
      places[3 * vertices + 1] = positions[3 * twin + 1] + 0;
      places[3 * vertices + 2] = positions[3 * twin + 2] + 0;
      vertices++;
    }
    return numbers[twin];
  }

  for (let triangle = 0; triangle < triangleCount; triangle++) {
    const i = indices[3 * triangle],
      j = indices[3 * triangle + 1],
      k = indices[3 * triangle + 2];
    if (i >= vertexCount || j >= vertexCount || k >= vertexCount) continue;
    const a = twins[i],
      b = twins[j],
      c = twins[k];
    if (a < 0 || b < 0 || c < 0 || a === b || b === c || c === a) continue;
    kept[corners] = numberOf(a);
    kept[corners + 1] = numberOf(b);
    kept[corners + 2] = numberOf(c);
    corners += 3;
    runs?.keep(triangle);
  }
  return {
    positions: places.slice(0, 3 * vertices),
    indices: corners === kept.length ? kept : kept.slice(0, corners),
    dropped: triangleCount - corners / 3,
    faces: runs?.finish(),
  };
}

/**
 * For each vertex the first vertex at the same place (itself when there is none before it); −1 when a coordinate is not
 * finite. Open addressing with linear probing over the bits of the coordinates.
 */
export function firstTwins(positions: Float64Array): Int32Array {
  const vertexCount = Math.floor(positions.length / 3);
  const twins = new Int32Array(vertexCount);
  const mask = tableSize(vertexCount) - 1;
  const table = new Int32Array(mask + 1); // vertex + 1; 0 is free
  const place = new Float64Array(3);
  const bits = new Uint32Array(place.buffer);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const x = positions[3 * vertex],
      y = positions[3 * vertex + 1],
      z = positions[3 * vertex + 2];
    // x − x is 0 for finite numbers and NaN for all others.
    if (x - x + (y - y) + (z - z) !== 0) {
      twins[vertex] = -1;
      continue;
    }
    place[0] = x + 0;
    place[1] = y + 0;
    place[2] = z + 0;
    let slot = hash(bits) & mask;
    for (;;) {
      const other = table[slot] - 1;
      if (other < 0) {
        table[slot] = vertex + 1;
        twins[vertex] = vertex;
        break;
      }
      if (positions[3 * other] === x && positions[3 * other + 1] === y && positions[3 * other + 2] === z) {
        twins[vertex] = other;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return twins;
}

/** A power of two that leaves the table at most half full. */
function tableSize(vertexCount: number): number {
  let size = 16;
  while (size < 2 * vertexCount) size *= 2;
  return size;
}

/**
 * MurmurHash3 (Appleby 2011, public domain) of six words. Coordinates on a grid differ in few bits, so each word is
 * mixed.
 */
function hash(words: Uint32Array): number {
  let h = 0;
  for (let i = 0; i < 6; i++) {
    let k = Math.imul(words[i], 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Counts the triangles that each face keeps while others are dropped. */
class FaceRuns {
  readonly #faces: readonly FaceRange[];
  readonly #counts: Uint32Array;
  #face = 0;

  constructor(faces: readonly FaceRange[]) {
    this.#faces = faces;
    this.#counts = new Uint32Array(faces.length);
  }

  /** Counts a kept triangle; they come in ascending order. */
  keep(triangle: number): void {
    while (
      this.#face < this.#faces.length - 1 &&
      triangle >= this.#faces[this.#face].first + this.#faces[this.#face].count
    ) {
      this.#face++;
    }
    this.#counts[this.#face]++;
  }

  finish(): FaceRange[] {
    const left: FaceRange[] = [];
    let first = 0;
    for (const [i, face] of this.#faces.entries()) {
      const count = this.#counts[i];
      if (count === 0) continue;
      left.push(face.color === undefined ? { first, count } : { first, count, color: face.color });
      first += count;
    }
    return left;
  }
}
