import type { Database, Statement } from 'better-sqlite3';
import { readChoices, writeChoices } from '../../store/catalog/company-settings.js';

/** A company as others see it. */
export interface CompanyAccount {
  /** GUID, lower case. */
  readonly uid: string;
  readonly name: string;
  readonly addedAt: Date;
}

/** A company's picture. */
export interface CompanyLogo {
  readonly bytes: Uint8Array;
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`, by its content. */
  readonly mediaType: string;
  readonly setAt: Date;
}

/** A company in the catalogue. */
export interface CompanyRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly addedAt: number;
}

/** Most companies kept in memory. */
const KNOWN_LIMIT = 10_000;

const COLUMNS = 'company.id, company.guid AS uid, company.name, company.added_at AS addedAt';

/**
 * Companies, what they have set and their pictures. Writing methods run inside a transaction of the caller.
 * @internal
 */
export class Companies {
  readonly #database: Database;
  readonly #byName: Statement<[string], CompanyRow>;
  readonly #byUid: Statement<[string], CompanyRow>;

  /** Every call for a company reads its row; id, GUID, name and day never change, and no company is removed. */
  readonly #known = new Map<string, CompanyRow>();

  constructor(database: Database) {
    this.#database = database;
    this.#byName = database.prepare(`SELECT ${COLUMNS} FROM company WHERE name = ? AND inputs_of IS NULL`);
    this.#byUid = database.prepare(`SELECT ${COLUMNS} FROM company WHERE guid = ? AND inputs_of IS NULL`);
  }

  byName(name: string): CompanyRow | undefined {
    const known = this.#known.get(name) ?? this.#byName.get(name);
    if (known !== undefined && this.#known.size < KNOWN_LIMIT) this.#known.set(name, known);
    return known;
  }

  byUid(uid: string): CompanyRow | undefined {
    return this.#byUid.get(uid);
  }

  /** By name. */
  all(): CompanyRow[] {
    return this.#database
      .prepare<[], CompanyRow>(`SELECT ${COLUMNS} FROM company WHERE inputs_of IS NULL ORDER BY name`)
      .all();
  }

  /** The profile fields that the company has set, as JSON values. */
  fields(companyId: number): Readonly<Record<string, unknown>> {
    return readChoices(this.#database, companyId);
  }

  /** Changes the fields that are given. */
  setFields(companyId: number, fields: Readonly<Record<string, unknown>>): void {
    writeChoices(this.#database, companyId, fields);
  }

  logo(companyId: number): CompanyLogo | undefined {
    const row = this.#database
      .prepare<[number], { bytes: Uint8Array; mediaType: string; setAt: number }>(
        'SELECT bytes, media_type AS mediaType, set_at AS setAt FROM company_logo WHERE company_id = ?',
      )
      .get(companyId);
    return row === undefined
      ? undefined
      : { bytes: new Uint8Array(row.bytes), mediaType: row.mediaType, setAt: new Date(row.setAt) };
  }

  setLogo(companyId: number, bytes: Uint8Array, mediaType: string, now: number): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO company_logo (company_id, media_type, set_at, bytes) VALUES (?, ?, ?, ?)')
      .run(companyId, mediaType, now, bytes);
  }

  /** False: there was none. */
  removeLogo(companyId: number): boolean {
    return this.#database.prepare('DELETE FROM company_logo WHERE company_id = ?').run(companyId).changes > 0;
  }

  /** The company that new users of an e-mail domain join. */
  ofDomain(domain: string): CompanyRow | undefined {
    return this.#database
      .prepare<[string], CompanyRow>(
        `SELECT ${COLUMNS} FROM email_domain JOIN company ON company.id = company_id WHERE domain = ?`,
      )
      .get(domain);
  }

  mapDomain(domain: string, companyId: number): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO email_domain (domain, company_id) VALUES (?, ?)')
      .run(domain, companyId);
  }

  /** False: the domain was mapped to no company. */
  unmapDomain(domain: string): boolean {
    return this.#database.prepare('DELETE FROM email_domain WHERE domain = ?').run(domain).changes > 0;
  }
}
