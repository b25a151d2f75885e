import type { Core } from './core.js';

/** Bytes of the head of a prepared ink, where its points are behind it, and guards around its distances. */
const HEAD_BYTES = 64;
const MOST_POINTS = 2_000;
const GUARD = 16;
/** Twelfths of a cell are the unit of distances. */
const UNIT = 12;
/** Bytes of a place, and of what is told of the best one. */
const PLACE_BYTES = 32;
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

/**
 * Prepares an ink.
 * @param bits u8[height × width], 1 where there is ink
 * @param width 1 to 384 cells, as `height`
 * @throws RangeError for another size or number of bits
 */
export function prepareInk(core: Core, bits: Uint8Array, width: number, height: number): InkCells {
  if (!(width >= 1 && width <= 384 && height >= 1 && height <= 384) || bits.length !== width * height)
    throw new RangeError('an ink has 1 to 384 cells along each side, and a byte for each cell');
  const length = HEAD_BYTES + 4 * MOST_POINTS + 2 * GUARD + (((width + 15) & ~15) + GUARD) * (height + 2);
  return core.call((arena) => {
    const from = arena.copyIn(bits),
      out = arena.reserve(length);
    arena.kernels.prepareInk(from, width, height, out);
    return arena.u8(out, length) as InkCells;
  });
}

/** What is known of all cells of a prepared ink. */
export function inkMeasures(ink: InkCells): InkMeasures {
  const head = new DataView(ink.buffer, ink.byteOffset, HEAD_BYTES);
  const [x, y, squares] = [16, 24, 32].map((at) => head.getFloat64(at, true));
  const [left, top, right, bottom] = [40, 44, 48, 52].map((at) => head.getUint32(at, true));
  return { x, y, squares, box: { x: left, y: top, width: right - left, height: bottom - top } };
}

/** Distance from a cell of a prepared ink to the nearest one with ink, cells, at most 12. */
export function inkDistance(ink: InkCells, column: number, row: number): number {
  const stride = new DataView(ink.buffer, ink.byteOffset, HEAD_BYTES).getUint32(12, true);
  return ink[HEAD_BYTES + 4 * MOST_POINTS + GUARD + stride * (row + 1) + column] / UNIT;
}

/**
 * The largest agreement of a part at some places of a page, before any is improved; 0 where it is no more than `least`.
 */
export function promiseOfInk(
  core: Core,
  part: InkCells,
  page: InkCells,
  places: readonly InkPlace[],
  least: number,
): number {
  return core.call((arena) => {
    const out = arena.reserve(8);
    const [from, onto, at] = [arena.copyIn(part), arena.copyIn(page), arena.copyIn(numbersOf(places))];
    arena.run('promiseOfInk', from, onto, at, places.length, least, out);
    return arena.f64(out, 1)[0];
  });
}

/**
 * Lays a part over a page from the best of some places. Undefined where none holds.
 * @param sides least and most longer side of the part on the page, cells
 */
export function layInk(
  core: Core,
  part: InkCells,
  page: InkCells,
  places: readonly InkPlace[],
  { least, most }: { readonly least: number; readonly most: number },
): InkLaid | undefined {
  return core.call((arena) => {
    const out = arena.reserve(LAID_BYTES);
    const [from, onto, at] = [arena.copyIn(part), arena.copyIn(page), arena.copyIn(numbersOf(places))];
    arena.run('layInk', from, onto, at, places.length, least, most, out);
    const [a, b, x, y, agreement, covers] = arena.f64(out, LAID_BYTES / 8);
    return agreement > 0 ? { a, b, x, y, agreement, covers } : undefined;
  });
}

function numbersOf(places: readonly InkPlace[]): Float64Array {
  const numbers = new Float64Array((places.length * PLACE_BYTES) / 8);
  for (const [i, { a, b, x, y }] of places.entries()) numbers.set([a, b, x, y], 4 * i);
  return numbers;
}
