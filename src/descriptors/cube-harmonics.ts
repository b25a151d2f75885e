import { ARRANGEMENTS, SHAPE_LENGTHS, type ArrangementTables } from '../core/shape.js';

/**
 * Views of a part without the choice of its frame. The 24 rotations of the frame form a group, and move each number of
 * the views through 24 places (an orbit). The Fourier transform on that group (Serre, Linear Representations of Finite
 * Groups, 6.2) turns an orbit into coefficients of its five irreducible representations, which a rotation mixes only
 * by the small matrices of the representation. A learned projection that takes the coefficients of each representation
 * together therefore commutes with rotations: vectors are compared in all 24 arrangements by a few scalar products
 * (`assembly/distance/fine.ts`).
 */

/** Numbers of each stored plane, by representation in the order of {@link representations}. */
export type PlaneCounts = readonly [same: number, odd: number, axes: number, vectors: number, oddVectors: number];

/** Planes of the `views` and `spread` of a fine descriptor; keep equal to `assembly/distance/fine.ts`. */
export const VIEW_PLANES: PlaneCounts = [24, 8, 32, 24, 16];
export const SPREAD_PLANES: PlaneCounts = [8, 8, 16, 16, 8];

/** An irreducible representation of the rotation group of the cube. */
export interface Representation {
  readonly dimension: number;
  /** Matrix of each arrangement: [24][row][column]. */
  readonly matrices: readonly (readonly (readonly number[])[])[];
  /** The stored planes as combinations of the coefficients: [plane][coefficient]. */
  readonly planes: readonly (readonly number[])[];
}

/**
 * The five representations: that no arrangement changes; negated by odd permutations of the axes; permutations of the
 * axes (in the plane where the three sum to 0, stored as three planes); vectors; vectors negated by odd permutations.
 */
export function representations({ codes }: ArrangementTables): Representation[] {
  const turns = Array.from(codes, (code) => {
    const axes = [0, 1, 2].map((axis) => (code >> (2 * axis)) & 3);
    const turn = axes.map((old, axis) => [0, 1, 2].map((j) => (j !== old ? 0 : (code >> (6 + axis)) & 1 ? -1 : 1)));
    return { turn, sign: axes[1] === (axes[0] + 1) % 3 ? 1 : -1 };
  });
  const basis = [
    [Math.SQRT1_2, -Math.SQRT1_2, 0],
    [1 / Math.sqrt(6), 1 / Math.sqrt(6), -2 / Math.sqrt(6)],
  ];
  const inBasis = (turn: number[][]): number[][] =>
    basis.map((row) =>
      basis.map((column) =>
        row.reduce((sum, r, i) => sum + column.reduce((inner, c, j) => inner + r * Math.abs(turn[i][j]) * c, 0), 0),
      ),
    );
  const unit = (n: number): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_v, j) => +(i === j)));
  return [
    { dimension: 1, matrices: turns.map(() => [[1]]), planes: unit(1) },
    { dimension: 1, matrices: turns.map(({ sign }) => [[sign]]), planes: unit(1) },
    {
      dimension: 2,
      matrices: turns.map(({ turn }) => inBasis(turn)),
      planes: [0, 1, 2].map((axis) => basis.map((row) => row[axis])),
    },
    { dimension: 3, matrices: turns.map(({ turn }) => turn), planes: unit(3) },
    {
      dimension: 3,
      matrices: turns.map(({ turn, sign }) => turn.map((row) => row.map((value) => sign * value))),
      planes: unit(3),
    },
  ];
}

/** u32[orbits][24]: the places through which the arrangements move each orbit, of all channels of the histograms. */
export function hogOrbits({ hog }: ArrangementTables): Uint32Array[] {
  const channel = SHAPE_LENGTHS.hog / 3;
  const orbits = orbitsOf(hog, channel);
  return [0, 1, 2].flatMap((c) => orbits.map((places) => places.map((place) => c * channel + place)));
}

/** The same of the small images. */
export function imageOrbits({ images }: ArrangementTables): Uint32Array[] {
  return orbitsOf(images, SHAPE_LENGTHS.images);
}

function orbitsOf(table: Uint16Array, length: number): Uint32Array[] {
  const orbits: Uint32Array[] = [];
  const seen = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    if (seen[i] === 1) continue;
    const places = Uint32Array.from({ length: ARRANGEMENTS }, (_, n) => table[n * length + i]);
    for (const place of places) seen[place] = 1;
    orbits.push(places);
  }
  return orbits;
}

