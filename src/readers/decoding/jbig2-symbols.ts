/** A line of a Huffman table: its lowest (or, where it falls, highest) value and bits behind the prefix. */
type Line = readonly [value: number, bits: number, falls?: true] | 'out of band';

/** Standard tables (ITU-T T.88, annex B), whose prefixes are 0 to some ones: the place of a line is their number. */
const SIZES: readonly Line[] = [
  [0, 4],
  [16, 8],
  [272, 16],
  [65_808, 32],
];
const HEIGHTS: readonly (readonly Line[])[] = [
  [
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 3],
    [12, 6],
    [76, 32],
  ],
  [
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 3],
    [12, 6],
    [76, 32],
    [-255, 8],
    [-256, 32, true],
  ],
];
const WIDTHS: readonly (readonly Line[])[] = [
  [[0, 0], [1, 0], [2, 0], [3, 3], [11, 6], [75, 32], 'out of band'],
  [[0, 0], [1, 0], [2, 0], [3, 3], [11, 6], 'out of band', [75, 32], [-256, 8], [-257, 32, true]],
];

const HUFFMAN = 1,
  REFINED = 2;

/**
 * The pixels that a symbol dictionary claims (T.88, 6.5 and 7.4.2). One in Huffman's codes names the size of each row
 * of symbols in some bytes, and a decoder fills it; of others each symbol takes bytes. Infinity where refinements or
 * tables of its own hide the sizes: rare enough that pdfjs did not read them for ten years.
 */
export function claimedSymbolPixels(data: Buffer): number {
  if (data.length < 10) return 0;
  const flags = data.readUInt16BE(0);
  if ((flags & HUFFMAN) === 0) return 0;
  const heights = HEIGHTS[(flags >> 2) & 3],
    widths = WIDTHS[(flags >> 4) & 3];
  if ((flags & REFINED) !== 0 || (flags & 64) !== 0 || heights === undefined || widths === undefined) return Infinity;
  const bits = new Bits(data.subarray(10));
  let pixels = 0,
    height = 0;
  for (let left = data.readUInt32BE(6); left > 0 && !bits.isOver; ) {
    height += bits.value(heights) ?? 0;
    let width = 0,
      total = 0;
    for (let step = bits.value(widths); step !== undefined && left > 0; step = bits.value(widths)) {
      width += step;
      total += width;
      left--;
    }
    pixels += Math.max(0, height) * Math.max(0, total);
    const packed = bits.value(SIZES) ?? 0;
    bits.skipBytes(packed === 0 ? height * Math.ceil(total / 8) : packed);
  }
  return pixels;
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= 8 * this.#bytes.length;
  }

  /** A value of a table; undefined where it is out of band or the bytes are over. */
  value(table: readonly Line[]): number | undefined {
    let ones = 0;
    while (ones < table.length - 1 && this.#number(1) === 1) ones++;
    const line = table[ones];
    if (line === 'out of band' || this.isOver) return undefined;
    const [value, bits, falls = false] = line;
    return falls ? value - this.#number(bits) : value + this.#number(bits);
  }

  /** Passes over the rest of a byte, and so many bytes. */
  skipBytes(count: number): void {
    this.#at = 8 * (Math.ceil(this.#at / 8) + Math.max(0, count));
  }

  #number(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++, this.#at++)
      value = 2 * value + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    return value;
  }
}
