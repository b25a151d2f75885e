import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from './attribute-condition.js';
import type { AttributeFacet } from './attribute-facet.js';
import { splitValues } from './attribute.js';
import { parseIds } from './id-lists.js';

/** So many files are read one by one; of more, the tables by which files are found are counted. */
const READ_FILES = 500;
/** Of many files: attributes and values of each that are looked at, the most frequent of the company, and ids of files read for them. */
const LOOKED_NAMES = 40;
const LOOKED_VALUES = 60;
const LOOKED_IDS = 1_000_000;
/** What is told. */
const TOLD_NAMES = 12;
const TOLD_VALUES = 10;

interface Tally {
  readonly name: string;
  readonly unit: string;
  /** Whether somebody gave it to a file: what files say of themselves comes after these. */
  given: boolean;
  readonly values: Map<string, { readonly value: string; count: number }>;
}
interface ValueRow { key: string; text: string; files: number; fileId: number | null; uses: Uint8Array | null }

/** Counts the attributes of files that were found. Reads only. */
export class AttributeFacets {
  readonly #forms: AttributeForms;
  readonly #rows: Statement<[{ ids: string }], { fileId: number; name: string; unit: string; value: string; given: 0 | 1 }>;
  readonly #names: Statement<[number], { id: number; key: string; name: string; unit: string; given: 0 | 1 }>;
  readonly #values: Statement<[number], ValueRow>;

  constructor(database: Database, forms: AttributeForms) {
    this.#forms = forms;
    this.#rows = database.prepare(`
      WITH found AS (SELECT value AS id FROM json_each(@ids))
      SELECT file_id AS fileId, name, unit, value, 1 AS given FROM attribute WHERE file_id IN found
      UNION ALL SELECT file_id, name, unit, value, 0 FROM extracted WHERE file_id IN found`);
    this.#names = database.prepare(`SELECT id, key, name, unit, 1 - extracted AS given FROM attribute_name WHERE company_id = ? ORDER BY extracted, files DESC, key, unit LIMIT ${LOOKED_NAMES}`);
    this.#values = database.prepare(`
      SELECT key, text, files, file_id AS fileId, (SELECT CAST(group_concat(file_id) AS BLOB) FROM attribute_use WHERE value_id = v.id) AS uses
      FROM attribute_value AS v WHERE name_id = ? ORDER BY files DESC, text LIMIT ${LOOKED_VALUES}`);
  }

  /**
   * The values that group these files, with exact counts: at most 10 of each of 12 attributes, given ones first, then those that group most files. Of more than
   * 500 files only the company's most frequent attributes and values are looked at. Attributes whose values are all different are left out.
   * fileIds: rising.
   */
  among(companyId: number, fileIds: Uint32Array): AttributeFacet[] {
    const tallies = fileIds.length <= READ_FILES ? this.#ofRows(fileIds) : this.#ofTables(companyId, fileIds);
    return tallies.flatMap(({ name, unit, given, values }) => {
      const told = [...values.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, TOLD_VALUES);
      return told.length > 0 && told[0].count > 1 ? [{ facet: { name, unit, values: told }, given, weight: told.reduce((sum, { count }) => sum + (count > 1 ? count : 0), 0) }] : [];
    }).sort((a, b) => Number(b.given) - Number(a.given) || b.weight - a.weight || (a.facet.name < b.facet.name ? -1 : 1)).slice(0, TOLD_NAMES).map(({ facet }) => facet);
  }

  #ofRows(fileIds: Uint32Array): Tally[] {
    const tallies = new Map<string, Tally>();
    const seen = new Set<string>();
    for (const { fileId, name, unit, value, given } of this.#rows.all({ ids: `[${fileIds.join()}]` })) {
      const tally = tallyOf(tallies, this.#forms.key(name), { name, unit, given });
      for (const one of given === 1 ? splitValues(value) : [value]) {
        const key = this.#forms.key(one);
        // A value that was given and extracted is one file's once.
        const whose = JSON.stringify([fileId, this.#forms.key(name), unit, key]);
        if (seen.has(whose)) continue;
        seen.add(whose);
        count(tally, key, one, 1);
      }
    }
    return [...tallies.values()];
  }

  #ofTables(companyId: number, fileIds: Uint32Array): Tally[] {
    const marks = new Uint8Array(fileIds[fileIds.length - 1] + 1);
    for (const id of fileIds) marks[id] = 1;
    const tallies = new Map<string, Tally>();
    /** Files counted so far for a value that was given, so that those that also extracted it are not counted again. */
    const counted = new Map<string, Set<number>>();
    let left = LOOKED_IDS;
    for (const { id, key: nameKey, name, unit, given } of this.#names.all(companyId)) {
      if (left <= 0) break;
      const tally = tallyOf(tallies, nameKey, { name, unit, given });
      for (const { key, text, fileId, uses } of this.#values.all(id)) {
        const ids = fileId === null ? parseIds([uses]) : Uint32Array.of(fileId);
        left -= ids.length;
        const whose = JSON.stringify([nameKey, unit, key]);
        const before = counted.get(whose);
        const found = ids.filter((one) => marks[one] === 1 && before?.has(one) !== true);
        if (found.length === 0) continue;
        counted.set(whose, new Set([...before ?? [], ...found]));
        count(tally, key, text, found.length);
      }
    }
    return [...tallies.values()];
  }
}

function tallyOf(tallies: Map<string, Tally>, nameKey: string, { name, unit, given }: { name: string; unit: string; given: 0 | 1 }): Tally {
  const key = JSON.stringify([nameKey, unit]);
  const tally = tallies.get(key) ?? { name, unit, given: false, values: new Map() };
  tally.given ||= given === 1;
  tallies.set(key, tally);
  return tally;
}

function count({ values }: Tally, key: string, value: string, files: number): void {
  if (value.trim() === '') return;
  const known = values.get(key);
  if (known === undefined) values.set(key, { value, count: files });
  else known.count += files;
}
