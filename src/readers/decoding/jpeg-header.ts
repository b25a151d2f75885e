/** What the headers of a JPEG file say about the work of decoding it. */
export interface JpegHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly components: number;
  /** Coefficients of all components, with the rows and columns that complete their blocks. */
  readonly coefficients: number;
  /** Number of scans, each of which passes over the whole picture. */
  readonly scans: number;
  /** Whether coefficients are collected over several scans: progressive files, and planes that follow each other. */
  readonly isCollected: boolean;
}

/** Marker codes (ITU-T T.81, table B.1). */
const MARKER = 0xff,
  HUFFMAN = 0xc4,
  RESERVED = 0xc8,
  ARITHMETIC = 0xcc,
  FIRST_FRAME = 0xc0,
  LAST_FRAME = 0xcf,
  START = 0xd8,
  END = 0xd9,
  SCAN = 0xda;

/**
 * Reads the frame header and counts the scans up to the end of the picture; nothing is decoded. Several frame headers
 * count as the largest of them. Undefined when there is none.
 */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frame: Frame | undefined;
  let scans = 0,
    isSplit = false;
  for (let at = nextMarker(file, 0); at >= 0; ) {
    const code = file[at + 1];
    if (code === END) break;
    const length = hasLength(code) && at + 4 <= file.length ? file.readUInt16BE(at + 2) : 0;
    if (isFrame(code)) {
      const found = readFrame(file.subarray(at, at + 2 + length));
      if (found !== undefined && (frame === undefined || found.coefficients > frame.coefficients)) frame = found;
    } else if (code === SCAN) {
      scans++;
      if (frame !== undefined && file[at + 4] < frame.components) isSplit = true;
    }
    at = nextMarker(file, at + 2 + length);
  }
  return frame && { ...frame, scans, isCollected: frame.isProgressive || isSplit };
}

type Frame = Omit<JpegHeader, 'scans' | 'isCollected'> & { readonly isProgressive: boolean };

/** segment: from the marker on. */
function readFrame(segment: Buffer): Frame | undefined {
  if (segment.length < 10) return undefined;
  const heightPx = segment.readUInt16BE(5),
    widthPx = segment.readUInt16BE(7),
    components = segment[9];
  const factors: (readonly [number, number])[] = [];
  for (let i = 0; i < components && 11 + 3 * i < segment.length; i++) {
    const packed = segment[11 + 3 * i];
    factors.push([Math.max(1, packed >> 4), Math.max(1, packed & 15)]);
  }
  const mostX = Math.max(1, ...factors.map(([x]) => x)),
    mostY = Math.max(1, ...factors.map(([, y]) => y));
  const unitsX = Math.ceil(widthPx / (8 * mostX)),
    unitsY = Math.ceil(heightPx / (8 * mostY));
  const coefficients = factors.reduce((sum, [x, y]) => sum + 64 * unitsX * x * unitsY * y, 0);
  // Progressive frames: SOF2, SOF6, SOF10, SOF14.
  return { widthPx, heightPx, components, coefficients, isProgressive: (segment[1] & 3) === 2 };
}

function isFrame(code: number): boolean {
  return code >= FIRST_FRAME && code <= LAST_FRAME && code !== HUFFMAN && code !== RESERVED && code !== ARITHMETIC;
}

/** Markers without parameters: TEM, restarts, start and end of the image. */
function hasLength(code: number): boolean {
  return code !== 1 && !(code >= 0xd0 && code <= START) && code !== END;
}

/** The next marker from `from` on, past stuffed bytes, fill bytes and restarts; -1 when there is none. */
function nextMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(MARKER, from); at >= 0 && at + 1 < file.length; at = file.indexOf(MARKER, at + 1)) {
    const code = file[at + 1];
    if (code !== 0 && code !== MARKER && !(code >= 0xd0 && code < START)) return at;
  }
  return -1;
}
