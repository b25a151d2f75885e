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
  /** Absent: it has strips. Sizes are 0 where they are missing. */
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
/** Bytes of the types of whole numbers: BYTE, SHORT, LONG, LONG8; SBYTE, SSHORT, SLONG, SLONG8. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 16: 8, 6: 1, 8: 2, 9: 4, 17: 8 };
const SIGNED: ReadonlySet<number> = new Set([6, 8, 9, 17]);
const JPEG: ReadonlySet<number> = new Set([6, 7]);

/**
 * The first directories of a TIFF or BigTIFF file, in either order of bytes, up to the first one that cannot be read;
 * none: it is no such file. Sizes are 0 where they are missing or no size. Numbers are taken as libtiff 4.7 takes them:
 * of any type of whole numbers, and the first of tags that are there twice. See TIFF 6.0 and BigTIFF (Aware Systems,
 * 2008).
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

function pictureOf(values: Values): TiffPicture {
  const value = (tag: number, missing: number): number => values.get(tag) ?? missing;
  const heightPx = value(TAG.height, 0);
  const isTiled = values.has(TAG.tileWidth) || values.has(TAG.tileHeight);
  return {
    widthPx: value(TAG.width, 0),
    heightPx,
    samples: value(TAG.samples, 1),
    bitsPerSample: value(TAG.bitsPerSample, 1),
    isPlanar: value(TAG.planar, 1) === 2,
    isJpeg: JPEG.has(value(TAG.compression, 1)),
    tile: isTiled ? { widthPx: value(TAG.tileWidth, 0), heightPx: value(TAG.tileHeight, 0) } : undefined,
    rowsPerStrip: Math.min(value(TAG.rowsPerStrip, heightPx), heightPx),
  };
}

/** The first value of each tag; undefined: it is no whole number from 0 on. */
type Values = ReadonlyMap<number, number | undefined>;

interface Directory {
  readonly values: Values;
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
    const values = new Map<number, number | undefined>();
    for (let entry = at + countBytes; entry < end; entry += entryBytes) {
      const tag = this.#number(entry, 2)!;
      // Of tags that are there twice the first counts, even if it cannot be read.
      if (!values.has(tag)) values.set(tag, this.#first(entry, { entryBytes, inlineBytes }));
    }
    return { values, next: this.#link(end) };
  }

  /** The first value of an entry; undefined: it has none, or no whole number from 0 on. */
  #first(entry: number, { entryBytes, inlineBytes }: Readonly<Record<string, number>>): number | undefined {
    const type = this.#number(entry + 2, 2)!;
    const typeBytes = TYPE_BYTES[type];
    const valuesAt = entry + entryBytes - inlineBytes;
    const count = this.#number(entry + 4, inlineBytes)!;
    if (typeBytes === undefined || count === 0) return undefined;
    const from = typeBytes * count <= inlineBytes ? valuesAt : this.#number(valuesAt, inlineBytes)!;
    const value = this.#number(from, typeBytes);
    const isNegative = value !== undefined && SIGNED.has(type) && value >= 2 ** (8 * typeBytes - 1);
    return isNegative ? undefined : value;
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
