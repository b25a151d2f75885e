import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from '../attribute-condition.js';
import type { Attribute } from '../attribute.js';
import { AttributePairs, COMMON, COMMON_VALUES, type ValueNumbers } from './attribute-pairs.js';

/** The file whose attributes are written. */
export interface AttributeOwner {
  readonly companyId: number;
  readonly fileId: number;
  /** True: attributes that were read from the file; false: attributes that were given to it. */
  readonly extracted: boolean;
}

interface ValueRow extends ValueNumbers {
  readonly id: number;
  readonly file_id: number | null;
  readonly files: number;
}

/**
 * The tables that find files by attributes and count values. They are derived from the tables `attribute` and
 * `extracted`, and hold each distinct value once. All methods run inside a transaction of the caller.
 *
 * Most values of some attributes belong to a single file (part numbers, volumes). The file's id is then stored with the
 * value and its terms, so that a search over many such values reads one index sequentially.
 */
export class AttributeIndex {
  readonly #forms: AttributeForms;
  readonly #database: Database;
  readonly #name: Statement<[number, string, string, number], { id: number; files: number }>;
  readonly #insertName: Statement<[number, string, string, number, string]>;
  readonly #countFile: Statement<[number, number]>;
  readonly #countValue: Statement<[number, number, number, number]>;
  readonly #deleteName: Statement<[{ id: number }]>;
  readonly #value: Statement<[number, string, string], ValueRow>;
  readonly #insertValue: Statement<[object]>;
  readonly #shareValue: Statement<[number]>;
  readonly #countUse: Statement<[number, number]>;
  readonly #deleteValue: Statement<[number]>;
  readonly #insertTerm: Statement<[number, string, number, number]>;
  readonly #shareTerm: Statement<[number, string, number]>;
  readonly #deleteTerm: Statement<[number, string, number]>;
  readonly #insertUse: Statement<[number, number]>;
  readonly #deleteUse: Statement<[number, number]>;
  readonly #uses: Statement<[number], number>;
  /** Sorted lists of numbers and common values with their files. */
  readonly pairs: AttributePairs;

