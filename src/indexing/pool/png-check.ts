import type { Check } from './shapes.js';

/** Bounds of a picture, pixels. */
export interface PictureBounds {
  readonly widthPx: number;
  readonly heightPx: number;
}

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Bytes of a chunk beside its data: length, type and checksum. */
const FRAME_BYTES = 12;
const HEADER_BYTES = 13;
const DEPTH_BITS = 8;
/** Samples of a pixel by color type: grey, RGB, grey with alpha, RGBA. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** Chunks as the drawers write them: no profile, text, palette or animation, which the host would have to read. */
const ORDER = /^IHDR(,pHYs)?(,IDAT)+,IEND$/;
/** Deflate makes what it cannot shrink longer by 5 bytes in 16 KiB at most; chunks and a header come to that. */
const GROWTH = 1.01,
  MORE_BYTES = 4_096;

/**
 * A plain PNG of 8 bits a sample, not interlaced, within the bounds, and no longer than such a picture can be. The host
 * decodes pictures to make them smaller or to lay them on sheets; what comes here may be by a process that was taken
 * over. That its pixels are whole is left to the decoder, whose memory the size bounds.
 */
export function plainPng({ widthPx, heightPx }: PictureBounds): Check {
  return (value, at) => {
    const fail = (why: string): never => {
      throw new TypeError(`${at} is no plain PNG: ${why}`);
    };
    if (!(value instanceof Uint8Array)) return fail('it is not bytes');
    const file = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (file.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) fail('its signature is another one');
    if (!ORDER.test(chunkTypes(file, fail).join())) fail('its chunks are others');
    const headerAt = SIGNATURE.length + 8;
    if (file.readUInt32BE(SIGNATURE.length) !== HEADER_BYTES) fail('its header has another length');
    const [width, height] = [file.readUInt32BE(headerAt), file.readUInt32BE(headerAt + 4)];
    if (width === 0 || height === 0 || width > widthPx || height > heightPx)
      fail(`it has ${width} x ${height} pixels, allowed are ${widthPx} x ${heightPx}`);
    const [depth, color, ...methods] = file.subarray(headerAt + 8, headerAt + HEADER_BYTES);
    const samples = SAMPLES[color];
    if (depth !== DEPTH_BITS || samples === undefined || methods.some((method) => method !== 0))
      return fail(`its form is ${[depth, color, ...methods].join(' ')}`);
    if (file.length > GROWTH * height * (1 + width * samples) + MORE_BYTES) fail(`it has ${file.length} bytes`);
  };
}

function chunkTypes(file: Buffer, fail: (why: string) => never): string[] {
  const types: string[] = [];
  let at = SIGNATURE.length;
  while (at < file.length) {
    if (file.length - at < FRAME_BYTES) fail('it is cut off');
    types.push(file.toString('latin1', at + 4, at + 8));
    at += FRAME_BYTES + file.readUInt32BE(at);
  }
  if (at !== file.length) fail('it is cut off');
  return types;
}
