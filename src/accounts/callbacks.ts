import { EngineError } from '../errors.js';
import type { AttemptOutcome, DueDelivery } from './tables/deliveries.js';
import { signatureOf } from './callback-settings.js';
import type { AccountParts } from './parts.js';
import { post, type Answer } from './post.js';

/** An upload that ended and carried a callback parameter. */
export interface CallbackEvent {
  readonly companyName: string;
  readonly fileUid: string;
  /** As the upload carried it. */
  readonly callbackParam: string;
}

/** Makes the JSON text to be sent. Undefined: there is nothing to tell any more (the file is gone). */
export type PayloadOf = (event: CallbackEvent) => Promise<string | undefined>;

/** Waits after the first, second, … failed attempt, s: three days in all (Standard Webhooks 1.0). */
const WAITS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000];
/**
 * Each wait is longer by up to this share of it, at random, so that deliveries that failed together are not all retried
 * at once.
 */
const JITTER = 0.1;
/** Longest time that a receiver may ask for, s. */
const RETRY_AFTER_LIMIT_S = 86_400;
/** The HTTP status of a receiver that wants no further attempts. */
const GONE = 410;

/** Callbacks on their way at a time, in all and of one company. */
const RUNNING_LIMIT = 16;
const RUNNING_OF_COMPANY_LIMIT = 4;
/** The clock may be set while a timer runs, so none runs longer than this, ms. */
const LOOK_EVERY_MS = 60_000;
/** How long the log keeps what has ended, ms. */
const LOG_KEPT_MS = 30 * 86_400_000;
const PAYLOAD_LIMIT = 4 * 1024 ** 2;
const PROBLEM_LIMIT = 500;

/**
 * Sends callbacks from the durable queue: at least once, signed, tried again until the receiver answers with 2xx. A
 * company whose receiver is slow holds up nobody else. Stopped at any time, it goes on with the next opening.
 * @internal
 */
export class Callbacks {
  readonly #parts: AccountParts;
  readonly #running = new Map<number, Promise<void>>();
  readonly #runningOf = new Map<number, number>();
  readonly #ended = new AbortController();
  #payloadOf: PayloadOf | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Begins to send, with payloads made so. */
  start(payloadOf: PayloadOf): void {
    this.#payloadOf = payloadOf;
    this.wake();
  }

