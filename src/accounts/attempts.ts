import { EngineError } from '../errors.js';
import type { AttemptDoor, CountedAttempts } from '../store/catalogue.js';
import { busy, type Turns } from './turns.js';

/** Times after which somebody who waits for attempts of other processes looks again, ms: twice as long each time. */
const LOOK_MS = { first: 100, longest: 800 };
/** Longest time for which somebody waits for attempts of others; a process may have died in one, ms. */
const ASIDE_MS = 10_000;
/** Most who wait so at a time. */
const ASIDE_LIMIT = 256;
/** Longest exponent of a growing delay. */
const DOUBLINGS_LIMIT = 30;

/** A key and what it may do. */
export interface AttemptLimit {
  readonly key: string;
  /** Failures within the window after which attempts are refused, or delayed. */
  readonly failures: number;
  /**
   * Absent: refused until the window ends. Given: each further attempt must wait after the failure before it, 1 s at
   * first, twice as long after each failure, at most this many seconds.
   */
  readonly delayS?: number;
}

/** An attempt that runs; one of its methods is called once. */
export interface Attempt {
  /** Forgets the failures of the first key; the other keys keep theirs. */
  succeed(): Promise<void>;
  fail(): Promise<void>;
  /** It came to no result: it counts as nothing. */
  cancel(): Promise<void>;
}

/** When and for what an attempt is made: see {@link Turns.run}. */
export interface AttemptTurn {
  readonly turns: Turns;
  readonly network: string | undefined;
  readonly limits: readonly AttemptLimit[];
  readonly signal?: AbortSignal;
}

/**
 * Counts failed attempts by key (a name, a network) within a time window that begins with the first failure. Attempts
 * that run may still fail: as many run at a time as a key has failures left, the others wait for them.
 */
export class Attempts {
  readonly #windowMs: number;
  readonly #door: AttemptDoor;
  readonly #now: () => number;
  /** Who waits for attempts of this process to end. */
  readonly #waiting = new Set<() => void>();
  /** How many have waited for attempts of others and have none yet. */
  #aside = 0;

  /** now: the time, ms since 1970, where the processes of the library have none together. */
  constructor({ windowMs, door, now }: { windowMs: number; door: AttemptDoor; now: () => number }) {
    this.#windowMs = windowMs;
    this.#door = door;
    this.#now = now;
  }

  /**
   * Refuses at once what {@link begin} would refuse now.
   * @throws EngineError `RATE_LIMITED`.
   */
  check(limits: readonly AttemptLimit[]): Promise<void> {
    return this.#update(keysOf(limits), (counted, now) => refuse(limits, counted, now));
  }

  /**
   * Begins an attempt, once no running one can use up what its keys have left.
   * @throws EngineError `RATE_LIMITED` when a key has reached its limit of failures, and with `details.reason` 'busy'
   * when running ones do not end.
   */
  async begin(limits: readonly AttemptLimit[]): Promise<Attempt> {
    return this.#onceFree(() => this.#begun(limits));
  }

