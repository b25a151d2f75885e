import type { Arena, Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import { LabelRows } from './label-rows.js';

/** Cells of a sketch, one byte each. */
const CELLS = 256;

const FIRST_CAPACITY = 256;
/** The memory of a core grows in place, so little is reserved ahead. */
const AHEAD = 1.125;
/** Pages are moved together when removed ones exceed this share. */
const MOST_HOLES = 0.25;

/**
 * Sketches of how ink is distributed over the pages of files: u8[256] a page, in the memory of a core of its own. All
 * are read in every search, in less than 0.1 µs each, where a loop in JavaScript took 3.
 */
export class LayoutScan {
  readonly #core: KeptRows;
  /** The first page of each file. */
  readonly #firsts = new LabelRows();
  /** u32[capacity]: the file of each page; 0: it was removed. */
  #files = new Uint32Array(0);
  /** f64[capacity]. */
  #lengths = new Float64Array(0);
  #capacity = 0;
  #pagesAt = 0;
  /** Pages in use, removed ones included. */
  #end = 0;
  #holes = 0;

  private constructor(core: KeptRows) {
    this.#core = core;
  }

  /** Opens an empty scan. @param core any core; only its compiled module is shared. */
  static async open(core: Core): Promise<LayoutScan> {
    return new LayoutScan(await KeptRows.open(core));
  }

  has(fileId: number): boolean {
    return this.#firsts.get(fileId) >= 0;
  }

  /** u32[pages]: the file of each page, 0 for a removed page. Pages of a file follow each other. Not to be kept. */
  get files(): Uint32Array {
    return this.#files.subarray(0, this.#end);
  }

  /** f64[pages]: the length of each page as a vector; 1 for one without ink. Not to be kept. */
  get lengths(): Float64Array {
    return this.#lengths.subarray(0, this.#end);
  }

  /**
   * Adds or replaces a file's pages. Without pages the file is removed.
   * @param fileId u32, not 0.
   * @param pages u8[count × 256]; what follows the last whole page is left out.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full.
   */
  add(fileId: number, pages: Uint8Array): void {
    this.remove(fileId);
    const count = Math.floor(pages.length / CELLS);
    const first = this.#end;
    if (count === 0) return;
    if (first + count > this.#capacity) this.#grow(first + count);
    this.#core.keep(({ kernels: { memory } }) =>
      new Uint8Array(memory.buffer).set(pages.subarray(0, count * CELLS), this.#pagesAt + first * CELLS),
    );
    this.#files.fill(fileId, first, first + count);
    this.#firsts.set(fileId, first);
    for (let i = 0; i < count; i++) this.#lengths[first + i] = lengthOf(pages.subarray(i * CELLS, (i + 1) * CELLS));
    this.#end += count;
  }

  /** Removes a file; the numbers of other pages may change. */
  remove(fileId: number): void {
    const first = this.#firsts.get(fileId);
    if (first < 0) return;
    this.#firsts.delete(fileId);
    for (let page = first; page < this.#end && this.#files[page] === fileId; page++) {
      this.#files[page] = 0;
      this.#holes++;
    }
    if (this.#holes > FIRST_CAPACITY && this.#holes > MOST_HOLES * this.#end) this.#compact();
  }

  /** Scalar products, i32[pages], of a sketch, i16[256], 0 to 4095 each, with all pages, removed ones included. */
  products(query: Int16Array): Int32Array {
    return this.#core.call((arena) => productsIn(arena, CELLS, query, this.#pagesAt, this.#end));
  }

  /**
   * Scalar products, i32[query × pages + page], with pages that are not held.
   * @param cells of a page and of a query, a multiple of 32 and at most 1 024.
   * @param queries i16[count × cells], 0 to 4095 each.
   * @param pages u8[pages × cells].
   */
  productsWith(cells: number, queries: Int16Array, pages: Uint8Array): Int32Array {
    return this.#core.call((arena) => productsIn(arena, cells, queries, arena.copyIn(pages), pages.length / cells));
  }

  /** Pages are the last thing reserved, so they grow in place. */
  #grow(wanted: number): void {
    const capacity = Math.max(FIRST_CAPACITY, wanted, Math.ceil(AHEAD * this.#capacity));
    this.#pagesAt = this.#core.grow(this.#pagesAt, (arena) => arena.reserve(capacity * CELLS));
    this.#capacity = capacity;
    const files = new Uint32Array(capacity),
      lengths = new Float64Array(capacity);
    files.set(this.files);
    lengths.set(this.lengths);
    this.#files = files;
    this.#lengths = lengths;
  }

  /** Moves pages down over the removed ones. */
  #compact(): void {
    this.#core.keep(({ kernels: { memory } }) => {
      const pages = new Uint8Array(memory.buffer, this.#pagesAt, this.#end * CELLS);
      let end = 0;
      for (let page = 0; page < this.#end; page++) {
        const fileId = this.#files[page];
        if (fileId === 0) continue;
        pages.copyWithin(end * CELLS, page * CELLS, (page + 1) * CELLS);
        this.#lengths[end] = this.#lengths[page];
        if (page === 0 || this.#files[page - 1] !== fileId) this.#firsts.set(fileId, end);
        this.#files[end++] = fileId;
      }
      this.#end = end;
      this.#holes = 0;
    });
  }
}

function productsIn(arena: Arena, cells: number, queries: Int16Array, pagesAt: number, pages: number): Int32Array {
  const count = queries.length / cells;
  const queriesAt = arena.copyIn(queries);
  const out = arena.reserve(4 * count * pages);
  arena.kernels.scanLayouts(cells, queriesAt, count, pagesAt, pages, out);
  return new Int32Array(arena.u32(out, count * pages).buffer);
}

function lengthOf(cells: Uint8Array): number {
  let squares = 0;
  for (let i = 0; i < cells.length; i++) squares += cells[i] * cells[i];
  return Math.sqrt(squares) || 1;
}
