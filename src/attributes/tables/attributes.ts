import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from '../attribute-condition.js';
import type { AttributeDoor } from '../attribute-door.js';
import { AttributeCheck, type IndexedOwner } from './attribute-check.js';
import { AttributeFinder } from './attribute-finder.js';
import { AttributeIndex, type AttributeOwner } from './attribute-index.js';
import {
  addAttributes,
  joinValues,
  mergeAttributes,
  printAttribute,
  splitValues,
  type Attribute,
} from '../attribute.js';
import { attributesOf, keptOf, type ExtractedAttribute } from '../extracted.js';
import { inTurns } from '../../store/database/in-turns.js';
import { openDatabase } from '../../store/database/open-database.js';
import { withCodedErrors } from '../../store/database/coded-errors.js';
import { damageOf } from '../../store/database/storage-errors.js';
import { Settings as StoredSettings, type Settings } from '../../store/database/settings.js';
import type { ArrivedRows, AttributeTables, FileKey, OpenCatalog, RoomProblem } from '../../store/rooms.js';
import type { IndexedFile } from '../../store/catalog/indexed-file.js';

/** The setting of a replica that says by which forms its index was made. */
const INDEX_MADE = 'attribute index';

/** Files of a replica that are entered into its index in one transaction. */
const FILES_AT_A_TIME = 200;

/**
 * The attributes of files, given and extracted, in SQLite. The store calls these methods, inside its transactions; all
 * other rooms use the {@link door}. The tables `attribute` and `extracted` are the source; the others are derived from
 * them (see {@link AttributeIndex}).
 */
export class Attributes implements AttributeTables {
  /** Finds files by attributes, for all other rooms. */
  readonly door: AttributeDoor;
  readonly #database: Database;
  readonly #forms: AttributeForms;
  readonly #index: AttributeIndex;
  readonly #texts: Statement<[number], string>;
  readonly #given: Statement<[number], ExtractedAttribute>;
  readonly #facts: Statement<[number], ExtractedAttribute>;
  readonly #deleteGiven: Statement<[number]>;
  readonly #deleteFacts: Statement<[number]>;
  readonly #insertGiven: Statement<[number, number, string, string, string, string]>;
  readonly #insertFact: Statement<[number, number, string, string, string]>;
  /** Of a replica, whose index is made when rows arrive. */
  readonly #replica: Pick<OpenCatalog, 'writes'> | undefined;
  /** What the files had whose rows are arriving. */
  #had: readonly IndexedOwner[] = [];

  /** replica: the catalogue, where it is one. */
  constructor(database: Database, forms: AttributeForms, replica?: Pick<OpenCatalog, 'writes'>) {
    this.#database = database;
    this.#replica = replica;
    this.#forms = forms;
    this.#index = new AttributeIndex(database, forms);
    this.door = new AttributeFinder(database, forms, this.#index.pairs);
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
    this.#setFacts(fileId, facts);
    this.#replace({ companyId, fileId, extracted: true }, had, this.#extracted(fileId));
  }

  opened(settings: Settings): void {
    const forms = String(this.#forms.version);
    if (settings.get('attribute forms') !== forms) {
      this.rebuild();
      settings.set('attribute forms', forms);
    } else if (this.#replica === undefined && settings.get('attribute pairs') === undefined) this.#index.pairs.fill();
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

  rowsArriving({ attributed }: ArrivedRows): void {
    this.#had = attributed.flatMap((file) => this.#owned(file));
  }

  rowsArrived({ attributed }: ArrivedRows): void {
    const has = attributed.flatMap((file) => this.#owned(file));
    for (const [at, { attributes, ...owner }] of has.entries())
      this.#updateIndex(owner, this.#had[at].attributes, attributes);
    this.#had = [];
  }

  /** Makes the index of a replica that is new, or of other forms. No rows arrive meanwhile. */
  async makeOwn(): Promise<void> {
    const settings = new StoredSettings(this.#database);
    const forms = String(this.#forms.version);
    if (this.#replica === undefined || settings.get(INDEX_MADE) === forms) return;
    const { own } = this.#replica.writes;
    await own.run(() => this.#index.clear());
    const files = this.#files();
    for (let at = 0; at < files.length; at += FILES_AT_A_TIME)
      await own.runDerived(() => this.#enter(files.slice(at, at + FILES_AT_A_TIME)));
    await own.run(() => settings.set(INDEX_MADE, forms));
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
      await writes.own.run(() => this.remakeIndex());
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
      // Most are as they were: writing them again would take longer than reading them.
      const had = this.texts(fileId);
      if (had.length !== given.length || given.some((attribute, i) => printAttribute(attribute) !== had[i])) {
        this.#deleteGiven.run(fileId);
        this.#insertAll(fileId, given);
      }
      const facts = this.#facts.all(fileId);
      if (JSON.stringify(keptOf(facts)) !== JSON.stringify(facts)) this.#setFacts(fileId, facts);
    }
    if (this.#replica === undefined) this.remakeIndex();
  }

  /** Rebuilds the derived tables. */
  remakeIndex(): void {
    this.#index.clear();
    this.#enter(this.#files());
  }

  /**
   * Companies (0: none in particular) whose derived tables disagree with the attributes, with a description. Reads all
   * of them in one snapshot, in slices, so that other work continues.
   */
  async damaged(signal?: AbortSignal): Promise<{ companyId: number; found: string }[]> {
    const snapshot = withCodedErrors(openDatabase(this.#database.name, { readonly: true }));
    try {
      snapshot.exec('BEGIN');
      return [...(await inTurns(new Attributes(snapshot, this.#forms).#check(), signal))].map(([companyId, found]) => ({
        companyId,
        found,
      }));
    } catch (cause) {
      if (signal?.aborted) throw cause;
      return [{ companyId: 0, found: damageOf('check the index of attributes', cause).message }];
    } finally {
      snapshot.close();
    }
  }

  *#check(): Generator<void, ReadonlyMap<number, string>, void> {
    const check = new AttributeCheck(this.#database, this.#forms);
    for (const file of this.#files()) {
      for (const owner of this.#owned(file)) check.look(owner);
      yield;
    }
    return yield* check.finish();
  }

  #enter(files: readonly FileKey[]): void {
    for (const file of files) for (const owner of this.#owned(file)) this.#index.add(owner, owner.attributes);
  }

  /** The same for what is written here; the index of a replica waits for the rows. */
  #replace(owner: AttributeOwner, had: readonly Attribute[], has: readonly Attribute[]): void {
    if (this.#replica === undefined) this.#updateIndex(owner, had, has);
  }

  /** Updates the index for the attributes that differ. */
  #updateIndex(owner: AttributeOwner, had: readonly Attribute[], has: readonly Attribute[]): void {
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

  #setFacts(fileId: number, facts: readonly ExtractedAttribute[]): void {
    this.#deleteFacts.run(fileId);
    keptOf(facts).forEach(({ name, unit, value }, position) =>
      this.#insertFact.run(fileId, position, name, unit, value),
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
}

/** A key that is equal for attributes with the same name, unit and values. */
function wholeOf({ name, unit, values }: Attribute): string {
  return JSON.stringify([name, unit, ...values]);
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
