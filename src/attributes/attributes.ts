import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type {
  AttributeCondition,
  AttributeCount,
  AttributeForms,
  AttributeMatch,
  FileAttribute,
} from './attribute-condition.js';
import { askedOf, highOf, lowOf, meetsMatch, rangesOf, type AskedRange } from './attribute-match.js';
import { AttributeCheck, type IndexedOwner } from './attribute-check.js';
import { AttributeFacets } from './attribute-facets.js';
import { AttributeIndex, type AttributeOwner } from './attribute-index.js';
import { COMMON, COMMON_VALUES, WRITTEN_NUMBERS, type Bound, type PairList } from './attribute-pairs.js';
import {
  addAttributes,
  joinValues,
  mergeAttributes,
  printAttribute,
  splitValues,
  type Attribute,
} from './attribute.js';
import { attributesOf, keptOf, type ExtractedAttribute } from './extracted.js';
import { parseIds, risingIds, subtract } from '../store/database/id-lists.js';
import { inTurns } from '../store/database/in-turns.js';
import { storageError } from '../store/database/storage-errors.js';
import type { Settings } from '../store/database/settings.js';
import type { AttributeTables, FileKey, OpenCatalog, RoomProblem } from '../store/rooms.js';
import type { IndexedFile } from '../store/catalog/indexed-file.js';

/** The values of an attribute to list. */
export interface AttributeValueOptions {
  /** Only values with this beginning, ignoring case. */
  readonly prefix: string;
  /** Only values in this unit. Absent: all. */
  readonly unit?: string;
  readonly limit: number;
  readonly offset: number;
}

interface GivenRow {
  name: string;
  unit: string;
  value: string;
}
interface NameRow {
  id: number;
  unit: string;
  files: number;
}
/** A selection of rows of `attribute_value`, or of `attribute_term` with the values' ids. */
interface Candidates {
  readonly table: 'attribute_value' | 'attribute_term';
  readonly where: string;
  readonly given: object;
  readonly numbers?: NumbersAsked;
}
/** The same selection as bounds on one list of numbers, when that is possible. */
interface NumbersAsked extends PairList {
  readonly bounds: readonly Bound[];
}
interface SharedValue {
  readonly id: number;
  readonly files: number;
}

/** Most values that are counted to estimate how many files meet a condition. */
const ESTIMATE_VALUES = 256;

/** Up to this many values the files of each are looked up separately. */
const FEW_VALUES = 8;

/** Cached normal forms of names. */
const NAME_KEYS_KEPT = 10_000;

/**
 * The attributes of files, given and extracted: stores them, finds files by them, and counts values. Writing methods
 * run inside a transaction of the caller. The tables `attribute` and `extracted` are the source; the others are derived
 * from them (see {@link AttributeIndex}).
 */
export class Attributes implements AttributeTables {
  /** Counts values among found files. */
  readonly facets: AttributeFacets;
  readonly #database: Database;
  readonly #forms: AttributeForms;
  readonly #index: AttributeIndex;
  readonly #texts: Statement<[number], string>;
  readonly #given: Statement<[number], GivenRow>;
  readonly #facts: Statement<[number], ExtractedAttribute>;
  readonly #deleteGiven: Statement<[number]>;
  readonly #deleteFacts: Statement<[number]>;
  readonly #insertGiven: Statement<[number, number, string, string, string, string]>;
  readonly #insertFact: Statement<[number, number, string, string, string]>;
  readonly #namesByKey: Statement<[number, string], NameRow>;
  readonly #notIndexed: Statement<[number], Uint8Array | null>;
  readonly #nameKeys = new Map<string, string>();
  readonly #statements = new Map<string, Statement<[object], unknown>>();

