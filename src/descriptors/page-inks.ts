import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { INK_SIDE, MOST_INK_BOXES, type PageInk } from '../shapelets/page-ink.js';
import { LINE_SUMS } from '../shapelets/sheet/line-sums.js';
import { MOST_LOOPS } from '../shapelets/sheet/round-loops.js';

export { MOST_INK_VIEWS, type PageInk } from '../shapelets/page-ink.js';

/** Bytes before the boxes and cells of an ink: seven f32 and four u16; and of a box, four f32. */
const HEAD_BYTES = 36;
const BOX_BYTES = 16;
/**
 * Bytes of the sums over lines, f32 each, behind the boxes; they are there where this bit of the number of boxes is 1.
 */
const LINES_BYTES = 4 * LINE_SUMS;
const HAS_LINES = 0x4000;
/** Where this bit is 1, the number of round loops stands behind the sums, f32, and three f32 for each. */
const HAS_LOOPS = 0x2000;
const MOST_LOOP_BYTES = 4 + 12 * MOST_LOOPS;
/** Libraries of before have other sums, which are passed over. */
const OLDER_LINES_BYTES = 72;
const HAS_OLDER_LINES = 0x8000;
/** Pages of a file whose ink is stored: the first ones. */
export const MOST_INKS = 4;
/** Most bytes of the inks of a file, unpacked. */
const MOST_BYTES =
  MOST_INKS * (HEAD_BYTES + BOX_BYTES * MOST_INK_BOXES + LINES_BYTES + MOST_LOOP_BYTES + INK_SIDE ** 2 / 8);
/** Most bytes of packed inks: what cannot be compressed grows a little. */
export const MOST_INK_BYTES = MOST_BYTES + 1_024;

/** Compresses the inks of the first pages, in their order; `undefined` keeps the place of a page without ink. */
export function packInks(inks: readonly (PageInk | undefined)[]): Uint8Array {
  const parts = inks.slice(0, MOST_INKS).map((ink) => {
    if (ink === undefined) return new Uint8Array(HEAD_BYTES);
    const { number, area, page, skewRad, width, height, bits, boxes, lines } = ink;
    const linesAt = HEAD_BYTES + BOX_BYTES * boxes.length;
    const first = linesAt + 4 * (lines?.length ?? 0);
    const bytes = new Uint8Array(first + Math.ceil((width * height) / 8));
    const head = new DataView(bytes.buffer);
    for (const [i, value] of [area.x, area.y, area.width, area.height, page.width, page.height, skewRad].entries())
      head.setFloat32(4 * i, value, true);
    head.setUint16(28, width, true);
    head.setUint16(30, height, true);
    const withLoops = (lines?.length ?? 0) > LINE_SUMS ? HAS_LOOPS : 0;
    head.setUint16(32, boxes.length | (lines === undefined ? 0 : HAS_LINES | withLoops), true);
    head.setUint16(34, number, true);
    for (const [i, { x, y, width, height }] of boxes.entries())
      for (const [k, value] of [x, y, width, height].entries())
        head.setFloat32(HEAD_BYTES + BOX_BYTES * i + 4 * k, value, true);
    lines?.forEach((value, i) => head.setFloat32(linesAt + 4 * i, value, true));
    for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) bytes[first + (i >> 3)] |= 1 << (i & 7);
    return bytes;
  });
  return new Uint8Array(deflateRawSync(Buffer.concat(parts)));
}

/** An ink whose cells are a bit each, the lowest first: as it is stored. */
export type PackedInk = Omit<PageInk, 'bits' | 'lines'> & { readonly packed: Uint8Array };

/** The packed inks; a page without ink is undefined. Empty for bytes that {@link packInks} cannot have made. */
export function unpackInks(packed: Uint8Array): (PageInk | undefined)[] {
  return inksIn(packed, true).map((ink) => {
    if (ink === undefined) return undefined;
    const { packed: cells, ...own } = ink;
    return { ...own, bits: bitsOf(cells, own.width * own.height) };
  });
}

