import { EngineError } from '../errors.js';
import { isDamage } from '../store/database/derived-database.js';

/** A table of derived data; every call may throw `STORAGE_FAILED`. */
export interface DerivedTable {
  /** Has the next opening make it anew; returns what to throw. */
  spoil(): EngineError;
  close(): void;
}

/** Told why a table cannot be used any more: damaged (see {@link isDamage}), or the disk refused. */
export type TableFailed = (failure: EngineError) => void;

/**
 * A table of derived data for as long as it can be used. After its first failure it is closed and used no more; who
 * works with it then asks the catalogue, which has all that the table was made of.
 */
export class UsableTable<T extends DerivedTable> {
  #table: T | undefined;
  #failed: TableFailed | undefined;

  /**
   * Opens a table and brings it up to date; one that proves damaged is made anew.
   * @param open may throw, @param bringUp may meet `STORAGE_FAILED` in {@link use}: then it is not usable, and `failed`
   * is told, as it is later.
   */
  static async open<T extends DerivedTable>(
    open: () => T,
    bringUp: (table: UsableTable<T>) => Promise<void>,
    failed?: TableFailed,
  ): Promise<UsableTable<T>> {
    const first = await UsableTable.#opened(open, bringUp);
    const isToBeMade = first.failure !== undefined && isDamage(first.failure);
    const { table, failure } = isToBeMade ? await UsableTable.#opened(open, bringUp) : first;
    if (failure !== undefined) failed?.(failure);
    table.#failed = failed;
    return table;
  }

  static async #opened<T extends DerivedTable>(
    open: () => T,
    bringUp: (table: UsableTable<T>) => Promise<void>,
  ): Promise<{ readonly table: UsableTable<T>; readonly failure: EngineError | undefined }> {
    const table = new UsableTable<T>();
    let failure: EngineError | undefined;
    table.#failed = (cause) => {
      failure = cause;
    };
    await table.#try(async () => {
      table.#table = open();
    });
    try {
      await bringUp(table);
    } catch (cause) {
      table.close();
      throw cause;
    }
    return { table, failure };
  }

  get isUsable(): boolean {
    return this.#table !== undefined;
  }

  /** What `work` gives; undefined where the table cannot be used. Other errors than the table's pass through. */
  async use<R>(work: (table: T) => Promise<R>): Promise<R | undefined> {
    const table = this.#table;
    return table && (await this.#try(() => work(table)));
  }

  /** It lacks what it ought to have. */
  spoil(): void {
    if (this.#table !== undefined) this.#end(this.#table.spoil());
  }

  async #try<R>(work: () => Promise<R>): Promise<R | undefined> {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof EngineError && cause.code === 'STORAGE_FAILED')) throw cause;
      this.#end(cause);
      return undefined;
    }
  }

  #end(failure: EngineError): void {
    this.close();
    this.#failed?.(failure);
  }

  close(): void {
    const table = this.#table;
    this.#table = undefined;
    try {
      table?.close();
    } catch (cause) {
      // What it holds is derived; a disk that refuses even this has been told of, or is by the next opening.
      if (!(cause instanceof EngineError)) throw cause;
    }
  }
}
