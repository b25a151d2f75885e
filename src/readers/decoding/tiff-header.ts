/** What a directory of a TIFF file says, as far as a decoder's memory depends on it. */
export interface TiffPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: number;
  readonly bitsPerSample: number;
  /** Whether samples of one kind lie together. */
  readonly isPlanar: boolean;
  /** Whether its strips are JPEG pictures. */
  readonly isJpeg: boolean;
  /** Absent: it has strips. */
  readonly tile: { readonly widthPx: number; readonly heightPx: number } | undefined;
  readonly rowsPerStrip: number;
}

const TAG = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  samples: 277,
  rowsPerStrip: 278,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
} as const;
/** Bytes of the types of whole numbers: BYTE, SHORT, LONG, LONG8. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8 };
const JPEG: ReadonlySet<number> = new Set([6, 7]);

/**
 * The first directories of a TIFF or BigTIFF file, in either order of bytes, up to the first one that cannot be read;
 * none: it is no such file. See TIFF 6.0 and BigTIFF (Aware Systems, 2008).
 */
export function readTiffPictures(bytes: Uint8Array, most: number): TiffPicture[] {
  const file = TiffFile.of(bytes);
  const pictures: TiffPicture[] = [];
  const seen = new Set<number>();
  for (let at = file?.first; at !== undefined && pictures.length < most && !seen.has(at); ) {
    seen.add(at);
    const directory = file!.directory(at);
    if (directory === undefined) break;
    pictures.push(pictureOf(directory.values));
    at = directory.next;
  }
  return pictures;
}

function pictureOf(values: ReadonlyMap<number, number>): TiffPicture {
  const value = (tag: number, missing: number): number => values.get(tag) ?? missing;
  const heightPx = value(TAG.height, 0);
  const tileWidth = values.get(TAG.tileWidth),
    tileHeight = values.get(TAG.tileHeight);
  return {
    widthPx: value(TAG.width, 0),
    heightPx,
    samples: value(TAG.samples, 1),
    bitsPerSample: value(TAG.bitsPerSample, 1),
    isPlanar: value(TAG.planar, 1) === 2,
    isJpeg: JPEG.has(value(TAG.compression, 1)),
    tile: tileWidth && tileHeight ? { widthPx: tileWidth, heightPx: tileHeight } : undefined,
    rowsPerStrip: Math.min(value(TAG.rowsPerStrip, heightPx), heightPx),
  };
}

interface Directory {
  /** The first value of each tag with whole numbers. */
  readonly values: ReadonlyMap<number, number>;
  /** Where the next one is; undefined: there is none. */
  readonly next: number | undefined;
}

class TiffFile {
  readonly #view: DataView;
  readonly #isLittle: boolean;
  readonly #isBig: boolean;

  private constructor(view: DataView, { isLittle, isBig }: { readonly isLittle: boolean; readonly isBig: boolean }) {
    this.#view = view;
    this.#isLittle = isLittle;
    this.#isBig = isBig;
  }

  static of(bytes: Uint8Array): TiffFile | undefined {
    if (bytes.length < 16) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const order = view.getUint16(0);
    if (order !== 0x4949 && order !== 0x4d4d) return undefined;
    const isLittle = order === 0x4949;
    const version = view.getUint16(2, isLittle);
    return version === 42 || version === 43 ? new TiffFile(view, { isLittle, isBig: version === 43 }) : undefined;
  }

  get first(): number | undefined {
    return this.#link(this.#isBig ? 8 : 4);
  }

  directory(at: number): Directory | undefined {
    const [countBytes, entryBytes, inlineBytes] = this.#isBig ? [8, 20, 8] : [2, 12, 4];
    const count = this.#number(at, countBytes);
    if (count === undefined) return undefined;
    const end = at + countBytes + count * entryBytes;
    if (end > this.#view.byteLength) return undefined;
    const values = new Map<number, number>();
    for (let entry = at + countBytes; entry < end; entry += entryBytes) {
      const typeBytes = TYPE_BYTES[this.#number(entry + 2, 2)!];
      const valuesAt = entry + entryBytes - inlineBytes;
      const valueCount = this.#number(entry + 4, inlineBytes)!;
      if (typeBytes === undefined || valueCount === 0) continue;
      const from = typeBytes * valueCount <= inlineBytes ? valuesAt : this.#number(valuesAt, inlineBytes)!;
      const value = this.#number(from, typeBytes);
      if (value !== undefined) values.set(this.#number(entry, 2)!, value);
    }
    return { values, next: this.#link(end) };
  }

  #link(at: number): number | undefined {
    return this.#number(at, this.#isBig ? 8 : 4) || undefined;
  }

  /** Undefined: it is outside of the file. */
  #number(at: number, byteLength: number): number | undefined {
    if (!(at >= 0 && at + byteLength <= this.#view.byteLength)) return undefined;
    switch (byteLength) {
      case 1:
        return this.#view.getUint8(at);
      case 2:
        return this.#view.getUint16(at, this.#isLittle);
      case 4:
        return this.#view.getUint32(at, this.#isLittle);
      default:
        return Number(this.#view.getBigUint64(at, this.#isLittle));
    }
  }
}
