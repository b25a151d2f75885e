import type { Core } from '../../core/core.js';
import { LayoutScan } from '../../core/layout-scan.js';
import { Least } from '../../core/least.js';
import { LAYOUT_BYTES, LAYOUT_SIDE } from '../../descriptors/layouts.js';
import { IdMarks } from '../../store/database/id-marks.js';

/** Tried shifts of one page over another, cells, and tried scales. */
const SHIFTS = [-1, -0.5, 0, 0.5, 1];
const ZOOMS = [0.97, 1, 1.03];
/** Number of files, nearest by sketches, whose layouts are read. */
const READ = 128;
/** Number of these, nearest without shifts, that are compared with all shifts. */
const REFINED = 64;
/** Rank of the page whose distance counts as ordinary, and the distance used when there are fewer pages. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.1;
/** Least distance that is ordinary: among sheets of one family none is unlike. */
const LEAST_ORDINARY = 0.04;

/** Largest value of {@link Ink}: its sum over all cells, times 255, stays below 2^31. */
const MOST_INK = 4_095;

/** Cells of a sketch: 16 a side, each the half of the sum of four of a layout. */
const SKETCH_SIDE = LAYOUT_SIDE / 2;
const SKETCH_BYTES = SKETCH_SIDE ** 2;

/** The ink of a query page, 0 to {@link MOST_INK} a cell, and the length of that vector. */
interface Ink {
  readonly values: Int16Array;
  readonly length: number;
}

/** Reads the layouts of files, one after another for each page; files that have none are left out. */
export type ReadLayouts = (fileIds: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>;

/**
 * Page layouts of a company's drawings and images: the distribution of ink, by which a scan finds its page. A layout is
 * a kilobyte, so what is held is a quarter of it, a sketch; the layouts of the nearest files by sketches are read by
 * each search.
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
    this.#scan.add(fileId, sketchesOf(layouts));
  }

  remove(fileId: number): void {
    this.#scan.remove(fileId);
  }

  has(fileId: number): boolean {
    return this.#scan.has(fileId);
  }

  /**
   * Files with a page that is nearer to the first page of `query` than an ordinary page, with the ratio of both
   * distances (below 1), by rising ratio. Which layouts are read is decided before the first await.
   * allowed: the files that may be found; absent: all. Pages are compared in the orientation in which they lie: a frame
   * turned by 180° is nearly the same, and with the best of four quarter turns only 18 of 31 scans found their page
   * first, without turns 31 of 32.
   */
  async nearest(query: Uint8Array, read: ReadLayouts, allowed?: Uint32Array): Promise<Map<number, number>> {
    if (query.length < LAYOUT_BYTES) return new Map();
    const first = query.subarray(0, LAYOUT_BYTES);
    const layouts = await read(this.#nearestSketches(first, allowed));
    const cells = Float32Array.from(first);
    const pages = this.#nearestPages(inkOf(cells), layouts);
    const shifted = movedAbout(cells).map(inkOf);
    const products = this.#scan.productsWith(
      LAYOUT_BYTES,
      joined(shifted),
      Buffer.concat(pages.map((page) => page.cells)),
    );
    const near = pages
      .map((page, i) => ({
        fileId: page.fileId,
        distance: leastOf(shifted, (length, k) => distanceOf(products[k * pages.length + i], length * page.length)),
      }))
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const ordinary =
      near.length < ORDINARY_RANK ? ORDINARY : Math.max(LEAST_ORDINARY, near[ORDINARY_RANK - 1].distance);
    return new Map(
      near.filter((file) => file.distance < ordinary).map((file) => [file.fileId, file.distance / ordinary]),
    );
  }

  /** The {@link READ} files with the nearest sketches. */
  #nearestSketches(layout: Uint8Array, allowed: Uint32Array | undefined): number[] {
    const own = inkOf(Float32Array.from(sketchesOf(layout)));
    const products = this.#scan.products(own.values);
    const { files, lengths } = this.#scan;
    const marks = allowed && new IdMarks(allowed);
    const nearest = new Least(READ);
    // The pages of a file follow each other.
    for (let page = 0, end = 0; page < files.length; page = end) {
      const fileId = files[page];
      for (end = page + 1; end < files.length && files[end] === fileId; ) end++;
      if (fileId === 0 || (marks !== undefined && !marks.has(fileId))) continue;
      let least = Infinity;
      for (let i = page; i < end; i++) least = Math.min(least, distanceOf(products[i], own.length * lengths[i]));
      if (least <= nearest.bound) nearest.offer(least, fileId);
    }
    return [...nearest.numbers()].sort((a, b) => a - b);
  }

  /** The nearest page of each of the {@link REFINED} files that are nearest without shifts. */
  #nearestPages(own: Ink, layouts: ReadonlyMap<number, Uint8Array>): Page[] {
    const all = [...layouts].flatMap(([fileId, bytes]) =>
      Array.from({ length: Math.floor(bytes.length / LAYOUT_BYTES) }, (_, i) => {
        const cells = bytes.subarray(i * LAYOUT_BYTES, (i + 1) * LAYOUT_BYTES);
        return { fileId, cells, length: lengthOf(cells) };
      }),
    );
    const products = this.#scan.productsWith(LAYOUT_BYTES, own.values, Buffer.concat(all.map(({ cells }) => cells)));
    const best = new Map<number, Page & { readonly distance: number }>();
    for (const [i, page] of all.entries()) {
      const distance = distanceOf(products[i], own.length * page.length);
      if (distance < (best.get(page.fileId)?.distance ?? Infinity)) best.set(page.fileId, { ...page, distance });
    }
    return [...best.values()].sort((a, b) => a.distance - b.distance || a.fileId - b.fileId).slice(0, REFINED);
  }
}

