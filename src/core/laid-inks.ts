import type { Arena, Core } from './core.js';

/** Bytes of the head of a prepared ink, where its points are behind it, and guards around its distances. */
const HEAD_BYTES = 64;
const MOST_POINTS = 2_000;
const MOST_SIDE = 384;
const GUARD = 16;
/** Twelfths of a cell are the unit of distances. */
const UNIT = 12;
/** Numbers of a place, and bytes of what is told of the best one. */
const PLACE = 4;
const LAID_BYTES = 48;

/** An ink that is prepared to be laid over another one, see `assembly/raster/ink-cells.ts`. */
export type InkCells = Uint8Array & { readonly isInk: unique symbol };

/** A place of an ink on another one: from p to (a + ib) p + (x + iy), cells, x to the right and y downwards. */
export interface InkPlace {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
}

/** What is known of all cells of an ink. */
export interface InkMeasures {
  /** Middle of the cells and the mean square distance from it, cells. */
  readonly x: number;
  readonly y: number;
  readonly squares: number;
  /** Their box, cells; empty without ink. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** How one ink lies on another one. */
export interface InkLaid extends InkPlace {
  /** Share of the ink of both, within the part, that lies on ink of the other, beyond what lies there by chance. */
  readonly agreement: number;
  /** Share of the page's ink that lies within the part. */
  readonly covers: number;
}

/** Cells of an ink, a bit each, row by row, the lowest bit of a byte first: 1 where there is ink. */
export interface InkBits {
  readonly packed: Uint8Array;
  /** 1 to 384 cells. */
  readonly width: number;
  readonly height: number;
}

/**
 * Prepares an ink.
 * @throws RangeError for another size or number of bits
 */
export function prepareInk(core: Core, bits: InkBits): InkCells {
  return core.call((arena) => arena.u8(preparedIn(arena, bits), inkBytes(bits)) as InkCells);
}

type Size = Pick<InkBits, 'width' | 'height'>;

/** Bytes of a prepared ink. */
function inkBytes({ width, height }: Size): number {
  return HEAD_BYTES + 4 * MOST_POINTS + 2 * GUARD + (((width + 15) & ~15) + GUARD) * (height + 2);
}

/** Address of a prepared ink. */
function preparedIn(arena: Arena, bits: InkBits): number {
  // What lies behind the last byte is no cell, so it does not matter what it holds.
  const from = arena.copyIn(checked(bits).packed),
    out = arena.reserve(inkBytes(bits));
  arena.kernels.prepareInk(from, bits.width, bits.height, out);
  return out;
}

/** @throws RangeError for another size or number of bits */
function checked(bits: InkBits): InkBits {
  const { packed, width, height } = bits;
  if (!(width >= 1 && width <= MOST_SIDE && height >= 1 && height <= MOST_SIDE))
    throw new RangeError(`an ink has 1 to ${MOST_SIDE} cells along each side, received ${width} and ${height}`);
  if (packed.length !== Math.ceil((width * height) / 8))
    throw new RangeError('an ink has a bit for each of its cells, and no byte more');
  return bits;
}

/** What is known of all cells of a prepared ink. */
export function inkMeasures(ink: Uint8Array): InkMeasures {
  const head = new DataView(ink.buffer, ink.byteOffset, HEAD_BYTES);
  const [x, y, squares] = [16, 24, 32].map((at) => head.getFloat64(at, true));
  const [left, top, right, bottom] = [40, 44, 48, 52].map((at) => head.getUint32(at, true));
  return { x, y, squares, box: { x: left, y: top, width: right - left, height: bottom - top } };
}

/** Distance from a cell of a prepared ink to the nearest one with ink, cells, at most 12. */
export function inkDistance(ink: InkCells, column: number, row: number): number {
  return inkDistances(ink)(column, row);
}

/** Reads the distances of many cells of one ink, see {@link inkDistance}. */
export function inkDistances(ink: InkCells): (column: number, row: number) => number {
  const stride = new DataView(ink.buffer, ink.byteOffset, HEAD_BYTES).getUint32(12, true);
  const first = HEAD_BYTES + 4 * MOST_POINTS + GUARD + stride;
  return (column, row) => ink[first + stride * row + column] / UNIT;
}

/** What {@link promisesOfInks} is asked of some pages. */
export interface PromiseAsked {
  /** What a promise must be above; below 0: any is told. */
  readonly least: number;
  /**
   * The places of a page, by its number, see {@link layInk}; the array is overwritten. measures: of half of its cells,
   * to two cells.
   */
  readonly placesOn: (page: number, measures: InkMeasures) => Float64Array;
}

/** The promise of some pages; undefined where it is no more than was asked for. */
export type PromiseOfPages = (pages: readonly InkBits[], asked: PromiseAsked) => number | undefined;

/**
 * Asks for promises of pages: the largest agreement of a part at some places of them, before any is improved, measured
 * on inks of half the size.
 * @param part from {@link prepareHalf}
 */
export function promisesOfInks(core: Core, part: InkCells, ask: (promiseOf: PromiseOfPages) => void): void {
  core.call((arena) => {
    const from = arena.copyIn(part),
      out = arena.reserve(8);
    ask((pages, { least, placesOn }) => {
      let promise = Math.max(0, least);
      for (const [i, bits] of pages.entries()) {
        const mark = arena.kernels.mark();
        const { at } = halfIn(arena, bits);
        const places = placesOn(i, twice(inkMeasures(arena.u8(at, HEAD_BYTES))));
        for (let k = 2; k < places.length; k += PLACE) {
          places[k] *= 0.5;
          places[k + 1] *= 0.5;
        }
        arena.run('promiseOfInk', from, at, arena.copyIn(places), places.length / PLACE, promise, out);
        promise = Math.max(promise, arena.f64(out, 1)[0]);
        arena.kernels.reset(mark);
      }
      return promise > least ? promise : undefined;
    });
  });
}

/** Prepares an ink of half the size, for {@link promisesOfInks}. */
export function prepareHalf(core: Core, bits: InkBits): InkCells {
  return core.call((arena) => {
    const { at, half } = halfIn(arena, bits);
    return arena.u8(at, inkBytes(half)) as InkCells;
  });
}

/** Address of a prepared ink of half the size. */
function halfIn(arena: Arena, bits: InkBits): { readonly at: number; readonly half: Size } {
  const half = { width: (bits.width + 1) >> 1, height: (bits.height + 1) >> 1 };
  const from = arena.copyIn(checked(bits).packed),
    cells = arena.reserve(Math.ceil((half.width * half.height) / 8) + 8),
    at = arena.reserve(inkBytes(half));
  arena.kernels.halveInk(from, bits.width, bits.height, cells);
  arena.kernels.prepareInk(cells, half.width, half.height, at);
  return { at, half };
}

/** Measures of an ink, in cells of half the size. */
function twice({ x, y, squares, box }: InkMeasures): InkMeasures {
  return {
    x: 2 * x,
    y: 2 * y,
    squares: 4 * squares,
    box: { x: 2 * box.x, y: 2 * box.y, width: 2 * box.width, height: 2 * box.height },
  };
}

/**
 * Lays a part over a page from the best of some places. Undefined where none holds.
 * @param places a, b, x and y of each, see {@link InkPlace}
 * @param sides least and most longer side of the part on the page, cells
 */
export function layInk(
  core: Core,
  part: InkCells,
  page: InkCells,
  places: Float64Array,
  { least, most }: { readonly least: number; readonly most: number },
): InkLaid | undefined {
  return core.call((arena) => {
    const out = arena.reserve(LAID_BYTES);
    const [from, onto, at] = [arena.copyIn(part), arena.copyIn(page), arena.copyIn(places)];
    arena.run('layInk', from, onto, at, places.length / PLACE, least, most, out);
    const [a, b, x, y, agreement, covers] = arena.f64(out, LAID_BYTES / 8);
    return agreement > 0 ? { a, b, x, y, agreement, covers } : undefined;
  });
}
