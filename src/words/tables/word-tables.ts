import type { ChangeLog } from '../../store/database/change-log.js';
import { CacheFile } from '../../store/disk/cache-file.js';
import type { Writes } from '../../store/database/writes.js';
import type { Settings } from '../../store/database/settings.js';
import { onRowsChanged } from '../../store/database/caches.js';
import type { ArrivedRows, FileKey, OpenCatalog, RoomProblem, RoomTables } from '../../store/rooms.js';
import type { TermMaker } from '../indexed-terms.js';
import type { FrequentWordLimits } from './frequent-words.js';
import { Terms } from './stored-terms.js';
import { Texts } from './texts.js';
import { keepWords, readKeptWords, renewKeptWords } from './kept-words.js';
import { UidOrder } from './uid-order.js';
import { WordFinder } from './word-finder.js';
import type { WordDoor } from '../word-door.js';
import type { IndexedFile } from '../../store/catalog/indexed-file.js';

/** For so long a closing library brings what it keeps of frequent words up to date, ms. */
const CLOSING_MS = 250;

/** The tables of text search: the texts of files, and the index of their words. */
export class WordTables implements RoomTables {
  readonly texts: Texts;
  readonly terms: Terms;
  readonly uids: UidOrder;
  /** What other rooms ask. */
  readonly door: WordDoor;
  readonly #writes: Writes;
  /** False: terms are made when rows arrive. */
  readonly #makesTerms: boolean;
  readonly #changes: ChangeLog;
  readonly #catalogState: () => string | undefined;
  readonly #cacheFolder: (name: string) => string;
  /** The state and the mark of the changes at which the library was opened. */
  readonly #openedAs: string | undefined;
  readonly #openedAt: number;
  /** Companies whose frequent words were read from `cache/`, or are being read. */
  readonly #read = new Map<number, Promise<void>>();