  /**
   * Does work with an attempt once it is its turn and the attempt may begin. Who waits for running attempts holds no
   * turn, so that others, whose keys are free, are not kept waiting by a process that died in an attempt.
   * @throws EngineError as {@link begin} and {@link Turns.run}.
   */
  async inTurn<T>({ turns, network, limits, signal }: AttemptTurn, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { done } = await this.#onceFree(() =>
      turns.run(
        network,
        async () => {
          const attempt = await this.#begun(limits);
          return attempt && { done: await work(attempt) };
        },
        signal,
      ),
    );
    return done;
  }

  /** Tries until there is a result, each time after others may have ended. */
  async #onceFree<T>(once: () => Promise<T | undefined>): Promise<T> {
    let done = await once();
    if (done !== undefined) return done;
    if (this.#aside >= ASIDE_LIMIT) throw busy();
    this.#aside++;
    try {
      const until = performance.now() + ASIDE_MS;
      for (let lookMs = LOOK_MS.first; ; lookMs = Math.min(LOOK_MS.longest, 2 * lookMs)) {
        await this.#oneEnds(lookMs);
        done = await once();
        if (done !== undefined) return done;
        if (performance.now() >= until) throw busy();
      }
    } finally {
      this.#aside--;
    }
  }

  /** An attempt; undefined when running ones could use up what its keys have left. */
  async #begun(limits: readonly AttemptLimit[]): Promise<Attempt | undefined> {
    const keys = keysOf(limits);
    const begun = await this.#update(keys, (counted, now) => {
      refuse(limits, counted, now);
      const isFull = counted.some(
        ({ running, failures }, at) => running >= Math.max(1, limits[at].failures - failures),
      );
      if (!isFull) for (const one of counted) one.running++;
      return !isFull;
    });
    if (!begun) return undefined;
    const end = async (change?: (counted: readonly CountedAttempts[], now: number) => void): Promise<void> => {
      try {
        await this.#update(keys, (counted, now) => {
          for (const one of counted) one.running = Math.max(0, one.running - 1); // It may have been taken for dead.
          change?.(counted, now);
        });
      } finally {
        for (const next of this.#waiting) next();
      }
    };
    return {
      cancel: () => end(),
      fail: () => end((counted, now) => counted.forEach((one) => this.#fail(one, now))),
      succeed: () =>
        end(([first]) => {
          first.failures = 0;
        }),
    };
  }

  /** Counts for a key without an attempt. @throws EngineError `RATE_LIMITED`, and then counts nothing. */
  count(limit: AttemptLimit): Promise<void> {
    return this.#update([limit.key], (counted, now) => {
      refuse([limit], counted, now);
      this.#fail(counted[0], now);
    });
  }

  #fail(counted: CountedAttempts, now: number): void {
    if (counted.failures === 0) counted.until = now + this.#windowMs;
    counted.failures++;
    counted.lastFailureAt = now;
  }

  /** Changes the counts of keys; those of a window that has ended begin anew. */
  #update<T>(keys: readonly string[], change: (counted: readonly CountedAttempts[], now: number) => T): Promise<T> {
    return this.#door.update(keys, (counted, shared) => {
      const now = shared ?? this.#now();
      for (const one of counted) if (one.until <= now) one.failures = 0;
      return change(counted, now);
    });
  }

  /** Resolves when an attempt of this process ends, or one of another may have. */
  #oneEnds(lookMs: number): Promise<void> {
    return new Promise((resolve) => {
      const next = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(next);
        resolve();
      };
      const timer = setTimeout(next, lookMs);
      this.#waiting.add(next);
    });
  }
}

function keysOf(limits: readonly AttemptLimit[]): string[] {
  return limits.map(({ key }) => key);
}

/** @throws EngineError `RATE_LIMITED` for the first key that may not attempt now. */
function refuse(limits: readonly AttemptLimit[], counted: readonly CountedAttempts[], now: number): void {
  for (const [at, limit] of limits.entries()) {
    const waitMs = waitMsOf(counted[at], limit, now);
    if (waitMs <= 0) continue;
    const retryAfterS = Math.ceil(waitMs / 1_000);
    throw new EngineError('RATE_LIMITED', `too many failed attempts; try again in ${retryAfterS} s`, {
      details: { retryAfterS },
    });
  }
}

/** Time until the key may attempt again, ms; 0 or less: now. */
function waitMsOf(
  { failures, until, lastFailureAt }: CountedAttempts,
  { failures: allowed, delayS }: AttemptLimit,
  now: number,
): number {
  if (failures < allowed) return 0;
  if (delayS === undefined) return until - now;
  return lastFailureAt + 1_000 * Math.min(delayS, 2 ** Math.min(failures - allowed, DOUBLINGS_LIMIT)) - now;
}
