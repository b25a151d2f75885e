import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from '../attribute-condition.js';
import type { AttributeFacet } from '../attribute-facet.js';
import { splitValues } from '../attribute.js';
import { parseIds } from '../../store/database/id-lists.js';

/** Up to this many files are read one by one; for more, the index tables are counted. */
const READ_FILES = 500;
/**
 * For many files: the most frequent attributes of the company and values of each that are counted, and the most file
 * ids read for them.
 */
const LOOKED_NAMES = 40;
const LOOKED_VALUES = 60;
const LOOKED_IDS = 1_000_000;
/** Most attributes, values of each, and ranges in a result. */
const TOLD_NAMES = 12;
const TOLD_VALUES = 10;
const TOLD_RANGES = 6;
/** Most attributes of them that programs wrote of themselves and of who used them. */
const TOLD_OF_PROGRAMS = 4;
/** Their names in every file of a kind, which says nothing of a part: they come last. */
const OF_PROGRAMS: ReadonlySet<string> = new Set(
  [
    'Application',
    'Author',
    'Authorisation',
    'Copyright',
    'Created',
    'Creator',
    'File name',
    'Last saved by',
    'Modified',
    'Organization',
    'Originating system',
    'PDF version',
    'Preprocessor',
    'Producer',
    'Resolution',
    'Schema',
    'Time stamp',
  ].map((name) => name.toLowerCase()),
);
const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

interface Tally {
  readonly name: string;
  readonly unit: string;
  /** Whether it was given to a file; extracted attributes come after given ones. */
  given: boolean;
  readonly values: Map<string, { readonly value: string; count: number }>;
  /** For many different numbers, instead of `values`. */
  range?: Range;
  /** Approximate number of files with a number in the range. */
  files: number;
}
type Range = NonNullable<AttributeFacet['range']>;
interface NameRow {
  id: number;
  key: string;
  name: string;
  unit: string;
  given: 0 | 1;
  files: number;
  numbers: number;
  dates: number;
  texts: number;
}
interface ValueRow {
  key: string;
  text: string;
  files: number;
  fileId: number | null;
  uses: Uint8Array | null;
}

/** Counts the attributes of found files. Only reads. */
export class AttributeFacets {
  readonly #forms: AttributeForms;
  readonly #rows: Statement<
    [{ ids: string }],
    { fileId: number; name: string; unit: string; value: string; given: 0 | 1 }
  >;
  readonly #names: Statement<[number], NameRow>;
  readonly #values: Statement<[number], ValueRow>;
  readonly #extremes: Statement<[{ id: number }], { least: string | null; most: string | null }>;