/** The same without sums over lines, and with cells that are not unpacked. */
export function packedInks(packed: Uint8Array): (PackedInk | undefined)[] {
  return inksIn(packed, false);
}

/** Most bytes hold no ink. */
function bitsOf(packed: Uint8Array, count: number): Uint8Array {
  const bits = new Uint8Array(count);
  for (let i = 0; i < packed.length; i++)
    for (let byte = packed[i], k = 8 * i; byte !== 0 && k < count; byte >>= 1, k++) bits[k] = byte & 1;
  return bits;
}

type StoredInk = PackedInk & Pick<PageInk, 'lines'>;

function inksIn(packed: Uint8Array, hasLines: boolean): (StoredInk | undefined)[] {
  if (packed.length === 0) return [];
  let bytes: Uint8Array;
  try {
    bytes = inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
  } catch {
    return [];
  }
  const inks: (StoredInk | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = inkAt(bytes, at, hasLines);
    if (found === undefined || inks.length === MOST_INKS) return [];
    inks.push(found.ink);
    at = found.end;
  }
  return inks;
}

/** One ink and where its bytes end. Undefined for numbers that no ink has. */
function inkAt(
  bytes: Uint8Array,
  at: number,
  wantsLines: boolean,
): { readonly ink: StoredInk | undefined; readonly end: number } | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  const head = new DataView(bytes.buffer, bytes.byteOffset + at);
  const floats = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => head.getFloat32(from + 4 * i, true));
  const [width, height, counted, number] = [28, 30, 32, 34].map((by) => head.getUint16(by, true));
  const count = counted & ~(HAS_LINES | HAS_LOOPS | HAS_OLDER_LINES),
    linesAt = HEAD_BYTES + BOX_BYTES * count;
  const hasLines = (counted & HAS_LINES) !== 0;
  const loopsAt = linesAt + LINES_BYTES;
  const hasLoops = hasLines && (counted & HAS_LOOPS) !== 0 && at + loopsAt + 4 <= bytes.length;
  const loops = hasLoops ? floats(loopsAt, 1)[0] : 0;
  if (!(Number.isInteger(loops) && loops >= 0 && loops <= MOST_LOOPS)) return undefined;
  const loopNumbers = hasLoops ? 1 + 3 * loops : 0;
  const linesBytes = hasLines ? LINES_BYTES + 4 * loopNumbers : counted === count ? 0 : OLDER_LINES_BYTES;
  const from = at + linesAt + linesBytes;
  const end = from + Math.ceil((width * height) / 8);
  if (width * height === 0) return { ink: undefined, end };
  if (Math.max(width, height) > INK_SIDE || count > MOST_INK_BOXES || end > bytes.length) return undefined;
  const boxOf = ([x, y, width, height]: number[]): PageInk['area'] => ({ x, y, width, height });
  const isBox = ({ x, y, width, height }: PageInk['area']): boolean =>
    Math.abs(x) + Math.abs(y) < Infinity && width > 0 && height > 0 && width + height < Infinity;
  const area = boxOf(floats(0, 4));
  const [pageWidth, pageHeight, skewRad] = floats(16, 3);
  const boxes = Array.from({ length: count }, (_, i) => boxOf(floats(HEAD_BYTES + BOX_BYTES * i, 4)));
  if (!isBox(area) || !boxes.every(isBox) || !Number.isFinite(pageWidth + pageHeight + skewRad)) return undefined;
  const lines = hasLines && wantsLines ? Float32Array.from(floats(linesAt, LINE_SUMS + loopNumbers)) : undefined;
  if (lines?.every((value) => value >= 0 && value < Infinity) === false) return undefined;
  const cells = bytes.subarray(from, end);
  const page = { width: pageWidth, height: pageHeight };
  const ink = { number, area, page, skewRad, width, height, packed: cells, boxes, ...(lines && { lines }) };
  return { ink: cells.some((byte) => byte !== 0) ? ink : undefined, end };
}
