import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SHAPELET_SIZE, type Shapelet } from '../shapelets/shapelet.js';

const PICTURE_BYTES = SHAPELET_SIZE * SHAPELET_SIZE;

/** The lines of all shapelets, one picture after another, deflated: some 600 bytes each. */
export function packPictures(shapelets: readonly Shapelet[]): Uint8Array {
  const all = new Uint8Array(shapelets.length * PICTURE_BYTES);
  shapelets.forEach(({ lines }, i) => all.set(lines, i * PICTURE_BYTES));
  return new Uint8Array(deflateRawSync(all));
}

/** u8[64²]: the lines of one shapelet. Undefined when there are not so many. */
export function unpackPicture(packed: Uint8Array, index: number): Uint8Array | undefined {
  const end = (index + 1) * PICTURE_BYTES;
  const all = inflateRawSync(packed);
  return all.length < end ? undefined : new Uint8Array(all.subarray(end - PICTURE_BYTES, end));
}
