import type { Database, Statement } from 'better-sqlite3';
import type { AttributeForms } from '../attribute-condition.js';
import { prepared } from '../../store/database/prepared.js';
import { Settings } from '../../store/database/settings.js';
import type { FileKey, OpenCatalog } from '../../store/rooms.js';
import type { IndexedOwner } from './attribute-check.js';
import { AttributeIndex, KINDS, type AttributeOwner } from './attribute-index.js';
import type { Attribute } from '../attribute.js';

/** How long one step works, and the pause after it, ms. Other work runs in the pause. */
const STEP_MS = 8;
const REST_MS = 16;
/** Files that are listed at once, and rows of an index that are let go in one statement. */
const LISTED = 256;
const LET_GO = 512;

/** The setting with the forms of the attributes as they are stored, and of the index of a library in a folder. */
const FORMS = 'attribute forms';
/** The forms by which attributes are being brought up to date, and the file that was last: `7004 512`, `7004 all`. */
const SOURCES = 'attribute sources';
/** The setting of a replica that says by which forms its index was made. */
export const INDEX_MADE = 'attribute index';

/** What the attributes of files offer to {@link AttributeRemake}. */
export interface RemadeAttributes {
  /** Brings the stored attributes of a file to the present forms. */
  normalise(file: FileKey): void;
  /** What the index is to hold of a file. */
  owned(file: FileKey): readonly IndexedOwner[];
}

/**
 * Brings attributes and their index to other normal forms while the library is open, some ms at a time. A second index
 * is made beside the one that is asked; when it is whole, one transaction puts it in the place of the first, which is
 * let go. Until then all is found that was found before. How far it got stands in the catalogue, in the transaction of
 * each step, so a process that is killed loses at most one.
 *
 * Names of the second index stand in the same table as the others, told apart by `extracted` ({@link KINDS}); all other
 * rows belong to names. The file that was entered last stands in a row of that table too, in `files`, so that whoever
 * empties the tables also forgets it.
 */
export class AttributeRemake {
  readonly #database: Database;
  readonly #forms: string;
  readonly #settings: Settings;
  readonly #attributes: RemadeAttributes;
  readonly #isReplica: boolean;
  readonly #next: AttributeIndex;
  readonly #entered: Statement<[string], number>;
  readonly #filesAfter: Statement<[number], FileKey>;

