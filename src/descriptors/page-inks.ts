import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageInk } from '../shapelets/page-ink.js';

export type { PageInk } from '../shapelets/page-ink.js';

/** Bytes before the boxes and cells of an ink: seven f32 and four u16; and of a box, four f32. */
const HEAD_BYTES = 36;
const BOX_BYTES = 16;
/** Most bytes of all unpacked inks of a file. */
const MOST_BYTES = 1 << 20;

/** Compresses inks of pages, in their order; `undefined` keeps the place of a page without ink. */
export function packInks(inks: readonly (PageInk | undefined)[]): Uint8Array {
  const parts = inks.map((ink) => {
    if (ink === undefined) return new Uint8Array(HEAD_BYTES);
    const { number, area, page, skewRad, width, height, bits, boxes } = ink;
    const first = HEAD_BYTES + BOX_BYTES * boxes.length;
    const bytes = new Uint8Array(first + Math.ceil((width * height) / 8));
    const head = new DataView(bytes.buffer);
    for (const [i, value] of [area.x, area.y, area.width, area.height, page.width, page.height, skewRad].entries())
      head.setFloat32(4 * i, value, true);
    head.setUint16(28, width, true);
    head.setUint16(30, height, true);
    head.setUint16(32, boxes.length, true);
    head.setUint16(34, number, true);
    for (const [i, { x, y, width, height }] of boxes.entries())
      for (const [k, value] of [x, y, width, height].entries())
        head.setFloat32(HEAD_BYTES + BOX_BYTES * i + 4 * k, value, true);
    for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) bytes[first + (i >> 3)] |= 1 << (i & 7);
    return bytes;
  });
  return new Uint8Array(deflateRawSync(Buffer.concat(parts)));
}

/** The packed inks; a page without ink is undefined. Empty for bytes that {@link packInks} did not make. */
export function unpackInks(packed: Uint8Array): (PageInk | undefined)[] {
  if (packed.length === 0) return [];
  let bytes: Uint8Array;
  try {
    bytes = inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
  } catch {
    return [];
  }
  const inks: (PageInk | undefined)[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const head = new DataView(bytes.buffer, bytes.byteOffset + at);
    const [x, y, areaWidth, areaHeight, pageWidth, pageHeight, skewRad] = Array.from({ length: 7 }, (_, i) =>
      head.getFloat32(4 * i, true),
    );
    const width = head.getUint16(28, true),
      height = head.getUint16(30, true),
      count = head.getUint16(32, true);
    const from = at + HEAD_BYTES + BOX_BYTES * count;
    at = from + Math.ceil((width * height) / 8);
    if (at > bytes.length) return inks;
    const boxes = Array.from({ length: count }, (_, i) => {
      const [left, top, across, down] = [0, 4, 8, 12].map((by) =>
        head.getFloat32(HEAD_BYTES + BOX_BYTES * i + by, true),
      );
      return { x: left, y: top, width: across, height: down };
    });
    const bits = new Uint8Array(width * height);
    for (let i = 0; i < bits.length; i++) bits[i] = (bytes[from + (i >> 3)] >> (i & 7)) & 1;
    inks.push(
      width * height === 0
        ? undefined
        : {
            number: head.getUint16(34, true),
            area: { x, y, width: areaWidth, height: areaHeight },
            page: { width: pageWidth, height: pageHeight },
            skewRad,
            width,
            height,
            bits,
            boxes,
          },
    );
  }
  return inks;
}
