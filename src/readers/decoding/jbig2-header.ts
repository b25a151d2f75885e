import { claimedSymbolPixels } from './jbig2-symbols.js';

/** Segment types (ITU-T T.88, 7.3): regions of text, halftones and bits, refinements; and the page. */
const REGIONS: ReadonlySet<number> = new Set([4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43]);
const PAGE = 48,
  SYMBOLS = 0,
  PATTERNS = 16;
/** A data length that is not known beforehand; only an immediate generic region may have it. */
const UNKNOWN = 0xffffffff;
/** Bytes of the region's sizes and place, behind which its flags stand. */
const REGION_BYTES = 17;

/**
 * The pixels that the segments of a JBIG2 stream in a PDF claim, all regions, pages, symbols and patterns together:
 * each is decoded in full, whatever the picture's dictionary says. Nothing is decoded.
 */
export function claimedJbig2Pixels(bytes: Buffer): number {
  let pixels = 0;
  for (let at = 0; at + 11 <= bytes.length; ) {
    const type = bytes[at + 4] & 63;
    const start = dataStart(bytes, at);
    if (start > bytes.length) break;
    if ((REGIONS.has(type) || type === PAGE) && start + 8 <= bytes.length) {
      const height = bytes.readUInt32BE(start + 4);
      // A page of unknown height has stripes, which grow with its regions.
      if (type !== PAGE || height !== UNKNOWN) pixels += bytes.readUInt32BE(start) * height;
    }
    const length = bytes.readUInt32BE(start - 4);
    if (type === SYMBOLS) pixels += claimedSymbolPixels(bytes.subarray(start, start + length));
    if (type === PATTERNS && start + 7 <= bytes.length)
      pixels += bytes[start + 1] * bytes[start + 2] * (bytes.readUInt32BE(start + 3) + 1);
    at = length === UNKNOWN ? endOfUnknown(bytes, start) : start + length;
  }
  return pixels;
}

/** Where the data of the segment at `at` begin; behind the end for a header that is cut off. */
function dataStart(bytes: Buffer, at: number): number {
  const number = bytes.readUInt32BE(at);
  const short = bytes[at + 5] >> 5;
  const isLong = short === 7;
  const count = isLong && at + 9 <= bytes.length ? bytes.readUInt32BE(at + 5) & 0x1fffffff : short;
  const counted = isLong ? 4 + Math.ceil((count + 1) / 8) : 1;
  const referenceBytes = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
  const pageBytes = (bytes[at + 4] & 64) === 0 ? 1 : 4;
  return at + 5 + counted + count * referenceBytes + pageBytes + 4;
}

/** The end of a generic region of unknown length: its mark, and the number of rows (T.88, 7.2.7). */
function endOfUnknown(bytes: Buffer, start: number): number {
  const isMmr = (bytes[start + REGION_BYTES] & 1) === 1;
  const mark = bytes.indexOf(Buffer.from(isMmr ? [0, 0] : [0xff, 0xac]), start + REGION_BYTES + 1);
  return mark < 0 ? bytes.length : mark + 6;
}
