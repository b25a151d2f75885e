import { EngineError } from '../errors.js';

/** Most keys that are remembered; the oldest are forgotten first. */
const KEYS_LIMIT = 100_000;
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
  succeed(): void;
  fail(): void;
  /** It came to no result: it counts as nothing. */
  cancel(): void;
}

interface Counted {
  failures: number;
  /** End of the window, ms since 1970. */
  until: number;
  lastFailureAt: number;
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Counts failed attempts by key (a name, a network) within a time window that begins with the first failure. Attempts
 * that run may still fail: as many run at a time as a key has failures left, the others wait for them. Kept in memory:
 * a new process starts from zero, and an attack causes no writes.
 */
export class Attempts {
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #keys = new Map<string, Counted>();

  constructor({ windowMs, now }: { windowMs: number; now: () => number }) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /**
   * Refuses at once what {@link begin} would refuse now.
   * @throws EngineError `RATE_LIMITED`.
   */
  check(limits: readonly AttemptLimit[]): void {
    const now = this.#now();
    for (const limit of limits) {
      const known = this.#known(limit.key, now);
      const waitMs = known === undefined ? 0 : waitMsOf(known, limit, now);
      if (waitMs <= 0) continue;
      const retryAfterS = Math.ceil(waitMs / 1_000);
      throw new EngineError('RATE_LIMITED', `too many failed attempts; try again in ${retryAfterS} s`, {
        details: { retryAfterS },
      });
    }
  }

  /**
   * Begins an attempt, once no running one can use up what its keys have left.
   * @throws EngineError `RATE_LIMITED` when a key has reached its limit of failures.
   */
  async begin(limits: readonly AttemptLimit[]): Promise<Attempt> {
    for (;;) {
      this.check(limits);
      const full = limits
        .map((limit) => ({ ...limit, counted: this.#of(limit.key) }))
        .find(({ failures, counted }) => counted.running >= Math.max(1, failures - counted.failures));
      if (full === undefined) break;
      await new Promise<void>((resolve) => full.counted.waiting.push(resolve));
    }
    const keys = limits.map(({ key }) => ({ key, counted: this.#of(key) }));
    for (const { counted } of keys) counted.running++;
    const end = (): void => {
      for (const { key, counted } of keys) {
        counted.running--;
        for (const next of counted.waiting.splice(0)) next();
        if (counted.running === 0 && counted.failures === 0) this.#keys.delete(key);
      }
    };
    return {
      cancel: end,
      fail: () => {
        limits.forEach(({ key }) => this.#fail(key));
        end();
      },
      succeed: () => {
        keys[0].counted.failures = 0;
        end();
      },
    };
  }

  /** Counts for a key without an attempt. */
  count(key: string): void {
    this.#fail(key);
  }

  #fail(key: string): void {
    const now = this.#now();
    const counted = this.#of(key);
    if (counted.failures === 0) counted.until = now + this.#windowMs;
    counted.failures++;
    counted.lastFailureAt = now;
  }

  #known(key: string, now: number): Counted | undefined {
    const known = this.#keys.get(key);
    if (known !== undefined && known.failures > 0 && known.until <= now) known.failures = 0;
    return known;
  }

  #of(key: string): Counted {
    const known = this.#known(key, this.#now());
    if (known !== undefined) return known;
    const made: Counted = { failures: 0, until: 0, lastFailureAt: 0, running: 0, waiting: [] };
    this.#keys.set(key, made);
    if (this.#keys.size > KEYS_LIMIT) this.#keys.delete(this.#keys.keys().next().value as string);
    return made;
  }
}

/** Time until the key may attempt again, ms; 0 or less: now. */
function waitMsOf(
  { failures, until, lastFailureAt }: Counted,
  { failures: allowed, delayS }: AttemptLimit,
  now: number,
): number {
  if (failures < allowed) return 0;
  if (delayS === undefined) return until - now;
  return lastFailureAt + 1_000 * Math.min(delayS, 2 ** Math.min(failures - allowed, DOUBLINGS_LIMIT)) - now;
}
