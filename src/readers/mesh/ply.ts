import type { Model } from '../../content/model.js';
import { fileMalformed, warning, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { MeshBuilder } from './mesh-builder.js';
import { modelOfPieces } from './model-of-pieces.js';
import { readPlyHeader, type PlyElement, type PlyHeader, type PlyProperty, type PlyScalar } from './ply-header.js';
import { TextScanner } from '../text/text-scanner.js';

/**
 * Reads PLY (Turk 1994), ASCII and binary of either byte order: elements and properties in any order, faces with any
 * number of corners, triangle strips. Counts are checked against the bytes.
 *
 * three's PLYLoader (0.187) was tried: it drops strips and faces with more than four corners, and a truncated binary
 * file ends in a RangeError.
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readPly(bytes: Uint8Array, options: ReadOptions): Model {
  const header = readPlyHeader(bytes);
  const warnings: Warning[] = [];
  const builder = new MeshBuilder(options.limits);
  const values = header.encoding === 'ascii' ? new AsciiValues(bytes, header) : new BinaryValues(bytes, header);
  for (const element of header.elements) {
    const rows = readElement(element, values, builder);
    if (rows === undefined) continue;
    const message =
      `the header announces ${element.count} rows of "${element.name}"; the file of ${bytes.length} bytes ends after ` +
      `${rows} of them, and what came before was kept`;
    warnings.push(warning('FILE_TRUNCATED', message));
    break;
  }
  return modelOfPieces('ply', options.defaultUnit, builder.pieces(), warnings);
}

/** The body as a sequence of numbers. Reading beyond the end sets `ended` and returns NaN. */
interface Values {
  readonly ended: boolean;
  next(type: PlyScalar): number;
}

class AsciiValues implements Values {
  readonly #scanner: TextScanner;
  ended = false;

  constructor(bytes: Uint8Array, { bodyStart }: PlyHeader) {
    this.#scanner = new TextScanner(bytes, { from: bodyStart });
  }

  next(): number {
    // Some writers put comments between the lines of the body.
    while (this.#scanner.next()) {
      if (!this.#scanner.is('comment')) return this.#scanner.number();
      this.#scanner.restOfLine();
    }
    this.ended = true;
    return NaN;
  }
}

/** Bytes of each type, and how a value is read; the last argument is the byte order. */
const TYPES: Readonly<
  Record<PlyScalar, { bytes: number; read(view: DataView, at: number, isLittle: boolean): number }>
> = {
  i8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  u8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  i16: { bytes: 2, read: (view, at, isLittle) => view.getInt16(at, isLittle) },
  u16: { bytes: 2, read: (view, at, isLittle) => view.getUint16(at, isLittle) },
  i32: { bytes: 4, read: (view, at, isLittle) => view.getInt32(at, isLittle) },
  u32: { bytes: 4, read: (view, at, isLittle) => view.getUint32(at, isLittle) },
  f32: { bytes: 4, read: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  f64: { bytes: 8, read: (view, at, isLittle) => view.getFloat64(at, isLittle) },
};

class BinaryValues implements Values {
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  #at: number;
  ended = false;

  constructor(bytes: Uint8Array, { bodyStart, encoding }: PlyHeader) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = bodyStart;
    this.#littleEndian = encoding === 'binary_little_endian';
  }

  next(type: PlyScalar): number {
    const at = this.#at;
    const { bytes, read } = TYPES[type];
    this.#at += bytes;
    if (this.#at > this.#view.byteLength) {
      this.ended = true;
      return NaN;
    }
    return read(this.#view, at, this.#littleEndian);
  }
}

/** Reads all rows of an element; returns how many there are when the bytes end first. */
function readElement(element: PlyElement, values: Values, builder: MeshBuilder): number | undefined {
  // Rows without properties take no bytes, so their count is not bounded by the file's size and must not drive a loop.
  if (element.properties.length === 0) return undefined;
  const readRow = rowReaderOf(element, values, builder);
  for (let row = 0; row < element.count; row++) {
    readRow();
    if (values.ended) return row;
  }
  return undefined;
}

function rowReaderOf({ name, properties }: PlyElement, values: Values, builder: MeshBuilder): () => void {
  if (name === 'vertex') return vertexReader(properties, values, builder);
  const isIndices = (property: PlyProperty): boolean =>
    property.countType !== undefined && (property.name === 'vertex_indices' || property.name === 'vertex_index');
  if (name === 'face')
    return listReader(properties, isIndices, values, (count, type) => readPolygon(values, count, type, builder));
  if (name === 'tristrips')
    return listReader(properties, isIndices, values, (count, type) => readStrips(values, count, type, builder));
  return listReader(
    properties,
    () => false,
    values,
    () => undefined,
  );
}

function vertexReader(properties: readonly PlyProperty[], values: Values, builder: MeshBuilder): () => void {
  const axes = properties.map((property) =>
    property.countType === undefined ? ['x', 'y', 'z'].indexOf(property.name) : -1,
  );
  if (![0, 1, 2].every((axis) => axes.includes(axis))) {
    throw fileMalformed(
      `the PLY file's vertices have ${properties.map((property) => property.name).join(', ')}, expected x, y and z`,
    );
  }
  const place = [NaN, NaN, NaN];
  return () => {
    for (let i = 0; i < properties.length; i++) {
      const { type, countType } = properties[i];
      if (countType !== undefined) skipList(values, type, checkedCount(values, values.next(countType)));
      else if (axes[i] >= 0) place[axes[i]] = values.next(type);
      else values.next(type);
    }
    if (!values.ended) builder.vertex(place[0], place[1], place[2]);
  };
}

/** Returns a function that reads a row and passes the lists selected by `wanted` to `use`. */
function listReader(
  properties: readonly PlyProperty[],
  wanted: (property: PlyProperty) => boolean,
  values: Values,
  use: (count: number, type: PlyScalar) => void,
): () => void {
  const isWanted = properties.map(wanted);
  return () => {
    for (let i = 0; i < properties.length; i++) {
      const { type, countType } = properties[i];
      if (countType === undefined) {
        values.next(type);
        continue;
      }
      const count = values.next(countType);
      if (isWanted[i]) use(checkedCount(values, count), type);
      else skipList(values, type, checkedCount(values, count));
    }
  };
}

function skipList(values: Values, type: PlyScalar, count: number): void {
  for (let k = 0; k < count && !values.ended; k++) values.next(type);
}

function readPolygon(values: Values, count: number, type: PlyScalar, builder: MeshBuilder): void {
  for (let k = 0; k < count && !values.ended; k++) builder.corner(values.next(type));
  if (values.ended) builder.dropPolygon();
  else builder.endPolygon();
}

/** Triangle strips in sequence, each ended by −1; every second triangle has the opposite winding. */
function readStrips(values: Values, count: number, type: PlyScalar, builder: MeshBuilder): void {
  let length = 0;
  let before = 0;
  let last = 0;
  for (let k = 0; k < count; k++) {
    const vertex = values.next(type);
    if (values.ended) return;
    if (vertex < 0) {
      length = 0;
      continue;
    }
    if (length >= 2) {
      if (length % 2 === 0) builder.triangle(before, last, vertex);
      else builder.triangle(last, before, vertex);
    }
    before = last;
    last = vertex;
    length++;
  }
}

/**
 * Checks the length of a list; without it the rest of the body cannot be interpreted.
 * @throws EngineError `FILE_MALFORMED` when it is not a count.
 */
function checkedCount(values: Values, count: number): number {
  if (values.ended) return 0;
  if (Number.isInteger(count) && count >= 0) return count;
  throw fileMalformed(`a list in the PLY file has the length ${count}; expected a count`);
}
