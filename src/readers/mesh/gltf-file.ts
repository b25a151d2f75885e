import { checkLimit, EngineError, fileMalformed, messageOf } from '../../errors.js';
import type { Limits } from '../../options.js';

/** Lists of a glTF file whose items refer to each other by index. */
export type GltfList = 'accessors' | 'bufferViews' | 'buffers' | 'materials' | 'meshes' | 'nodes' | 'scenes';

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Extensions that compress vertices; they are not read. */
const COMPRESSIONS = ['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression'];

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/**
 * How a component of an accessor is read, by `componentType` (glTF 2.0, 3.6.2.2). Dividing by `top` normalizes integers
 * to −1…1 or 0…1.
 */
const COMPONENTS: Readonly<Record<number, { bytes: number; top: number; read(view: DataView, at: number): number }>> = {
  5120: { bytes: 1, top: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, top: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, top: 32_767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, top: 65_535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, top: 4_294_967_295, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, top: 1, read: (view, at) => view.getFloat32(at, true) },
};

/** Components per element of the accessor types used for positions and indices. */
const ELEMENT_LENGTHS = { SCALAR: 1, VEC3: 3 } as const;

/**
 * A glTF 2.0 file in memory: looks up items and decodes accessors. Every index, offset and count is checked, and
 * nothing outside the given bytes is read.
 */
export class GltfFile {
  readonly json: JsonObject;
  readonly #limits: Limits;
  /** Binary chunk of a GLB. */
  readonly #chunk: Uint8Array | undefined;
  readonly #buffers = new Map<number, Uint8Array>();

  /** @throws EngineError `FILE_MALFORMED`, or `FORMAT_UNSUPPORTED` for another version or compressed vertices. */
  constructor(bytes: Uint8Array, format: 'gltf' | 'glb', limits: Limits) {
    const { json, chunk } = format === 'glb' ? splitGlb(bytes) : { json: bytes, chunk: undefined };
    this.json = parse(json);
    this.#chunk = chunk;
    this.#limits = limits;
    const version = objectOf(this.json['asset'], 'asset')['version'];
    if (typeof version !== 'string' || !/^2\./.test(version)) {
      throw new EngineError(
        'FORMAT_UNSUPPORTED',
        `glTF 2.0 is supported; the file's version is ${JSON.stringify(version)}`,
      );
    }
    const required = listOf(this.json['extensionsRequired'], 'extensionsRequired');
    const compression = COMPRESSIONS.find((name) => required.includes(name));
    if (compression !== undefined) {
      throw new EngineError(
        'FORMAT_UNSUPPORTED',
        `the glTF file's meshes are compressed with ${compression}, ` +
          'which is not supported; save it without compression',
        {
          details: { extension: compression },
        },
      );
    }
  }

