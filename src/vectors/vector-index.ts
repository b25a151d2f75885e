import type { Core } from '../core/core.js';
import { VectorTable, type Neighbours } from '../core/scan.js';
import { EngineError } from '../errors.js';
import { DEFAULT_ENGINE_OPTIONS, withDefaults } from '../options.js';
import type { CacheFile } from '../store/disk/cache-file.js';
import { buildGraph } from './build-graph.js';
import { HNSW_DEFAULTS, HnswGraph, checkHnswOptions, type HnswOptions } from './hnsw-graph.js';
import { changesBetween, decodeRowSet, encodeRowSet } from './row-set.js';
import { Twins } from './twins.js';

/** A vector under the id of its catalogue row: a whole number below 2^32, never given to another row. */
export interface LabelledVector {
  readonly label: number;
  readonly vector: Float32Array;
}

/** How far the graph of a large index is. Until it is `ready`, searches scan all rows: slower, exact. */
export interface GraphProgress {
  readonly phase: 'building' | 'ready' | 'failed';
  /** Rows in the graph so far, and at the end. */
  readonly done: number;
  readonly total: number;
}

/** Options of {@link VectorIndex.open}. */
export interface VectorIndexOptions {
  /** Length of the vectors, a multiple of 4. */
  readonly dimension: number;
  /** All vectors that are there now. Read once. */
  readonly vectors: Iterable<LabelledVector>;
  /** Where the graph is kept. Without it there is none, and every search scans. */
  readonly cacheFile?: CacheFile;
  /** Up to this many vectors every search scans them all. Default {@link EXACT_LIMIT}. */
  readonly exactLimit?: number;
  /** Default {@link HNSW_DEFAULTS}. */
  readonly hnsw?: Partial<HnswOptions>;
  readonly onProgress?: (progress: GraphProgress) => void;
}

/** Options of one search. */
export interface VectorSearchOptions {
  /** Only these labels; unknown ones are passed over. Fastest when rising. */
  readonly allow?: Uint32Array;
  /** Scan all rows even where there is a graph. Default false. */
  readonly exact?: boolean;
}

/**
 * Both ways cost the same for 200 candidates of some 40 000 rows (bench/index.mjs; 0.6 ms). Of 100 000 the scan takes 1.4 ms,
 * 3.3 when the table has left the processor's caches, the graph 0.6 and 1.2; for these 2 ms the graph takes a minute of a
 * processor to build, twice 518 bytes a row (memory, disk) and one candidate in a thousand. So up to here the scan.
 */
export const EXACT_LIMIT = DEFAULT_ENGINE_OPTIONS.exactLimit;

/**
 * Above the limit, a filter that lets no more than this share of the rows through is scanned too, however many they are: the
 * graph looks at more nodes the fewer get through. Of 200 000 rows: half let through, graph 2.1 ms, scan 2.8; a tenth, 6.2
 * and 1.0.
 */
const SCANNED_SHARE = 0.1;

/** Rows changed since the graph was built, as a share of its rows, at which it is built anew: until then they are scanned. */
const REBUILD_SHARE = 0.1;

/** Raised when the file that hnswlib writes, the seed or the order of insertion changes. */
const GRAPH_FORMAT = 'hnswlib-node 3, 1';

/**
 * Nearest vectors by Euclidean distance. Derived from the catalogue and never the truth.
 *
 * All vectors lie in a table that scans exactly. Above `exactLimit` a graph (HNSW) proposes candidates and the table
 * measures them, so a distance is always the exact one; ties go to the smaller label. The graph is of the vectors that were
 * there when it was built and does not change: rows that came since are scanned beside it, rows that went are taken out of
 * it, and when they are many another is built in a worker, from all rows in the order of their labels. What a search
 * returns therefore depends on the rows and on the rows of the graph, on nothing else. Two graphs may propose other
 * candidates; `flush` waits for the one under way.
 *
 * Building in slices of 5 ms between the host's own work was tried and left: a timer of the host came 4.1 ms late in the
 * median, 39 at worst; with a worker 0.1 and 7.
 */
export class VectorIndex {
  readonly #table: VectorTable;
  readonly #cacheFile: CacheFile | undefined;
  readonly #exactLimit: number;
  readonly #hnsw: HnswOptions;
  readonly #onProgress: ((progress: GraphProgress) => void) | undefined;
  readonly #closing = new AbortController();
  #graph: HnswGraph | undefined;
  /** Labels whose vector is in the table and not in the graph, so that all others are; empty without a graph. */
  #fresh = new Set<number>();
  /** Reading or building a graph; never rejects. */
  #work: Promise<void> | undefined;
  #failure: unknown;
  /** Size at which a failed attempt is repeated. */
  #retryAt = 0;

  private constructor(table: VectorTable, exactLimit: number, hnsw: HnswOptions, options: VectorIndexOptions) {
    this.#table = table;
    this.#exactLimit = exactLimit;
    this.#hnsw = hnsw;
    this.#cacheFile = options.cacheFile;
    this.#onProgress = options.onProgress;
  }

  /**
   * Fills the table; a graph that is wanted is read or built in the background.
   * core: only its compiled module is shared.
   * @throws RangeError for a dimension, option or vector that does not fit.
   */
  static async open(core: Core, options: VectorIndexOptions): Promise<VectorIndex> {
    const hnsw = withDefaults('hnsw', options.hnsw, HNSW_DEFAULTS);
    checkHnswOptions(hnsw);
    const exactLimit = options.exactLimit ?? EXACT_LIMIT;
    if (!Number.isInteger(exactLimit) || exactLimit < 0) {
      throw new RangeError(`exactLimit must be a whole number from 0, received ${exactLimit}`);
    }
    const table = await VectorTable.open(core, options.dimension);
    for (const { label, vector } of options.vectors) table.put(label, vector);
    const index = new VectorIndex(table, exactLimit, hnsw, options);
    index.#tend();
    return index;
  }

