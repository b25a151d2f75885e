import type { Database } from 'better-sqlite3';
import { DEFAULT_COMPANY_SETTINGS, type CompanySettings } from '../../options.js';
import { storedJson } from '../database/stored-json.js';
import { prepared } from '../database/prepared.js';

/** Parsed settings by their JSON text, because every request reads them. */
const CHOICES = new Map<string, Readonly<Record<string, unknown>>>();
const CHOICES_KEPT = 1_000;

/** The settings that a company has chosen, by name, as JSON values; those never chosen are missing. */
export function readChoices(database: Database, companyId: number): Readonly<Record<string, unknown>> {
  const text =
    prepared<[number], { settings: string }>(database, 'SELECT settings FROM company WHERE id = ?').get(companyId)
      ?.settings ?? '{}';
  let choices = CHOICES.get(text);
  if (choices === undefined) {
    if (CHOICES.size >= CHOICES_KEPT) CHOICES.clear();
    CHOICES.set(
      text,
      (choices = Object.freeze(storedJson<Record<string, unknown>>(text, 'the settings of a company'))),
    );
  }
  return choices;
}

/** Changes what is given and keeps the rest. Runs inside a transaction of the caller. */
export function writeChoices(database: Database, companyId: number, changes: Readonly<Record<string, unknown>>): void {
  const choices = { ...readChoices(database, companyId), ...changes };
  database.prepare('UPDATE company SET settings = ? WHERE id = ?').run(JSON.stringify(choices), companyId);
}

/** The settings that the engine itself reads; those never chosen have their defaults. */
export function readSettings(database: Database, companyId: number): CompanySettings {
  const choices = readChoices(database, companyId) as Partial<CompanySettings>;
  const { overwriteFiles, useNumericTextSearch, usesFileTextForSearch } = { ...DEFAULT_COMPANY_SETTINGS, ...choices };
  return { overwriteFiles, useNumericTextSearch, usesFileTextForSearch };
}

/** Changes what is given, keeps the rest and returns all. Runs inside a transaction of the caller. */
export function writeSettings(
  database: Database,
  companyId: number,
  changes: Partial<CompanySettings>,
): CompanySettings {
  writeChoices(database, companyId, changes);
  return readSettings(database, companyId);
}
