import { type EngineError, limitExceeded } from '../../errors.js';
import type { AcadTs } from './texts.js';

/** Bytes that a reader of acad-ts may read behind the end of its data; there it reads zeros. */
const SLACK_BYTES = 1_024;

/**
 * Most bytes that are read for each byte of a file, all readers together, and those that any file may have read. Sound
 * files unpack to at most 5 times their length and read each byte of that up to 4 times: handles, text and objects.
 */
const READS_PER_BYTE = 100,
  SMALL_READS = 10_000_000;

/** The members of acad-ts's bit reader that move through its data; most are protected. */
interface BitReader {
  _stream: Uint8Array;
  _position: number;
  advanceByte(): void;
  readByte(): number;
  _applyShiftToArr(length: number, into: Uint8Array): void;
  readBytes(length: number): Uint8Array;
}

/** The parts of acad-ts's unpacking of sections that read counts; they give NaN behind the end of the file. */
interface Unpacking {
  decompress(packed: Uint8Array, from: number, length: number): Uint8Array;
  _copy(count: number, ...rest: unknown[]): unknown;
  _literalCount(...args: unknown[]): number;
  _readCompressedBytes(...args: unknown[]): { readonly value: number };
}

/** Lengths in the section map: its head, the description of a section, and that of a page. */
const MAP_HEADER_BYTES = 20,
  SECTION_BYTES = 96,
  PAGE_BYTES = 16;
/** Which of the unpacked blocks of a file, from 1, says where its sections are. */
const SECTION_MAP = 2;

let unpackedBlocks = 0;
let readsLeft = Infinity;
let isBounded = false;

/**
 * Reads a DWG file with a bound on the steps: acad-ts believes every count in a file, and a damaged one made it read
 * zeros behind the end of its data for minutes (12 % of damaged files). A read behind the end fails the object that is
 * being read, which acad-ts leaves out.
 * @throws EngineError `LIMIT_EXCEEDED` when more than {@link READS_PER_BYTE} bytes are read for each of the file.
 */
export function readInSteps<Result>(acad: AcadTs, byteLength: number, read: () => Result): Result {
  if (!isBounded) {
    boundReader(acad.DwgStreamReaderBase.prototype as unknown as BitReader);
    boundUnpacking(acad.DwgLZ77AC18Decompressor as unknown as Unpacking);
  }
  isBounded = true;
  const allowed = SMALL_READS + READS_PER_BYTE * byteLength;
  readsLeft = allowed;
  unpackedBlocks = 0;
  try {
    const result = read();
    // acad-ts takes the errors of single objects as tolerable.
    if (readsLeft < 0) throw passed(allowed);
    return result;
  } catch (cause) {
    throw readsLeft < 0 ? passed(allowed) : cause;
  } finally {
    readsLeft = Infinity;
  }
}

function passed(allowed: number): EngineError {
  return limitExceeded('reading the DWG file', 'the number of bytes that are read', allowed);
}

function boundReader(reader: BitReader): void {
  const { advanceByte, readByte, readBytes } = reader;
  reader.advanceByte = function (this: BitReader): void {
    count(this, 1);
    advanceByte.call(this);
  };
  reader.readByte = function (this: BitReader): number {
    count(this, 1);
    return readByte.call(this);
  };
  reader.readBytes = function (this: BitReader, length: number): Uint8Array {
    count(this, length);
    return readBytes.call(this, length);
  };
}

/** Without this, a count of NaN unpacks forever. */
function boundUnpacking(unpacking: Unpacking): void {
  const { _copy, _literalCount, _readCompressedBytes, decompress } = unpacking;
  unpacking.decompress = (packed, from, length) => {
    spend(length);
    const unpacked = decompress(packed, from, length);
    if (++unpackedBlocks === SECTION_MAP) checkSectionMap(unpacked);
    return unpacked;
  };
  unpacking._copy = (length, ...rest) => {
    spend(length);
    return _copy(length, ...rest);
  };
  unpacking._literalCount = (...args) => {
    const length = _literalCount(...args);
    spend(length);
    return length;
  };
  unpacking._readCompressedBytes = (...args) => {
    const found = _readCompressedBytes(...args);
    spend(found.value);
    return found;
  };
}

/**
 * Counts the pages of the sections of R2004 and later, which acad-ts makes for every gap between two, and their bytes.
 * @throws Error, also when the map breaks off.
 */
function checkSectionMap(map: Uint8Array): void {
  const view = new DataView(map.buffer, map.byteOffset, map.byteLength);
  const sections = view.getInt32(0, true);
  let at = MAP_HEADER_BYTES;
  for (let section = 0; section < sections; section++) {
    const pages = view.getInt32(at + 8, true),
      pageBytes = view.getInt32(at + 12, true);
    at += SECTION_BYTES;
    if (pages > 0 && pageBytes <= 0) throw new Error('the pages of a section have no length');
    let end = 0;
    for (let page = 0; page < pages; page++, at += PAGE_BYTES) {
      const start = view.getUint32(at + 8, true) + 2 ** 32 * view.getUint32(at + 12, true);
      end = Math.max(end, start) + pageBytes;
    }
    spend(end);
  }
}

/** @throws Error when the reader would read before its data or far behind, or too much has been read already. */
function count({ _position, _stream }: BitReader, length: number): void {
  spend(length);
  if (!(_position >= 0 && _position + length <= _stream.length + SLACK_BYTES))
    throw new Error('a position or count leads out of the data');
}

/** @throws Error when too much has been read already, or the length is none. */
function spend(length: number): void {
  if (!(length >= 0)) throw new Error('a count is negative or missing');
  readsLeft -= length;
  if (readsLeft < 0) throw new Error('the DWG file asks for too much reading');
}
