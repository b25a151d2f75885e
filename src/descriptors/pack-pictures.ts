import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SHAPELET_SIZE } from '../shapelets/shapelet.js';

const PICTURE_BYTES = SHAPELET_SIZE * SHAPELET_SIZE;
/** Most bytes of the unpacked pictures of a file: some 16,000 of them. */
const MOST_BYTES = 2 ** 26;

/** Compresses pictures of lines, u8[64²] each, to about 600 bytes each. */
export function packPictures(pictures: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pictures.length * PICTURE_BYTES);
  pictures.forEach((lines, i) => all.set(lines, i * PICTURE_BYTES));
  return new Uint8Array(deflateRawSync(all));
}

/** All packed pictures, u8[64²] each; none of bytes that {@link packPictures} cannot have made. */
export function unpackPictures(packed: Uint8Array): Uint8Array[] {
  const all = inflated(packed);
  return Array.from(
    { length: Math.floor(all.length / PICTURE_BYTES) },
    (_, i) => new Uint8Array(all.subarray(i * PICTURE_BYTES, (i + 1) * PICTURE_BYTES)),
  );
}

/** u8[64²]: one of the packed pictures. Undefined when the index is past the last one, or the bytes are damaged. */
export function unpackPicture(packed: Uint8Array, index: number): Uint8Array | undefined {
  const end = (index + 1) * PICTURE_BYTES;
  const all = inflated(packed);
  return all.length < end ? undefined : new Uint8Array(all.subarray(end - PICTURE_BYTES, end));
}

/** Empty when it is damaged: a search goes on without the pictures of one file, and `verify` tells the damage. */
function inflated(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
  } catch {
    return new Uint8Array();
  }
}