  /**
   * The object at `index` of a list.
   * @throws EngineError `FILE_MALFORMED` when there is none.
   */
  item(list: GltfList, index: unknown): JsonObject {
    const items = listOf(this.json[list], list);
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= items.length) {
      throw malformed(`refers to item ${JSON.stringify(index)} of ${list}, which has ${items.length}`);
    }
    return objectOf(items[index], `${list}[${index}]`);
  }

  /**
   * All components of an accessor of the given type, with sparse values filled in and normalized integers scaled.
   * @throws EngineError `FILE_MALFORMED`, `REFERENCE_MISSING` when the data is in another file, `LIMIT_EXCEEDED` for
   * more than three elements per allowed triangle.
   */
  numbers(index: unknown, type: keyof typeof ELEMENT_LENGTHS): Float64Array {
    const accessor = this.item('accessors', index);
    if (accessor['type'] !== type)
      throw malformed(`has an accessor of type ${JSON.stringify(accessor['type'])} where ${type} is expected`);
    const count = wholeOf(accessor['count'], 'count');
    checkLimit('the glTF file', this.#limits, 'triangles', Math.ceil(count / 3));
    const length = ELEMENT_LENGTHS[type];
    const scale = accessor['normalized'] === true ? 1 / componentOf(accessor).top : 1;
    const values =
      accessor['bufferView'] === undefined
        ? new Float64Array(count * length)
        : this.#decode(accessor, accessor, count, length);
    if (accessor['sparse'] !== undefined)
      this.#fillIn(values, objectOf(accessor['sparse'], 'sparse'), accessor, length);
    // The two lowest normalized signed integers both mean −1 (glTF 2.0, 3.6.2.2).
    if (scale !== 1) for (let i = 0; i < values.length; i++) values[i] = Math.max(-1, values[i] * scale);
    return values;
  }

  #fillIn(values: Float64Array, sparse: JsonObject, accessor: JsonObject, length: number): void {
    const count = wholeOf(sparse['count'], 'sparse.count');
    if (count > values.length / length)
      throw malformed(`replaces ${count} of ${values.length / length} elements of an accessor`);
    const indices = objectOf(sparse['indices'], 'sparse.indices');
    const places = this.#decode(indices, indices, count, 1);
    const replacements = this.#decode(objectOf(sparse['values'], 'sparse.values'), accessor, count, length);
    for (let i = 0; i < count; i++) {
      if (places[i] * length >= values.length)
        throw malformed(`replaces element ${places[i]} of an accessor of ${values.length / length}`);
      values.set(replacements.subarray(length * i, length * (i + 1)), length * places[i]);
    }
  }

  /** Components at the view and offset of `from`, with the component type of `typed`. */
  #decode(from: JsonObject, typed: JsonObject, count: number, length: number): Float64Array {
    const { bytes, read } = componentOf(typed);
    const view = this.item('bufferViews', from['bufferView']);
    const buffer = this.#buffer(view['buffer']);
    const start = wholeOf(view['byteOffset'] ?? 0, 'byteOffset');
    const end = start + wholeOf(view['byteLength'], 'byteLength');
    const stride = view['byteStride'] === undefined ? bytes * length : wholeOf(view['byteStride'], 'byteStride');
    const first = start + wholeOf(from['byteOffset'] ?? 0, 'byteOffset');
    const last = first + (count - 1) * stride + bytes * length;
    if (end > buffer.length || (count > 0 && last > end)) {
      throw malformed(`has an accessor that ends at byte ${Math.max(last, end)} of a buffer of ${buffer.length}`);
    }
    const data = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const values = new Float64Array(count * length);
    for (let element = 0, at = first, i = 0; element < count; element++, at += stride) {
      for (let k = 0; k < length; k++) values[i++] = read(data, at + k * bytes);
    }
    return values;
  }

  #buffer(index: unknown): Uint8Array {
    const definition = this.item('buffers', index);
    const known = this.#buffers.get(index as number);
    if (known !== undefined) return known;
    const { uri } = definition;
    let buffer: Uint8Array;
    if (uri === undefined) {
      if (this.#chunk === undefined || index !== 0) throw malformed(`has a buffer ${String(index)} without content`);
      buffer = this.#chunk;
    } else {
      const encoded = typeof uri === 'string' ? /^data:[^,]*;base64,/.exec(uri) : null;
      if (encoded === null) throw this.#missing();
      buffer = Buffer.from((uri as string).slice(encoded[0].length), 'base64');
    }
    this.#buffers.set(index as number, buffer);
    return buffer;
  }

  #missing(): EngineError {
    const references = listOf(this.json['buffers'], 'buffers')
      .map((buffer) => objectOf(buffer, 'buffer')['uri'])
      .filter((uri): uri is string => typeof uri === 'string' && !uri.startsWith('data:'))
      .map((uri) => uri.slice(0, 200));
    return new EngineError(
      'REFERENCE_MISSING',
      `the glTF file's geometry is in other files: ${references.join(', ')}; save it as one GLB file`,
      {
        details: { references },
      },
    );
  }
}

/**
 * The value as an object.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function objectOf(value: unknown, what: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw malformed(`has ${what} ${value === undefined ? 'missing' : 'that is not an object'}`);
}

/**
 * The value as a list; a missing list is empty.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw malformed(`has ${what} that is not a list`);
}

/**
 * The value as `count` finite numbers.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function numbersOf(value: unknown, count: number, what: string): readonly number[] {
  if (Array.isArray(value) && value.length === count && value.every((item) => Number.isFinite(item))) return value;
  throw malformed(`has ${what} that is not a list of ${count} numbers`);
}

/** The error "the glTF file `what`". */
export function malformed(what: string, cause?: unknown): EngineError {
  return fileMalformed(`the glTF file ${what}`, { cause });
}

function wholeOf(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformed(`has ${what} ${JSON.stringify(value)}, which is not a whole number`);
}

function componentOf(accessor: JsonObject): (typeof COMPONENTS)[number] {
  const component = COMPONENTS[Number(accessor['componentType'])];
  if (component === undefined)
    throw malformed(`has an accessor with the unknown component type ${JSON.stringify(accessor['componentType'])}`);
  return component;
}

/** The chunks of a GLB file (glTF 2.0, 4.4): JSON first, then the binary chunk, if any. */
function splitGlb(bytes: Uint8Array): { json: Uint8Array; chunk: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== GLB_MAGIC)
    throw malformed('does not open with the header of a GLB file');
  const version = view.getUint32(4, true);
  if (version !== 2)
    throw new EngineError('FORMAT_UNSUPPORTED', `GLB version 2 is supported; the file's version is ${version}`);
  const chunks = new Map<number, Uint8Array>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    if (at + 8 + length > bytes.length)
      throw malformed(`is truncated: a chunk ends at byte ${at + 8 + length}, the file at ${bytes.length}`);
    const kind = view.getUint32(at + 4, true);
    if (!chunks.has(kind)) chunks.set(kind, bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  const json = chunks.get(JSON_CHUNK);
  if (json === undefined) throw malformed('has no JSON chunk');
  return { json, chunk: chunks.get(BIN_CHUNK) };
}

function parse(bytes: Uint8Array): JsonObject {
  try {
    return objectOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), 'content');
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw malformed(`is not valid JSON: ${messageOf(cause)}`, cause);
  }
}
