import { LAYOUT_BYTES, LAYOUT_SIDE } from '../descriptors/layouts.js';

/** How far the ink of one page may be shifted over another's, cells, and how much larger it may be. */
const SHIFTS = [-1, -0.5, 0, 0.5, 1];
const ZOOMS = [0.97, 1, 1.03];
/** Files that are compared with all shifts: the nearest without. */
const REFINED = 64;
/** The distance of an ordinary page: its rank, and what stands for it among fewer. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.1;

/** The pages of one file: their layouts one after another, and the length of each. */
interface Pages {
  readonly layouts: Uint8Array;
  readonly lengths: Float64Array;
}

/** The layouts of the pages of a company's drawings and images: where their ink lies, by which a scan of a page finds the page. A kilobyte a page. */
export class PageLayouts {
  readonly #pages = new Map<number, Pages>();

  /** layouts: as `layoutOfSheet` makes them, one after another. */
  add(fileId: number, layouts: Uint8Array): void {
    if (layouts.length < LAYOUT_BYTES) this.#pages.delete(fileId);
    else this.#pages.set(fileId, { layouts, lengths: lengthsOf(layouts) });
  }

  remove(fileId: number): void {
    this.#pages.delete(fileId);
  }

  /**
   * Files with a page that is nearer to the first one of `query`, in any of its four quarter turns, than ordinary pages are: by rising share of their
   * distance in that of an ordinary page, each below 1. allow: which files count.
   */
  nearest(query: Uint8Array, allow: (fileId: number) => boolean): Map<number, number> {
    if (query.length < LAYOUT_BYTES) return new Map();
    const own = unit(Float32Array.from(query.subarray(0, LAYOUT_BYTES)));
    const turns = [0, 1, 2, 3].map((turn) => turnedBy(own, turn));
    const found: (NearestPage & { readonly fileId: number; readonly pages: Pages })[] = [];
    for (const [fileId, pages] of this.#pages) if (allow(fileId)) found.push({ fileId, pages, ...nearestPage(turns, pages) });
    const shifted = SHIFTS.flatMap((x) => SHIFTS.flatMap((y) => ZOOMS.map((zoom) => unit(moved(own, x, y, zoom)))));
    const near = found
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId).slice(0, REFINED)
      .map(({ fileId, pages: { layouts, lengths }, page, turn }) => {
        // Shifts to all sides are turned into each other: it does as well to turn the page back.
        const back = turnedBy(layouts.subarray(page * LAYOUT_BYTES, (page + 1) * LAYOUT_BYTES), (4 - turn) % 4);
        return { fileId, distance: Math.min(...shifted.map((layout) => distance(layout, back, lengths[page]))) };
      })
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const ordinary = near.length < ORDINARY_RANK ? ORDINARY : near[ORDINARY_RANK - 1].distance;
    return new Map(near.filter((file) => file.distance < ordinary).map((file) => [file.fileId, file.distance / ordinary]));
  }
}

interface NearestPage {
  readonly page: number;
  /** By how many quarters the query is turned clockwise to lie like that page. */
  readonly turn: number;
  readonly distance: number;
}

/** turns: four of one query. One pass over a page for all of them. */
function nearestPage(turns: readonly Float32Array[], { layouts, lengths }: Pages): NearestPage {
  const [a, b, c, d] = turns;
  let page = 0, turn = 0, most = -1;
  for (let i = 0; i < lengths.length; i++) {
    let sumA = 0, sumB = 0, sumC = 0, sumD = 0;
    for (let at = i * LAYOUT_BYTES, k = 0; k < LAYOUT_BYTES; k++, at++) {
      const ink = layouts[at];
      sumA += a[k] * ink;
      sumB += b[k] * ink;
      sumC += c[k] * ink;
      sumD += d[k] * ink;
    }
    const sums = [sumA, sumB, sumC, sumD];
    const best = Math.max(...sums);
    if (best / lengths[i] > most) [page, turn, most] = [i, sums.indexOf(best), best / lengths[i]];
  }
  return { page, turn, distance: Math.min(1, Math.max(0, 1 - most)) };
}

/** Clockwise by so many quarters: the box about the ink becomes a square, so cells fall on cells. */
function turnedBy<T extends Float32Array | Uint8Array>(layout: T, quarters: number): T {
  if (quarters === 0) return layout;
  const turned = layout.slice() as T;
  for (let i = 0; i < turned.length; i++) turned[i] = layout[(LAYOUT_SIDE - 1 - (i % LAYOUT_SIDE)) * LAYOUT_SIDE + Math.floor(i / LAYOUT_SIDE)];
  return turnedBy(turned, quarters - 1);
}

/** 1 minus the cosine. own: of length 1. */
function distance(own: Float32Array, page: Uint8Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < LAYOUT_BYTES; i++) sum += own[i] * page[i];
  return Math.min(1, Math.max(0, 1 - sum / length));
}

function lengthsOf(layouts: Uint8Array): Float64Array {
  return Float64Array.from({ length: Math.floor(layouts.length / LAYOUT_BYTES) }, (_, page) => lengthOf(layouts.subarray(page * LAYOUT_BYTES, (page + 1) * LAYOUT_BYTES)));
}

function lengthOf(values: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i] * values[i];
  return Math.sqrt(squares) || 1;
}

function unit(values: Float32Array): Float32Array {
  const length = lengthOf(values);
  return values.map((value) => value / length);
}

/** Between four cells; beyond the page 0. */
function moved(values: Float32Array, shiftX: number, shiftY: number, zoom: number): Float32Array {
  const side = LAYOUT_SIDE, middle = (side - 1) / 2;
  const at = (x: number, y: number): number => (x >= 0 && y >= 0 && x < side && y < side ? values[y * side + x] : 0);
  const out = new Float32Array(values.length);
  for (let j = 0, i = 0; j < side; j++) {
    const y = (j - middle) * zoom + middle + shiftY, row = Math.floor(y), down = y - row;
    for (let k = 0; k < side; k++, i++) {
      const x = (k - middle) * zoom + middle + shiftX, column = Math.floor(x), right = x - column;
      out[i] = (at(column, row) * (1 - right) + at(column + 1, row) * right) * (1 - down) + (at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right) * down;
    }
  }
  return out;
}
