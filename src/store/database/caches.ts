import type { Database } from 'better-sqlite3';

const FORGET = new WeakMap<Database, (() => void)[]>();

/**
 * `forget` is called when rows of this connection's tables may have changed beneath it: another connection wrote, or a
 * transaction was rolled back as a whole. For whatever keeps in memory what it read. The library of a folder has one
 * connection and never calls it.
 */
export function onRowsChanged(database: Database, forget: () => void): void {
  const known = FORGET.get(database);
  if (known === undefined) FORGET.set(database, [forget]);
  else known.push(forget);
}

/** See {@link onRowsChanged}. */
export function rowsChanged(database: Database): void {
  for (const forget of FORGET.get(database) ?? []) forget();
}
