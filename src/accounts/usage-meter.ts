import { checkInteger } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import { monthOf, startOf, USAGE_COUNTERS, type FileCounts, type Plan, type UsageCounter } from './tables/usage.js';
import type { AccountParts } from './parts.js';

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

/**
 * Counts what companies use. Amounts are visible at once and written together, within about a second. At the end of a
 * month the numbers of files and the plan are stored. If the engine was closed at that time, they are stored at the
 * next opening; nothing can have changed in between.
 * @internal
 */
export class UsageMeter {
  readonly #parts: AccountParts;
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
    const counted = this.#count(company, counter, amount);
    // Few callers await this promise. Amounts that could not be written stay counted and are written with the next
    // ones.
    counted.catch(() => undefined);
    return counted;
  }

  async usage(name: string, { year, month }: { year?: number; month?: number }): Promise<MonthlyUsage | undefined> {
    const company = await this.#parts.company(name);
    if (year !== undefined) checkInteger('year', year, 0, 9_999);
    if (month !== undefined) checkInteger('month', month, 1, 12);
    await this.#endMonths();
    const { usage } = this.#parts.records;
    const current = monthOf(this.#parts.options.now());
    const at = year === undefined || month === undefined ? current : 12 * year + month - 1;
    const live = at === current;
    const state = live
      ? { ...(await usage.plan(company.id)), files: await usage.files(company.id) }
      : await usage.ended(company.id, at);
    if (state === undefined) return undefined;
    const { files, fileLimit, tokenLimit } = state;
    const counts = await usage.counts(company, at);
    const total = Object.values(counts).reduce((sum, amount) => sum + amount, 0);
    return {
      year: Math.floor(at / 12),
      month: (at % 12) + 1,
      firstDay: new Date(startOf(at)),
      lastDay: new Date(startOf(at + 1) - DAY_MS),
      live,
      files,
      fileLimit,
      remainingFiles: fileLimit === null ? null : Math.max(0, fileLimit - files.total),
      tokens: { ...counts, total },
      tokenLimit,
      remainingTokens: tokenLimit === null ? null : Math.max(0, tokenLimit - total),
    };
  }

  /** Writes the amounts counted so far. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#flushNow?.();
    await this.#flushing?.catch(() => undefined); // The callers that await this flush get its error.
  }

  async #count(company: string, counter: UsageCounter, amount: number): Promise<void> {
    const { usage } = this.#parts.records;
    if (!USAGE_COUNTERS.includes(counter))
      throw new RangeError(`counter must be one of ${USAGE_COUNTERS.join(', ')}, received ${String(counter)}`);
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      throw new RangeError(`amount must be a finite number of at least 0, received ${String(amount)}`);
    // Before anything is awaited: the amount is visible at once, and written even when the engine closes now.
    usage.add({ company: checkCompanyName(company), month: monthOf(this.#parts.options.now()), counter, amount });
    this.#flushing ??= this.#flushLater();
    await Promise.all([this.#flushing, this.#parts.company(company)]);
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
    await this.#parts.store.rooms.accounts.usage.write();
  }

  async #endMonths(): Promise<void> {
    const current = monthOf(this.#parts.options.now());
    if (current <= this.#current) return;
    await this.#parts.store.rooms.accounts.usage.endMonths(current);
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
