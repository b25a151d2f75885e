import type { Core } from '../core/core.js';
import { VectorTable, type Neighbours } from '../core/scan.js';
import { EngineError } from '../errors.js';
import { DEFAULT_ENGINE_OPTIONS, withDefaults } from '../options.js';
import type { CacheFile } from '../store/disk/cache-file.js';
import { buildGraph } from './build-graph.js';
import { HNSW_DEFAULTS, HnswGraph, checkHnswOptions, type HnswOptions } from './hnsw-graph.js';
import { loadHnswlib, type Hnswlib } from './hnswlib.js';
import { changesBetween, decodeRowSet, encodeRowSet } from './row-set.js';
import { Twins } from './twins.js';

/** A vector with the id of its catalogue row: a whole number below 2^32 that is never reused for another row. */
export interface LabelledVector {
  readonly label: number;
  readonly vector: Float32Array;
}

/** Many vectors. */
export interface VectorBlock {
  readonly labels: Uint32Array;
  /** f32[labels.length × dimension]. */
  readonly vectors: Float32Array;
}

/** Progress of the graph of a large index. Until it is `ready`, searches scan all rows, which is slower and exact. */
export interface GraphProgress {
  readonly phase: 'building' | 'ready' | 'failed';
  /** Rows inserted so far, and rows of the finished graph. */
  readonly done: number;
  readonly total: number;
}

type VectorPage = Iterable<LabelledVector> | VectorBlock;

/** Options of {@link VectorIndex.open}. */
export interface VectorIndexOptions {
  /** Length of the vectors, a multiple of 4. */
  readonly dimension: number;
  /** All vectors of the index at opening, each label once, in pages. Iterated once. */
  readonly vectors: Iterable<VectorPage> | AsyncIterable<VectorPage>;
  /** The file that stores the graph. Without it no graph is built, and every search scans. */
  readonly cacheFile?: CacheFile;
  /** Largest number of vectors at which every search scans all of them. Default {@link EXACT_LIMIT}. */
  readonly exactLimit?: number;
  /**
   * Time that the graph takes for one candidate, in numbers that the scan reads: with a filter, the cheaper way
   * answers. Default 5 000.
   */
  readonly graphCost?: number;
  /** Default {@link HNSW_DEFAULTS}. */
  readonly hnsw?: Partial<HnswOptions>;
  readonly onProgress?: (progress: GraphProgress) => void;
}

/** Options of one search. */
export interface VectorSearchOptions {
  /** Only these labels may be found; unknown ones are ignored. Fastest when rising. */
  readonly allow?: Uint32Array;
  /** Scan all rows even where there is a graph. Default false. */
  readonly exact?: boolean;
}

/**
 * Scan and graph take the same time for 200 candidates at about 40 000 rows (`npm run bench -- vectors`; 0.6 ms). At
 * 100 000 rows the scan takes 1.4 ms, or 3.3 with cold caches; the graph takes 0.6 and 1.2. For these 2 ms the graph
 * costs a minute of processor time to build, 518 bytes a row both in memory and on disk, and one candidate in a
 * thousand. At a million rows a whole search takes 21 ms at p95 by the scan. Below this limit the scan is the better
 * choice.
 */
export const EXACT_LIMIT = DEFAULT_ENGINE_OPTIONS.exactLimit;

/**
 * Time that the graph takes for one candidate, in numbers that the scan reads: 1.6 µs a candidate, 0.3 ns a number
 * (`npm run bench -- index`, 100 000 rows of 64: 512 candidates 0.8 ms; half of the rows 1.0 to 1.3 ms).
 */
const GRAPH_COST = 5_000;
/**
 * Of the nearest rows without a filter, so many times k / share are asked for, and some more, so that enough of them
 * pass. A filter is not given to the graph, which calls it for each row that it visits: of half of 100 000 rows that
 * took 12.9 ms.
 */
const MORE_FOR_FILTER = 1.25;
const MORE_ROWS = 32;

/** The graph is rebuilt when this share of its rows changed; until then the changed rows are scanned. */
const REBUILD_SHARE = 0.1;

/** Raised when the file that hnswlib writes, the seed or the order of insertion changes. */
const GRAPH_FORMAT = 'hnswlib-node 3, 1';

/**
 * Nearest vectors by Euclidean distance. A cache of the catalogue, which stays the only source.
 *
 * All vectors are in a table that scans exactly. Above `exactLimit` a graph (HNSW) proposes candidates and the table
 * measures them, so distances are always exact; ties go to the smaller label. A graph is immutable: rows that were
 * added since it was built are scanned beside it, removed rows are hidden, and when many rows changed, a worker builds
 * another graph from all rows in the order of their labels. The result of a search therefore depends only on the
 * present rows and on the rows of the graph. Two graphs may propose different candidates; `flush` waits until the graph
 * under way is in use. Without the package hnswlib-node every search scans.
 *
 * Building in slices of 5 ms on the host's thread was tried and dropped: a timer of the host fired 4.1 ms late in the
 * median and 39 ms at worst; with a worker 0.1 and 7.
 */
