/** Largest stored frequency: above it BM25 hardly changes. */
export const WEIGHT_LIMIT = 255;

/**
 * Most terms of a file whose frequency is stored (the most frequent ones): a search reads it for thousands of files.
 */
const TERMS_LIMIT = 4_000;

const ENTRY_BYTES = 4;

/**
 * Encodes the frequencies of a file's terms: for each frequency above 1, 24 bits of hash (big-endian, entries sorted by
 * it) and 8 bits of frequency. Two terms of one file share a hash, and then a frequency, in one of 300 000 files.
 * frequencies: weighted by field, by term; those below 2 are left out.
 */
export function encodeWeights(frequencies: ReadonlyMap<string, number>): Uint8Array {
  let kept = [...frequencies].filter(([, frequency]) => frequency > 1);
  if (kept.length > TERMS_LIMIT) kept = kept.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, TERMS_LIMIT);
  const entries = Uint32Array.from(
    kept,
    ([term, frequency]) => hashOf(term) * 256 + Math.min(frequency, WEIGHT_LIMIT),
  ).sort();
  const bytes = new Uint8Array(ENTRY_BYTES * entries.length);
  const view = new DataView(bytes.buffer);
  entries.forEach((entry, i) => view.setUint32(ENTRY_BYTES * i, entry));
  return bytes;
}

/** Frequency of the term with this hash; 1 when none is stored. weights: from {@link encodeWeights}. */
export function weightOf(weights: Uint8Array, hash: number): number {
  let low = 0;
  let high = weights.length / ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hashAt(weights, middle) < hash) low = middle + 1;
    else high = middle;
  }
  return ENTRY_BYTES * low < weights.length && hashAt(weights, low) === hash ? weights[ENTRY_BYTES * low + 3] : 1;
}

/** 24 bits of FNV-1a (Fowler, Noll, Vo) over the UTF-16 units. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}

function hashAt(weights: Uint8Array, entry: number): number {
  const at = ENTRY_BYTES * entry;
  return (weights[at] << 16) | (weights[at + 1] << 8) | weights[at + 2];
}
