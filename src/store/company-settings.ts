import type { Database } from 'better-sqlite3';
import { DEFAULT_COMPANY_SETTINGS, type CompanySettings } from '../options.js';

/** What a company has chosen; the rest has its default. */
export function readSettings(database: Database, companyId: number): CompanySettings {
  const chosen = database.prepare<[number], string>('SELECT settings FROM company WHERE id = ?').pluck().get(companyId) ?? '{}';
  return { ...DEFAULT_COMPANY_SETTINGS, ...(JSON.parse(chosen) as Partial<CompanySettings>) };
}

/** Changes what is given and keeps the rest. Runs inside a transaction of the caller. */
export function writeSettings(database: Database, companyId: number, changes: Partial<CompanySettings>): CompanySettings {
  const settings = { ...readSettings(database, companyId), ...changes };
  database.prepare('UPDATE company SET settings = ? WHERE id = ?').run(JSON.stringify(settings), companyId);
  return settings;
}
