/**
 * Makes another shape's descriptors from those of a real one: `compact`, `fine` and `surface` are moved a little, each
 * within its format, so that a million files have a million shapes. No part has exactly these descriptors.
 *
 * The triangles of `surface` are stretched with its box, about the centroid, and stay on their grid. Not moved is the
 * background in `fine` (a part moved so little is about as far from the reference parts). What is said twice, the
 * outline of the surface in `fine`, agrees with its surface.
 */
import { FINE_LENGTHS } from '../../dist/core/compare.js';
import { outlineOf, withOutline } from '../../dist/descriptors/fine.js';
import { readSurfaceFacts } from '../../dist/descriptors/surface.js';
import { mulberry32 } from '../parts/reference/kit.mjs';

/** Largest shift of a compact vector per component; the nearest of 2 000 parts are about 0.3 apart. */
const COMPACT = 0.02;
/** Length of the shift of each vector of `fine`, a share of its own: the nearest other parts are twice as far. */
const FINE = 0.1;
const DIRECTIONS = ['views', 'spread', 'family'];
/** Where the doubles of a surface begin; see `src/descriptors/surface.ts`. */
const DOUBLES_AT = 16;
/** The doubles of the low corner, of the extents and of the centroid; the part is stretched about the last. */
const [LOW, EXTENTS, CENTROID] = [0, 3, 11];
/**
 * Largest change of these doubles, a share of each: about how far the nearest other of 295 generated parts is in the
 * median. 0.3 % of pairs of copies then pass the gate of the same part (4 % by 0.02 each; of different parts 0.01 %),
 * and are found to be other parts by their boxes.
 */
const SURFACE = Object.entries({
  box: [[3, 4, 5, 18, 19, 20], 0.04],
  area: [[9], 0.1],
  volume: [[10], 0.2],
  radii: [[14, 15, 16], 0.04],
  reach: [[17], 0.02],
  normals: [[23], 0.02],
  heights: [[24], 0.07],
  spread: [[25], 0.03],
  skewness: [[26], 0.3],
  farNormals: [[27], 0.02],
}).flatMap(([, [doubles, by]]) => doubles.map((double) => [double, by]));
/** The first of three that descend: radii, box sides. */
const DESCENDING = [14, 18];

/**
 * @param {Record<string, Uint8Array>} descriptors of one part, with `surface` wherever `fine` is wanted
 * @param {number} seed the same numbers for the same seed
 * @returns {Record<string, Uint8Array>} copies, moved; those of other names as they are
 */
export function movedDescriptors(descriptors, seed) {
  const moved = { ...descriptors };
  // Each by its own numbers: none depends on which others are asked for.
  if (descriptors.compact) moved.compact = movedCompact(descriptors.compact, mulberry32(seed));
  if (descriptors.surface) moved.surface = movedSurface(descriptors.surface, mulberry32(seed ^ 0x5f0ac3));
  if (descriptors.fine)
    moved.fine = withOutline(
      movedFine(descriptors.fine, mulberry32(seed ^ 0xf17e)),
      outlineOf(readSurfaceFacts(moved.surface)),
    );
  return moved;
}

function movedCompact(bytes, random) {
  const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  for (let i = 0; i < vector.length; i++) vector[i] += COMPACT * triangular(random);
  return new Uint8Array(vector.buffer);
}

/** Directions in signed bytes up to 127, then pairs in bytes up to 255; a vector of zeros stays one. */
function movedFine(bytes, random) {
  const fine = new Uint8Array(bytes);
  let at = 0;
  for (const [name, length] of Object.entries(FINE_LENGTHS)) {
    if (name === 'numbers') break;
    const isSigned = DIRECTIONS.includes(name);
    const vector = isSigned ? new Int8Array(fine.buffer, at, length) : fine.subarray(at, at + length);
    const [least, most] = isSigned ? [-127, 127] : [0, 255];
    // The mean of the squares of triangular numbers is a sixth.
    const by = FINE * Math.sqrt((6 * vector.reduce((sum, value) => sum + value * value, 0)) / length);
    for (let i = 0; i < length; i++)
      vector[i] = Math.max(least, Math.min(most, Math.round(vector[i] + by * triangular(random))));
    at += length;
  }
  return fine;
}

function movedSurface(bytes, random) {
  const surface = new Uint8Array(bytes);
  const view = new DataView(surface.buffer);
  const get = (double) => view.getFloat64(DOUBLES_AT + 8 * double, true);
  const set = (double, value) => view.setFloat64(DOUBLES_AT + 8 * double, value, true);
  const before = [0, 1, 2].map((axis) => get(EXTENTS + axis));
  for (const [double, by] of SURFACE) set(double, get(double) * (1 + by * triangular(random)));
  for (const [axis, extent] of before.entries()) {
    // A part that is its own mirror image stays one.
    const times = extent > 0 ? get(EXTENTS + axis) / extent : 1;
    set(LOW + axis, get(CENTROID + axis) + (get(LOW + axis) - get(CENTROID + axis)) * times);
  }
  for (const first of DESCENDING)
    [get(first), get(first + 1), get(first + 2)].sort((a, b) => b - a).forEach((value, i) => set(first + i, value));
  return surface;
}

/** In (-1, 1), mean 0. */
function triangular(random) {
  return random() + random() - 1;
}