  constructor(database: Database, forms: AttributeForms) {
    this.#database = database;
    this.#forms = forms;
    this.#index = new AttributeIndex(database, forms);
    this.facets = new AttributeFacets(database, forms);
    this.#texts = database
      .prepare<[number], string>('SELECT text FROM attribute WHERE file_id = ? ORDER BY position')
      .pluck();
    this.#given = database.prepare('SELECT name, unit, value FROM attribute WHERE file_id = ? ORDER BY position');
    this.#facts = database.prepare('SELECT name, unit, value FROM extracted WHERE file_id = ? ORDER BY position');
    this.#deleteGiven = database.prepare('DELETE FROM attribute WHERE file_id = ?');
    this.#deleteFacts = database.prepare('DELETE FROM extracted WHERE file_id = ?');
    this.#insertGiven = database.prepare(
      'INSERT INTO attribute (file_id, position, text, name, unit, value) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#insertFact = database.prepare(
      'INSERT INTO extracted (file_id, position, name, unit, value) VALUES (?, ?, ?, ?, ?)',
    );
    this.#namesByKey = database.prepare('SELECT id, unit, files FROM attribute_name WHERE company_id = ? AND key = ?');
    this.#notIndexed = database
      .prepare<[number], Uint8Array | null>(
        `SELECT CAST(group_concat(id) AS BLOB) FROM file WHERE company_id = ? AND state <> 'indexed'`,
      )
      .pluck();
  }

  /** The attributes given to a file, as text. */
  texts(fileId: number): string[] {
    return this.#texts.all(fileId);
  }

  /** The attributes extracted from a file, as text; several values of one name and unit in one text. */
  extractedTexts(fileId: number): string[] {
    return attributesOf(this.#facts.all(fileId)).map(printAttribute);
  }

  /** The attributes given to a file. */
  given(fileId: number): Attribute[] {
    return this.#given.all(fileId).map(({ name, unit, value }) => ({ name, unit, values: splitValues(value) }));
  }

  /** Replaces the given attributes of a file. False: they were the same. */
  put(companyId: number, fileId: number, attributes: readonly Attribute[]): boolean {
    const before = this.texts(fileId);
    if (
      before.length === attributes.length &&
      attributes.every((attribute, i) => printAttribute(attribute) === before[i])
    )
      return false;
    const had = this.given(fileId);
    this.#deleteGiven.run(fileId);
    this.#insertAll(fileId, attributes);
    this.#replace({ companyId, fileId, extracted: false }, had, attributes);
    return true;
  }

  /**
   * Adds attributes and values to a file. False: it had all of them. @throws RangeError when it would have too many.
   */
  add(companyId: number, fileId: number, attributes: readonly Attribute[]): boolean {
    return this.put(companyId, fileId, addAttributes(this.given(fileId), attributes, this.#forms.key));
  }

  /** Replaces the extracted attributes of a file. */
  putExtracted(companyId: number, fileId: number, facts: readonly ExtractedAttribute[]): void {
    const had = this.#extracted(fileId);
    this.#deleteFacts.run(fileId);
    keptOf(facts).forEach(({ name, unit, value }, position) =>
      this.#insertFact.run(fileId, position, name, unit, value),
    );
    this.#replace({ companyId, fileId, extracted: true }, had, this.#extracted(fileId));
  }

  opened(settings: Settings): void {
    const forms = String(this.#forms.version);
    if (settings.get('attribute forms') !== forms) {
      this.rebuild();
      settings.set('attribute forms', forms);
    } else if (settings.get('attribute pairs') === undefined) this.#index.pairs.fill();
    settings.set('attribute pairs', 'yes');
  }

  indexed({ companyId, fileId }: FileKey, { extracted }: IndexedFile): void {
    this.putExtracted(companyId, fileId, extracted);
  }

  failed({ companyId, fileId }: FileKey): void {
    this.putExtracted(companyId, fileId, []);
  }

  removing({ companyId, fileId }: FileKey): void {
    this.put(companyId, fileId, []);
    this.putExtracted(companyId, fileId, []);
  }

  reports(finding: string): boolean {
    return finding === 'attribute_name' || finding === 'attribute_value';
  }

  async verify(
    { writes, changes }: OpenCatalog,
    { repair, signal }: { readonly repair: boolean; readonly signal?: AbortSignal },
  ): Promise<RoomProblem[]> {
    const damaged = await this.damaged(signal);
    if (repair && damaged.length > 0) {
      await writes.run(() => this.remakeIndex());
      changes.forget(); // Cached answers may be wrong.
    }
    return damaged.map(({ companyId, found }) => ({
      code: 'ATTRIBUTES_DAMAGED',
      message: `the index of attributes: ${found}`,
      companyId,
    }));
  }

  /** Rebuilds all tables from the stored texts, for a library that was written with other forms. */
  rebuild(): void {
    for (const { fileId } of this.#files()) {
      const given = mergeAttributes(
        this.given(fileId).map(({ name, unit, values }) => ({
          name: withoutNul(name),
          unit: withoutNul(unit),
          values: values.map(withoutNul),
        })),
        this.#forms.key,
      );
      this.#deleteGiven.run(fileId);
      this.#insertAll(fileId, given);
      const facts = this.#facts.all(fileId);
      this.#deleteFacts.run(fileId);
      keptOf(facts).forEach(({ name, unit, value }, position) =>
        this.#insertFact.run(fileId, position, name, unit, value),
      );
    }
    this.remakeIndex();
  }

  /** Rebuilds the derived tables. */
  remakeIndex(): void {
    this.#index.clear();
    for (const file of this.#files()) for (const owner of this.#owned(file)) this.#index.add(owner, owner.attributes);
  }

  /**
   * Companies (0: none in particular) whose derived tables disagree with the attributes, with a description. Reads all
   * of them in one snapshot, in slices, so that other work continues.
   */
  async damaged(signal?: AbortSignal): Promise<{ companyId: number; found: string }[]> {
    const snapshot = new SqliteDatabase(this.#database.name, { readonly: true });
    try {
      snapshot.exec('BEGIN');
      return [...(await inTurns(new Attributes(snapshot, this.#forms).#check(), signal))].map(([companyId, found]) => ({
        companyId,
        found,
      }));
    } catch (cause) {
      if (signal?.aborted) throw cause;
      return [{ companyId: 0, found: storageError('check the index of attributes', cause).message }];
    } finally {
      snapshot.close();
    }
  }

  /** Ids of the indexed files that meet a condition, rising. */
  filesWith(companyId: number, { nameKey, match }: AttributeCondition): Uint32Array {
    const found = this.#namesByKey
      .all(companyId, nameKey)
      .flatMap((name) => this.#candidates(name, match).map((candidates) => this.#filesOf(candidates)));
    const files = found.length === 1 ? found[0] : risingIds(joined(found));
    return files.length === 0 ? files : subtract(files, parseIds([this.#notIndexed.get(companyId) ?? null]));
  }

  /**
   * An upper bound of the number of files that {@link filesWith} finds, computed faster: the files with such values, or
   * with the attribute.
   */
  countWith(companyId: number, { nameKey, match }: AttributeCondition): number {
    let sum = 0;
    for (const name of this.#namesByKey.all(companyId, nameKey)) {
      let files = 0;
      for (const { table, where, given } of this.#candidates(name, match)) {
        const from =
          table === 'attribute_value'
            ? 'attribute_value AS v'
            : 'attribute_term AS v JOIN attribute_value AS a ON a.id = v.value_id';
        const seen = this.#get(
          `SELECT count(*) || ' ' || coalesce(sum(files), 0)
           FROM (SELECT files FROM ${from} WHERE ${where} LIMIT ${ESTIMATE_VALUES + 1})`,
          given,
        ) as string;
        const [values, counted] = seen.split(' ').map(Number);
        files += values > ESTIMATE_VALUES ? name.files : counted;
      }
      sum += Math.min(files, name.files);
    }
    return sum;
  }

  /** Whether a file meets a condition, in any state. */
  has(fileId: number, { nameKey, match }: AttributeCondition): boolean {
    const meets = (value: string, unit: string): boolean => meetsMatch(value, unit, match, this.#forms);
    return (
      this.#given
        .all(fileId)
        .some(
          ({ name, unit, value }) =>
            this.#keyOf(name) === nameKey && splitValues(value).some((one) => meets(one, unit)),
        ) ||
      this.#facts.all(fileId).some(({ name, unit, value }) => this.#keyOf(name) === nameKey && meets(value, unit))
    );
  }

  /**
   * The dimensions of the numbers among the values of an attribute, given and extracted: '' for plain numbers; empty
   * when all values are texts. Undefined when no file has the attribute.
   */
  dimensionsOf(companyId: number, nameKey: string): string[] | undefined {
    const names = this.#namesByKey.all(companyId, nameKey);
    return names.length === 0
      ? undefined
      : [...new Set(names.flatMap(({ id }) => this.#index.pairs.dimensionsOf(id)))].sort();
  }

  /** The attributes given to files of a company, by name and unit. */
  names(companyId: number): FileAttribute[] {
    return this.#database
      .prepare<[number], FileAttribute>(
        `SELECT name, unit, files AS count, CASE WHEN texts = 0 AND dates = 0 AND numbers > 0 THEN 'number'
           WHEN texts = 0 AND numbers = 0 AND dates > 0 THEN 'date' ELSE 'text' END AS type
         FROM attribute_name WHERE company_id = ? AND extracted = 0 ORDER BY key, unit`,
      )
      .all(companyId);
  }

  /** The values given under a name, the most frequent first, then in the order of their characters. */
  values(companyId: number, name: string, { prefix, unit, limit, offset }: AttributeValueOptions): AttributeCount[] {
    const begin = this.#forms.key(prefix);
    return this.#database
      .prepare<[object], AttributeCount>(
        `SELECT text AS value, unit, v.files AS count
         FROM attribute_name AS n JOIN attribute_value AS v ON v.name_id = n.id
         WHERE company_id = @companyId AND n.key = @nameKey AND extracted = 0
           AND v.key >= @begin AND substr(v.key, 1, length(@begin)) = @begin
           AND (@unit IS NULL OR unit = @unit)
         ORDER BY v.files DESC, text, unit LIMIT @limit OFFSET @offset`,
      )
      .all({ companyId, nameKey: this.#forms.key(name), begin, unit: unit ?? null, limit, offset });
  }

  *#check(): Generator<void, ReadonlyMap<number, string>, void> {
    const check = new AttributeCheck(this.#database, this.#forms);
    for (const file of this.#files()) {
      for (const owner of this.#owned(file)) check.look(owner);
      yield;
    }
    return yield* check.finish();
  }

  /** Updates the index for the attributes that differ. */
  #replace(owner: AttributeOwner, had: readonly Attribute[], has: readonly Attribute[]): void {
    const before = new Set(had.map(wholeOf)),
      after = new Set(has.map(wholeOf));
    this.#index.remove(
      owner,
      had.filter((attribute) => !after.has(wholeOf(attribute))),
    );
    this.#index.add(
      owner,
      has.filter((attribute) => !before.has(wholeOf(attribute))),
    );
  }

  #insertAll(fileId: number, attributes: readonly Attribute[]): void {
    attributes.forEach((attribute, position) =>
      this.#insertGiven.run(
        fileId,
        position,
        printAttribute(attribute),
        attribute.name,
        attribute.unit,
        joinValues(attribute.values),
      ),
    );
  }

  #files(): { fileId: number; companyId: number }[] {
    return this.#database
      .prepare<[], { fileId: number; companyId: number }>('SELECT id AS fileId, company_id AS companyId FROM file')
      .all();
  }

  /** The attributes that the index should hold for a file. */
  #owned({ fileId, companyId }: { fileId: number; companyId: number }): IndexedOwner[] {
    return [
      { companyId, fileId, extracted: false, attributes: this.given(fileId) },
      { companyId, fileId, extracted: true, attributes: this.#extracted(fileId) },
    ];
  }

  /** Extracted attributes as the index holds them: names in one casing. */
  #extracted(fileId: number): Attribute[] {
    return mergeAttributes(attributesOf(this.#facts.all(fileId)), this.#forms.key);
  }

  /** Selections of the values of one name that meet a match; they may overlap. */
  #candidates({ id, unit }: NameRow, match: AttributeMatch): Candidates[] {
    const values = (where: string, given: object): Candidates => ({
      table: 'attribute_value',
      where: `v.name_id = @id AND ${where}`,
      given: { id, ...given },
    });
    const within = ({ dimension, bounds }: AskedRange): Candidates => {
      const where = bounds
        .map(({ operator, asWritten }, i) => `${asWritten ? 'v.number' : 'v.value'} ${operator} @bound${i}`)
        .join(' AND ');
      const given = Object.fromEntries(bounds.map(({ value }, i) => [`bound${i}`, value]));
      const isOfOneColumn = bounds.every(({ asWritten }) => asWritten === (dimension === undefined));
      return {
        ...(dimension === undefined
          ? values(where, given)
          : values(`v.dimension = @dimension AND ${where}`, { ...given, dimension })),
        ...(isOfOneColumn ? { numbers: { nameId: id, list: dimension ?? WRITTEN_NUMBERS, bounds } } : {}),
      };
    };
    switch (match.kind) {
      case 'terms':
      case 'prefix':
        return [this.#termCandidates(id, match)];
      case 'equals': {
        const asked = match.quantity === undefined ? [] : askedOf(match.quantity, unit, this.#forms);
        return [
          values('v.key = @key', { key: match.key }),
          ...asked.map(({ quantity: { dimension, value }, asWritten }) =>
            within({
              dimension: asWritten ? undefined : dimension,
              bounds: [
                { operator: '>=', value: lowOf(value), asWritten },
                { operator: '<=', value: highOf(value), asWritten },
              ],
            }),
          ),
        ];
      }
      case 'compare':
        return rangesOf(match, unit, this.#forms).map(within);
    }
  }

  #termCandidates(id: number, match: AttributeMatch & { kind: 'terms' | 'prefix' }): Candidates {
    const prefix = match.kind === 'prefix' ? (match.terms.at(-1) ?? '') : '';
    const words = [...new Set(match.kind === 'prefix' ? match.terms.slice(0, -1) : match.terms)];
    const range = { begin: prefix, end: `${prefix}${LAST}` };
    if (words.length === 0) {
      if (prefix === '') return { table: 'attribute_value', where: 'v.name_id = @id', given: { id } };
      return {
        table: 'attribute_term',
        where: 'v.name_id = @id AND v.term >= @begin AND v.term < @end',
        given: { id, ...range },
      };
    }
    const [rarest, ...rest] = words.length === 1 ? words : this.#byFrequency(id, words);
    const others = `NOT EXISTS (SELECT 1 FROM json_each(@rest) AS r WHERE NOT EXISTS
      (SELECT 1 FROM attribute_term AS o WHERE o.name_id = @id AND o.term = r.value AND o.value_id = v.value_id))`;
    const begun =
      'v.value_id IN (SELECT value_id FROM attribute_term WHERE name_id = @id AND term >= @begin AND term < @end)';
    return {
      table: 'attribute_term',
      where: [
        'v.name_id = @id AND v.term = @rarest',
        ...(rest.length > 0 ? [others] : []),
        ...(prefix === '' ? [] : [begun]),
      ].join(' AND '),
      given: {
        id,
        rarest,
        ...(rest.length > 0 ? { rest: JSON.stringify(rest) } : {}),
        ...(prefix === '' ? {} : range),
      },
    };
  }

  /** Rising. */
  #filesOf({ table, where, given, numbers }: Candidates): Uint32Array {
    if (numbers !== undefined) return risingIds(this.#index.pairs.within(numbers, numbers.bounds));
    const single = this.#get(
      `SELECT CAST(group_concat(file_id) AS BLOB) FROM ${table} AS v WHERE ${where} AND file_id IS NOT NULL`,
      given,
    ) as Uint8Array | null;
    const common = this.#commonAmongFew({ table, where, given });
    if (common !== undefined) return risingIds(joined([parseIds([single]), ...common]));
    return parseIds([
      single,
      this.#get(
        `SELECT CAST(group_concat(u.file_id) AS BLOB) FROM ${table} AS v
         CROSS JOIN attribute_use AS u ON u.value_id = v.${ID[table]}
         WHERE ${where} AND v.file_id IS NULL`,
        given,
      ) as Uint8Array | null,
    ]);
  }

  /** The files of each value that several files share; undefined when there are many such values or none is common. */
  #commonAmongFew({ table, where, given }: Pick<Candidates, 'table' | 'where' | 'given'>): Uint32Array[] | undefined {
    const shared = this.#statement(`SELECT a.name_id AS nameId, a.id, a.files FROM ${table} AS v
      CROSS JOIN attribute_value AS a ON a.id = v.${ID[table]}
      WHERE ${where} AND v.file_id IS NULL LIMIT ${FEW_VALUES + 1}`).all(given) as (SharedValue & { nameId: number })[];
    if (shared.length > FEW_VALUES || !shared.some(({ files }) => files >= COMMON)) return undefined;
    return shared.map(({ nameId, id, files }) =>
      files >= COMMON
        ? this.#index.pairs.within({ nameId, list: COMMON_VALUES }, [
            { operator: '>=', value: id },
            { operator: '<=', value: id },
          ])
        : parseIds([
            this.#get('SELECT CAST(group_concat(file_id) AS BLOB) FROM attribute_use WHERE value_id = @id', {
              id,
            }) as Uint8Array | null,
          ]),
    );
  }

  /** The words, rarest first, so that few values are read. */
  #byFrequency(id: number, words: readonly string[]): string[] {
    const values = (term: string): number =>
      this.#get(
        'SELECT count(*) FROM (SELECT 1 FROM attribute_term WHERE name_id = @id AND term = @term LIMIT 10000)',
        { id, term },
      ) as number;
    return words
      .map((word) => ({ word, count: values(word) }))
      .sort((a, b) => a.count - b.count)
      .map(({ word }) => word);
  }

  /** The normal form of a name, cached: names are few, and computing the form is slower than a lookup. */
  #keyOf(name: string): string {
    let key = this.#nameKeys.get(name);
    if (key === undefined) {
      if (this.#nameKeys.size >= NAME_KEYS_KEPT) this.#nameKeys.clear();
      this.#nameKeys.set(name, (key = this.#forms.key(name)));
    }
    return key;
  }

  /** The first column of the first row. */
  #get(sql: string, given: object): unknown {
    return this.#statement(sql).pluck().get(given);
  }

  #statement(sql: string): Statement<[object], unknown> {
    let statement = this.#statements.get(sql);
    if (statement === undefined)
      this.#statements.set(sql, (statement = this.#database.prepare<[object], unknown>(sql)));
    return statement;
  }
}

/** The column of the value's id in each table. */
const ID = Object.freeze({ attribute_value: 'id', attribute_term: 'value_id' });

/** Appended to a prefix, gives a text that sorts after all texts with that prefix. */
const LAST = '\u{10FFFF}';

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** A key that is equal for attributes with the same name, unit and values. */
function wholeOf({ name, unit, values }: Attribute): string {
  return JSON.stringify([name, unit, ...values]);
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
