/**
 * The rows that a graph was built from: rising labels, and a hash of each row's vector. Comparing two sets shows which
 * rows changed, so a graph of an entirely different set is rejected and one of nearly the same set is patched.
 */
export interface RowSet {
  /** u32[count], rising. */
  readonly labels: Uint32Array;
  /** u64[count]. */
  readonly hashes: BigUint64Array;
}

/** Differences between the rows of a graph and the present rows. */
export interface RowChanges {
  /** Labels that are new or have another vector. */
  readonly fresh: readonly number[];
  /** Labels that were removed or have another vector. */
  readonly gone: readonly number[];
}

export function changesBetween(before: RowSet, after: RowSet): RowChanges {
  const fresh: number[] = [];
  const gone: number[] = [];
  let b = 0;
  let a = 0;
  while (b < before.labels.length || a < after.labels.length) {
    const old = b < before.labels.length ? before.labels[b] : Infinity;
    const now = a < after.labels.length ? after.labels[a] : Infinity;
    if (old < now || (old === now && before.hashes[b] !== after.hashes[a])) gone.push(old);
    if (now < old || (old === now && before.hashes[b] !== after.hashes[a])) fresh.push(now);
    if (old <= now) b++;
    if (now <= old) a++;
  }
  return { fresh, gone };
}

/**
 * u32[count] labels, then u64[count] hashes at the next multiple of 8; little-endian, as all machines that Node
 * supports.
 */
export function encodeRowSet({ labels, hashes }: RowSet): Uint8Array {
  const bytes = new Uint8Array(hashesAt(labels.length) + hashes.byteLength);
  new Uint32Array(bytes.buffer, 0, labels.length).set(labels);
  new BigUint64Array(bytes.buffer, hashesAt(labels.length), hashes.length).set(hashes);
  return bytes;
}

/**
 * bytes: from {@link encodeRowSet}, starting at a multiple of 8 in their buffer. Undefined when their length is not
 * that of `count` rows.
 */
export function decodeRowSet(bytes: Uint8Array, count: number): RowSet | undefined {
  if (bytes.length !== hashesAt(count) + 8 * count) return undefined;
  return {
    labels: new Uint32Array(bytes.buffer, bytes.byteOffset, count),
    hashes: new BigUint64Array(bytes.buffer, bytes.byteOffset + hashesAt(count), count),
  };
}

function hashesAt(count: number): number {
  return (4 * count + 7) & ~7;
}
