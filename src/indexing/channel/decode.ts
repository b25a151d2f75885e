import { INLINE_BYTES, MOST_DEPTH, TAG } from './format.js';

/** What the head of a message may cost its receiver. */
export interface HeadBounds {
  /** Estimated memory of the decoded values, bytes. */
  readonly heapBytes: number;
  /** All byte arrays together, bytes. */
  readonly arrayBytes: number;
}

/** A message whose larger byte arrays have yet to be filled, in order. */
export interface DecodedMessage {
  readonly value: unknown;
  readonly arrays: readonly Uint8Array[];
}

/** Estimated memory of a value, and of an array, object or map beside its values: what V8 takes at most, bytes. */
const VALUE_BYTES = 16;
const CONTAINER_BYTES = 64;

/**
 * Decodes a head that anybody may have made: it costs no more memory than `bounds`, and nothing but plain values comes
 * of it.
 * @throws RangeError when it passes a bound; TypeError when it is malformed.
 */
export function decode(head: Uint8Array, bounds: HeadBounds): DecodedMessage {
  const decoder = new Decoder(head, bounds);
  const value = decoder.next(0);
  decoder.end();
  return { value, arrays: decoder.arrays };
}

class Decoder {
  readonly arrays: Uint8Array[] = [];
  readonly #bytes: Buffer;
  readonly #keys: string[] = [];
  readonly #bounds: HeadBounds;
  #at = 0;
  #heapBytes = 0;
  #arrayBytes = 0;

  constructor(head: Uint8Array, bounds: HeadBounds) {
    this.#bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
    this.#bounds = bounds;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new TypeError('a message goes on after its end');
  }

  next(depth: number): unknown {
    if (depth > MOST_DEPTH) throw new RangeError(`a message is nested more than ${MOST_DEPTH} times`);
    this.#cost(VALUE_BYTES);
    const tag: number = this.#bytes[this.#take(1)];
    switch (tag) {
      case TAG.null:
        return null;
      case TAG.false:
        return false;
      case TAG.true:
        return true;
      case TAG.integer:
        return this.#bytes.readInt32LE(this.#take(4));
      case TAG.double:
        return this.#bytes.readDoubleLE(this.#take(8));
      case TAG.string:
        return this.#string();
      case TAG.bytes:
        return this.#inlineBytes();
      case TAG.bytesAfter:
        return this.#bytesAfter();
      case TAG.array:
        return this.#array(depth + 1);
      case TAG.object:
        return this.#object(depth + 1);
      case TAG.map:
        return this.#map(depth + 1);
      default:
        throw new TypeError(`a message has a value of kind ${tag}`);
    }
  }

  #array(depth: number): unknown[] {
    const length = this.#count();
    const array: unknown[] = [];
    for (let i = 0; i < length; i++) array.push(this.next(depth));
    return array;
  }

  #object(depth: number): Record<string, unknown> {
    const length = this.#count();
    const object: Record<string, unknown> = {};
    for (let i = 0; i < length; i++) {
      const key = this.#key();
      object[key] = this.next(depth);
    }
    return object;
  }

  #map(depth: number): Map<unknown, unknown> {
    const length = this.#count();
    const map = new Map<unknown, unknown>();
    for (let i = 0; i < length; i++) {
      this.#cost(CONTAINER_BYTES); // A place in its table.
      const key = this.next(depth);
      map.set(key, this.next(depth));
    }
    return map;
  }

  /** A number of values that follow: each takes a byte at least. */
  #count(): number {
    this.#cost(CONTAINER_BYTES);
    const count = this.#length();
    if (count > this.#bytes.length - this.#at) throw new TypeError('a message is cut off');
    return count;
  }

  #key(): string {
    const number = this.#length();
    if (number < this.#keys.length) return this.#keys[number];
    if (number > this.#keys.length) throw new TypeError(`a message has no key ${number}`);
    this.#cost(CONTAINER_BYTES); // Objects with many keys are tables.
    const key = this.#string();
    if (key === '__proto__') throw new TypeError('a message has the key __proto__');
    this.#keys.push(key);
    return key;
  }

  #string(): string {
    const length = this.#length();
    this.#cost(length * 2);
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  #inlineBytes(): Uint8Array {
    const length = this.#length();
    this.#costArray(length);
    const from = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(from, from + length));
  }

  #bytesAfter(): Uint8Array {
    const length = this.#length();
    this.#costArray(length);
    // Otherwise very many empty ones could be announced.
    if (length <= INLINE_BYTES) throw new TypeError(`a message has ${length} bytes outside its head`);
    // Large buffers take no memory before they are written to.
    const array = new Uint8Array(length);
    this.arrays.push(array);
    return array;
  }

  #length(): number {
    let length = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#take(1)];
      length += (byte % 128) * factor;
      if (!Number.isSafeInteger(length)) throw new TypeError('a message has a length beyond 2^53');
      if (byte < 128) return length;
    }
  }

  #take(length: number): number {
    const from = this.#at;
    if (length > this.#bytes.length - from) throw new TypeError('a message is cut off');
    this.#at = from + length;
    return from;
  }

  #cost(heapBytes: number): void {
    this.#heapBytes += heapBytes;
    if (this.#heapBytes > this.#bounds.heapBytes)
      throw new RangeError(`a message takes more than ${this.#bounds.heapBytes} bytes of memory`);
  }

  #costArray(length: number): void {
    this.#cost(CONTAINER_BYTES * 2);
    this.#arrayBytes += length;
    if (this.#arrayBytes > this.#bounds.arrayBytes)
      throw new RangeError(`a message brings ${this.#arrayBytes} bytes, allowed are ${this.#bounds.arrayBytes}`);
  }
}
