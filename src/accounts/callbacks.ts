import { EngineError } from '../errors.js';
import type { AttemptOutcome, DueDelivery } from './tables/deliveries.js';
import { signatureOf } from './callback-settings.js';
import type { AccountParts } from './parts.js';
import { post, type Answer } from './post.js';

/** A finished upload that carried a callback parameter. */
export interface CallbackEvent {
  readonly companyName: string;
  readonly fileUid: string;
  /** The callback parameter as the upload gave it. */
  readonly callbackParam: string;
}

/** Makes the JSON text to send. Undefined: the file no longer exists, so nothing is sent. */
export type PayloadOf = (event: CallbackEvent) => Promise<string | undefined>;

/** Delay after the first, second, … failed attempt, s; three days in total (Standard Webhooks 1.0). */
const WAITS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 72_000];
/**
 * Each delay is extended at random by up to this share of it, so that deliveries that failed together are not all
 * retried at the same time.
 */
const JITTER = 0.1;
/** Longest delay that a receiver may ask for, s. */
const RETRY_AFTER_LIMIT_S = 86_400;
/** HTTP status with which a receiver refuses further attempts. */
const GONE = 410;

/** Most deliveries at the same time: in total, and of one company. */
const RUNNING_LIMIT = 16;
const RUNNING_OF_COMPANY_LIMIT = 4;
/**
 * Longest timer, ms. The system clock may be changed while a timer runs, so the time is checked at least this often.
 */
const LOOK_EVERY_MS = 60_000;
/** How long the log keeps finished deliveries, ms. */
const LOG_KEPT_MS = 30 * 86_400_000;
const PAYLOAD_LIMIT = 4 * 1024 ** 2;
const PROBLEM_LIMIT = 500;

/**
 * Sends callbacks from the durable queue: at least once, signed, retried until the receiver answers with 2xx. A slow
 * receiver of one company does not delay the others. Sending may be interrupted at any time; it continues when the
 * library is opened again.
 * @internal
 */
export class Callbacks {
  readonly #parts: AccountParts;
  readonly #running = new Map<number, Promise<void>>();
  readonly #runningOf = new Map<number, number>();
  readonly #ended = new AbortController();
  #payloadOf: PayloadOf | undefined;
  #isWoken = false;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Starts sending, with payloads made by `payloadOf`. */
  start(payloadOf: PayloadOf): void {
    this.#payloadOf = payloadOf;
    this.wake();
  }

  /** Call this when a delivery may be due. */
  wake(): void {
    if (this.#payloadOf === undefined || this.#ended.signal.aborted) return;
    this.#isWoken = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#isWoken) this.wake();
    });
  }

  /** Sends the due deliveries; resolves when each was tried once. */
  async deliverDue(): Promise<void> {
    this.wake();
    while (this.#looking !== undefined || this.#running.size > 0)
      await Promise.all([this.#looking, ...this.#running.values()]);
  }

  /** Aborts running deliveries; they stay due. */
  async close(): Promise<void> {
    this.#ended.abort(new Error('the engine closes'));
    clearTimeout(this.#timer);
    await Promise.all([this.#looking, ...this.#running.values()]);
  }

  /** Starts what is due, once for all calls of {@link wake} that come in the meantime, and sets the timer. */
  async #look(): Promise<void> {
    const { deliveries } = this.#parts.store.rooms.accounts;
    let nextAt: number | null = null;
    try {
      while (this.#isWoken && !this.#ended.signal.aborted) {
        this.#isWoken = false;
        const now = this.#parts.options.now();
        for (const companyId of await deliveries.companiesDue(now)) await this.#startOf(companyId, now);
        nextAt = await deliveries.nextAt();
      }
    } catch (cause) {
      // The queue could not be read: it is looked at again at the next timer.
      if (!(cause instanceof EngineError)) throw cause;
      nextAt = Infinity;
    }
    clearTimeout(this.#timer);
    if (nextAt === null || this.#ended.signal.aborted) return;
    // Due deliveries that exceed the limits are sent when a running one ends.
    const waitMs = nextAt - this.#parts.options.now();
    this.#timer = setTimeout(() => this.wake(), waitMs > 0 ? Math.min(waitMs, LOOK_EVERY_MS) : LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async #startOf(companyId: number, now: number): Promise<void> {
    const own = this.#runningOf.get(companyId) ?? 0;
    if (this.#roomFor(companyId) <= 0) return;
    // Running deliveries are still in the list of due ones, so `own` more are requested and the running ones filtered
    // out.
    const due = await this.#parts.store.rooms.accounts.deliveries.due(companyId, now, RUNNING_OF_COMPANY_LIMIT + own);
    const waiting = due.filter(({ id }) => !this.#running.has(id)).slice(0, this.#roomFor(companyId));
    if (waiting.length === 0 || this.#ended.signal.aborted) return;
    this.#runningOf.set(companyId, (this.#runningOf.get(companyId) ?? 0) + waiting.length);
    for (const delivery of waiting) this.#running.set(delivery.id, this.#run(companyId, delivery));
  }

  /** How many more deliveries of a company may run now. */
  #roomFor(companyId: number): number {
    const own = this.#runningOf.get(companyId) ?? 0;
    return Math.max(0, Math.min(RUNNING_LIMIT - this.#running.size, RUNNING_OF_COMPANY_LIMIT - own));
  }

  async #run(companyId: number, delivery: DueDelivery): Promise<void> {
    try {
      const outcome = await this.#attempt(delivery);
      if (outcome === undefined) return;
      const { store, options } = this.#parts;
      await store.rooms.accounts.deliveries.settle(delivery.id, outcome, options.now() - LOG_KEPT_MS);
    } catch (cause) {
      // The result could not be written: the delivery stays due until the next timer. Retrying at once could loop
      // forever.
      if (!(cause instanceof EngineError)) throw cause;
      return;
    } finally {
      // A look that began before this attempt was recorded still counts it as due, and must not start it again.
      while (this.#looking !== undefined) await this.#looking;
      this.#running.delete(delivery.id);
      const own = (this.#runningOf.get(companyId) ?? 1) - 1;
      if (own > 0) this.#runningOf.set(companyId, own);
      else this.#runningOf.delete(companyId);
    }
    this.wake();
  }

  /** Undefined: the engine was closed in the meantime. */
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
  // When several addresses all refuse the connection, Node reports one AggregateError with an empty message.
  const { code } = cause as NodeJS.ErrnoException;
  return cause.message !== '' ? cause.message : (code ?? cause.name);
}
