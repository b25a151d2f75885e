import { ATTRIBUTE_FORMS } from '../words/attribute-forms.js';
import { DEFAULT_COMPANY_SETTINGS, checkInteger, withDefaults, type CompanySettings } from '../options.js';
import type { AttributeCount, FileAttribute } from '../attributes/attribute-condition.js';
import { parseAttributes } from '../attributes/attribute.js';
import type { Category } from '../store/catalog/category.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { CompanyListOptions } from '../store/catalog/list-options.js';
import type { CompanySummary } from '../store/catalog/company-summary.js';
import type { KindCounts } from '../store/catalog/record.js';
import { recordOf, type FileError, type FileKind, type FileRecord, type FileState } from '../store/catalog/record.js';
import type { Attributes } from '../attributes/attributes.js';
import type { Rooms } from '../store/rooms.js';
import type { Store } from '../store/store.js';
import type { WordTables } from '../words/word-tables.js';
import { checkBoolean, checkLabel, checkOneOf, checkString, checkUid } from './checks.js';

/** How far a file is. */
export interface FileStatus {
  readonly uid: string;
  readonly state: FileState;
  /** When it was indexed; null before, and when it failed. */
  readonly indexedAt: Date | null;
  /** Why it failed. */
  readonly error: FileError | null;
}

const LIST_DEFAULTS: Required<CompanyListOptions> = Object.freeze({
  prefix: '',
  state: undefined as never,
  kind: undefined as never,
  category: undefined as never,
  order: 'path',
  direction: 'rising',
  after: undefined as never,
  limit: 1_000,
});

/** How attributes are set. */
export interface SetAttributesOptions {
  /** True: instead of all that the file has. False: beside them; nothing is taken away. Default true. */
  readonly replace?: boolean;
}

/** Which values of an attribute to list. */
export interface AttributeValuesOptions {
  /** Only values that begin so, without regard to case. Default ''. */
  readonly prefix?: string;
  /** Only values in this unit; '' is none. Default all. */
  readonly unit?: string;
  /** Most values returned. Default 1 000. */
  readonly limit?: number;
  /** Values passed over first. Default 0. */
  readonly offset?: number;
}

/** How a category is added. */
export interface AddCategoryOptions {
  /** Id of the category that it lies in. Default none. */
  readonly parentId?: number | null;
  /** Where its picture is. Default none. */
  readonly imageUrl?: string | null;
}

const SET_DEFAULTS: Required<SetAttributesOptions> = Object.freeze({ replace: true });
const VALUES_DEFAULTS: Required<AttributeValuesOptions> = Object.freeze({
  prefix: '',
  unit: undefined as never,
  limit: 1_000,
  offset: 0,
});
const CATEGORY_DEFAULTS: Required<AddCategoryOptions> = Object.freeze({ parentId: null, imageUrl: null });

const KINDS: readonly FileKind[] = ['Text', 'Image', 'TwoD', 'ThreeD'];
const STATES: readonly FileState[] = ['queued', 'indexed', 'failed'];
/** Longest name of a category and longest URL of its picture, UTF-16 units. */
const CATEGORY_NAME_LIMIT = 200;
const URL_LIMIT = 2_048;

/**
 * What the catalogue of a company needs.
 * @internal
 */
export interface CatalogueParts {
  readonly name: string;
  readonly companyId: number;
  readonly store: Store<Rooms & { readonly attributes: Attributes; readonly words: WordTables }>;
  /** Throws `ENGINE_CLOSED`. */
  readonly checkOpen: () => void;
  /** Runs work that must end before the library closes. */
  readonly write: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The part of a company that is about records: lists, attributes, categories, settings. Writes are as durable as a put. */
export abstract class CompanyCatalogue {
  readonly #parts: CatalogueParts;

  /** @internal */
  constructor(parts: CatalogueParts) {
    this.#parts = parts;
  }

