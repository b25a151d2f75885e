import type { Arena, Core } from './core.js';

/** Bytes of the parts of a fine descriptor; keep equal to `assembly/distance/fine.ts`. */
export const FINE_LENGTHS = Object.freeze({ views: 248, spread: 136, family: 128, plainPairs: 480, numbers: 32 });
/** Bytes of a fine descriptor. */
export const FINE_BYTES = Object.values(FINE_LENGTHS).reduce((sum, length) => sum + length, 0);

/**
 * The terms of a comparison: views (least over the 24 rotations of the frame of face normals), views along the axes of
 * inertia (least over the rotations of these), family, point pairs of the plain part.
 */
export const FINE_TERMS = ['views', 'spread', 'family', 'plainPairs'] as const;
export type FineTerm = (typeof FINE_TERMS)[number];

/**
 * Distances by term, f32[number of pairs]: of plainPairs Euclidean over the stored bytes (0 to 255 each), of the others
 * Euclidean between vectors of length 1 (0 to 2).
 */
export type FineDistances = Readonly<Record<FineTerm, Float32Array>>;

/** Fine descriptors: u8[FINE_BYTES * count], or several such arrays. */
export type FineDescriptors = Uint8Array | readonly Uint8Array[];

/**
 * Compares a fine descriptor with many others.
 * @param query u8[FINE_BYTES].
 */
export function compareFine(core: Core, query: Uint8Array, candidates: FineDescriptors): FineDistances {
  const terms = FINE_TERMS.length;
  return core.call((arena) => {
    const queryAt = arena.copyIn(query);
    const { address: candidatesAt, count } = copyFineIn(arena, candidates);
    const out = arena.reserve(4 * terms * count);
    arena.run('compareFine', queryAt, candidatesAt, count, out);
    const rows = arena.f32(out, terms * count);
    return byTerm((k) => Float32Array.from({ length: count }, (_, i) => rows[terms * i + k]));
  });
}

/** Compares parts pairwise: i with j < i is at i (i − 1) / 2 + j. */
export function comparePairs(core: Core, parts: FineDescriptors): FineDistances {
  return core.call((arena) => {
    const { address, count } = copyFineIn(arena, parts);
    const pairCount = (count * (count - 1)) / 2;
    const out = arena.reserve(4 * FINE_TERMS.length * pairCount);
    arena.run('comparePairs', address, count, out);
    return byTerm((k) => arena.f32(out + 4 * k * pairCount, pairCount));
  });
}

function byTerm(distances: (k: number) => Float32Array): FineDistances {
  return Object.fromEntries(FINE_TERMS.map((term, k) => [term, distances(k)])) as FineDistances;
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
