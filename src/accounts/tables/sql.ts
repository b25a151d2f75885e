import { prepared } from '../../store/database/prepared.js';
import type { OpenCatalog } from '../../store/rooms.js';

/** The values of a statement: one, a list, or by name. */
export type Bind = string | number | object;

/**
 * Fixed statements on the open catalogue in short calls, and transactions of several.
 * @internal
 */
export class Sql {
  readonly #catalog: OpenCatalog;

  constructor(catalog: OpenCatalog) {
    this.#catalog = catalog;
  }

  /** The first row. */
  get<Row>(sql: string, bind: Bind = []): Row | undefined {
    return prepared<unknown[], Row>(this.#catalog.database, sql).get(bind);
  }

  all<Row>(sql: string, bind: Bind = []): Row[] {
    return prepared<unknown[], Row>(this.#catalog.database, sql).all(bind);
  }

  /** The number of rows that changed. Only for work inside a transaction. */
  run(sql: string, bind: Bind = []): number {
    return prepared<unknown[], unknown>(this.#catalog.database, sql).run(bind).changes;
  }

  /** Runs a statement in a transaction; whether it changed any row. */
  async change(sql: string, bind: Bind = []): Promise<boolean> {
    return this.commit(() => this.run(sql, bind) > 0);
  }

  /** Runs work that changes rows: all of it or none, and durable when the promise resolves. */
  commit<T>(work: () => T): Promise<T> {
    return this.#catalog.writes.run(work);
  }
}

/** What a row holds for a value with a date. */
export type Row<T> = Omit<T, 'addedAt'> & { readonly addedAt: number };

/** The row with its date, ms since 1970, as a Date. */
export function dated<R extends { readonly addedAt: number }>({ addedAt, ...row }: R) {
  return { ...row, addedAt: new Date(addedAt) };
}