  constructor(database: Database, forms: AttributeForms) {
    this.#forms = forms;
    this.#database = database;
    this.pairs = new AttributePairs(database);
    this.#name = database.prepare(
      'SELECT id, files FROM attribute_name WHERE company_id = ? AND key = ? AND unit = ? AND extracted = ?',
    );
    this.#insertName = database.prepare(
      'INSERT INTO attribute_name (company_id, key, unit, extracted, name) VALUES (?, ?, ?, ?, ?)',
    );
    this.#countFile = database.prepare('UPDATE attribute_name SET files = files + ? WHERE id = ?');
    this.#countValue = database.prepare(
      'UPDATE attribute_name SET numbers = numbers + ?, dates = dates + ?, texts = texts + ? WHERE id = ?',
    );
    this.#deleteName = database.prepare(
      `DELETE FROM attribute_name WHERE id = @id AND files = 0
         AND NOT EXISTS (SELECT 1 FROM attribute_value WHERE name_id = @id)`,
    );
    this.#value = database.prepare(
      `SELECT id, file_id, files, dimension, value, number
       FROM attribute_value WHERE name_id = ? AND key = ? AND text = ?`,
    );
    this.#insertValue = database.prepare(`
      INSERT INTO attribute_value (name_id, text, key, dimension, value, number, files, file_id)
      VALUES (@nameId, @text, @key, @dimension, @value, @number, 1, @fileId)`);
    this.#shareValue = database.prepare('UPDATE attribute_value SET file_id = NULL WHERE id = ?');
    this.#countUse = database.prepare('UPDATE attribute_value SET files = files + ? WHERE id = ?');
    this.#deleteValue = database.prepare('DELETE FROM attribute_value WHERE id = ?');
    // Rows that a damaged library still holds for a removed value must not prevent a new one.
    this.#insertTerm = database.prepare(
      'INSERT OR REPLACE INTO attribute_term (name_id, term, value_id, file_id) VALUES (?, ?, ?, ?)',
    );
    this.#shareTerm = database.prepare(
      'UPDATE attribute_term SET file_id = NULL WHERE name_id = ? AND term = ? AND value_id = ?',
    );
    this.#deleteTerm = database.prepare('DELETE FROM attribute_term WHERE name_id = ? AND term = ? AND value_id = ?');
    this.#insertUse = database.prepare('INSERT OR IGNORE INTO attribute_use (value_id, file_id) VALUES (?, ?)');
    this.#deleteUse = database.prepare('DELETE FROM attribute_use WHERE value_id = ? AND file_id = ?');
    this.#uses = database.prepare<[number], number>('SELECT file_id FROM attribute_use WHERE value_id = ?').pluck();
  }

  /** Adds attributes of a file: one for each name and unit, without repeated values. */
  add({ companyId, fileId, extracted }: AttributeOwner, attributes: readonly Attribute[]): void {
    for (const { name, unit, values } of attributes) {
      const key = this.#forms.key(name);
      const nameId =
        this.#name.get(companyId, key, unit, Number(extracted))?.id ??
        Number(this.#insertName.run(companyId, key, unit, Number(extracted), name).lastInsertRowid);
      this.#countFile.run(1, nameId);
      for (const value of values) this.#addValue(nameId, unit, value, fileId);
    }
  }

  /**
   * Removes what {@link add} added for the same file. Rows that are missing in a damaged library are ignored; `verify`
   * reports them.
   */
  remove({ companyId, fileId, extracted }: AttributeOwner, attributes: readonly Attribute[]): void {
    for (const { name, unit, values } of attributes) {
      const row = this.#name.get(companyId, this.#forms.key(name), unit, Number(extracted));
      if (row === undefined) continue;
      for (const value of values) this.#removeValue(row.id, unit, value, fileId);
      this.#countFile.run(-1, row.id);
      if (row.files === 1) this.#deleteName.run({ id: row.id });
    }
  }

  /** Empties all tables. */
  clear(): void {
    this.pairs.clear();
    this.#database.exec(
      'DELETE FROM attribute_use; DELETE FROM attribute_term; DELETE FROM attribute_value; DELETE FROM attribute_name;',
    );
  }

  #addValue(nameId: number, unit: string, text: string, fileId: number): void {
    const key = this.#forms.key(text);
    const known = this.#value.get(nameId, key, text);
    if (known === undefined) {
      this.#enter(nameId, unit, text, key, fileId);
      return;
    }
    if (known.file_id !== null) {
      this.#shareValue.run(known.id);
      for (const term of this.#forms.terms(text, unit)) this.#shareTerm.run(nameId, term, known.id);
      this.#insertUse.run(known.id, known.file_id);
    }
    this.#insertUse.run(known.id, fileId);
    this.#countUse.run(1, known.id);
    this.pairs.addNumbers(nameId, known, fileId);
    if (known.files + 1 < COMMON) return;
    // The value has just become common, or was before.
    for (const id of known.files + 1 === COMMON ? this.#uses.all(known.id) : [fileId])
      this.pairs.add({ nameId, list: COMMON_VALUES }, known.id, id);
  }

  #enter(nameId: number, unit: string, text: string, key: string, fileId: number): void {
    const quantity = quantityOf(this.#forms, text, unit);
    const { lastInsertRowid } = this.#insertValue.run({ nameId, text, key, fileId, ...quantity });
    for (const term of this.#forms.terms(text, unit))
      this.#insertTerm.run(nameId, term, Number(lastInsertRowid), fileId);
    this.pairs.addNumbers(nameId, quantity, fileId);
    this.#countType(nameId, text, quantity.dimension, 1);
  }

  #removeValue(nameId: number, unit: string, text: string, fileId: number): void {
    const known = this.#value.get(nameId, this.#forms.key(text), text);
    if (known === undefined || (known.file_id !== null && known.file_id !== fileId)) return;
    if (known.file_id === null && this.#deleteUse.run(known.id, fileId).changes === 0) return;
    if (known.files > 1) {
      this.#countUse.run(-1, known.id);
      this.pairs.removeNumbers(nameId, known, fileId);
      if (known.files < COMMON) return;
      for (const id of known.files === COMMON ? [fileId, ...this.#uses.all(known.id)] : [fileId])
        this.pairs.remove({ nameId, list: COMMON_VALUES }, known.id, id);
      return;
    }
    for (const term of this.#forms.terms(text, unit)) this.#deleteTerm.run(nameId, term, known.id);
    this.#deleteValue.run(known.id);
    this.pairs.removeNumbers(nameId, known, fileId);
    this.#countType(nameId, text, this.#forms.quantity(text, unit)?.dimension ?? null, -1);
  }

  #countType(nameId: number, text: string, dimension: string | null, change: number): void {
    const type = typeOf(text, dimension);
    if (type !== undefined)
      this.#countValue.run(
        type === 'numbers' ? change : 0,
        type === 'dates' ? change : 0,
        type === 'texts' ? change : 0,
        nameId,
      );
  }
}

/** The columns that are stored for a value's quantity. */
export function quantityOf(
  forms: AttributeForms,
  text: string,
  unit: string,
): { dimension: string | null; value: number | null; number: number | null } {
  const quantity = forms.quantity(text, unit);
  if (quantity === undefined) return { dimension: null, value: null, number: null };
  // The value has a unit and the attribute has none: a query without a unit is compared with the number as it is
  // written.
  const bare =
    quantity.dimension !== '' && quantity.dimension !== 'date' && forms.quantity('1', unit)?.dimension === '';
  return {
    dimension: quantity.dimension,
    value: quantity.value,
    number: bare ? (quantity.number ?? quantity.value) : null,
  };
}

/** The type by which a value is counted, from its dimension. An empty value fits every type and is not counted. */
export function typeOf(text: string, dimension: string | null): 'numbers' | 'dates' | 'texts' | undefined {
  if (text.trim() === '') return undefined;
  if (dimension === null) return 'texts';
  return dimension === 'date' ? 'dates' : 'numbers';
}