/**
 * f64[dimension][orbits * dimension]: coefficients of one representation. A rotation by arrangement n multiplies the
 * first index by its matrix. Coefficients of all five together have the length of `values`.
 */
export function coefficients(
  values: ArrayLike<number>,
  orbits: readonly Uint32Array[],
  representation: Representation,
): Float64Array {
  const { dimension, matrices } = representation;
  const width = orbits.length * dimension;
  const scale = Math.sqrt(dimension / ARRANGEMENTS);
  const out = new Float64Array(dimension * width);
  orbits.forEach((places, orbit) => {
    for (let n = 0; n < ARRANGEMENTS; n++) {
      const value = scale * values[places[n]];
      for (let i = 0; i < dimension; i++)
        for (let j = 0; j < dimension; j++) out[j * width + orbit * dimension + i] += value * matrices[n][i][j];
    }
  });
  return out;
}

/** What a projection of views is made of. */
export interface LearnedPlanes {
  /**
   * f32: of each representation [numbers of a plane][orbits * dimension], one after another; see {@link coefficients}.
   */
  readonly weights: Float32Array;
  /** f32[numbers of the first plane]: subtracted from it, so that the mean part has 0 there. */
  readonly offsets: Float32Array;
}

/** Length of {@link LearnedPlanes.weights}: the representations have 1, 1, 2, 3 and 3 dimensions. */
export function weightsLength(planes: PlaneCounts, orbits: number): number {
  return orbits * planes.reduce((sum, count, i) => sum + count * [1, 1, 2, 3, 3][i], 0);
}

/** Projects views to the planes of a fine descriptor. */
export class PlaneProjection {
  /** f32[rows][length of the views]. */
  readonly #rows: Float32Array[];
  readonly #offsets: Float32Array;

  constructor(
    learned: LearnedPlanes,
    counts: PlaneCounts,
    orbits: readonly Uint32Array[],
    kinds: readonly Representation[],
  ) {
    this.#offsets = learned.offsets;
    this.#rows = [];
    let at = 0;
    kinds.forEach(({ dimension, matrices, planes }, kind) => {
      const width = orbits.length * dimension;
      const scale = Math.sqrt(dimension / ARRANGEMENTS);
      for (const plane of planes) {
        for (let k = 0; k < counts[kind]; k++) {
          const row = new Float64Array(orbits.length * ARRANGEMENTS);
          orbits.forEach((places, orbit) => {
            for (let n = 0; n < ARRANGEMENTS; n++) {
              let sum = 0;
              for (let i = 0; i < dimension; i++) {
                const weight = learned.weights[at + k * width + orbit * dimension + i];
                for (let j = 0; j < dimension; j++) sum += plane[j] * weight * matrices[n][i][j];
              }
              row[places[n]] += scale * sum;
            }
          });
          this.#rows.push(Float32Array.from(row));
        }
      }
      at += counts[kind] * width;
    });
  }

  /** f64[rows]: the planes of some views, one after another. Sums are in a fixed order. */
  project(values: ArrayLike<number>): Float64Array {
    return products(this.#rows, Float64Array.from(values), this.#offsets);
  }
}

/**
 * f64[rows]: the scalar product of each row with some values, less an offset where there is one. Each sum is in the
 * order of the values; four rows at a time, because an addition waits for the one before it.
 */
export function products(
  rows: readonly Float32Array[],
  values: Float64Array,
  offsets: ArrayLike<number> = [],
): Float64Array {
  const sums = Float64Array.from(rows, (_, k) => (k < offsets.length ? -offsets[k] : 0));
  let k = 0;
  for (; k + 4 <= rows.length; k += 4) {
    const a = rows[k],
      b = rows[k + 1],
      c = rows[k + 2],
      d = rows[k + 3];
    let p = sums[k],
      q = sums[k + 1],
      r = sums[k + 2],
      s = sums[k + 3];
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      p += a[i] * value;
      q += b[i] * value;
      r += c[i] * value;
      s += d[i] * value;
    }
    sums[k] = p;
    sums[k + 1] = q;
    sums[k + 2] = r;
    sums[k + 3] = s;
  }
  for (; k < rows.length; k++) for (let i = 0; i < values.length; i++) sums[k] += rows[k][i] * values[i];
  return sums;
}
