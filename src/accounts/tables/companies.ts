import { readChoices, writeChoices } from '../../store/catalog/company-settings.js';
import { onRowsChanged } from '../../store/database/caches.js';
import type { OpenCatalog } from '../../store/rooms.js';
import type { Sql } from './sql.js';

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
 * Companies, what they have set and their pictures.
 * @internal
 */
export class Companies {
  readonly #sql: Sql;
  readonly #catalog: OpenCatalog;

  /** Every call for a company reads its row; id, GUID, name and day never change, and no company is removed. */
  readonly #known = new Map<string, CompanyRow>();

  constructor(sql: Sql, catalog: OpenCatalog) {
    this.#sql = sql;
    this.#catalog = catalog;
    onRowsChanged(catalog.database, () => this.#known.clear()); // One that was just added may be undone.
  }

  async byName(name: string): Promise<CompanyRow | undefined> {
    return this.#named(name);
  }

  async byUid(uid: string): Promise<CompanyRow | undefined> {
    return this.#sql.get(`SELECT ${COLUMNS} FROM company WHERE guid = ? AND inputs_of IS NULL`, uid);
  }

  /** By name. */
  async all(): Promise<CompanyRow[]> {
    return this.#sql.all(`SELECT ${COLUMNS} FROM company WHERE inputs_of IS NULL ORDER BY name`);
  }

  /** Adds a company. Undefined: another company has this name. */
  add(name: string): Promise<CompanyRow | undefined> {
    return this.#sql.commit(() => {
      if (this.#named(name) !== undefined) return undefined;
      this.#catalog.enterCompany(name);
      return this.#named(name);
    });
  }

  /** The profile fields that the company has set, as JSON values: the same object until one is set. */
  async fields(companyId: number): Promise<Readonly<Record<string, unknown>>> {
    return readChoices(this.#catalog.database, companyId);
  }

  /** Changes the fields that are given. */
  setFields(companyId: number, fields: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#sql.commit(() => writeChoices(this.#catalog.database, companyId, fields));
  }

  async logo(companyId: number): Promise<CompanyLogo | undefined> {
    const row = this.#sql.get<{ bytes: Uint8Array; mediaType: string; setAt: number }>(
      'SELECT bytes, media_type AS mediaType, set_at AS setAt FROM company_logo WHERE company_id = ?',
      companyId,
    );
    return row && { bytes: new Uint8Array(row.bytes), mediaType: row.mediaType, setAt: new Date(row.setAt) };
  }

  setLogo(companyId: number, bytes: Uint8Array, mediaType: string, now: number): Promise<boolean> {
    return this.#sql.change(
      'INSERT OR REPLACE INTO company_logo (company_id, media_type, set_at, bytes) VALUES (?, ?, ?, ?)',
      [companyId, mediaType, now, bytes],
    );
  }

  /** False: there was none. */
  removeLogo(companyId: number): Promise<boolean> {
    return this.#sql.change('DELETE FROM company_logo WHERE company_id = ?', companyId);
  }

  /** The company that new users of an e-mail domain join. */
  async ofDomain(domain: string): Promise<CompanyRow | undefined> {
    return this.#sql.get(
      `SELECT ${COLUMNS} FROM email_domain JOIN company ON company.id = company_id WHERE domain = ?`,
      domain,
    );
  }

  mapDomain(domain: string, companyId: number): Promise<boolean> {
    return this.#sql.change('INSERT OR REPLACE INTO email_domain (domain, company_id) VALUES (?, ?)', [
      domain,
      companyId,
    ]);
  }

  /** False: the domain was mapped to no company. */
  unmapDomain(domain: string): Promise<boolean> {
    return this.#sql.change('DELETE FROM email_domain WHERE domain = ?', domain);
  }

  #named(name: string): CompanyRow | undefined {
    const known =
      this.#known.get(name) ??
      this.#sql.get<CompanyRow>(`SELECT ${COLUMNS} FROM company WHERE name = ? AND inputs_of IS NULL`, name);
    if (known !== undefined && this.#known.size < KNOWN_LIMIT) this.#known.set(name, known);
    return known;
  }
}
