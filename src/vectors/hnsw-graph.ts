import type { HierarchicalNSW } from 'hnswlib-node';
import type { Hnswlib } from './hnswlib.js';
import type { RowSet } from './row-set.js';
import { Twins } from './twins.js';

/** Parameters of the graph, named as in the paper (Malkov & Yashunin 2016). */
export interface HnswOptions {
  /** Links per node on each layer; the ground layer has twice as many. 2 to 256. */
  readonly m: number;
  /** Candidates considered when a node is inserted. 4 to 10 000. */
  readonly efConstruction: number;
  /** Candidates kept during a search, at least; twice the number of wanted results when that is more. 1 to 100 000. */
  readonly efSearch: number;
}

/** A graph to be built, and the file that it is written to. */
export interface GraphOrder {
  readonly path: string;
  readonly dimension: number;
  /** u32[count], rising: the order of insertion. */
  readonly labels: Uint32Array;
  /** f32[dimension * count], finite. The buffer is transferred to the worker. */
  readonly vectors: Float32Array;
  readonly options: HnswOptions;
}

/**
 * Chosen with `npm run bench -- vectors`, 100 000 rows: recall@10 is 1.000 and recall@200 0.9991. m = 16 gives 0.9995
 * and 0.9974 with a quarter less memory: a node among many near copies of one part needs more links, so that some lead
 * out of the cluster.
 */
export const HNSW_DEFAULTS: HnswOptions = Object.freeze({ m: 32, efConstruction: 200, efSearch: 400 });

/** @throws RangeError that names the option and the value. */
export function checkHnswOptions(options: HnswOptions): void {
  check('m', options.m, 2, 256);
  check('efConstruction', options.efConstruction, 4, 10_000);
  check('efSearch', options.efSearch, 1, 100_000);
}

/**
 * hnswlib draws the layer of each node with this seed: the same vectors in the same order on one thread give the
 * same graph. Another order gives another graph, which may propose other candidates.
 */
const SEED = 100;

/**
 * A read-only graph of hnswlib. hnswlib ends the process on wrong input instead of throwing, so callers pass it only
 * plain arrays of finite numbers of the right length, files of the same dimension that it wrote itself (see
 * `CacheFile`), and filters that do not throw.
 */
export class HnswGraph {
  /** Rows that it was built from, including those removed since. */
  readonly count: number;
  readonly #graph: HierarchicalNSW;
  readonly #twins: Twins;
  readonly #efSearch: number;
  /** Nodes that a search can still return. */
  #nodeCount: number;
  #removed = 0;

  private constructor(graph: HierarchicalNSW, count: number, twins: Twins, efSearch: number) {
    this.#graph = graph;
    this.count = count;
    this.#twins = twins;
    this.#nodeCount = twins.nodes.length;
    this.#efSearch = efSearch;
  }

  /**
   * Reads the graph of these rows in a background thread; undefined when hnswlib refuses the file or finds another
   * number of nodes.
   * path: a file whose digest was checked.
   */
  static async read(
    hnswlib: Hnswlib,
    path: string,
    dimension: number,
    rows: RowSet,
    { efSearch }: HnswOptions,
  ): Promise<HnswGraph | undefined> {
    const graph = new hnswlib.HierarchicalNSW('l2', dimension);
    const isRead = await graph.readIndex(path).catch(() => false);
    const twins = new Twins(rows);
    if (!isRead || graph.getCurrentCount() !== twins.nodes.length) return undefined;
    return new HnswGraph(graph, rows.labels.length, twins, efSearch);
  }

  /** Rows removed since the graph was built. */
  get removed(): number {
    return this.#removed;
  }

  /**
   * Hides a label of the graph from later searches. A node without labels stays in the graph, because others are
   * reached through it.
   */
  remove(label: number): void {
    this.#removed++;
    const node = this.#twins.remove(label);
    if (node === undefined) return;
    this.#graph.markDelete(node);
    this.#nodeCount--;
  }

  /**
   * Labels of about the k nearest distinct vectors, all labels of each, in no particular order; fewer when the graph
   * holds fewer. query: finite, of the graph's dimension.
   */
  nearest(query: Float32Array, k: number): number[] {
    const most = Math.min(k, this.#nodeCount);
    if (most === 0) return [];
    this.#graph.setEf(Math.max(this.#efSearch, 2 * most));
    const nodes = this.#graph.searchKnn(Array.from(query), most).neighbors;
    return nodes.flatMap((node) => this.#twins.of(node));
  }
}

/**
 * Builds a graph and writes it to `path`; blocks the thread for about half a millisecond a row.
 * report: called every 1 000 rows with the rows inserted. isStopped: called before each row; once it returns true,
 * nothing is written.
 */
export function buildGraphFile(
  hnswlib: Hnswlib,
  { path, dimension, labels, vectors, options }: GraphOrder,
  { report, isStopped }: { readonly report: (done: number) => void; readonly isStopped: () => boolean },
): void {
  const graph = new hnswlib.HierarchicalNSW('l2', dimension);
  graph.initIndex(labels.length, options.m, options.efConstruction, SEED);
  for (let row = 0; row < labels.length; row++) {
    if (isStopped()) return;
    graph.addPoint(Array.from(vectors.subarray(row * dimension, (row + 1) * dimension)), labels[row]);
    if ((row + 1) % REPORT_EVERY === 0) report(row + 1);
  }
  graph.writeIndexSync(path);
}

const REPORT_EVERY = 1_000;

function check(name: string, found: number, least: number, most: number): void {
  if (!Number.isInteger(found) || found < least || found > most) {
    throw new RangeError(`hnsw.${name} must be a whole number from ${least} to ${most}, received ${found}`);
  }
}