  /**
   * maker: computes the terms of files. Absent: texts are stored, but there is no index of them. frequent: what is kept
   * of frequent words.
   */
  constructor(
    { database, writes, changes, isReplica, cacheFolder, state }: OpenCatalog,
    maker: TermMaker | undefined,
    frequent?: FrequentWordLimits,
  ) {
    this.texts = new Texts(database);
    this.terms = new Terms(database, this.texts, changes, maker, frequent);
    this.uids = new UidOrder(database);
    this.door = new WordFinder(this, (companyId) => this.#readKept(companyId));
    this.#writes = writes;
    this.#makesTerms = !isReplica;
    this.#changes = changes;
    this.#catalogState = state;
    this.#cacheFolder = cacheFolder;
    this.#openedAs = this.#state();
    this.#openedAt = changes.told().mark;
    onRowsChanged(database, () => this.terms.changedBeneath());
  }

  opened(_settings: Settings): void {
    if (this.#makesTerms) this.terms.createTables();
  }

  companyAdded(companyId: number): void {
    if (this.#makesTerms) this.terms.createTable(companyId);
  }

  relabelled(fileId: number): void {
    if (this.#makesTerms) this.terms.refresh(fileId);
  }

  indexed({ fileId }: FileKey, { pages, textTerms }: IndexedFile): void {
    this.texts.put(fileId, pages);
    if (this.#makesTerms) this.terms.refresh(fileId, textTerms);
  }

  failed({ fileId }: FileKey): void {
    this.texts.put(fileId, []);
    if (this.#makesTerms) this.terms.remove(fileId);
  }

  withdrawn({ fileId }: FileKey): void {
    if (this.#makesTerms) this.terms.remove(fileId);
  }

  removing({ fileId }: FileKey): void {
    if (this.#makesTerms) this.terms.remove(fileId);
    else this.terms.release(fileId);
  }

  rowsArrived({ files }: ArrivedRows): void {
    this.terms.createTables(); // Rows may arrive before `makeOwn`, and with them companies.
    this.terms.refreshAll(files);
  }

  async makeOwn(): Promise<void> {
    await this.#writes.own.run(() => this.terms.createTables());
    await this.make();
  }

  reports(finding: string): boolean {
    return /fts5/i.test(finding);
  }

  async verify(
    _catalog: OpenCatalog,
    { repair, signal }: { readonly repair: boolean; readonly signal?: AbortSignal },
  ): Promise<RoomProblem[]> {
    const problems: RoomProblem[] = [];
    for (const { companyId, found } of this.terms.damaged()) {
      if (repair) await this.#remake(companyId, signal);
      problems.push({ code: 'TERMS_DAMAGED', message: `the index of texts: ${found}`, companyId });
    }
    return problems;
  }

  /**
   * Computes missing terms, or all of them when they are of an older version, from what is stored: no file is read
   * again. It works in slices, so that other writes can run in between. Until it is done, files without terms are not
   * found by text.
   */
  async make(signal?: AbortSignal): Promise<void> {
    if (this.terms.pending === 'nothing') return;
    if (this.terms.pending === 'all') await this.#writes.own.run(() => this.terms.clear());
    for (let after: number | undefined = 0; after !== undefined; ) {
      if (signal?.aborted === true) return;
      const before: number = after;
      after = await this.#writes.own.run(() => this.terms.makeMissing(before));
    }
    await this.#writes.own.run(() => this.terms.complete());
  }

  /**
   * Merges segments of the index, about this many pages (0.3 ms each); search results stay the same. False: nothing is
   * left to merge. A power cut undoes at most the last steps.
   */
  merge(pages: number): Promise<boolean> {
    return this.#writes.own.runDerived(() => this.terms.merge(pages));
  }

  /** Lists frequent words ahead of questions, for about so long, ms. False: nothing is left. */
  async listFrequent(ms: number): Promise<boolean> {
    for (const companyId of this.terms.companies()) if (this.terms.hasRoom) await this.#readKept(companyId);
    return this.terms.listFrequent(ms);
  }

  async closing(): Promise<void> {
    const state = this.#state();
    if (state === undefined) return;
    try {
      for (const companyId of this.terms.companies()) await this.#keep(companyId, state);
    } catch {
      // The disk refuses it: the next process lists the words.
    }
  }

  /** Keeps what is known of frequent words, as true for a state. */
  async #keep(companyId: number, state: string): Promise<void> {
    const cacheFile = this.#cacheFile(companyId);
    const before = this.#openedAs;
    // Rows of a replica are written by another object.
    const isChanged = this.#makesTerms
      ? this.terms.isWritten(companyId)
      : this.#changes.told(this.#openedAt).fileIds?.length !== 0;
    if (this.#read.has(companyId) || isChanged) {
      await this.#readKept(companyId);
      const known = this.terms.frequent(companyId).known(CLOSING_MS, { isChanged });
      if (known?.isNew === true) return keepWords(cacheFile, state, known);
      if (known === undefined && isChanged) return;
    }
    if (before !== undefined && before !== state) await renewKeptWords(cacheFile, before, state);
  }

  /** Takes over what a process of before knew of frequent words, once. */
  #readKept(companyId: number): Promise<void> {
    let reading = this.#read.get(companyId);
    if (reading === undefined) this.#read.set(companyId, (reading = this.#adopt(companyId)));
    return reading;
  }

  async #adopt(companyId: number): Promise<void> {
    if (this.#openedAs === undefined) return;
    const known = await readKeptWords(this.#cacheFile(companyId), this.#openedAs);
    if (known !== undefined) this.terms.frequent(companyId).adopt(known, this.#openedAt);
  }

  #cacheFile(companyId: number): CacheFile {
    return new CacheFile(this.#cacheFolder(`words-${companyId}`));
  }

  /** What names all that the index of words holds; undefined: it is not made yet. */
  #state(): string | undefined {
    const { version } = this.terms;
    const catalog = this.#catalogState();
    if (version === undefined || catalog === undefined || this.terms.pending !== 'nothing') return undefined;
    return `${catalog}, terms ${version}`;
  }

  /** Rebuilds the text index of a company. */
  async #remake(companyId: number, signal: AbortSignal | undefined): Promise<void> {
    await this.#writes.own.run(() => this.terms.clear(companyId));
    await this.make(signal);
  }
}
