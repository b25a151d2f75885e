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
/**
 * Types of chunks as the drawers write them: no profile, text, palette or animation, which the host would have to read.
 */
const [IHDR, RESOLUTION, IDAT, IEND] = ['IHDR', 'pHYs', 'IDAT', 'IEND'].map((type) =>
  Buffer.from(type, 'latin1').readUInt32BE(),
);
/** Which chunks may come after one. */
const AFTER: ReadonlyMap<number, readonly number[]> = new Map([
  [IHDR, [RESOLUTION, IDAT]],
  [RESOLUTION, [IDAT]],
  [IDAT, [IDAT, IEND]],
  [IEND, []],
]);
/** The drawers put 8 KiB and more into a chunk of pixels; fewer bytes a chunk than this, beside a few, are refused. */
const CHUNK_BYTES = 1_024,
  FEW_CHUNKS = 64;
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
    const headerAt = SIGNATURE.length + 8;
    if (file.length < headerAt + HEADER_BYTES) return fail('it is cut off');
    if (file.readUInt32BE(SIGNATURE.length) !== HEADER_BYTES || file.readUInt32BE(SIGNATURE.length + 4) !== IHDR)
      fail('its header is another one');
    const [width, height] = [file.readUInt32BE(headerAt), file.readUInt32BE(headerAt + 4)];
    if (width === 0 || height === 0 || width > widthPx || height > heightPx)
      fail(`it has ${width} x ${height} pixels, allowed are ${widthPx} x ${heightPx}`);
    const [depth, color, ...methods] = file.subarray(headerAt + 8, headerAt + HEADER_BYTES);
    const samples = SAMPLES[color];
    if (depth !== DEPTH_BITS || samples === undefined || methods.some((method) => method !== 0))
      return fail(`its form is ${[depth, color, ...methods].join(' ')}`);
    if (file.length > GROWTH * height * (1 + width * samples) + MORE_BYTES) fail(`it has ${file.length} bytes`);
    const why = faultOfChunks(file);
    if (why !== undefined) fail(why);
  };
}

/** What is wrong with the chunks after the header, looked at one by one; undefined: nothing. */
function faultOfChunks(file: Buffer): string | undefined {
  const most = FEW_CHUNKS + file.length / CHUNK_BYTES;
  let last = IHDR;
  let at = SIGNATURE.length + FRAME_BYTES + HEADER_BYTES;
  for (let count = 1; at < file.length; count++) {
    if (count > most) return 'it has too many chunks';
    if (file.length - at < FRAME_BYTES) return 'it is cut off';
    const type = file.readUInt32BE(at + 4);
    if (!AFTER.get(last)!.includes(type)) return 'its chunks are others';
    last = type;
    at += FRAME_BYTES + file.readUInt32BE(at);
  }
  return at === file.length && last === IEND ? undefined : 'it is cut off';
}
