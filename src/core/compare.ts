import type { Arena, Core } from './core.js';

/** Bytes of a fine descriptor; keep equal to `assembly/distance/fine.ts`. */
export const FINE_BYTES = 4912;

const ARRANGED_BYTES = 24 * (2304 + 1536) * 2;
const COMPARED = 7;

/**
 * The terms of a comparison: views (least over the 24 rotations of the frame of face normals), small images (least over
 * those of the frame of inertia), point pairs of the stretched and of the plain part, angles, shares of area.
 */
export const FINE_TERMS = ['hog', 'images', 'pairs', 'plainPairs', 'angles', 'shares'] as const;
export type FineTerm = (typeof FINE_TERMS)[number];

/** Distances of one query to many candidates, by term, f32[count]: Euclidean over the stored bytes (0 to 255 each). */
export interface FineDistances extends Readonly<Record<FineTerm, Float32Array>> {
  /** u8[count]: the rotation of the query (0 to 23) whose hog is nearest. */
  readonly arrangements: Uint8Array;
}

/** Fine descriptors: u8[FINE_BYTES * count], or several such arrays. */
export type FineDescriptors = Uint8Array | readonly Uint8Array[];

/**
 * Compares a fine descriptor with many others.
 * @param query u8[FINE_BYTES].
 */
export function compareFine(core: Core, query: Uint8Array, candidates: FineDescriptors): FineDistances {
  return core.call((arena) => {
    const queryAt = arena.copyIn(query);
    const { address: candidatesAt, count } = copyFineIn(arena, candidates);
    const arranged = arena.reserve(ARRANGED_BYTES);
    const out = arena.reserve(4 * COMPARED * count);
    arena.kernels.arrangeQuery(queryAt, arranged);
    arena.kernels.compareFine(queryAt, arranged, candidatesAt, count, out);
    const rows = arena.f32(out, COMPARED * count);
    const terms = FINE_TERMS.map((term, i) => [term, column(rows, i)] as const);
    const arrangements = new Uint8Array(column(rows, FINE_TERMS.length));
    return { ...(Object.fromEntries(terms) as Record<FineTerm, Float32Array>), arrangements };
  });
}

function column(rows: Float32Array, at: number): Float32Array {
  const values = new Float32Array(rows.length / COMPARED);
  for (let i = 0; i < values.length; i++) values[i] = rows[COMPARED * i + at];
  return values;
}

/**
 * Pairwise distances of candidates, by term, f32[count (count − 1) / 2]; candidates i and j < i are at i (i − 1) / 2 +
 * j.
 */
export interface AlignedDistances {
  /** Of hog pooled to 2 × 2 cells. */
  readonly hog: Float32Array;
  readonly pairs: Float32Array;
  readonly angles: Float32Array;
  readonly shares: Float32Array;
}

/**
 * Compares the candidates of one query pairwise, each in the rotation in which it is nearest to the query. There is no
 * search over rotations, so hundreds of candidates can be compared.
 * @param arrangements u8[count]: the rotation of each candidate, as {@link FineDistances.arrangements} states it.
 */
export function compareAligned(core: Core, candidates: FineDescriptors, arrangements: Uint8Array): AlignedDistances {
  const count = arrangements.length,
    pairCount = (count * (count - 1)) / 2;
  return core.call((arena) => {
    const { address: candidatesAt } = copyFineIn(arena, candidates);
    const arrangementsAt = arena.copyIn(arrangements);
    const out = arena.reserve(16 * pairCount);
    arena.run('compareAligned', candidatesAt, arrangementsAt, count, out);
    const term = (k: number): Float32Array => arena.f32(out + 4 * k * pairCount, pairCount);
    return { hog: term(0), pairs: term(1), angles: term(2), shares: term(3) };
  });
}

/** Copies descriptors into the core's memory, one after another. */
function copyFineIn(arena: Arena, descriptors: FineDescriptors): { address: number; count: number } {
  const pieces = descriptors instanceof Uint8Array ? [descriptors] : descriptors;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const address = arena.reserve(length);
  const memory = new Uint8Array(arena.kernels.memory.buffer, address, length);
  let at = 0;
  for (const piece of pieces) {
    memory.set(piece, at);
    at += piece.length;
  }
  return { address, count: length / FINE_BYTES };
}
