import type { Core } from '../../core/core.js';
import { LayoutScan } from '../../core/layout-scan.js';
import { Least } from '../../core/least.js';
import { LAYOUT_BYTES, LAYOUT_SIDE } from '../../descriptors/layouts.js';
import { IdMarks } from '../../store/database/id-marks.js';

/** Tried shifts of one page over another, cells, and tried scales. */
const SHIFTS = [-1, -0.5, 0, 0.5, 1];
const ZOOMS = [0.97, 1, 1.03];
/** Number of files, nearest without shifts, that are compared with all shifts. */
const REFINED = 64;
/** Rank of the page whose distance counts as ordinary, and the distance used when there are fewer pages. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.1;

/** Largest value of {@link Ink}: its sum over all cells, times 255, stays below 2^31. */
const MOST_INK = 4_095;

/** The ink of a query page, 0 to {@link MOST_INK} a cell, and the length of that vector. */
interface Ink {
  readonly values: Int16Array;
  readonly length: number;
}

/**
 * Page layouts of a company's drawings and images: the distribution of ink, by which a scan finds its page. A kilobyte
 * a page.
 */
export class PageLayouts {
  readonly #scan: LayoutScan;

  private constructor(scan: LayoutScan) {
    this.#scan = scan;
  }

  /** Without pages. @param core any core; only its compiled module is shared. */
  static async open(core: Core): Promise<PageLayouts> {
    return new PageLayouts(await LayoutScan.open(core));
  }

  /** Adds the pages of a file. layouts: one after another, see `descriptors/layouts.ts`. */
  add(fileId: number, layouts: Uint8Array): void {
    this.#scan.add(fileId, layouts);
  }

  remove(fileId: number): void {
    this.#scan.remove(fileId);
  }

  has(fileId: number): boolean {
    return this.#scan.has(fileId);
  }

  /**
   * Files with a page that is nearer to the first page of `query` than an ordinary page, with the ratio of both
   * distances (below 1), by rising ratio.
   * allowed: the files that may be found; absent: all. Pages are compared in the orientation in which they lie: a frame
   * turned by 180° is nearly the same, and with the best of four quarter turns only 18 of 31 scans found their page
   * first, without turns 31 of 32.
   */
  nearest(query: Uint8Array, allowed?: Uint32Array): Map<number, number> {
    if (query.length < LAYOUT_BYTES) return new Map();
    const cells = Float32Array.from(query.subarray(0, LAYOUT_BYTES));
    const pages = this.#nearestPages(inkOf(cells), allowed);
    const shifted = SHIFTS.flatMap((x) => SHIFTS.flatMap((y) => ZOOMS.map((zoom) => inkOf(moved(cells, x, y, zoom)))));
    const products = this.#scan.products(joined(shifted), pages);
    const { files, lengths } = this.#scan;
    const near = Array.from(pages, (page, i) => ({
      fileId: files[page],
      distance: Math.min(
        ...shifted.map(({ length }, k) => distanceOf(products[k * pages.length + i], length * lengths[page])),
      ),
    })).sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const ordinary = near.length < ORDINARY_RANK ? ORDINARY : near[ORDINARY_RANK - 1].distance;
    return new Map(
      near.filter((file) => file.distance < ordinary).map((file) => [file.fileId, file.distance / ordinary]),
    );
  }

  /** The nearest page of each of the {@link REFINED} files that are nearest without shifts. */
  #nearestPages(own: Ink, allowed: Uint32Array | undefined): Uint32Array {
    const products = this.#scan.products(own.values);
    const { files, lengths } = this.#scan;
    const marks = allowed && new IdMarks(allowed);
    const nearest = new Least(REFINED);
    const pageOf = new Map<number, number>();
    // The pages of a file follow each other.
    for (let page = 0, end = 0; page < files.length; page = end) {
      const fileId = files[page];
      for (end = page + 1; end < files.length && files[end] === fileId; ) end++;
      if (fileId === 0 || (marks !== undefined && !marks.has(fileId))) continue;
      let best = page,
        least = Infinity;
      for (let i = page; i < end; i++) {
        const here = distanceOf(products[i], own.length * lengths[i]);
        if (here < least) [best, least] = [i, here];
      }
      if (least > nearest.bound) continue;
      nearest.offer(least, fileId);
      pageOf.set(fileId, best);
    }
    return Uint32Array.from(nearest.rising(), ({ number }) => pageOf.get(number)!);
  }
}

/** 1 minus the cosine. lengths: the product of both. */
function distanceOf(product: number, lengths: number): number {
  return Math.min(1, Math.max(0, 1 - product / lengths));
}

function joined(inks: readonly Ink[]): Int16Array {
  const all = new Int16Array(inks.length * LAYOUT_BYTES);
  for (const [i, { values }] of inks.entries()) all.set(values, i * LAYOUT_BYTES);
  return all;
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
  const values = new Int16Array(cells.length);
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
