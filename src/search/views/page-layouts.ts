import { LAYOUT_BYTES, LAYOUT_SIDE } from '../../descriptors/layouts.js';

/** Tried shifts of one page over another, cells, and tried scales. */
const SHIFTS = [-1, -0.5, 0, 0.5, 1];
const ZOOMS = [0.97, 1, 1.03];
/** Number of files, nearest without shifts, that are compared with all shifts. */
const REFINED = 64;
/** Rank of the page whose distance counts as ordinary, and the distance used when there are fewer pages. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.1;

/** Largest value of {@link Ink}: its sum over a quarter of the cells, times 255, stays below 2^31. */
const MOST_INK = 4_095;

/** The ink of a query page, 0 to {@link MOST_INK} a cell, and the length of that vector. */
interface Ink {
  readonly values: Int32Array;
  readonly length: number;
}

/** The pages of one file: their layouts one after another, and the length of each. */
interface Pages {
  readonly layouts: Uint8Array;
  readonly lengths: Float64Array;
}

/**
 * Page layouts of a company's drawings and images: the distribution of ink, by which a scan finds its page. A kilobyte
 * a page.
 */
export class PageLayouts {
  readonly #pages = new Map<number, Pages>();

  /** Adds the pages of a file. layouts: one after another, see `descriptors/layouts.ts`. */
  add(fileId: number, layouts: Uint8Array): void {
    if (layouts.length < LAYOUT_BYTES) this.#pages.delete(fileId);
    else this.#pages.set(fileId, { layouts, lengths: lengthsOf(layouts) });
  }

  remove(fileId: number): void {
    this.#pages.delete(fileId);
  }

  has(fileId: number): boolean {
    return this.#pages.has(fileId);
  }

  /**
   * Files with a page that is nearer to the first page of `query` than an ordinary page, with the ratio of both
   * distances (below 1), by rising ratio.
   * allow: the files that may be found. Pages are compared in the orientation in which they lie: a frame turned by 180°
   * is nearly the same, and with the best of four quarter turns only 18 of 31 scans found their page first, without
   * turns 31 of 32.
   */
  nearest(query: Uint8Array, allow: (fileId: number) => boolean): Map<number, number> {
    if (query.length < LAYOUT_BYTES) return new Map();
    const cells = Float32Array.from(query.subarray(0, LAYOUT_BYTES));
    const own = inkOf(cells);
    const found: {
      readonly fileId: number;
      readonly pages: Pages;
      readonly page: number;
      readonly distance: number;
    }[] = [];
    for (const [fileId, pages] of this.#pages)
      if (allow(fileId)) found.push({ fileId, pages, ...nearestPage(own, pages) });
    const shifted = SHIFTS.flatMap((x) => SHIFTS.flatMap((y) => ZOOMS.map((zoom) => inkOf(moved(cells, x, y, zoom)))));
    const near = found
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId)
      .slice(0, REFINED)
      .map(({ fileId, pages, page }) => ({
        fileId,
        distance: Math.min(...shifted.map((layout) => distance(layout, pages, page))),
      }))
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const ordinary = near.length < ORDINARY_RANK ? ORDINARY : near[ORDINARY_RANK - 1].distance;
    return new Map(
      near.filter((file) => file.distance < ordinary).map((file) => [file.fileId, file.distance / ordinary]),
    );
  }
}

function nearestPage(own: Ink, pages: Pages): { page: number; distance: number } {
  let page = 0,
    least = Infinity;
  for (let i = 0; i < pages.lengths.length; i++) {
    const here = distance(own, pages, i);
    if (here < least) [page, least] = [i, here];
  }
  return { page, distance: least };
}

/** 1 minus the cosine. */
function distance(own: Ink, { layouts, lengths }: Pages, page: number): number {
  const { values } = own;
  // Integers below 2^31 are several times as fast as doubles; four sums avoid that each addition waits for the one
  // before.
  let a = 0,
    b = 0,
    c = 0,
    d = 0;
  for (let i = 0, at = page * LAYOUT_BYTES; i < LAYOUT_BYTES; i += 4, at += 4) {
    a = (a + values[i] * layouts[at]) | 0;
    b = (b + values[i + 1] * layouts[at + 1]) | 0;
    c = (c + values[i + 2] * layouts[at + 2]) | 0;
    d = (d + values[i + 3] * layouts[at + 3]) | 0;
  }
  return Math.min(1, Math.max(0, 1 - (a + b + c + d) / (own.length * lengths[page])));
}

function lengthsOf(layouts: Uint8Array): Float64Array {
  return Float64Array.from({ length: Math.floor(layouts.length / LAYOUT_BYTES) }, (_, page) =>
    lengthOf(layouts.subarray(page * LAYOUT_BYTES, (page + 1) * LAYOUT_BYTES)),
  );
}

function lengthOf(values: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i] * values[i];
  return Math.sqrt(squares) || 1;
}

/** Scales cells to integers, the largest to {@link MOST_INK}. */
function inkOf(cells: Float32Array): Ink {
  let most = 0;
  for (let i = 0; i < cells.length; i++) most = Math.max(most, cells[i]);
  const values = new Int32Array(cells.length);
  for (let i = 0; i < cells.length && most > 0; i++) values[i] = Math.round((MOST_INK / most) * cells[i]);
  return { values, length: lengthOf(values) };
}

/** Shifts and scales a layout by bilinear interpolation; 0 outside the page. */
function moved(values: Float32Array, shiftX: number, shiftY: number, zoom: number): Float32Array {
  const side = LAYOUT_SIDE,
    middle = (side - 1) / 2;
  const at = (x: number, y: number): number => (x >= 0 && y >= 0 && x < side && y < side ? values[y * side + x] : 0);
  return values.map((_, i) => {
    const x = ((i % side) - middle) * zoom + middle + shiftX,
      y = (Math.floor(i / side) - middle) * zoom + middle + shiftY;
    const column = Math.floor(x),
      row = Math.floor(y),
      right = x - column,
      down = y - row;
    return (
      (at(column, row) * (1 - right) + at(column + 1, row) * right) * (1 - down) +
      (at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right) * down
    );
  });
}
