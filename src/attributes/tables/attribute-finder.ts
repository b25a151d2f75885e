import type { Database, Statement } from 'better-sqlite3';
import { parseIds, risingIds, subtract } from '../../store/database/id-lists.js';
import { prepared } from '../../store/database/prepared.js';
import type { AttributeDoor, AttributeValueOptions } from '../attribute-door.js';
import type {
  AttributeCondition,
  AttributeCount,
  AttributeForms,
  AttributeMatch,
  FileAttribute,
} from '../attribute-condition.js';
import type { AttributeFacet } from '../attribute-facet.js';
import { askedOf, highOf, lowOf, meetsMatch, rangesOf, type AskedRange } from '../attribute-match.js';
import { splitValues } from '../attribute.js';
import type { ExtractedAttribute } from '../extracted.js';
import { AttributeFacets } from './attribute-facets.js';
import {
  COMMON,
  COMMON_VALUES,
  WRITTEN_NUMBERS,
  type AttributePairs,
  type Bound,
  type PairList,
} from './attribute-pairs.js';

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
  readonly nameId: number;
  readonly id: number;
  readonly files: number;
}

/** Most values that are counted to estimate how many files meet a condition. */
const ESTIMATE_VALUES = 256;

/** Up to this many values the files of each are looked up separately. */
const FEW_VALUES = 8;

/** Cached normal forms of names. */
const NAME_KEYS_KEPT = 10_000;

/** Finds files by their attributes and counts values. Only reads. */
export class AttributeFinder implements AttributeDoor {
  readonly #database: Database;
  readonly #forms: AttributeForms;
  readonly #pairs: AttributePairs;
  readonly #facets: AttributeFacets;
  readonly #given: Statement<[number], ExtractedAttribute>;
  readonly #facts: Statement<[number], ExtractedAttribute>;
  readonly #namesByKey: Statement<[number, string], NameRow>;
  readonly #notIndexed: Statement<[number], Uint8Array | null>;
  readonly #nameKeys = new Map<string, string>();

  constructor(database: Database, forms: AttributeForms, pairs: AttributePairs) {
    this.#database = database;
    this.#forms = forms;
    this.#pairs = pairs;
    this.#facets = new AttributeFacets(database, forms);
    this.#given = database.prepare('SELECT name, unit, value FROM attribute WHERE file_id = ?');
    this.#facts = database.prepare('SELECT name, unit, value FROM extracted WHERE file_id = ?');
    this.#namesByKey = database.prepare('SELECT id, unit, files FROM attribute_name WHERE company_id = ? AND key = ?');
    this.#notIndexed = database
      .prepare<[number], Uint8Array | null>(
        `SELECT CAST(group_concat(id) AS BLOB) FROM file WHERE company_id = ? AND state <> 'indexed'`,
      )
      .pluck();
  }

  async filesWith(companyId: number, { nameKey, match }: AttributeCondition): Promise<Uint32Array> {
    const found = this.#namesByKey
      .all(companyId, nameKey)
      .flatMap((name) => this.#candidates(name, match).map((candidates) => this.#filesOf(candidates)));
    const files = found.length === 1 ? found[0] : risingIds(joined(found));
    return files.length === 0 ? files : subtract(files, parseIds([this.#notIndexed.get(companyId) ?? null]));
  }

  async countWith(companyId: number, { nameKey, match }: AttributeCondition): Promise<number> {
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

  async those(fileIds: Uint32Array, condition: AttributeCondition): Promise<Uint32Array> {
    return fileIds.filter((fileId) => this.#has(fileId, condition));
  }

  async facets(companyId: number, fileIds: Uint32Array): Promise<AttributeFacet[]> {
    return this.#facets.among(companyId, fileIds);
  }

  #has(fileId: number, { nameKey, match }: AttributeCondition): boolean {
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

  async dimensionsOf(companyId: number, nameKey: string): Promise<string[] | undefined> {
    const names = this.#namesByKey.all(companyId, nameKey);
    return names.length === 0
      ? undefined
      : [...new Set(names.flatMap(({ id }) => this.#pairs.dimensionsOf(id)))].sort();
  }

  async names(companyId: number, { extracted }: { readonly extracted: boolean }): Promise<FileAttribute[]> {
    return this.#database
      .prepare<[number, number], FileAttribute>(
        `SELECT name, unit, files AS count, CASE WHEN texts = 0 AND dates = 0 AND numbers > 0 THEN 'number'
           WHEN texts = 0 AND numbers = 0 AND dates > 0 THEN 'date' ELSE 'text' END AS type
         FROM attribute_name WHERE company_id = ? AND extracted = ? ORDER BY key, unit`,
      )
      .all(companyId, Number(extracted));
  }

  async values(
    companyId: number,
    name: string,
    { prefix, unit, extracted, limit, offset }: AttributeValueOptions,
  ): Promise<AttributeCount[]> {
    const begin = this.#forms.key(prefix);
    return this.#database
      .prepare<[object], AttributeCount>(
        `SELECT text AS value, unit, v.files AS count
         FROM attribute_name AS n JOIN attribute_value AS v ON v.name_id = n.id
         WHERE company_id = @companyId AND n.key = @nameKey AND extracted = @extracted
           AND v.key >= @begin AND substr(v.key, 1, length(@begin)) = @begin
           AND (@unit IS NULL OR unit = @unit)
         ORDER BY v.files DESC, text, unit LIMIT @limit OFFSET @offset`,
      )
      .all({
        companyId,
        nameKey: this.#forms.key(name),
        extracted: Number(extracted),
        begin,
        unit: unit ?? null,
        limit,
        offset,
      });
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
    if (numbers !== undefined) return risingIds(this.#pairs.within(numbers, numbers.bounds));
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
    const shared = prepared<[object], SharedValue>(
      this.#database,
      `SELECT a.name_id AS nameId, a.id, a.files FROM ${table} AS v
      CROSS JOIN attribute_value AS a ON a.id = v.${ID[table]}
      WHERE ${where} AND v.file_id IS NULL LIMIT ${FEW_VALUES + 1}`,
    ).all(given);
    if (shared.length > FEW_VALUES || !shared.some(({ files }) => files >= COMMON)) return undefined;
    return shared.map(({ nameId, id, files }) =>
      files >= COMMON
        ? this.#pairs.within({ nameId, list: COMMON_VALUES }, [
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
    return prepared<[object], unknown>(this.#database, sql).pluck().get(given);
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
