import type { Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import { LabelRows } from './label-rows.js';

/** The result of a search, nearest first; equal distances are ordered by ascending label. */
export interface Neighbours {
  /** u32[found]. */
  readonly labels: Uint32Array;
  /** f32[found]: Euclidean distances, not squared. */
  readonly distances: Float32Array;
}

/** Labels are u32, so they are below this number. */
export const LABEL_LIMIT = 2 ** 32;

const FIRST_CAPACITY = 1024;
/**
 * Little is reserved ahead: a row is moved 8 times as often as it is added, 20 ns each; twice the memory would be idle.
 */
const AHEAD = 1 + 1 / 8;
/**
 * When a search is limited to more than this share of the rows, all rows are read in order, which the processor
 * prefetches, and the unwanted ones are skipped.
 */
const WIDE = 1 / 4;

/** Codes of a row that lie apart and are read first, and bytes after the others. */
const HEAD = 16;
const CODE_FACTS = 8;

/** One bit for each row of a table, and the number of bits set. */
interface WantedRows {
  readonly bits: Uint32Array;
  readonly count: number;
}

/**
 * Labelled vectors in the memory of a core of their own, and the exact scan over them. Rows are contiguous: a removed
 * row is overwritten by the last one. Equal distances are ordered by label, so the order of rows does not affect
 * results.
 *
 * The table is the only thing that its core keeps: labels first, then codes, then vectors. It grows by an eighth when
 * it is full. Codes are the vectors with a byte a component, the first 16 of each apart: a scan reads the other codes
 * only of rows that by these may be among the nearest, and vectors only of those that by all may be. So it reads a
 * sixteenth of the bytes and finds the same.
 */
export class VectorTable {
  readonly dimension: number;
  readonly #core: KeptRows;
  readonly #rows = new LabelRows();
  #capacity = 0;
  #labelsAt = 0;
  #headsAt = 0;
  #tailsAt = 0;
  /** No less than how far any row lies from its codes. */
  #mostRest = 0;
  #vectorsAt = 0;

  private constructor(core: KeptRows, dimension: number) {
    this.#core = core;
    this.dimension = dimension;
  }

  /**
   * Opens an empty table.
   * @param core any core; only its compiled module is shared.
   * @param dimension a multiple of 4, at least 4.
   * @throws RangeError for another dimension.
   */
  static async open(core: Core, dimension: number): Promise<VectorTable> {
    if (!Number.isInteger(dimension) || dimension < 4 || dimension % 4 !== 0) {
      throw new RangeError(`dimension must be a positive multiple of 4, received ${dimension}`);
    }
    return new VectorTable(await KeptRows.open(core), dimension);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Bytes reserved for vectors, codes and labels, spare capacity included. */
  get byteLength(): number {
    return this.#capacity * ((this.dimension + 1) * 4 + HEAD + this.#tailBytes);
  }

  /** Bytes of the codes of a row after its head. */
  get #tailBytes(): number {
    return 16 * Math.ceil(this.dimension / 16) - HEAD + CODE_FACTS;
  }

  has(label: number): boolean {
    return isLabel(label) && this.#rows.get(label) >= 0;
  }

  /**
   * Adds a vector, f32[dimension], or replaces the one of this label.
   * @throws RangeError for a label that is no u32, another length, or a component that is not finite.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full.
   */
  put(label: number, vector: Float32Array): void {
    if (!isLabel(label)) {
      throw new RangeError(`label must be a whole number from 0 to ${LABEL_LIMIT - 1}, received ${label}`);
    }
    this.#checkVector(vector);
    this.#core.check();
    let row = this.#rows.get(label);
    if (row < 0) {
      row = this.#rows.size;
      if (row === this.#capacity) this.#grow(row + 1);
      this.#rows.set(label, row);
    }
    this.#core.keep(({ kernels: { memory } }) => {
      this.#labels(memory)[row] = label;
      this.#vectors(memory).set(vector, row * this.dimension);
    });
    this.#code(row, 1);
  }

  /**
   * Adds many vectors at once, f32[labels.length × dimension], of labels that the table does not hold. At a million
   * rows of 64 it takes a tenth of the time of single ones, and reserves memory once.
   * @throws as {@link put}; then none was added.
   */
  putAll(labels: Uint32Array, vectors: Float32Array): void {
    if (vectors.length !== labels.length * this.dimension)
      throw new RangeError(
        `vectors must hold ${labels.length} × ${this.dimension} numbers, received ${vectors.length}`,
      );
    checkFinite('vectors', vectors);
    this.#core.check();
    const first = this.#rows.size;
    if (first + labels.length > this.#capacity) this.#grow(first + labels.length);
    for (const [i, label] of labels.entries()) this.#rows.set(label, first + i);
    this.#core.keep(({ kernels: { memory } }) => {
      this.#labels(memory).set(labels, first);
      this.#vectors(memory).set(vectors, first * this.dimension);
    });
    this.#code(first, labels.length);
  }

  /** Removes a label; false when the table does not hold it. */
  remove(label: number): boolean {
    this.#core.check();
    if (!this.has(label)) return false;
    const row = this.#rows.get(label);
    this.#rows.delete(label);
    const last = this.#rows.size;
    if (row !== last) {
      this.#core.keep(({ kernels: { memory } }) => {
        const labels = this.#labels(memory);
        labels[row] = labels[last];
        this.#vectors(memory).copyWithin(row * this.dimension, last * this.dimension, (last + 1) * this.dimension);
        for (const [at, length] of [
          [this.#headsAt, HEAD],
          [this.#tailsAt, this.#tailBytes],
        ])
          new Uint8Array(memory.buffer, at).copyWithin(row * length, last * length, (last + 1) * length);
        this.#rows.set(labels[row], row);
      });
    }
    return true;
  }

  /**
   * The k nearest rows.
   * @param among labels to which the search is limited; unknown labels are ignored, repeated ones count once.
   * @throws RangeError for a query of another length or with a component that is not finite, or unless k is a positive
   *   whole number.
   */
  search(query: Float32Array, k: number, among?: Uint32Array): Neighbours {
    this.checkSearch(query, k);
    this.#core.check();
    const wanted = among && this.#wanted(among);
    const isWide = wanted !== undefined && wanted.count > WIDE * this.size;
    const rows = wanted === undefined || isWide ? undefined : listOf(wanted);
    const count = rows === undefined ? this.size : rows.length;
    const most = Math.min(k, wanted?.count ?? count);
    if (most === 0) return { labels: new Uint32Array(0), distances: new Float32Array(0) };
    return this.#core.call((arena) => {
      const queryAt = arena.copyIn(query);
      const queryCodesAt = arena.reserve(3 * (HEAD + this.#tailBytes));
      arena.kernels.codeRows(queryAt, this.dimension, 1, queryCodesAt, queryCodesAt + HEAD);
      const rowsAt = rows === undefined ? 0 : arena.copyIn(rows);
      const wantedAt = isWide ? arena.copyIn(wanted.bits) : 0;
      const distancesAt = arena.reserve(most * 4);
      const labelsAt = arena.reserve(most * 4);
      const found = arena.kernels.scanTop(
        queryAt,
        this.dimension,
        this.#vectorsAt,
        this.#labelsAt,
        this.#headsAt,
        this.#tailsAt,
        this.#mostRest,
        queryCodesAt,
        rowsAt,
        count,
        wantedAt,
        most,
        distancesAt,
        labelsAt,
      );
      return { labels: arena.u32(labelsAt, found), distances: arena.f32(distancesAt, found) };
    });
  }

  /**
   * All labels, ascending, with a 64-bit hash of each vector's bits. Two tables with equal results hold the same rows.
   */
  rowHashes(): { labels: Uint32Array; hashes: BigUint64Array } {
    this.#core.check();
    return this.#core.call((arena) => {
      const out = arena.reserve(this.size * 8);
      arena.kernels.hashVectors(this.#vectorsAt, this.dimension, this.size, out);
      const byRow = new BigUint64Array(arena.kernels.memory.buffer, out, this.size);
      const labels = arena.u32(this.#labelsAt, this.size).sort();
      const hashes = new BigUint64Array(this.size);
      for (let i = 0; i < labels.length; i++) hashes[i] = byRow[this.#rows.get(labels[i])];
      return { labels, hashes };
    });
  }

  /** f32[dimension * labels.length]: copies of the vectors of labels, all of which the table must hold. */
  vectorsOf(labels: Uint32Array): Float32Array {
    this.#core.check();
    return this.#core.call(({ kernels: { memory } }) => {
      const all = this.#vectors(memory);
      const vectors = new Float32Array(labels.length * this.dimension);
      for (let i = 0; i < labels.length; i++) {
        const start = this.#rows.get(labels[i]) * this.dimension;
        vectors.set(all.subarray(start, start + this.dimension), i * this.dimension);
      }
      return vectors;
    });
  }

  /** Checks the arguments of {@link search}. @throws RangeError as that does. */
  checkSearch(query: Float32Array, k: number): void {
    this.#checkVector(query);
    if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a positive whole number, received ${k}`);
  }

  /** The rows of those labels that the table holds. */
  #wanted(labels: Uint32Array): WantedRows {
    const bits = new Uint32Array((this.size + 31) >>> 5);
    const count = this.#rows.mark(labels, bits);
    return { bits, count };
  }

  #code(first: number, count: number): void {
    this.#core.call(({ kernels }) => {
      const at = this.#vectorsAt + first * this.dimension * 4,
        headsAt = this.#headsAt + first * HEAD,
        tailsAt = this.#tailsAt + first * this.#tailBytes;
      const rest = kernels.codeRows(at, this.dimension, count, headsAt, tailsAt);
      this.#mostRest = Math.max(this.#mostRest, rest);
    });
  }

  /** The table is the last thing reserved, so it grows in place and only codes and vectors move. */
  #grow(wanted: number): void {
    const capacity = Math.max(FIRST_CAPACITY, wanted, Math.ceil(AHEAD * this.#capacity));
    const held = this.#rows.size * this.dimension * 4;
    this.#core.grow(this.#labelsAt, (arena) => {
      const labelsAt = arena.reserve(capacity * 4);
      const headsAt = arena.reserve(capacity * HEAD);
      const tailsAt = arena.reserve(capacity * this.#tailBytes);
      const vectorsAt = arena.reserve(capacity * this.dimension * 4);
      const bytes = new Uint8Array(arena.kernels.memory.buffer);
      // Vectors first: they lie behind, and codes may come to lie where they were.
      bytes.copyWithin(vectorsAt, this.#vectorsAt, this.#vectorsAt + held);
      bytes.copyWithin(tailsAt, this.#tailsAt, this.#tailsAt + this.#rows.size * this.#tailBytes);
      bytes.copyWithin(headsAt, this.#headsAt, this.#headsAt + this.#rows.size * HEAD);
      this.#labelsAt = labelsAt;
      this.#headsAt = headsAt;
      this.#tailsAt = tailsAt;
      this.#vectorsAt = vectorsAt;
      this.#capacity = capacity;
    });
  }

  #labels(memory: WebAssembly.Memory): Uint32Array {
    return new Uint32Array(memory.buffer, this.#labelsAt, this.#capacity);
  }

  #vectors(memory: WebAssembly.Memory): Float32Array {
    return new Float32Array(memory.buffer, this.#vectorsAt, this.#capacity * this.dimension);
  }

  #checkVector(vector: Float32Array): void {
    if (!(vector instanceof Float32Array) || vector.length !== this.dimension) {
      const found = vector instanceof Float32Array ? `${vector.length} numbers` : String(vector);
      throw new RangeError(`vector must be a Float32Array of ${this.dimension} numbers, received ${found}`);
    }
    checkFinite('vector', vector);
  }
}

/**
 * The k nearest of vectors that lie in no table: those of a block that was just read.
 * @param labels u32[count].
 * @param vectors f32[count × dimension], as bytes.
 * @param rows numbers of the rows that may be found; absent: all.
 * @throws RangeError for vectors of another length, or unless k is a positive whole number.
 */
export function nearestOfBlock(
  core: Core,
  query: Float32Array,
  k: number,
  {
    labels,
    vectors,
    rows,
  }: { readonly labels: Uint32Array; readonly vectors: Uint8Array; readonly rows?: Uint32Array },
): Neighbours {
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a positive whole number, received ${k}`);
  if (vectors.length !== 4 * labels.length * query.length)
    throw new RangeError(`vectors must hold ${4 * labels.length * query.length} bytes, received ${vectors.length}`);
  const count = rows?.length ?? labels.length;
  if (count === 0) return { labels: new Uint32Array(0), distances: new Float32Array(0) };
  const most = Math.min(k, count);
  return core.call((arena) => {
    const queryAt = arena.copyIn(query),
      vectorsAt = arena.copyIn(vectors),
      labelsAt = arena.copyIn(labels),
      rowsAt = rows === undefined ? 0 : arena.copyIn(rows);
    const distancesAt = arena.reserve(most * 4),
      foundAt = arena.reserve(most * 4);
    const found = arena.kernels.scanTop(
      queryAt,
      query.length,
      vectorsAt,
      labelsAt,
      0,
      0,
      0,
      0,
      rowsAt,
      count,
      0,
      most,
      distancesAt,
      foundAt,
    );
    return { labels: arena.u32(foundAt, found), distances: arena.f32(distancesAt, found) };
  });
}

/** Row numbers, ascending, read from the bits. Sorting 50 000 labels instead took longer than the scan. */
function listOf({ bits, count }: WantedRows): Uint32Array {
  const rows = new Uint32Array(count);
  let listed = 0;
  for (let i = 0; i < bits.length; i++) {
    for (let rest = bits[i]; rest !== 0; rest &= rest - 1) rows[listed++] = 32 * i + 31 - Math.clz32(rest & -rest);
  }
  return rows;
}

function checkFinite(name: string, values: Float32Array): void {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) throw new RangeError(`${name}[${i}] must be finite, received ${values[i]}`);
}

function isLabel(label: number): boolean {
  return Number.isInteger(label) && label >= 0 && label < LABEL_LIMIT;
}
