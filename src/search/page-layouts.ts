import { LAYOUT_BYTES, LAYOUT_SIDE } from '../descriptors/layouts.js';

/** How far the ink of one page may be shifted over another's, cells, and how much larger it may be. */
const SHIFTS = [-1, -0.5, 0, 0.5, 1];
const ZOOMS = [0.97, 1, 1.03];
/** Files that are compared with all shifts: the nearest without. */
const REFINED = 64;
/** The distance of an ordinary page: its rank, and what stands for it among fewer. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.1;

/** The layouts of the pages of a company's drawings and images: where their ink lies, by which a scan of a page finds the page. */
export class PageLayouts {
  readonly #layouts = new Map<number, Float32Array[]>();

  /** layouts: as `layoutOfSheet` makes them, one after another. */
  add(fileId: number, layouts: Uint8Array): void {
    if (layouts.length === 0) this.#layouts.delete(fileId);
    else this.#layouts.set(fileId, vectorsOf(layouts));
  }

  remove(fileId: number): void {
    this.#layouts.delete(fileId);
  }

  /**
   * Files with a page that is nearer to the first one of `query` than ordinary pages are: by rising share of their distance in that of an ordinary
   * page, each below 1. allow: which files count.
   */
  nearest(query: Uint8Array, allow: (fileId: number) => boolean): Map<number, number> {
    if (query.length < LAYOUT_BYTES) return new Map();
    const [own] = vectorsOf(query.subarray(0, LAYOUT_BYTES));
    const found: { fileId: number; layouts: readonly Float32Array[]; distance: number }[] = [];
    for (const [fileId, layouts] of this.#layouts) if (allow(fileId)) found.push({ fileId, layouts, distance: least([own], layouts) });
    const shifted = SHIFTS.flatMap((x) => SHIFTS.flatMap((y) => ZOOMS.map((zoom) => unit(moved(own, x, y, zoom)))));
    const near = found
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId).slice(0, REFINED)
      .map(({ fileId, layouts }) => ({ fileId, distance: least(shifted, layouts) }))
      .sort((a, b) => a.distance - b.distance || a.fileId - b.fileId);
    const ordinary = near.length < ORDINARY_RANK ? ORDINARY : near[ORDINARY_RANK - 1].distance;
    return new Map(near.filter(({ distance }) => distance < ordinary).map(({ fileId, distance }) => [fileId, distance / ordinary]));
  }
}

function vectorsOf(layouts: Uint8Array): Float32Array[] {
  return Array.from({ length: Math.floor(layouts.length / LAYOUT_BYTES) }, (_, i) => unit(Float32Array.from(layouts.subarray(i * LAYOUT_BYTES, (i + 1) * LAYOUT_BYTES))));
}

function unit(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return values.map((value) => value / length);
}

/** 1 minus the largest cosine. */
function least(some: readonly Float32Array[], others: readonly Float32Array[]): number {
  let most = 0;
  for (const a of some) {
    for (const b of others) {
      let sum = 0;
      for (let i = 0; i < LAYOUT_BYTES; i++) sum += a[i] * b[i];
      if (sum > most) most = sum;
    }
  }
  return Math.max(0, 1 - most);
}

/** Between four cells; beyond the page 0. */
function moved(values: Float32Array, shiftX: number, shiftY: number, zoom: number): Float32Array {
  const side = LAYOUT_SIDE, middle = (side - 1) / 2;
  const at = (x: number, y: number): number => (x >= 0 && y >= 0 && x < side && y < side ? values[y * side + x] : 0);
  return values.map((_, i) => {
    const x = ((i % side) - middle) * zoom + middle + shiftX, y = (Math.floor(i / side) - middle) * zoom + middle + shiftY;
    const column = Math.floor(x), row = Math.floor(y), right = x - column, down = y - row;
    return (at(column, row) * (1 - right) + at(column + 1, row) * right) * (1 - down) + (at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right) * down;
  });
}
