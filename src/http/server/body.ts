import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Seat } from './body-room.js';
import type { HttpOptions } from './http-options.js';
import { ByteList } from './byte-list.js';
import { badField, Problem } from './problem.js';

/** Bounds on the size and speed of a body. */
export type BodyBounds = Pick<HttpOptions, 'bodyIdleMs' | 'bodyRate' | 'unauthenticatedIdleMs'>;

/** The body of one request. It is read at most once and refused when it exceeds the bounds. */
export class RequestBody {
  readonly #request: Request;
  readonly #bounds: BodyBounds;
  #bytesRead = 0;
  #seat: Seat | undefined;
  #ended: boolean;

  constructor(request: Request, bounds: BodyBounds) {
    this.#request = request;
    this.#bounds = bounds;
    this.#ended = request.body === null;
  }

  /** Bytes read so far. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Takes its place among the bodies that are read. */
  sit(seat: Seat): void {
    this.#seat = seat;
  }

  /** Whether it was read completely. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the request has a body that is not empty by its headers. */
  get present(): boolean {
    return this.#request.body !== null && this.#request.headers.get('content-length') !== '0';
  }

  /**
   * Its bytes as they arrive. A declared length is checked before anything is read.
   * @throws Problem 413 above `limit` bytes, 408 when it stops or comes too slowly, 400 when the sender goes away.
   */
  async *stream(limit: number): AsyncGenerator<Uint8Array, void, void> {
    const declared = this.#request.headers.get('content-length');
    if (declared !== null && Number(declared) > limit) throw tooLarge(limit, declared);
    if (this.#request.body === null) return;
    const reader = this.#request.body.getReader();
    const startedAt = performance.now();
    try {
      for (;;) {
        const { done, value } = await this.#next(reader, startedAt);
        if (done) break;
        this.#bytesRead += value.length;
        if (this.#seat !== undefined) this.#seat.heardAt = performance.now();
        if (this.#bytesRead > limit) throw tooLarge(limit, `at least ${this.#bytesRead}`);
        yield value;
      }
      this.#ended = true;
      // A form takes no room once it is read; an upload does until it is answered.
      if (this.#seat?.user === undefined) this.#seat?.leave();
    } finally {
      // The rest is not needed. Cancelling fails when the sender has gone, which has no effect here.
      if (!this.#ended) void reader.cancel().catch(() => undefined);
    }
  }

  /**
   * {@link stream} for who keeps what arrives: it counts among the bytes that are held, until the request is answered.
   * @throws Problem as {@link stream}; 503 when too many are held.
   */
  async *held(limit: number): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of this.stream(limit)) {
      this.#seat?.hold(chunk.length);
      yield chunk;
    }
  }

  /**
   * The whole body in memory.
   * @throws Problem as {@link held}.
   */
  async bytes(limit: number): Promise<Uint8Array> {
    const bytes = new ByteList();
    for await (const chunk of this.held(limit)) bytes.append(chunk);
    return bytes.whole();
  }

  async #next(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    startedAt: number,
  ): Promise<ReadableStreamReadResult<Uint8Array>> {
    const { bodyRate } = this.#bounds;
    const seat = this.#seat;
    const isUnknown = seat !== undefined && seat.user === undefined;
    const { bodyIdleMs, unauthenticatedIdleMs } = this.#bounds;
    const idleMs = isUnknown ? Math.min(bodyIdleMs, unauthenticatedIdleMs) : bodyIdleMs;
    const deadline = startedAt + idleMs + (1000 * this.#bytesRead) / bodyRate;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await Promise.race([
        reader.read(),
        new Promise<never>((_, reject) => {
          if (seat !== undefined) seat.onLost = () => reject(lost());
          const waitMs = Math.max(0, Math.min(idleMs, deadline - performance.now()));
          timer = setTimeout(
            () => reject(new Problem(408, 'The body came too slowly.', { headers: { Connection: 'close' } })),
            waitMs,
          );
        }),
      ]);
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      throw new Problem(400, 'The body ended early.', { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

function lost(): Problem {
  return new Problem(503, 'The body was silent while others waited.', {
    headers: { Connection: 'close', 'Retry-After': '1' },
  });
}

function tooLarge(limit: number, found: string): Problem {
  return new Problem(413, `The body has ${found} bytes, allowed are ${limit}.`, {
    errors: { body: [`must have at most ${limit} bytes`] },
    headers: { Connection: 'close' },
  });
}

/** Unpacks gzip as it arrives. @throws Problem 400 for bytes that are not gzip. */
export async function* gunzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const gunzip = createGunzip();
  pipeline(Readable.from(source, { objectMode: false }), gunzip, () => undefined); // The loop below throws its error.
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    if (String((cause as { code?: unknown }).code).startsWith('Z_'))
      throw badField('body', `must be gzip, as isGZipCompressed says: ${(cause as Error).message}`);
    throw cause;
  } finally {
    gunzip.destroy();
  }
}

/** Unpacks gzip piece by piece, to at most `limit` bytes. @throws Problem 400, 413. */
export async function* gunzippedWithin(bytes: Uint8Array, limit: number): AsyncGenerator<Uint8Array, void, void> {
  let length = 0;
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  for await (const chunk of gunzipped(once())) {
    length += chunk.length;
    if (length > limit)
      throw new Problem(413, `An input unpacks to more than ${limit} bytes.`, {
        errors: { body: [`must unpack to at most ${limit} bytes`] },
      });
    yield chunk;
  }
}