/** A page whose layout was read. */
interface Page {
  readonly fileId: number;
  /** u8[1024]. */
  readonly cells: Uint8Array;
  /** As a vector. */
  readonly length: number;
}

/** The sketches of layouts: sums of 2 × 2 cells, halved. */
function sketchesOf(layouts: Uint8Array): Uint8Array {
  const pages = Math.floor(layouts.length / LAYOUT_BYTES);
  const sketches = new Uint8Array(pages * SKETCH_BYTES);
  for (let at = 0; at < sketches.length; at++) {
    // Both are rows of cells, so a row of a sketch begins where every second row of a layout does.
    const row = Math.floor(at / SKETCH_SIDE);
    const from = 2 * row * LAYOUT_SIDE + 2 * (at - row * SKETCH_SIDE);
    const sum = layouts[from] + layouts[from + 1] + layouts[from + LAYOUT_SIDE] + layouts[from + LAYOUT_SIDE + 1];
    sketches[at] = Math.min(255, (sum + 1) >> 1);
  }
  return sketches;
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

/** The least distance of any of some inks. */
function leastOf(inks: readonly Ink[], distance: (length: number, number: number) => number): number {
  let least = Infinity;
  for (let k = 0; k < inks.length; k++) least = Math.min(least, distance(inks[k].length, k));
  return least;
}

/** A layout in all {@link ZOOMS} and {@link SHIFTS}, by bilinear interpolation; 0 outside the page. */
function movedAbout(values: Float32Array): Float32Array[] {
  const side = LAYOUT_SIDE;
  // Around the page lies an empty cell on each side, and places beyond that are taken for it.
  const wide = side + 2;
  const padded = new Float32Array(wide * wide);
  for (let row = 0; row < side; row++) padded.set(values.subarray(row * side, (row + 1) * side), (row + 1) * wide + 1);
  // Along the rows once for all shifts down the page.
  return ZOOMS.flatMap((zoom) => {
    const places = SHIFTS.map((shift) => placesOf(shift, zoom));
    return places.flatMap((across) => {
      const along = new Float64Array(wide * side);
      for (let row = 0; row < wide; row++)
        for (let column = 0; column < side; column++) {
          const { cell, next, share } = across;
          const left = padded[row * wide + cell[column]],
            right = padded[row * wide + next[column]];
          along[row * side + column] = left * (1 - share[column]) + right * share[column];
        }
      return places.map((down) => shiftedDown(along, down));
    });
  });
}

/** Between which two cells of a padded row or column each of a moved layout lies, and how near to the second one. */
interface Places {
  readonly cell: Uint8Array;
  readonly next: Uint8Array;
  readonly share: Float64Array;
}

function placesOf(shift: number, zoom: number): Places {
  const side = LAYOUT_SIDE,
    middle = (side - 1) / 2;
  const within = (at: number): number => Math.min(side + 1, Math.max(0, at + 1));
  const places = Float64Array.from({ length: side }, (_, i) => (i - middle) * zoom + middle + shift);
  return {
    cell: Uint8Array.from(places, (place) => within(Math.floor(place))),
    next: Uint8Array.from(places, (place) => within(Math.floor(place) + 1)),
    share: places.map((place) => place - Math.floor(place)),
  };
}

function shiftedDown(along: Float64Array, { cell, next, share }: Places): Float32Array {
  const side = LAYOUT_SIDE;
  const found = new Float32Array(side * side);
  for (let row = 0; row < side; row++) {
    const upper = side * cell[row],
      lower = side * next[row],
      down = share[row];
    for (let column = 0; column < side; column++)
      found[row * side + column] = along[upper + column] * (1 - down) + along[lower + column] * down;
  }
  return found;
}
