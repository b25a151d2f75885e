import type { Database, Statement } from 'better-sqlite3';

const STATEMENTS = new WeakMap<Database, Map<string, Statement<unknown[], unknown>>>();

/**
 * The statement of this text, prepared once for a database: preparing takes longer than a short statement itself. Use
 * it only for fixed texts, because statements are kept as long as the database.
 */
export function prepared<Bind extends unknown[], Row>(database: Database, sql: string): Statement<Bind, Row> {
  let statements = STATEMENTS.get(database);
  if (statements === undefined) STATEMENTS.set(database, (statements = new Map()));
  let statement = statements.get(sql);
  if (statement === undefined) statements.set(sql, (statement = database.prepare<unknown[], unknown>(sql)));
  return statement as unknown as Statement<Bind, Row>;
}
