import type { Socket } from 'node:net';
import { messageOf } from '../../errors.js';
import { decode, type HeadBounds } from './decode.js';
import { encode, StreamedBytes } from './encode.js';

/** What the next message may cost. */
export interface MessageBounds extends HeadBounds {
  /** The head as it comes, bytes. */
  readonly headBytes: number;
}

/** For a side that trusts the other one. */
export const UNBOUNDED: MessageBounds = Object.freeze({
  headBytes: Infinity,
  heapBytes: Infinity,
  arrayBytes: Infinity,
});

/** File descriptor of the channel in a reading process. */
export const CHANNEL_FD = 3;

/** Bytes written at a time. The other side empties the pipe meanwhile, and this one answers its callers. */
const PIECE_BYTES = 1 << 18;
/** Bytes before the head: its length. */
const LENGTH_BYTES = 6;

/**
 * Messages over a pipe in both directions. Not Node's own channel between processes: its messages can act on the
 * receiver's handles, and malformed ones end the receiver, so a reading process that a file has taken over could end
 * its host. Here the other side is not believed: what cannot be decoded, or passes a bound, breaks the channel and is
 * told.
 *
 * A message is the length of its head, the head, and the byte arrays that the head announces, see `format.ts`.
 */
export class Channel {
  /** Called with each message. */
  onMessage: ((message: unknown) => void) | undefined;
  /** Called once if something that is no message came, and why it is none. Nothing is read after that. */
  onBroken: ((why: string) => void) | undefined;
  /** Undefined: no message may come. */
  allowed: MessageBounds | undefined;
  /** Resolves when the other side has ended, and all that it sent has been told. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #length = new Uint8Array(LENGTH_BYTES);
  readonly #whenFull = [(): void => this.#headFollows(), (): void => this.#decode(), (): void => this.#arrayFollows()];
  /** What is being filled, up to where, and its place in the message: length, head, arrays. */
  #filling = this.#length as Uint8Array;
  #filled = 0;
  #place: 0 | 1 | 2 = 0;
  #arrays: readonly Uint8Array[] = [];
  #nextArray = 0;
  #value: unknown;
  #isBroken = false;
  #sending: Promise<void> = Promise.resolve();
  #unsent = 0;

  constructor(socket: Socket, allowed?: MessageBounds) {
    this.#socket = socket;
    this.allowed = allowed;
    this.ended = new Promise((resolve) => {
      // A message that is cut off is none: how the other side ended tells why.
      socket.on('end', () => resolve());
      socket.on('close', () => resolve());
    });
    // A side that has ended: `ended` tells.
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Uint8Array) => this.#hear(bytes));
  }

  /** Number of messages that have not left this process. */
  get unsent(): number {
    return this.#unsent;
  }

  /**
   * Resolves when the message has left this process, or the other side has ended. Byte arrays are not copied: they must
   * not change before.
   * @throws TypeError, RangeError when the value cannot be sent.
   */
  send(value: unknown): Promise<void> {
    const { head, arrays } = encode(value);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUIntLE(head.length, 0, LENGTH_BYTES);
    this.#unsent++;
    this.#sending = this.#sending
      .then(() => this.#write([Buffer.concat([length, head]), ...arrays]))
      .finally(() => this.#unsent--);
    return this.#sending;
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** Nothing is sent or told any more. */
  close(): void {
    this.#isBroken = true;
    this.#socket.destroy();
  }

  async #write(chunks: readonly (Uint8Array | StreamedBytes)[]): Promise<void> {
    for (const chunk of chunks) {
      if (chunk instanceof StreamedBytes) {
        await this.#writeStream(chunk);
        continue;
      }
      for (let at = 0; at < chunk.length && !this.#socket.destroyed; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        await new Promise<void>((resolve) => this.#socket.write(piece, () => resolve()));
        // A pipe that is emptied as fast as it is filled would leave no time for anybody else.
        if (chunk.length > PIECE_BYTES) await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  /** Zeros stand for bytes that could not be read, so that the message keeps its form. */
  async #writeStream(streamed: StreamedBytes): Promise<void> {
    const { byteLength } = streamed;
    let hasMore = true;
    for (let at = 0; at < byteLength && !this.#socket.destroyed; ) {
      const atMost = Math.min(PIECE_BYTES, byteLength - at);
      const read: Uint8Array = hasMore ? await streamed.next(atMost) : new Uint8Array(atMost);
      hasMore = read.length > 0;
      at += read.length;
      await new Promise<void>((resolve) => this.#socket.write(read, () => resolve()));
    }
  }

  #hear(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#isBroken) {
      if (this.allowed === undefined) return this.#break('nothing was asked');
      const count = Math.min(bytes.length - at, this.#filling.length - this.#filled);
      this.#filling.set(bytes.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === this.#filling.length) this.#whenFull[this.#place]();
    }
  }

  #headFollows(): void {
    const length = Buffer.from(this.#length.buffer).readUIntLE(0, LENGTH_BYTES);
    const { headBytes } = this.allowed!;
    if (length === 0) return this.#break('it is empty');
    if (length > headBytes) return this.#break(`it has ${length} bytes, allowed are ${headBytes}`);
    try {
      this.#fill(Buffer.allocUnsafeSlow(length), 1);
    } catch (cause) {
      this.#break(messageOf(cause));
    }
  }

  #decode(): void {
    try {
      ({ value: this.#value, arrays: this.#arrays } = decode(this.#filling, this.allowed!));
      this.#nextArray = 0;
    } catch (cause) {
      return this.#break(messageOf(cause));
    }
    this.#arrayFollows();
  }

  #arrayFollows(): void {
    const next = this.#arrays[this.#nextArray++];
    if (next !== undefined) return this.#fill(next, 2);
    const value = this.#value;
    this.#value = undefined;
    this.#arrays = [];
    this.#fill(this.#length, 0);
    this.onMessage?.(value);
  }

  #fill(bytes: Uint8Array, place: 0 | 1 | 2): void {
    this.#filling = bytes;
    this.#filled = 0;
    this.#place = place;
  }

  #break(why: string): void {
    if (this.#isBroken) return;
    this.close();
    this.onBroken?.(why);
  }
}
