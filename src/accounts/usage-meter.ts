import { checkInteger } from '../options.js';
import { USAGE_COUNTERS, type FileCounts, type Plan, type UsageCounter } from './tables/usage.js';
import { companyOf, type AccountParts } from './parts.js';

/** A company's month (of the calendar, UTC). */
export interface MonthlyUsage extends Plan {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** First and last day, at 00:00 UTC. */
  readonly firstDay: Date;
  readonly lastDay: Date;
  /** True: the current month, up to now. False: how a past month ended. */
  readonly live: boolean;
  readonly files: FileCounts;
  /** Null without a limit; never below 0. */
  readonly remainingFiles: number | null;
  readonly tokens: Readonly<Record<UsageCounter | 'total', number>>;
  /** Null without a limit; never below 0. */
  readonly remainingTokens: number | null;
}

/** Counts are written so long after the first of them, ms: one commit for many. */
const FLUSH_AFTER_MS = 1_000;
/** The clock may be set while a timer runs, so none runs longer than this, ms. */
const LOOK_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Pending {
  readonly companyId: number;
  readonly month: number;
  readonly counter: UsageCounter;
  amount: number;
}

/**
 * Counts what companies use. Amounts are seen at once and written together, within about a second. At a month's end the
 * numbers of files and the plan are written down; ends that were slept over are made up for at the next opening, when
 * nothing can have changed since.
 * @internal
 */
export class UsageMeter {
  readonly #parts: AccountParts;
  readonly #pending = new Map<string, Pending>();
  #flushing: Promise<void> | undefined;
  #flushNow: (() => void) | undefined;
  /** The month for which all earlier ones are written down. */
  #current = -1;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** Writes down the months that ended meanwhile, and goes on doing so. */
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
      // Few callers wait for it. What could not be written stays counted and is written with the next.
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

  /** Writes what is counted. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#flushNow?.();
    await this.#flushing?.catch(() => undefined); // Told to those who wait for it.
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
    this.#flushing = undefined; // What is counted from here on has a flush of its own.
    const { store } = this.#parts;
    let taken: Pending[] = [];
    try {
      await store.commit(() => {
        taken = [...this.#pending.values()];
        for (const { companyId, month, counter, amount } of taken)
          store.rooms.accounts.usage.add(companyId, month, counter, amount);
        // In the same turn as the commit, so that no reader sees an amount twice or not at all.
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
        // A disk that refuses now may take it at the next look, or when somebody asks.
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

/** 12 * year + month - 1 of a time, UTC. */
function monthOf(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** The first millisecond of a month. */
function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}
