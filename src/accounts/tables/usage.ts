import type { Database, Statement } from 'better-sqlite3';
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

const NO_PLAN: Plan = Object.freeze({ fileLimit: null, tokenLimit: null });

/**
 * Counters and plans of companies. A month is 12 * year + month - 1, UTC. Writing methods run inside a transaction of
 * the caller.
 * @internal
 */
export class Usage {
  readonly #database: Database;
  readonly #add: Statement<[number, number, string, number]>;

  constructor(database: Database) {
    this.#database = database;
    this.#add = database.prepare(`
      INSERT INTO usage_count (company_id, month, counter, amount) VALUES (?, ?, ?, ?)
      ON CONFLICT (company_id, month, counter) DO UPDATE SET amount = amount + excluded.amount`);
  }

  add(companyId: number, month: number, counter: UsageCounter, amount: number): void {
    this.#add.run(companyId, month, counter, amount);
  }

  /** Counters that are not 0. */
  counts(companyId: number, month: number): ReadonlyMap<UsageCounter, number> {
    const rows = this.#database
      .prepare<[number, number], { counter: UsageCounter; amount: number }>(
        'SELECT counter, amount FROM usage_count WHERE company_id = ? AND month = ?',
      )
      .all(companyId, month);
    return new Map(rows.map(({ counter, amount }) => [counter, amount]));
  }

  /** Files added before a time, by kind. */
  files(companyId: number, before: number): FileCounts {
    const rows = this.#database
      .prepare<[number, number], { kind: FileKind; files: number }>(
        'SELECT kind, count(*) AS files FROM file WHERE company_id = ? AND added_at < ? GROUP BY kind',
      )
      .all(companyId, before);
    const of = (kind: FileKind): number => rows.find((row) => row.kind === kind)?.files ?? 0;
    const [texts, images, drawings, models] = [of('Text'), of('Image'), of('TwoD'), of('ThreeD')];
    return { texts, images, drawings, models, total: texts + images + drawings + models };
  }

  plan(companyId: number): Plan {
    return (
      this.#database
        .prepare<[number], Plan>(
          'SELECT file_limit AS fileLimit, token_limit AS tokenLimit FROM plan WHERE company_id = ?',
        )
        .get(companyId) ?? NO_PLAN
    );
  }

  setPlan(companyId: number, { fileLimit, tokenLimit }: Plan): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO plan (company_id, file_limit, token_limit) VALUES (?, ?, ?)')
      .run(companyId, fileLimit, tokenLimit);
  }

  /** The closing state of a month, if it was recorded. */
  ended(companyId: number, month: number): EndedMonth | undefined {
    const row = this.#database
      .prepare<[number, number], Plan & Omit<FileCounts, 'total'>>(
        `SELECT file_limit AS fileLimit, token_limit AS tokenLimit, texts, images, drawings, models
         FROM usage_month WHERE company_id = ? AND month = ?`,
      )
      .get(companyId, month);
    if (row === undefined) return undefined;
    const { fileLimit, tokenLimit, ...files } = row;
    return {
      fileLimit,
      tokenLimit,
      files: { ...files, total: files.texts + files.images + files.drawings + files.models },
    };
  }

  /** Companies with the last recorded month, and when they were added. */
  lastMonths(): { companyId: number; addedAt: number; last: number | null }[] {
    return this.#database
      .prepare<[], { companyId: number; addedAt: number; last: number | null }>(
        'SELECT id AS companyId, added_at AS addedAt, (SELECT max(month) FROM usage_month WHERE company_id = company.id) AS last FROM company WHERE inputs_of IS NULL',
      )
      .all();
  }

  /** Records the closing state of a month at the time `end`. */
  end(companyId: number, month: number, end: number): void {
    const { texts, images, drawings, models } = this.files(companyId, end);
    this.#database
      .prepare<[object]>(
        `INSERT OR IGNORE INTO usage_month (company_id, month, file_limit, token_limit, texts, images, drawings, models)
         VALUES (@companyId, @month, @fileLimit, @tokenLimit, @texts, @images, @drawings, @models)`,
      )
      .run({ companyId, month, ...this.plan(companyId), texts, images, drawings, models });
  }
}