  get size(): number {
    return this.#table.size;
  }

  /** What answers a search without `exact`. */
  get method(): 'scan' | 'graph' {
    return this.#usableGraph() === undefined ? 'scan' : 'graph';
  }

  /** Adds a vector or replaces the one of this label. @throws RangeError when label or vector do not fit. */
  add(label: number, vector: Float32Array): void {
    this.#checkOpen();
    const isReplaced = this.#table.has(label);
    this.#table.put(label, vector);
    if (this.#graph !== undefined && !this.#fresh.has(label)) {
      if (isReplaced) this.#graph.remove(label);
      this.#fresh.add(label);
    }
    this.#tend();
  }

  /** Removes a label; false when it was not there. */
  remove(label: number): boolean {
    this.#checkOpen();
    if (!this.#table.remove(label)) return false;
    if (!this.#fresh.delete(label)) this.#graph?.remove(label);
    this.#tend();
    return true;
  }

  /**
   * The k nearest vectors, nearest first, equal distances by smaller label.
   * @throws RangeError for a query of another length or not finite, or a k that is no positive whole number.
   */
  search(query: Float32Array, k: number, { allow, exact = false }: VectorSearchOptions = {}): Neighbours {
    this.#checkOpen();
    const graph = exact ? undefined : this.#usableGraph();
    if (
      graph === undefined ||
      (allow !== undefined && allow.length <= Math.max(this.#exactLimit, SCANNED_SHARE * this.size))
    ) {
      return this.#table.search(query, k, allow);
    }
    this.#table.checkSearch(query, k);
    const allowed = allow && membershipOf(allow);
    const candidates = graph.nearest(query, k, allowed);
    for (const label of this.#fresh) if (allowed === undefined || allowed(label)) candidates.push(label);
    // The graph may find too few behind a filter, or where parts of it are hard to reach; the scan never does.
    if (candidates.length < Math.min(k, allow?.length ?? this.size)) return this.#table.search(query, k, allow);
    return this.#table.search(query, k, Uint32Array.from(candidates));
  }

  /**
   * Resolves when the graph that the present size calls for is in use and on disk.
   * @throws EngineError when it could not be made; searches are exact and work nevertheless.
   */
  async flush(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends what runs in the background; a graph that is being built is given up. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#work;
    this.#graph = undefined;
  }

  #usableGraph(): HnswGraph | undefined {
    // A graph that lacks half of the rows saves nothing.
    return this.size > this.#exactLimit && 2 * this.#fresh.size < this.size ? this.#graph : undefined;
  }

  /** Starts what the present rows call for, unless something runs already. */
  #tend(): void {
    const cacheFile = this.#cacheFile;
    if (cacheFile === undefined || this.#work !== undefined || this.#closing.signal.aborted) return;
    if (this.size <= this.#exactLimit || this.size < this.#retryAt) return;
    if (this.#graph !== undefined && this.#fresh.size + this.#graph.removed <= REBUILD_SHARE * this.#graph.count)
      return;
    this.#work = this.#renew(cacheFile)
      .then(() => {
        this.#failure = undefined;
      })
      .catch((cause: unknown) => {
        if (this.#closing.signal.aborted) return;
        this.#failure = cause;
        this.#retryAt = this.size * (1 + REBUILD_SHARE);
        this.#onProgress?.({ phase: 'failed', done: 0, total: this.size });
      })
      .finally(() => {
        this.#work = undefined;
        this.#tend();
      });
  }

  /** Takes the cached graph, whatever rows it is of; builds when there is none or when the one in use is too old. */
  async #renew(cacheFile: CacheFile): Promise<void> {
    if (this.#graph === undefined && (await this.#adopt(cacheFile))) return;
    await this.#build(cacheFile);
    if (await this.#adopt(cacheFile)) return;
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

  /** Takes the cached graph into use; false when there is none that is whole and of these parameters. */
  async #adopt(cacheFile: CacheFile): Promise<boolean> {
    const found = await cacheFile.read();
    if (found === undefined) return false;
    const count = Number(found.facts.count);
    const saved = decodeRowSet(found.attachment, count);
    if (saved === undefined || JSON.stringify(found.facts) !== JSON.stringify(this.#factsOf(count))) return false;
    const graph = await HnswGraph.read(found.bodyPath, this.#table.dimension, saved, this.#hnsw);
    if (graph === undefined) return false;
    if (this.#closing.signal.aborted) return true;
    // Only now: rows may have changed while the graph was built and read.
    const { fresh, gone } = changesBetween(saved, this.#table.rowHashes());
    for (const label of gone) graph.remove(label);
    this.#graph = graph;
    this.#fresh = new Set(fresh);
    this.#onProgress?.({ phase: 'ready', done: count, total: count });
    return true;
  }

  /** What a cached graph must agree with, `count` aside. */
  #factsOf(count: number): Readonly<Record<string, unknown>> {
    const { m, efConstruction } = this.#hnsw;
    return { format: GRAPH_FORMAT, dimension: this.#table.dimension, count, m, efConstruction };
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new EngineError('ENGINE_CLOSED', 'the vector index was used after close()');
  }
}

/** Tells whether a label is in the list, by halving. */
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
