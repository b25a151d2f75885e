import type { HttpOptions } from './http-options.js';
import { TOLD_MS } from './body-room.js';
import { Problem } from './problem.js';
import { wholeResponse } from './whole-body.js';

/** How many bytes of answers may be held at a time. */
export type AnswerBounds = Pick<HttpOptions, 'heldAnswerBytes' | 'heldAnswerBytesPerUser'>;

/** Who has to take an answer. */
export interface Holder {
  /** Identifies the user, or the address of somebody who has not signed in. */
  readonly user: string;
  /** Its signal is aborted when the client goes away. */
  readonly request: Request;
}

interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller answers are not counted: they leave with one write. */
const SMALL_BYTES = 1 << 20;
/** What each answer's stream keeps. */
const requests = new WeakMap<ReadableStream, Request>();
/** Bytes of a large answer that are handed on at a time. */
const PIECE_BYTES = 1 << 18;

/**
 * The room for large answers that are whole in memory, such as converted files, from when they are made until the
 * client has taken them: clients that read slowly, or not at all, would otherwise hold any number of them.
 */
export class AnswerRoom {
  readonly #bounds: AnswerBounds;
  readonly #heldBy = new Map<string, number>();
  #held = 0;
  /** When an answer was last refused because of all that are held, ms. */
  #refusedAt = -Infinity;
  /** Gives back the room of answers that somebody dropped without reading or cancelling them. */
  readonly #dropped = new FinalizationRegistry<() => void>((leave) => leave());

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
  }

  /** Whether there was no room for an answer a moment ago. */
  get isOutOfRoom(): boolean {
    return performance.now() - this.#refusedAt < TOLD_MS;
  }

  /**
   * The answer. A large one counts until it has been read, cancelled, dropped or given up by its signal; a single one
   * always has room.
   * @throws Problem 503 when the room, or the share of the user, is taken.
   */
  response(body: string | Uint8Array, { status, headers }: AnswerHead, { user, request }: Holder): Response {
    // Nobody would read, and so give up, the body of a HEAD.
    if (request.method === 'HEAD' || Buffer.byteLength(body) <= SMALL_BYTES)
      return wholeResponse(body, { status, headers });
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const stream = this.#enter(bytes, user, request);
    return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } });
  }

  #enter(bytes: Uint8Array, user: string, request: Request): ReadableStream<Uint8Array> {
    const { length } = bytes;
    const { heldAnswerBytes, heldAnswerBytesPerUser } = this.#bounds;
    const own = this.#heldBy.get(user) ?? 0;
    const isFull = this.#held > 0 && this.#held + length > heldAnswerBytes;
    if (isFull) this.#refusedAt = performance.now();
    if (isFull || (own > 0 && own + length > heldAnswerBytesPerUser))
      throw new Problem(503, 'Answers that clients have not taken yet fill the memory that is meant for them.', {
        headers: { 'Retry-After': '5' },
      });
    this.#count(user, length);
    let isCounted = true;
    const { signal } = request;
    const leave = (): void => {
      if (isCounted) this.#count(user, -length);
      isCounted = false;
      signal.removeEventListener('abort', leave);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    let at = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(bytes.subarray(at, (at += PIECE_BYTES)));
          if (at < length) return;
          leave();
          controller.close();
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );
    // A signal is not told any more once its request has been collected: the request lasts as long as the answer.
    requests.set(stream, request);
    this.#dropped.register(stream, leave);
    return stream;
  }

  #count(user: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#heldBy.get(user) ?? 0) + bytes;
    if (own === 0) this.#heldBy.delete(user);
    else this.#heldBy.set(user, own);
  }
}
