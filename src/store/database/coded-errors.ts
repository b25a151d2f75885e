import type { Database, Statement } from 'better-sqlite3';
import { ReadProbe } from './read-probe.js';
import { codeOf, storageError } from './storage-errors.js';

type Run = (this: unknown, ...args: unknown[]) => unknown;
type Coded = (run: Run, doing: string) => Run;

const READING = 'read the catalogue';
const WRITING = 'write to the catalogue';

/**
 * Makes every error that SQLite reports on this connection an EngineError (see {@link storageError}): when a statement
 * is prepared, run or read row by row, and in `exec` and `pragma`. So no caller of a table has to do it. Errors that
 * are not SQLite's (a wrong argument) pass through. What SQLite calls corrupt while the disk refuses to read is told as
 * the disk's refusal (see {@link ReadProbe}). Changes the given connection and returns it; about 20 ns a call.
 */
export function withCodedErrors(database: Database): Database {
  const probe = ReadProbe.open(database.name);
  let isOpen = true;
  const coded: Coded = (run, doing) => codedBy(probe, run, doing);
  const close = database.close as unknown as Run;
  const prepare = coded(database.prepare as unknown as Run, READING);
  const own: Record<string, Run> = {
    prepare(...args) {
      return codedStatement(prepare.apply(database, args) as Statement, coded);
    },
    exec: coded(database.exec as unknown as Run, WRITING),
    pragma: coded(database.pragma as unknown as Run, READING),
    close() {
      const closed = close.apply(database);
      if (isOpen) probe.close();
      isOpen = false;
      return closed;
    },
  };
  return Object.assign(database, own);
}

function codedStatement(statement: Statement, coded: Coded): Statement {
  const iterate = coded(statement.iterate as unknown as Run, READING);
  const own: Record<string, Run> = {
    run: coded(statement.run as unknown as Run, WRITING),
    get: coded(statement.get as unknown as Run, READING),
    all: coded(statement.all as unknown as Run, READING),
    iterate(...args) {
      return codedRows(iterate.apply(statement, args) as IterableIterator<unknown>, coded);
    },
  };
  return Object.assign(statement, own);
}

function codedRows(rows: IterableIterator<unknown>, coded: Coded): IterableIterator<unknown> {
  return {
    next: coded(rows.next.bind(rows) as Run, READING) as () => IteratorResult<unknown>,
    return: coded(rows.return!.bind(rows) as Run, READING) as () => IteratorResult<unknown>,
    [Symbol.iterator]() {
      return this;
    },
  };
}

function codedBy(probe: ReadProbe, run: Run, doing: string): Run {
  return function (...args) {
    try {
      return run.apply(this, args);
    } catch (cause) {
      throw storageError(doing, (codeOf(cause) === 'SQLITE_CORRUPT' && probe.refusal()) || cause);
    }
  };
}