  constructor(
    database: Database,
    forms: AttributeForms,
    attributes: RemadeAttributes,
    { isReplica }: Pick<OpenCatalog, 'isReplica'>,
  ) {
    this.#database = database;
    this.#forms = String(forms.version);
    this.#settings = new Settings(database);
    this.#attributes = attributes;
    this.#isReplica = isReplica;
    this.#next = new AttributeIndex(database, forms, { isNext: true });
    this.#entered = database
      .prepare<[string], number>(`SELECT files FROM attribute_name WHERE ${MARK} AND unit = ?`)
      .pluck();
    this.#filesAfter = database.prepare(
      `SELECT id AS fileId, company_id AS companyId FROM file WHERE id > ? ORDER BY id LIMIT ${LISTED}`,
    );
  }

  /** Whether attributes or their index are of other forms; false also while what was before is let go. */
  get isPending(): boolean {
    return !this.#areSourcesDone || !this.#isIndexMade;
  }

  /** How much of it is done, 0 to 1. */
  get share(): number {
    const last = this.#database.prepare<[], number | null>('SELECT max(id) FROM file').pluck().get() ?? 1;
    // Reading attributes takes a tenth of the time of entering them.
    if (!this.#areSourcesDone) return (0.1 * this.#sourcesUpTo) / last;
    return 0.1 + (0.9 * (this.#entered.get(this.#forms) ?? 0)) / last;
  }

  /** Does some ms of work in transactions of `writes`. False: nothing is left. */
  async step(writes: OpenCatalog['writes'], changes: OpenCatalog['changes']): Promise<boolean> {
    if (!this.#areSourcesDone) {
      await writes.runDerived(() => this.#bringOn());
      return true;
    }
    if (!this.#isIndexMade) {
      // Answers that were kept were asked of the index of before.
      if (await writes.own.runDerived(() => this.#enterOn())) changes.forget();
      return true;
    }
    return writes.own.runDerived(() => this.#letGoOn());
  }

  /** Also updates the second index, where it holds the file. Inside the transaction that changes the attributes. */
  update(owner: AttributeOwner, gone: readonly Attribute[], added: readonly Attribute[]): void {
    if (owner.fileId > (this.#entered.get(this.#forms) ?? 0)) return;
    this.#next.remove(owner, gone);
    this.#next.add(owner, added);
  }

  get #areSourcesDone(): boolean {
    return this.#settings.get(FORMS) === this.#forms || (!this.#isReplica && this.#sourcesUpTo === Infinity);
  }

  get #isIndexMade(): boolean {
    return this.#settings.get(this.#isReplica ? INDEX_MADE : FORMS) === this.#forms;
  }

  /** The last file whose attributes were brought up to date; 0: none. */
  get #sourcesUpTo(): number {
    const [forms, upTo] = (this.#settings.get(SOURCES) ?? '').split(' ');
    if (forms !== this.#forms) return 0;
    return upTo === 'all' ? Infinity : Number(upTo);
  }

  #bringOn(): void {
    if (this.#areSourcesDone) return; // By another process, meanwhile.
    const { last, isEnd } = this.#forFiles(this.#sourcesUpTo, (file) => this.#attributes.normalise(file));
    if (!isEnd) this.#settings.set(SOURCES, `${this.#forms} ${last}`);
    else if (this.#isReplica) {
      this.#settings.remove(SOURCES);
      this.#settings.set(FORMS, this.#forms);
    } else this.#settings.set(SOURCES, `${this.#forms} all`);
  }

  /** Enters more files into the second index. True: it has taken the place of the first. */
  #enterOn(): boolean {
    const entered = this.#entered.get(this.#forms) ?? this.#begin();
    const { last, isEnd } = this.#forFiles(entered, (file) => {
      for (const owner of this.#attributes.owned(file)) this.#next.add(owner, owner.attributes);
    });
    if (isEnd) this.#takePlace();
    else this.#database.prepare(`UPDATE attribute_name SET files = ? WHERE ${MARK}`).run(last);
    return isEnd;
  }

  /** Begins the second index, without what was made of one by forms in between. Returns the last file of it: none. */
  #begin(): number {
    this.#database.exec(`DELETE FROM attribute_name WHERE ${MARK}`);
    this.#letGo(`extracted IN (${KINDS.next}, ${KINDS.next + 1})`);
    this.#database
      .prepare(
        `INSERT INTO attribute_name (company_id, key, unit, extracted, name)
         SELECT min(id), ${MARK_KEY}, ?, ${KINDS.mark}, '' FROM company HAVING min(id) IS NOT NULL`,
      )
      .run(this.#forms);
    return 0;
  }

  #takePlace(): void {
    this.#letGo(`extracted < ${KINDS.next}`);
    this.#database.exec(`
      UPDATE attribute_name SET extracted = extracted - ${KINDS.next} WHERE extracted IN (${KINDS.next}, ${KINDS.next + 1});
      DELETE FROM attribute_name WHERE ${MARK}`);
    this.#settings.set(this.#isReplica ? INDEX_MADE : FORMS, this.#forms);
    if (!this.#isReplica) this.#settings.remove(SOURCES);
  }

  /** From now on these names are neither asked nor changed. */
  #letGo(where: string): void {
    this.#database.exec(`UPDATE attribute_name SET extracted = ${KINDS.gone}, key = 'gone ' || id WHERE ${where}`);
  }

  /** Deletes rows of names that were let go. False: none is left. */
  #letGoOn(): boolean {
    const gone = this.#database
      .prepare<[], number>(`SELECT id FROM attribute_name WHERE extracted = ${KINDS.gone} LIMIT 1`)
      .pluck();
    const until = performance.now() + STEP_MS;
    for (let id = gone.get(); id !== undefined; id = gone.get()) {
      while (GONE.some((sql) => prepared<[object], unknown>(this.#database, sql).run({ id }).changes > 0))
        if (performance.now() > until) return true;
      this.#database.prepare('DELETE FROM attribute_name WHERE id = ?').run(id);
    }
    return false;
  }

  /** Does something for the files after one, for some ms. Returns the last one, and whether it was the last of all. */
  #forFiles(after: number, work: (file: FileKey) => void): { readonly last: number; readonly isEnd: boolean } {
    const until = performance.now() + STEP_MS;
    let last = after;
    for (const file of this.#filesAfter.all(after)) {
      work(file);
      last = file.fileId;
      if (performance.now() > until) break;
    }
    return { last, isEnd: last === after };
  }
}

/** Waits between two steps; the timer does not keep the process alive. */
export function restOfStep(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MS).unref());
}

/** Lets other work of the event loop run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Names have normal forms without this. */
const MARK_KEY = "'next' || char(0)";
const MARK = `company_id = (SELECT min(id) FROM company) AND key = ${MARK_KEY} AND extracted = ${KINDS.mark}`;

/** The next rows of a name in each table; the uses of values go before these. */
const NEXT_VALUES = `SELECT id FROM attribute_value WHERE name_id = @id ORDER BY name_id, key, file_id LIMIT ${LET_GO}`;
const GONE: readonly string[] = [
  `DELETE FROM attribute_pairs WHERE id IN (SELECT id FROM attribute_pairs WHERE name_id = @id LIMIT ${LET_GO / 8})`,
  `DELETE FROM attribute_term WHERE (name_id, term, value_id) IN
     (SELECT name_id, term, value_id FROM attribute_term WHERE name_id = @id LIMIT ${LET_GO})`,
  `DELETE FROM attribute_use WHERE (value_id, file_id) IN
     (SELECT value_id, file_id FROM attribute_use WHERE value_id IN (${NEXT_VALUES}) LIMIT ${LET_GO})`,
  `DELETE FROM attribute_value WHERE id IN (${NEXT_VALUES})`,
];