  /** The name it was opened with. */
  get name(): string {
    return this.#parts.name;
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  async status(uid: string): Promise<FileStatus> {
    const { store, companyId } = this.#open();
    const known = checkUid(uid);
    const { state, indexedAt, error } = recordOf(store.fileOrInput(companyId, known), [], []); // Without reading its attributes.
    return { uid: known, state, indexedAt, error };
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  async get(uid: string): Promise<FileRecord> {
    const { store, companyId } = this.#open();
    return store.files.record(store.fileOrInput(companyId, checkUid(uid)));
  }

  /** The record at a full path, undefined when there is none. Spellings of one path are the same, as for `put`. */
  async find(path: string): Promise<FileRecord | undefined> {
    const { store, companyId } = this.#open();
    const row = store.files.rowAt(companyId, normalizeFilePath(path));
    return row === undefined ? undefined : store.files.record(row);
  }

  /** Records in the order of their paths or of their arrival, at most `limit`. */
  async list(options?: CompanyListOptions): Promise<FileRecord[]> {
    const { store, companyId } = this.#open();
    const given = withDefaults('list options', options as Partial<Required<CompanyListOptions>>, LIST_DEFAULTS);
    const { prefix, state, kind, category, order, direction, after, limit } = given;
    checkInteger('list options.limit', limit, 1);
    checkString('list options.prefix', prefix);
    checkOneOf('list options.order', order, ['path', 'addedAt']);
    checkOneOf('list options.direction', direction, ['rising', 'falling']);
    if (state !== undefined) checkOneOf('list options.state', state, STATES);
    if (kind !== undefined) checkOneOf('list options.kind', kind, KINDS);
    if (category !== undefined && category !== null) checkInteger('list options.category', category, 1);
    if (after !== undefined && order === 'path') checkString('list options.after', after);
    if (after !== undefined && order === 'addedAt') checkInteger('list options.after', after, 0);
    return store.list({ companyId, prefix, state, kind, category, order, direction, after, limit });
  }

  /** How many files there are of each kind, and in all, in whatever state. */
  async counts(): Promise<KindCounts> {
    const { store, companyId } = this.#open();
    return store.files.counts(companyId);
  }

  /** How many files there are of each kind and state. */
  async summary(): Promise<CompanySummary> {
    const { store, companyId } = this.#open();
    return store.files.summary(companyId);
  }

  /**
   * Gives a file attributes, `name=value` or `name(unit)=value`, and returns its new record. Without options they replace all that it
   * has. With `replace: false` they are added: values of a name that the file has, without regard to case and of the same unit, go to
   * those it has there, each once; another unit is an attribute of its own. All that the file has stays.
   *
   * Several values are joined by `|`; a `|` inside a value is written `\|`, a backslash `\\`. Repeated names are merged:
   * `Color=red`, `color=blue` is stored as `Color=red|blue`. Each value is kept once.
   * @throws EngineError `FILE_UNKNOWN`; TypeError or RangeError that names the attribute that is wrong.
   */
  async setAttributes(uid: string, attributes: readonly string[], options?: SetAttributesOptions): Promise<FileRecord> {
    const { store, companyId, write } = this.#open();
    const { replace } = withDefaults(
      'setAttributes options',
      options as Partial<Required<SetAttributesOptions>>,
      SET_DEFAULTS,
    );
    checkBoolean('setAttributes options.replace', replace);
    const known = checkUid(uid);
    const parsed = parseAttributes(attributes, ATTRIBUTE_FORMS.key);
    return write(() => store.setAttributes(companyId, known, parsed, { replace }));
  }

  /** Takes all given attributes from a file; what was extracted from it stays. @throws EngineError `FILE_UNKNOWN`. */
  async removeAttributes(uid: string): Promise<FileRecord> {
    return this.setAttributes(uid, []);
  }

  /** The attributes that were given to files, by name: one entry for each name and unit, with the number of files that have it. */
  async attributes(): Promise<FileAttribute[]> {
    const { store, companyId } = this.#open();
    return store.rooms.attributes.names(companyId);
  }

  /**
   * The values given under a name (without regard to case), each with the number of files that have it, the most frequent first,
   * then in the order of their characters. Values that differ only in case are different values.
   */
  async attributeValues(name: string, options?: AttributeValuesOptions): Promise<AttributeCount[]> {
    const { store, companyId } = this.#open();
    checkString('attribute name', name);
    const { prefix, unit, limit, offset } = withDefaults(
      'attributeValues options',
      options as Partial<Required<AttributeValuesOptions>>,
      VALUES_DEFAULTS,
    );
    checkString('attributeValues options.prefix', prefix);
    if (unit !== undefined) checkString('attributeValues options.unit', unit);
    checkInteger('attributeValues options.limit', limit, 1);
    checkInteger('attributeValues options.offset', offset, 0);
    return store.rooms.attributes.values(companyId, name, { prefix, unit, limit, offset });
  }

  /** The categories, by name, each with the number of files that have just this one. */
  async categories(): Promise<Category[]> {
    const { store, companyId } = this.#open();
    return store.categories.list(companyId);
  }

  /**
   * Adds a category, and returns it with its id. One that has the same name and lies in the same category is returned instead (with
   * the new picture, if one is given).
   * @throws EngineError `CATEGORY_UNKNOWN` for `parentId`.
   */
  async addCategory(name: string, options?: AddCategoryOptions): Promise<Category> {
    const { store, companyId, write } = this.#open();
    const { parentId, imageUrl } = withDefaults(
      'addCategory options',
      options as Partial<Required<AddCategoryOptions>>,
      CATEGORY_DEFAULTS,
    );
    if (parentId !== null) checkInteger('addCategory options.parentId', parentId, 1);
    const category = {
      companyId,
      parentId,
      name: checkLabel('category name', name, CATEGORY_NAME_LIMIT),
      imageUrl: imageUrl === null ? null : checkLabel('addCategory options.imageUrl', imageUrl, URL_LIMIT),
    };
    return write(() => store.commit(() => store.categories.add(category)));
  }

  /** Removes a category. Its files and the categories in it move to the one that it lies in, or to none. @throws EngineError `CATEGORY_UNKNOWN`. */
  async removeCategory(id: number): Promise<void> {
    const { store, companyId, write } = this.#open();
    checkInteger('category id', id, 1);
    await write(() => store.commit(() => store.categories.remove(companyId, id)));
  }

  /** Gives a file a category, or with null (or -1) none, and returns its new record. @throws EngineError `FILE_UNKNOWN`, `CATEGORY_UNKNOWN`. */
  async setCategory(uid: string, id: number | null): Promise<FileRecord> {
    const { store, companyId, write } = this.#open();
    const known = checkUid(uid);
    const category = id === -1 ? null : id;
    if (category !== null) checkInteger('category id', category, 1);
    return write(() =>
      store.commit(() => {
        const row = store.files.row(companyId, known);
        store.categories.assign(companyId, row.id, category);
        return store.files.record({ ...row, category_id: category });
      }),
    );
  }

  /** What the company has chosen. */
  async settings(): Promise<CompanySettings> {
    const { store, companyId } = this.#open();
    return store.settings(companyId);
  }

  /** Changes the settings that are given, keeps the others, and returns all. */
  async setSettings(changes: Partial<CompanySettings>): Promise<CompanySettings> {
    const { store, companyId, write } = this.#open();
    withDefaults('settings', changes, DEFAULT_COMPANY_SETTINGS);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    for (const [name, value] of given) checkBoolean(`settings.${name}`, value);
    return write(() => store.setSettings(companyId, Object.fromEntries(given) as Partial<CompanySettings>));
  }

  #open(): CatalogueParts {
    this.#parts.checkOpen();
    return this.#parts;
  }
}