  constructor(database: Database, forms: AttributeForms) {
    this.#forms = forms;
    this.#rows = database.prepare(`
      WITH found AS (SELECT value AS id FROM json_each(@ids))
      SELECT file_id AS fileId, name, unit, value, 1 AS given FROM attribute WHERE file_id IN found
      UNION ALL SELECT file_id, name, unit, value, 0 FROM extracted WHERE file_id IN found`);
    this.#names = database.prepare(
      `SELECT id, key, name, unit, 1 - extracted AS given, files, numbers, dates, texts
       FROM attribute_name WHERE company_id = ? ORDER BY extracted, files DESC, key, unit LIMIT ${LOOKED_NAMES}`,
    );
    this.#values = database.prepare(`
      SELECT key, text, files, file_id AS fileId,
        (SELECT CAST(group_concat(file_id) AS BLOB) FROM attribute_use WHERE value_id = v.id) AS uses
      FROM attribute_value AS v WHERE name_id = ? ORDER BY files DESC, text LIMIT ${LOOKED_VALUES}`);
    // Each reads one end of the index. Values of one name and unit have one dimension; otherwise one of the two is not
    // a plain number.
    const end = (direction: string): string => `(SELECT text FROM attribute_value WHERE name_id = @id
      AND dimension = (SELECT dimension FROM attribute_value WHERE name_id = @id AND dimension IS NOT NULL LIMIT 1)
      ORDER BY value ${direction} LIMIT 1)`;
    this.#extremes = database.prepare(`SELECT ${end('ASC')} AS least, ${end('DESC')} AS most`);
  }

  /** See `AttributeDoor.facets`. */
  among(companyId: number, fileIds: Uint32Array): AttributeFacet[] {
    const tallies = fileIds.length <= READ_FILES ? this.#ofRows(fileIds) : this.#ofTables(companyId, fileIds);
    let ranges = 0,
      programs = 0;
    return tallies
      .flatMap((tally) => told(tally) ?? [])
      .sort(
        (a, b) =>
          Number(b.given) - Number(a.given) ||
          Number(isOfProgram(a)) - Number(isOfProgram(b)) ||
          Number(a.facet.range !== undefined) - Number(b.facet.range !== undefined) ||
          b.weight - a.weight ||
          (a.facet.name < b.facet.name ? -1 : 1),
      )
      .filter(({ facet }) => facet.range === undefined || ranges++ < TOLD_RANGES)
      .filter((one) => !isOfProgram(one) || programs++ < TOLD_OF_PROGRAMS)
      .slice(0, TOLD_NAMES)
      .map(({ facet }) => facet);
  }

  #ofRows(fileIds: Uint32Array): Tally[] {
    const tallies = new Map<string, Tally>();
    const seen = new Set<string>();
    for (const { fileId, name, unit, value, given } of this.#rows.all({ ids: `[${fileIds.join()}]` })) {
      const tally = tallyOf(tallies, this.#forms.key(name), { name, unit, given });
      for (const one of given === 1 ? splitValues(value) : [value]) {
        const key = this.#forms.key(one);
        // A value that was both given and extracted counts once for a file.
        const whose = JSON.stringify([fileId, this.#forms.key(name), unit, key]);
        if (seen.has(whose)) continue;
        seen.add(whose);
        count(tally, key, one, 1);
      }
    }
    for (const tally of tallies.values()) this.#makeRange(tally);
    return [...tallies.values()];
  }

  /** Drops dates, which do not group files, and replaces many numbers by their range. */
  #makeRange(tally: Tally): void {
    const { unit, values } = tally;
    const texts = [...values.values()].map(({ value }) => value);
    if (texts.every((text) => this.#forms.quantity(text, unit)?.dimension === 'date')) values.clear();
    const range = texts.length > TOLD_VALUES ? rangeOf(texts) : undefined;
    if (range === undefined) return;
    tally.files = [...values.values()].reduce((sum, { count }) => sum + count, 0);
    tally.range = range;
    values.clear();
  }

  #ofTables(companyId: number, fileIds: Uint32Array): Tally[] {
    const marks = new Uint8Array(fileIds[fileIds.length - 1] + 1);
    for (const id of fileIds) marks[id] = 1;
    const tallies = new Map<string, Tally>();
    /** Files counted so far for each given value, so that files with the same extracted value are not counted again. */
    const counted = new Map<string, Set<number>>();
    let left = LOOKED_IDS;
    for (const { id, key: nameKey, name, unit, given, files, numbers, dates, texts } of this.#names.all(companyId)) {
      if (left <= 0) break;
      if (texts === 0 && numbers === 0 && dates > 0) continue;
      const tally = tallyOf(tallies, nameKey, { name, unit, given });
      const { least, most } = texts + dates === 0 && numbers > TOLD_VALUES ? this.#extremes.get({ id })! : NO_EXTREMES;
      const range = least === null || most === null ? undefined : rangeOf([least, most]);
      if (range !== undefined) {
        tally.range =
          tally.range === undefined
            ? range
            : { least: Math.min(range.least, tally.range.least), most: Math.max(range.most, tally.range.most) };
        tally.files += files;
        continue;
      }
      for (const { key, text, fileId, uses } of this.#values.all(id)) {
        const ids = fileId === null ? parseIds([uses]) : Uint32Array.of(fileId);
        left -= ids.length;
        const whose = JSON.stringify([nameKey, unit, key]);
        const before = counted.get(whose);
        const found = ids.filter((one) => marks[one] === 1 && before?.has(one) !== true);
        if (found.length === 0) continue;
        counted.set(whose, new Set([...(before ?? []), ...found]));
        count(tally, key, text, found.length);
      }
    }
    return [...tallies.values()];
  }
}

const NO_EXTREMES = Object.freeze({ least: null, most: null });

/** The range of plain numbers; undefined when one text is not a plain number. */
function rangeOf(texts: readonly string[]): Range | undefined {
  if (!texts.every((text) => PLAIN_NUMBER.test(text.trim()))) return undefined;
  let least = Infinity,
    most = -Infinity;
  for (const number of texts.map(Number)) {
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  return { least, most };
}

/** Whether an attribute tells of programs; one that people gave to a file does not. */
function isOfProgram({ facet: { name }, given }: Told): boolean {
  return !given && OF_PROGRAMS.has(name.toLowerCase());
}

interface Told {
  readonly facet: AttributeFacet;
  readonly given: boolean;
  readonly weight: number;
}

/** The facet of an attribute, and how many files it groups; undefined when it groups none. */
function told({ name, unit, given, values, range, files }: Tally): Told | undefined {
  if (range !== undefined) return { facet: { name, unit, values: [], range }, given, weight: files };
  const first = [...values.values()]
    .sort((a, b) => b.count - a.count || inOrder(a.value, b.value))
    .slice(0, TOLD_VALUES);
  if (first.length === 0 || first[0].count <= 1) return undefined;
  return {
    facet: { name, unit, values: first },
    given,
    weight: first.reduce((sum, { count }) => sum + (count > 1 ? count : 0), 0),
  };
}

/** Numbers rise; all else is in the order of its characters. */
function inOrder(a: string, b: string): number {
  const byNumber = PLAIN_NUMBER.test(a.trim()) && PLAIN_NUMBER.test(b.trim()) ? Number(a) - Number(b) : 0;
  return byNumber || (a < b ? -1 : 1);
}

function tallyOf(
  tallies: Map<string, Tally>,
  nameKey: string,
  { name, unit, given }: { name: string; unit: string; given: 0 | 1 },
): Tally {
  const key = JSON.stringify([nameKey, unit]);
  const tally = tallies.get(key) ?? { name, unit, given: false, values: new Map(), files: 0 };
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