export class VectorIndex {
  readonly #table: VectorTable;
  readonly #cacheFile: CacheFile | undefined;
  readonly #exactLimit: number;
  readonly #graphCost: number;
  readonly #hnsw: HnswOptions;
  readonly #onProgress: ((progress: GraphProgress) => void) | undefined;
  readonly #closing = new AbortController();
  #graph: HnswGraph | undefined;
  /** Labels whose vector is in the table and not in the graph; empty without a graph. */
  #fresh = new Set<number>();
  /** Reading or building a graph; never rejects. */
  #work: Promise<void> | undefined;
  #failure: unknown;
  /** Number of rows at which a failed build is tried again. */
  #retryAt = 0;

  private constructor(table: VectorTable, exactLimit: number, hnsw: HnswOptions, options: VectorIndexOptions) {
    this.#table = table;
    this.#exactLimit = exactLimit;
    this.#hnsw = hnsw;
    this.#graphCost = options.graphCost ?? GRAPH_COST;
    this.#cacheFile = options.cacheFile;
    this.#onProgress = options.onProgress;
  }

  /**
   * Fills the table; if a graph is needed, it is read or built in the background.
   * core: only its compiled module is shared.
   * @throws RangeError for an invalid dimension, option or vector.
   */
  static async open(core: Core, options: VectorIndexOptions): Promise<VectorIndex> {
    const hnsw = withDefaults('hnsw', options.hnsw, HNSW_DEFAULTS);
    checkHnswOptions(hnsw);
    const exactLimit = options.exactLimit ?? EXACT_LIMIT;
    if (!Number.isInteger(exactLimit) || exactLimit < 0) {
      throw new RangeError(`exactLimit must be a whole number from 0, received ${exactLimit}`);
    }
    const table = await VectorTable.open(core, options.dimension);
    for await (const page of options.vectors)
      if ('labels' in page) table.putAll(page.labels, page.vectors);
      else for (const { label, vector } of page) table.put(label, vector);
    const index = new VectorIndex(table, exactLimit, hnsw, options);
    index.#startGraphWork();
    return index;
  }

  get size(): number {
    return this.#table.size;
  }

  /** How a search without `exact` finds its candidates. */
  get method(): 'scan' | 'graph' {
    return this.#usableGraph() === undefined ? 'scan' : 'graph';
  }

  /** Adds a vector or replaces the one with this label. @throws RangeError for an invalid label or vector. */
  add(label: number, vector: Float32Array): void {
    this.#checkOpen();
    const isReplaced = this.#table.has(label);
    this.#table.put(label, vector);
    if (this.#graph !== undefined && !this.#fresh.has(label)) {
      if (isReplaced) this.#graph.remove(label);
      this.#fresh.add(label);
    }
    this.#startGraphWork();
  }

  /** f32[labels.length × dimension]: copies of the vectors of labels, all of which the index must hold. */
  vectorsOf(labels: Uint32Array): Float32Array {
    this.#checkOpen();
    return this.#table.vectorsOf(labels);
  }