  /** To be called when something may be due. */
  wake(): void {
    if (this.#payloadOf === undefined || this.#ended.signal.aborted) return;
    clearTimeout(this.#timer);
    const { store, options } = this.#parts;
    const now = options.now();
    for (const companyId of store.rooms.accounts.deliveries.companiesDue(now)) this.#startOf(companyId, now);
    const nextAt = store.rooms.accounts.deliveries.nextAt();
    if (nextAt === null) return;
    // What is due now and had no room goes out when something on its way ends.
    this.#timer = setTimeout(() => this.wake(), nextAt > now ? Math.min(nextAt - now, LOOK_EVERY_MS) : LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Sends what is due; resolves when each was tried. */
  async deliverDue(): Promise<void> {
    this.wake();
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Ends what is on its way; it stays due. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#ended.abort(new Error('the engine closes'));
    await Promise.all(this.#running.values());
  }

  #startOf(companyId: number, now: number): void {
    const own = this.#runningOf.get(companyId) ?? 0;
    const room = Math.min(RUNNING_LIMIT - this.#running.size, RUNNING_OF_COMPANY_LIMIT - own);
    if (room <= 0) return;
    // Those on their way are still due: `own` more than are wanted, to find the others among them.
    const waiting = this.#parts.store.rooms.accounts.deliveries
      .due(companyId, now, room + own)
      .filter(({ id }) => !this.#running.has(id))
      .slice(0, room);
    this.#runningOf.set(companyId, own + waiting.length);
    for (const delivery of waiting) this.#running.set(delivery.id, this.#run(companyId, delivery));
  }

  async #run(companyId: number, delivery: DueDelivery): Promise<void> {
    try {
      const outcome = await this.#attempt(delivery);
      if (outcome === undefined) return;
      const { store, options } = this.#parts;
      await store.commit(() => {
        store.rooms.accounts.deliveries.settle(delivery.id, outcome);
        store.rooms.accounts.deliveries.prune(options.now() - LOG_KEPT_MS);
      });
    } catch (cause) {
      // The disk refuses: the delivery stays due until the next look; a retry at once would never end.
      if (!(cause instanceof EngineError)) throw cause;
      return;
    } finally {
      this.#running.delete(delivery.id);
      const own = (this.#runningOf.get(companyId) ?? 1) - 1;
      if (own > 0) this.#runningOf.set(companyId, own);
      else this.#runningOf.delete(companyId);
    }
    this.wake();
  }

  /** Undefined: the engine closed meanwhile. */
  async #attempt(delivery: DueDelivery): Promise<AttemptOutcome | undefined> {
    const { companyName, fileUid, param, receiver } = delivery;
    let payload = delivery.payload;
    try {
      if (receiver === null)
        return this.#outcome(delivery, { payload, ends: true, problem: 'the company wants no callbacks any more' });
      payload ??= (await this.#payloadOf!({ companyName, fileUid, callbackParam: param })) ?? null;
      if (payload === null) return this.#outcome(delivery, { payload, ends: true, problem: 'the file is gone' });
      if (payload.length > PAYLOAD_LIMIT) {
        return this.#outcome(delivery, {
          payload: null,
          ends: true,
          problem: `the payload has ${payload.length} characters, allowed are ${PAYLOAD_LIMIT}`,
        });
      }
      const answer = await this.#send(delivery.uid, payload, receiver);
      return this.#outcome(delivery, { payload, ...verdictOn(answer), answer });
    } catch (cause) {
      if (this.#ended.signal.aborted) return undefined;
      return this.#outcome(delivery, { payload, ends: false, problem: sentenceOf(cause) });
    }
  }

  #send(id: string, body: string, { url, allow, secret }: NonNullable<DueDelivery['receiver']>): Promise<Answer> {
    const { callbackTimeoutMs, resolve, now } = this.#parts.options;
    const timestampS = Math.floor(now() / 1_000);
    return post({
      url: new URL(url),
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'shapedex',
        'webhook-id': id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': signatureOf(secret, { id, timestampS, body }),
      },
      allow,
      resolve,
      timeoutMs: callbackTimeoutMs,
      signal: this.#ended.signal,
    });
  }

  #outcome(
    { attempts }: DueDelivery,
    {
      payload,
      problem,
      ends,
      answer,
    }: { payload: string | null; problem: string | null; ends: boolean; answer?: Answer },
  ): AttemptOutcome {
    const now = this.#parts.options.now();
    const status = answer?.status ?? null;
    if (problem === null) return { state: 'delivered', status, problem, nextAt: 0, payload, now };
    const failed = { status, problem: problem.slice(0, PROBLEM_LIMIT), payload, now };
    const waitS = WAITS_S[attempts];
    if (ends || waitS === undefined) return { ...failed, state: 'failed', nextAt: 0 };
    const askedS = Math.min(answer?.retryAfterS ?? 0, RETRY_AFTER_LIMIT_S);
    return {
      ...failed,
      state: 'due',
      nextAt: Math.ceil(now + 1_000 * Math.max(askedS, waitS * (1 + JITTER * Math.random()))),
    };
  }
}

function verdictOn({ status }: Answer): { problem: string | null; ends: boolean } {
  if (status >= 200 && status < 300) return { problem: null, ends: true };
  if (status >= 300 && status < 400)
    return { problem: `the receiver answered ${status}; redirects are not followed`, ends: false };
  return { problem: `the receiver answered ${status}`, ends: status === GONE };
}

function sentenceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Several addresses that all refused come as one error without words.
  const { code } = cause as NodeJS.ErrnoException;
  return cause.message !== '' ? cause.message : (code ?? cause.name);
}
