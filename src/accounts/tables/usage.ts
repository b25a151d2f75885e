import type { CompanyRow } from './companies.js';
import type { Sql } from './sql.js';
import type { FileKind } from '../../store/catalog/record.js';

/** What is counted for each company and month. */
export const USAGE_COUNTERS = [
  'fileIndex',
  'tableIndex',
  'storage',
  'visualSearch',
  'textSearch',
  'rag',
  'compare',
  'pmi2d',
  'convert3d',
] as const;

/** The name of a counter. */
export type UsageCounter = (typeof USAGE_COUNTERS)[number];

/** A company's limits; null: none. */
export interface Plan {
  readonly fileLimit: number | null;
  readonly tokenLimit: number | null;
}

/** How many files a company has of each kind. */
export interface FileCounts {
  readonly texts: number;
  readonly images: number;
  readonly drawings: number;
  readonly models: number;
  readonly total: number;
}

/** The closing state of a month, without its counters. */
export interface EndedMonth extends Plan {
  readonly files: FileCounts;
}

/** An amount that is not written yet. */
interface Pending {
  readonly company: string;
  readonly month: number;
  readonly counter: UsageCounter;
  amount: number;
}

const NO_PLAN: Plan = Object.freeze({ fileLimit: null, tokenLimit: null });

/** The month of a time (UTC) as a number: 12 * year + month - 1. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** The time at which a month begins, ms since 1970. */
export function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

/**
 * Counters and plans of companies. Months are numbers, see {@link monthOf}.
 * @internal
 */
export class Usage {
  readonly #sql: Sql;
  /** Amounts that wait for {@link write}, by company, month and counter. */
  readonly #pending = new Map<string, Pending>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds to a counter of a company (unknown ones are passed over), in memory until {@link write}. */
  add(more: Pending): void {
    const key = JSON.stringify([more.company, more.month, more.counter]);
    const pending = this.#pending.get(key);
    if (pending === undefined) this.#pending.set(key, more);
    else pending.amount += more.amount;
  }

  /** Writes the added amounts; those that cannot be written stay added. */
  async write(): Promise<void> {
    const taken: Pending[] = [];
    try {
      await this.#sql.commit(() => {
        taken.push(...this.#pending.values()); // It may run again when the database could not commit.
        for (const pending of taken)
          this.#sql.run(
            `INSERT INTO usage_count (company_id, month, counter, amount)
             SELECT id, @month, @counter, @amount FROM company WHERE name = @company AND inputs_of IS NULL
             ON CONFLICT (company_id, month, counter) DO UPDATE SET amount = amount + excluded.amount`,
            pending,
          );
        // In the same turn of the event loop as the commit, so that no reader counts an amount twice or misses it.
        this.#pending.clear();
      });
    } catch (cause) {
      for (const pending of taken) this.add(pending);
      throw cause;
    }
  }

  /** All counters with what was added since the last {@link write}. */
  async counts({ id, name }: CompanyRow, month: number): Promise<Record<UsageCounter, number>> {
    const counts = Object.fromEntries(USAGE_COUNTERS.map((counter) => [counter, 0])) as Record<UsageCounter, number>;
    for (const { counter, amount } of this.#sql.all<{ counter: UsageCounter; amount: number }>(
      'SELECT counter, amount FROM usage_count WHERE company_id = ? AND month = ?',
      [id, month],
    ))
      counts[counter] = amount;
    for (const pending of this.#pending.values())
      if (pending.company === name && pending.month === month) counts[pending.counter] += pending.amount;
    return counts;
  }

  /** All files by kind. */
  async files(companyId: number): Promise<FileCounts> {
    return this.#files(companyId, Number.MAX_SAFE_INTEGER);
  }

  async plan(companyId: number): Promise<Plan> {
    return this.#plan(companyId);
  }

  async setPlan(companyId: number, { fileLimit, tokenLimit }: Plan): Promise<void> {
    await this.#sql.change('INSERT OR REPLACE INTO plan (company_id, file_limit, token_limit) VALUES (?, ?, ?)', [
      companyId,
      fileLimit,
      tokenLimit,
    ]);
  }

  /** The closing state of a month, if it was recorded. */
  async ended(companyId: number, month: number): Promise<EndedMonth | undefined> {
    const row = this.#sql.get<Plan & Omit<FileCounts, 'total'>>(
      `SELECT file_limit AS fileLimit, token_limit AS tokenLimit, texts, images, drawings, models
       FROM usage_month WHERE company_id = ? AND month = ?`,
      [companyId, month],
    );
    if (row === undefined) return undefined;
    const { fileLimit, tokenLimit, ...files } = row;
    return { fileLimit, tokenLimit, files: withTotal(files) };
  }

  /** Records the closing state of all months before `current` that are not recorded yet. */
  endMonths(current: number): Promise<void> {
    return this.#sql.commit(() => {
      for (const { companyId, addedAt, last } of this.#sql.all<{
        companyId: number;
        addedAt: number;
        last: number | null;
      }>(
        `SELECT id AS companyId, added_at AS addedAt,
           (SELECT max(month) FROM usage_month WHERE company_id = company.id) AS last
         FROM company WHERE inputs_of IS NULL`,
      )) {
        for (let month = last === null ? monthOf(addedAt) : last + 1; month < current; month++)
          this.#sql.run(
            `INSERT OR IGNORE INTO usage_month
               (company_id, month, file_limit, token_limit, texts, images, drawings, models)
             VALUES (@companyId, @month, @fileLimit, @tokenLimit, @texts, @images, @drawings, @models)`,
            { companyId, month, ...this.#plan(companyId), ...this.#files(companyId, startOf(month + 1)) },
          );
      }
    });
  }

  /** Files added before a time, by kind. */
  #files(companyId: number, before: number): FileCounts {
    const rows = this.#sql.all<{ kind: FileKind; files: number }>(
      'SELECT kind, count(*) AS files FROM file WHERE company_id = ? AND added_at < ? GROUP BY kind',
      [companyId, before],
    );
    const of = (kind: FileKind): number => rows.find((row) => row.kind === kind)?.files ?? 0;
    return withTotal({ texts: of('Text'), images: of('Image'), drawings: of('TwoD'), models: of('ThreeD') });
  }

  #plan(companyId: number): Plan {
    return (
      this.#sql.get(
        'SELECT file_limit AS fileLimit, token_limit AS tokenLimit FROM plan WHERE company_id = ?',
        companyId,
      ) ?? NO_PLAN
    );
  }
}

function withTotal(files: Omit<FileCounts, 'total'>): FileCounts {
  return { ...files, total: files.texts + files.images + files.drawings + files.models };
}