  /** Removes a label; false when it is unknown. */
  remove(label: number): boolean {
    this.#checkOpen();
    if (!this.#table.remove(label)) return false;
    if (!this.#fresh.delete(label)) this.#graph?.remove(label);
    this.#startGraphWork();
    return true;
  }

  /**
   * The k nearest vectors, nearest first, equal distances by smaller label.
   * @throws RangeError for a query of another length or with infinite numbers, or a k that is not a positive whole
   *   number.
   */
  search(query: Float32Array, k: number, { allow, exact = false }: VectorSearchOptions = {}): Neighbours {
    this.#checkOpen();
    const graph = exact ? undefined : this.#usableGraph();
    const asked = this.#askedOf(k, allow);
    if (graph === undefined || (allow !== undefined && this.#isScanned(asked, allow.length)))
      return this.#table.search(query, k, allow);
    this.#table.checkSearch(query, k);
    let candidates = graph.nearest(query, asked);
    if (allow !== undefined) {
      const allowed = membershipOf(allow);
      candidates = candidates.filter(allowed);
      for (const label of this.#fresh) if (allowed(label)) candidates.push(label);
    } else candidates.push(...this.#fresh);
    // With a filter, or where nodes are hard to reach, the graph may find too few; the scan finds all.
    if (candidates.length < Math.min(k, allow?.length ?? this.size)) return this.#table.search(query, k, allow);
    return this.#table.search(query, k, Uint32Array.from(candidates));
  }

  /** Rows to ask the graph for, so that about k of them pass. */
  #askedOf(k: number, allow: Uint32Array | undefined): number {
    if (allow === undefined) return k;
    return Math.ceil((MORE_FOR_FILTER * k * this.size) / Math.max(1, allow.length)) + MORE_ROWS;
  }

  /** Whether reading the allowed rows is cheaper than asking the graph, which weighs twice as many as it returns. */
  #isScanned(asked: number, allowed: number): boolean {
    const weighed = Math.max(this.#hnsw.efSearch, 2 * asked);
    return allowed <= this.#exactLimit || allowed * this.#table.dimension <= weighed * this.#graphCost;
  }

  /**
   * Resolves when the graph that the present size needs is in use and on disk, or hnswlib-node cannot be loaded.
   * @throws EngineError when the graph could not be built; searches then scan.
   */
  async flush(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Stops background work; a graph under construction is dropped. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
    this.#graph = undefined;
  }

  #usableGraph(): HnswGraph | undefined {
    // A graph that lacks half of the rows saves no time.
    return this.size > this.#exactLimit && 2 * this.#fresh.size < this.size ? this.#graph : undefined;
  }

  /** Starts reading or building the graph that the present rows need, unless that is under way. */
  #startGraphWork(): void {
    const cacheFile = this.#cacheFile;
    if (cacheFile === undefined || this.#work !== undefined || this.#closing.signal.aborted) return;
    if (this.size <= this.#exactLimit || this.size < this.#retryAt) return;
    if (this.#graph !== undefined && this.#fresh.size + this.#graph.removed <= REBUILD_SHARE * this.#graph.count)
      return;
    this.#work = this.#renew(cacheFile)
      .then((isReady) => {
        this.#failure = undefined;
        if (!isReady) this.#retryAt = Infinity;
      })
      .catch((cause: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#failure = cause;
        this.#retryAt = this.size * (1 + REBUILD_SHARE);
        this.#onProgress?.({ phase: 'failed', done: 0, total: this.size });
      })
      .finally(() => {
        this.#work = undefined;
        this.#startGraphWork();
      });
  }

  /**
   * Uses the stored graph, whatever rows it was built from; builds one when none is stored or the one in use is too
   * old. False when hnswlib-node cannot be loaded.
   */
  async #renew(cacheFile: CacheFile): Promise<boolean> {
    const hnswlib = await loadHnswlib();
    if (hnswlib === undefined) return false;
    if (this.#graph === undefined && (await this.#adopt(hnswlib, cacheFile))) return true;
    await this.#build(cacheFile);
    if (await this.#adopt(hnswlib, cacheFile)) return true;
    throw new EngineError('STORAGE_FAILED', `the vector graph written to ${cacheFile.folder} does not read back`);
  }

  async #build(cacheFile: CacheFile): Promise<void> {
    const { dimension } = this.#table;
    const rows = this.#table.rowHashes();
    const labels = new Twins(rows).nodes;
    const vectors = this.#table.vectorsOf(labels);
    const report = (done: number): void => this.#onProgress?.({ phase: 'building', done, total: labels.length });
    report(0);
    await cacheFile.write({ facts: this.#factsOf(rows.labels.length), attachment: encodeRowSet(rows) }, (path) =>
      buildGraph({ path, dimension, labels, vectors, options: this.#hnsw }, this.#closing.signal, report),
    );
  }

  /** Reads the stored graph and uses it from now on; false when no intact graph with these parameters is stored. */
  async #adopt(hnswlib: Hnswlib, cacheFile: CacheFile): Promise<boolean> {
    const found = await cacheFile.read();
    if (found === undefined) return false;
    const count = Number(found.facts.count);
    const saved = decodeRowSet(found.attachment, count);
    if (saved === undefined || JSON.stringify(found.facts) !== JSON.stringify(this.#factsOf(count))) return false;
    const graph = await HnswGraph.read(hnswlib, found.bodyPath, this.#table.dimension, saved, this.#hnsw);
    if (graph === undefined) return false;
    if (this.#closing.signal.aborted) return true;
    // Compared only now: rows may have changed while the graph was built and read.
    const { fresh, gone } = changesBetween(saved, this.#table.rowHashes());
    for (const label of gone) graph.remove(label);
    this.#graph = graph;
    this.#fresh = new Set(fresh);
    this.#onProgress?.({ phase: 'ready', done: count, total: count });
    return true;
  }

  /** Properties that a stored graph must have to be used. */
  #factsOf(count: number): Readonly<Record<string, unknown>> {
    const { m, efConstruction } = this.#hnsw;
    return { format: GRAPH_FORMAT, dimension: this.#table.dimension, count, m, efConstruction };
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new EngineError('ENGINE_CLOSED', 'the vector index was used after close()');
  }
}

/** Tests whether a label is in the list, by binary search. */
function membershipOf(labels: Uint32Array): (label: number) => boolean {
  const sorted = isRising(labels) ? labels : labels.slice().sort();
  return (label) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle] < label) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === label;
  };
}

function isRising(labels: Uint32Array): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i - 1] > labels[i]) return false;
  return true;
}
