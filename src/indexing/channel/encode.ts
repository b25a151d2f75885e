import { INLINE_BYTES, MOST_DEPTH, TAG } from './format.js';

/** Bytes that are read while they are sent; the receiver gets them as a `Uint8Array` of this length. */
export class StreamedBytes {
  readonly byteLength: number;
  /** Resolves with at most so many further bytes, or with none when there are no more. Must not reject. */
  readonly next: (atMost: number) => Promise<Uint8Array>;

  constructor({ byteLength, next }: Pick<StreamedBytes, 'byteLength' | 'next'>) {
    this.byteLength = byteLength;
    this.next = next;
  }
}

/** A message to be sent. */
export interface EncodedMessage {
  readonly head: Buffer;
  /** The larger byte arrays, as they were given, and those that are still to be read. */
  readonly arrays: readonly (Uint8Array | StreamedBytes)[];
}

/** @throws TypeError for a value of another kind; RangeError when it is nested too deeply. */
export function encode(value: unknown): EncodedMessage {
  const encoder = new Encoder();
  encoder.add(value, 0);
  return encoder.end();
}

class Encoder {
  #bytes = Buffer.allocUnsafeSlow(4_096);
  #end = 0;
  readonly #keys = new Map<string, number>();
  readonly #arrays: (Uint8Array | StreamedBytes)[] = [];

  end(): EncodedMessage {
    return { head: this.#bytes.subarray(0, this.#end), arrays: this.#arrays };
  }

  add(value: unknown, depth: number): void {
    if (depth > MOST_DEPTH) throw new RangeError(`a message is nested more than ${MOST_DEPTH} times`);
    switch (typeof value) {
      case 'boolean':
        return this.#tag(value ? TAG.true : TAG.false);
      case 'number':
        return this.#number(value);
      case 'string':
        this.#tag(TAG.string);
        return this.#string(value);
      case 'undefined': // In an array. A field of this value is not sent.
        return this.#tag(TAG.null);
      case 'object':
        return value === null ? this.#tag(TAG.null) : this.#object(value, depth + 1);
      default:
        throw new TypeError(`a message cannot hold a ${typeof value}`);
    }
  }

  #object(value: object, depth: number): void {
    if (value instanceof Uint8Array) return this.#byteArray(value);
    if (value instanceof StreamedBytes) return this.#streamed(value);
    if (Array.isArray(value)) {
      this.#tag(TAG.array);
      this.#length(value.length);
      for (const element of value) this.add(element, depth);
    } else if (value instanceof Map) {
      this.#tag(TAG.map);
      this.#length(value.size);
      for (const [key, element] of value) {
        this.add(key, depth);
        this.add(element, depth);
      }
    } else {
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null)
        throw new TypeError(`a message cannot hold a ${value.constructor.name}`);
      const fields = Object.entries(value).filter(([, field]) => field !== undefined);
      this.#tag(TAG.object);
      this.#length(fields.length);
      for (const [key, field] of fields) {
        this.#key(key);
        this.add(field, depth);
      }
    }
  }

  #byteArray(value: Uint8Array): void {
    const isInline = value.length <= INLINE_BYTES;
    this.#tag(isInline ? TAG.bytes : TAG.bytesAfter);
    this.#length(value.length);
    if (!isInline) return void this.#arrays.push(value);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#end);
    this.#end += value.length;
  }

  #streamed(value: StreamedBytes): void {
    if (value.byteLength <= INLINE_BYTES) throw new RangeError(`${value.byteLength} bytes are too few for a stream`);
    this.#tag(TAG.bytesAfter);
    this.#length(value.byteLength);
    this.#arrays.push(value);
  }

  #number(value: number): void {
    const isInteger = (value | 0) === value && !Object.is(value, -0);
    this.#tag(isInteger ? TAG.integer : TAG.double);
    this.#reserve(8);
    this.#end = isInteger ? this.#bytes.writeInt32LE(value, this.#end) : this.#bytes.writeDoubleLE(value, this.#end);
  }

  #key(key: string): void {
    const known = this.#keys.get(key);
    this.#length(known ?? this.#keys.size);
    if (known !== undefined) return;
    this.#keys.set(key, this.#keys.size);
    this.#string(key);
  }

  #string(text: string): void {
    const length = Buffer.byteLength(text);
    this.#length(length);
    this.#reserve(length);
    this.#end += this.#bytes.write(text, this.#end);
  }

  #tag(tag: (typeof TAG)[keyof typeof TAG]): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = tag;
  }

  #length(length: number): void {
    this.#reserve(8);
    let rest = length;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#end++] = (rest % 128) + 128;
    this.#bytes[this.#end++] = rest;
  }

  #reserve(count: number): void {
    const needed = this.#end + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}
