import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from '../attribute-condition.js';
import { quantityOf, typeOf, type AttributeOwner } from './attribute-index.js';
import type { Attribute } from '../attribute.js';
import { AttributePairs } from './attribute-pairs.js';

/** The attributes that the index should hold for a file. */
export interface IndexedOwner extends AttributeOwner {
  readonly attributes: readonly Attribute[];
}

interface NameRow {
  id: number;
  companyId: number;
  key: string;
  unit: string;
  extracted: number;
  files: number;
  numbers: number;
  dates: number;
  texts: number;
}
interface ValueRow {
  id: number;
  text: string;
  key: string;
  dimension: string | null;
  value: number | null;
  number: number | null;
  files: number;
  fileId: number | null;
  uses: number;
}
/** A name with the number of its files that were seen. */
interface Counted {
  readonly row: NameRow;
  files: number;
}

/**
 * Compares the tables of {@link AttributeIndex} with the attributes that they are derived from: every file is listed at
 * each of its values, no other file is listed, and all forms, terms and counts are those that a rebuild would give.
 * Only reads.
 */
export class AttributeCheck {
  readonly #database: Database;
  readonly #forms: AttributeForms;
  readonly #value: Statement<[number, string, string], { id: number; fileId: number | null }>;
  readonly #use: Statement<[number, number], number>;
  readonly #term: Statement<[number, string, number], { fileId: number | null }>;
  readonly #pairs: AttributePairs;
  readonly #names = new Map<string, Counted>();
  /** Files found at each value. */
  readonly #uses = new Map<number, number>();
  /** The first problem of each company. */
  readonly #found = new Map<number, string>();

  constructor(database: Database, forms: AttributeForms) {
    this.#database = database;
    this.#forms = forms;
    this.#pairs = new AttributePairs(database);
    this.#value = database.prepare(
      'SELECT id, file_id AS fileId FROM attribute_value WHERE name_id = ? AND key = ? AND text = ?',
    );
    this.#use = database
      .prepare<[number, number], number>('SELECT 1 FROM attribute_use WHERE value_id = ? AND file_id = ?')
      .pluck();
    this.#term = database.prepare(
      'SELECT file_id AS fileId FROM attribute_term WHERE name_id = ? AND term = ? AND value_id = ?',
    );
    const names = database
      .prepare<[], NameRow>(
        'SELECT id, company_id AS companyId, key, unit, extracted, files, numbers, dates, texts FROM attribute_name',
      )
      .all();
    for (const row of names)
      this.#names.set(nameKey(row.companyId, row.key, row.unit, row.extracted), { row, files: 0 });
  }

  /** Checks one file. Must be called for every file, then {@link finish}. */
  look({ companyId, fileId, extracted, attributes }: IndexedOwner): void {
    for (const { name, unit, values } of attributes) {
      const known = this.#names.get(nameKey(companyId, this.#forms.key(name), unit, Number(extracted)));
      if (known === undefined) {
        this.#tell(companyId, `the attribute ${JSON.stringify(name)} is missing`);
        continue;
      }
      known.files++;
      for (const text of values) {
        const value = this.#value.get(known.row.id, this.#forms.key(text), text);
        const isThere =
          value !== undefined &&
          (value.fileId === null ? this.#use.get(value.id, fileId) !== undefined : value.fileId === fileId);
        if (isThere) this.#uses.set(value.id, (this.#uses.get(value.id) ?? 0) + 1);
        else this.#tell(companyId, `a file is missing at a value of ${JSON.stringify(name)}`);
      }
    }
  }

  /** The problems by company; 0 stands for no company. Yields after each value. */
  *finish(): Generator<void, ReadonlyMap<number, string>, void> {
    for (const { row, files } of this.#names.values()) {
      if (row.files !== files)
        this.#tell(row.companyId, `${JSON.stringify(row.key)} is counted for ${row.files} files, but ${files} have it`);
      yield* this.#lookAtValues(row);
      if (!(yield* this.#pairs.check(row.id)))
        this.#tell(row.companyId, `the lists of files at ${JSON.stringify(row.key)} are wrong`);
    }
    const orphans = this.#database
      .prepare<[], number>(`
      SELECT (SELECT count(*) FROM attribute_value WHERE name_id NOT IN (SELECT id FROM attribute_name))
        + (SELECT count(*) FROM attribute_term WHERE name_id NOT IN (SELECT id FROM attribute_name))
        + (SELECT count(*) FROM attribute_pairs WHERE name_id NOT IN (SELECT id FROM attribute_name))
        + (SELECT count(*) FROM attribute_use AS u 
          WHERE NOT EXISTS (SELECT 1 FROM attribute_value WHERE id = u.value_id AND file_id IS NULL))`)
      .pluck()
      .get() as number;
    if (orphans > 0) this.#tell(0, `${orphans} entries belong to no name or value`);
    return this.#found;
  }

  *#lookAtValues(name: NameRow): Generator<void, void, void> {
    const values = this.#database.prepare<[number], ValueRow>(
      `SELECT id, text, key, dimension, value, number, files, file_id AS fileId,
         iif(file_id IS NULL, (SELECT count(*) FROM attribute_use WHERE value_id = v.id), 1) AS uses
       FROM attribute_value AS v WHERE name_id = ?`,
    );
    const counts = { numbers: 0, dates: 0, texts: 0 };
    let terms = 0;
    let wrong = 0;
    for (const row of values.iterate(name.id)) {
      const { id, text, key, dimension, value, number, files, fileId, uses } = row;
      const wanted = quantityOf(this.#forms, text, name.unit);
      const type = typeOf(text, wanted.dimension);
      if (type !== undefined) counts[type]++;
      const own = this.#forms.terms(text, name.unit);
      terms += own.length;
      const isRight =
        key === this.#forms.key(text) &&
        dimension === wanted.dimension &&
        value === wanted.value &&
        number === wanted.number &&
        files === uses &&
        files === (this.#uses.get(id) ?? 0) &&
        own.every((term) => this.#term.get(name.id, term, id)?.fileId === fileId);
      if (!isRight) wrong++;
      yield;
    }
    const found = this.#database
      .prepare<[number], number>('SELECT count(*) FROM attribute_term WHERE name_id = ?')
      .pluck()
      .get(name.id);
    if (wrong > 0) this.#tell(name.companyId, `${wrong} values of ${JSON.stringify(name.key)} are wrong`);
    if (found !== terms)
      this.#tell(name.companyId, `${JSON.stringify(name.key)} has ${found} terms instead of ${terms}`);
    if (counts.numbers !== name.numbers || counts.dates !== name.dates || counts.texts !== name.texts)
      this.#tell(name.companyId, `the types of ${JSON.stringify(name.key)} are wrong`);
  }

  #tell(companyId: number, found: string): void {
    if (!this.#found.has(companyId)) this.#found.set(companyId, found);
  }
}

function nameKey(companyId: number, key: string, unit: string, extracted: number): string {
  return JSON.stringify([companyId, key, unit, extracted]);
}
