/**
 * Fills a library several times as fast as putting does, with the same rows: the store's small transactions are joined
 * into large ones, and rows of its indexes of words are entered at the end of each, in rising order, so that FTS5
 * writes one segment for thousands of files instead of one for each. Nothing is on disk before {@link commit}, and a
 * write that fails ends the process, so this is for libraries of benches alone.
 */
import Database from 'better-sqlite3';

/** Memory for pages while filling, KiB: the indexes of attributes are written all over. */
const CACHE_KIB = 1_500_000;
/** Words that FTS5 gathers before it writes a segment, bytes. */
const HASH_BYTES = 200_000_000;

/** Joins the transactions of every library that is opened from now on. */
export function joinTransactions() {
  const { exec, prepare } = Database.prototype;
  let open;
  let rows = [];
  Database.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const table = /^INSERT INTO ((?:words|phrases)_\d+) \(rowid/.exec(sql)?.[1];
    if (table !== undefined) {
      exec.call(this, `INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', ${HASH_BYTES})`);
      const enter = statement.run;
      statement.run = (...values) => rows.push({ table, values, enter: () => enter.apply(statement, values) });
    }
    return statement;
  };
  Database.prototype.exec = function (sql) {
    if (/^(SAVEPOINT|RELEASE|COMMIT)/.test(sql) || (sql === 'ROLLBACK' && this === open)) return this;
    if (sql.startsWith('ROLLBACK TO')) throw new Error('a write of filling failed');
    if (sql !== 'BEGIN IMMEDIATE') return exec.call(this, sql);
    if (open === undefined) {
      open = this;
      this.pragma(`cache_size = -${CACHE_KIB}`);
      exec.call(this, sql);
    }
    return this;
  };
  return {
    /** Writes everything so far. */
    commit() {
      rows.sort((a, b) => (a.table < b.table ? -1 : a.table > b.table ? 1 : a.values[0] - b.values[0]));
      for (const { enter } of rows) enter();
      rows = [];
      if (open !== undefined) exec.call(open, 'COMMIT');
      open = undefined;
    },
    /** Writes everything; libraries that are opened from now on work as ever. */
    end() {
      this.commit();
      Object.assign(Database.prototype, { exec, prepare });
    },
  };
}
