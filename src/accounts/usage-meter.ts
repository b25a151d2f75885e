import { checkInteger } from '../options.js';
import { USAGE_COUNTERS, type FileCounts, type Plan, type UsageCounter } from './tables/usage.js';
import { companyOf, type AccountParts } from './parts.js';

/** A company's usage in one calendar month (UTC). */
export interface MonthlyUsage extends Plan {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** First and last day, at 00:00 UTC. */
  readonly firstDay: Date;
  readonly lastDay: Date;
  /** True: the current month, up to now. False: a past month as it ended. */
  readonly live: boolean;
  readonly files: FileCounts;
  /** Null when there is no limit; never below 0. */
  readonly remainingFiles: number | null;
  readonly tokens: Readonly<Record<UsageCounter | 'total', number>>;
  /** Null when there is no limit; never below 0. */
  readonly remainingTokens: number | null;
}

/** Delay between the first count and the write, ms: one commit holds many counts. */
const FLUSH_AFTER_MS = 1_000;
/**
 * Longest timer, ms. The system clock may be changed while a timer runs, so the time is checked at least this often.
 */
const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Pending {
  readonly companyId: number;
  readonly month: number;
  readonly counter: UsageCounter;
  amount: number;
}

/**
 * Counts what companies use. Amounts are visible at once and written together, within about a second. At the end of a
 * month the numbers of files and the plan are stored. If the engine was closed at that time, they are stored at the
 * next opening; nothing can have changed in between.
 * @internal
 */
export class UsageMeter {
  readonly #parts: AccountParts;
  readonly #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;
  #flushNow: (() => void) | undefined;
  /** All months before this one are stored. */
  #current = -1;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Stores the months that have ended since the last run and starts the timer for the next. */
  async start(): Promise<void> {
    await this.#endMonths();
    this.#watch();
  }

  count(company: string, counter: UsageCounter, amount: number): Promise<void> {
    const { id: companyId } = companyOf(this.#parts, company);
    if (!USAGE_COUNTERS.includes(counter))
      throw new RangeError(`counter must be one of ${USAGE_COUNTERS.join(', ')}, received ${String(counter)}`);
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      throw new RangeError(`amount must be a finite number of at least 0, received ${String(amount)}`);
    const month = monthOf(this.#parts.options.now());
    this.#add({ companyId, month, counter, amount });
    if (this.#flushing === undefined) {
      this.#flushing = this.#flushLater();
      // Few callers await this promise. Amounts that could not be written stay counted and are written with the next
      // ones.
      this.#flushing.catch(() => undefined);
    }
    return this.#flushing;
  }

  async usage(company: string, { year, month }: { year?: number; month?: number }): Promise<MonthlyUsage | undefined> {
    const { id: companyId } = companyOf(this.#parts, company);
    if (year !== undefined) checkInteger('year', year, 0, 9_999);
    if (month !== undefined) checkInteger('month', month, 1, 12);
    await this.#endMonths();
    const { usage } = this.#parts.store.rooms.accounts;
    const current = monthOf(this.#parts.options.now());
    const wanted = year === undefined || month === undefined ? current : 12 * year + month - 1;
    if (wanted !== current) {
      const ended = usage.ended(companyId, wanted);
      return ended && this.#month(companyId, wanted, { ...ended, live: false });
    }
    return this.#month(companyId, current, {
      ...usage.plan(companyId),
      files: usage.files(companyId, Number.MAX_SAFE_INTEGER),
      live: true,
    });
  }

  /** Writes the amounts counted so far. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#flushNow?.();
    await this.#flushing?.catch(() => undefined); // The callers that await this flush get its error.
  }

  #month(
    companyId: number,
    at: number,
    { live, files, fileLimit, tokenLimit }: Plan & { files: FileCounts; live: boolean },
  ): MonthlyUsage {
    const stored = this.#parts.store.rooms.accounts.usage.counts(companyId, at);
    const counts = USAGE_COUNTERS.map(
      (counter) =>
        [
          counter,
          (stored.get(counter) ?? 0) + (this.#pending.get(`${companyId} ${at} ${counter}`)?.amount ?? 0),
        ] as const,
    );
    const total = counts.reduce((sum, [, amount]) => sum + amount, 0);
    return {
      year: Math.floor(at / 12),
      month: (at % 12) + 1,
      firstDay: new Date(startOf(at)),
      lastDay: new Date(startOf(at + 1) - DAY_MS),
      live,
      files,
      fileLimit,
      remainingFiles: fileLimit === null ? null : Math.max(0, fileLimit - files.total),
      tokens: { ...(Object.fromEntries(counts) as Record<UsageCounter, number>), total },
      tokenLimit,
      remainingTokens: tokenLimit === null ? null : Math.max(0, tokenLimit - total),
    };
  }

  #add(more: Pending): void {
    const key = `${more.companyId} ${more.month} ${more.counter}`;
    const pending = this.#pending.get(key);
    if (pending === undefined) this.#pending.set(key, more);
    else pending.amount += more.amount;
  }

  async #flushLater(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_AFTER_MS);
      timer.unref();
      this.#flushNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#flushing = undefined; // Amounts counted from here on belong to the next flush.
    const { store } = this.#parts;
    let taken: Pending[] = [];
    try {
      await store.commit(() => {
        taken = [...this.#pending.values()];
        for (const { companyId, month, counter, amount } of taken)
          store.rooms.accounts.usage.add(companyId, month, counter, amount);
        // In the same turn of the event loop as the commit, so that no reader counts an amount twice or misses it.
        this.#pending.clear();
      });
    } catch (cause) {
      for (const pending of taken) this.#add(pending);
      throw cause;
    }
  }

  async #endMonths(): Promise<void> {
    const current = monthOf(this.#parts.options.now());
    if (current <= this.#current) return;
    const { store } = this.#parts;
    await store.commit(() => {
      for (const { companyId, addedAt, last } of store.rooms.accounts.usage.lastMonths()) {
        for (let month = last === null ? monthOf(addedAt) : last + 1; month < current; month++)
          store.rooms.accounts.usage.end(companyId, month, startOf(month + 1));
      }
    });
    this.#current = Math.max(this.#current, current);
  }

  #watch(): void {
    const now = this.#parts.options.now();
    const untilEnd = startOf(monthOf(now) + 1) - now;
    this.#timer = setTimeout(
      () => {
        if (this.#closed) return;
        // If the disk refuses the write, it is repeated at the next timer or the next call of `usage`.
        void this.#parts.lifetime
          .write(() => this.#endMonths())
          .catch(() => undefined)
          .then(() => {
            if (!this.#closed) this.#watch();
          });
      },
      Math.max(1, Math.min(untilEnd, LOOK_EVERY_MS)),
    );
    this.#timer.unref();
  }
}

/** The month of a time (UTC) as a number: 12 * year + month - 1. */
function monthOf(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** The time at which a month begins, ms since 1970. */
function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}
