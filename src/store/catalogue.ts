import type { Job } from './catalog/job.js';
import type { AssemblyComponent, ComponentRow, IndexedComponent } from './catalog/assembly-component.js';
import type { Category } from './catalog/category.js';
import type { NewCategory } from './catalog/categories.js';
import type { CompanySummary, FailureSummary, FolderSummary } from './catalog/company-summary.js';
import type { DuplicateDecision } from './catalog/duplicate-decision.js';
import type { ComparedPair, DuplicateFile, NewDecision } from './catalog/duplicate-records.js';
import type { ListOptions } from './catalog/listing.js';
import type { FileError, FileKind, FileRecord, FileRow, KindCounts, StaleFile } from './catalog/record.js';
import type { InputUsage, SearchInputFacts } from './catalog/search-inputs.js';
import type { SeenInputs } from './catalog/seen-inputs.js';
import type { FileViewRow, StoredShapelet } from './catalog/shapelet.js';
import type { DescriptorRules, IndexedFile, StoredDescriptor } from './catalog/indexed-file.js';
import type { WatchedFile } from './catalog/watched-file.js';

/**
 * The doors of the catalogue: the interfaces through which the engine reads and writes it, without SQL. All are
 * asynchronous, so that another database than the SQLite file in the library's folder can implement them. The promise
 * of a write resolves when the write is durable.
 */

/** A record as a search hit shows it: reading the extracted attributes would take half of the time. */
export type HitRecord = Omit<FileRecord, 'extractedAttributes'>;

/** What changed up to a mark. */
export interface Changes {
  /** The state of the catalogue that these changes lead to. */
  readonly mark: number;
  /** The files that changed, each once, rising; undefined when that is not known any more. */
  readonly fileIds: readonly number[] | undefined;
}

/**
 * Which files' names, attributes, categories or texts changed, so that remembered answers can be brought up to date.
 */
export interface ChangeDoor {
  /** The changes since a mark; without one, none and the present mark. */
  since(mark?: number): Promise<Changes>;
}

/** A file that can be found. */
export interface SearchableFile {
  readonly fileId: number;
  readonly kind: FileKind;
}

/** A searchable file with its UID. */
export interface FoundFile extends SearchableFile {
  readonly uid: string;
}

/** Searchable files in columns. */
export interface SearchableList {
  /** Rising. */
  readonly fileIds: Uint32Array;
  /** Numbers of kinds in {@link LISTED_KINDS}. */
  readonly kinds: Uint8Array;
  /** When each was indexed, ms: with the id it names one state of the file's descriptors. */
  readonly indexedAt: Float64Array;
}

/** The kinds that {@link SearchableList} numbers. */
export const LISTED_KINDS: readonly FileKind[] = Object.freeze(['Image', 'ThreeD', 'TwoD', 'Text']);

/** The files of one category, searchable or not. */
export interface CategoryFiles {
  readonly categoryId: number;
  /** Rising. */
  readonly fileIds: Uint32Array;
}

/** Which files are searchable, which categories they belong to, and the order of their paths. */
export interface SearchableDoor {
  /** The next searchable files of a company, by rising id: some with an id above `after`; none after the last. */
  after(companyId: number, after: number): Promise<SearchableList>;
  /** Those of the given files that are searchable, by id. */
  some(fileIds: readonly number[]): Promise<ReadonlyMap<number, FoundFile>>;
  /** The categories of a company by rising id, with their files. */
  ofCategories(companyId: number): Promise<CategoryFiles[]>;
  /**
   * Positions `offset` to `offset + limit` of these files (rising) of a company in the order of their paths, by UTF-8
   * bytes. files: about how many files the company has.
   */
  inPathOrder(
    companyId: number,
    fileIds: Uint32Array,
    page: { readonly limit: number; readonly offset: number; readonly files: number },
  ): Promise<number[]>;
}

/** Which views are read. */
export interface ViewsAsked {
  /** Only files with descriptors of this version or a later one. Default: all. */
  readonly since?: number;
  /** 'first': of files with many views, only those that come first (`StoredViews.first`). Default 'all'. */
  readonly part?: 'all' | 'first';
}

/** The data of a searchable file that the shape index holds. */
export interface CompactShape {
  readonly fileId: number;
  readonly uid: string;
  /** The `compact` descriptor's bytes. */
  readonly compact: Uint8Array;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  /** Edges of the smallest box, descending. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
}

/** One descriptor of several files. */
export interface FineShapes {
  readonly fileIds: readonly number[];
  /** The descriptors' bytes in this order, one after another, all of one length. */
  readonly bytes: Uint8Array;
}

/** What is known of a file with a shape but its vector. */
export type ShapeFacts = Omit<CompactShape, 'compact'>;

/** Sizes of a file with a shape, by which tolerances are tested. */
export interface ShapeSizes extends Pick<CompactShape, 'fileId' | 'volumeMm3' | 'bboxVolumeMm3' | 'surfaceAreaMm2'> {}

/** The words of a file's faces. */
export interface FaceWordsRow {
  readonly fileId: number;
  readonly uid: string;
  /** The `faceWords` descriptor's bytes. */
  readonly bytes: Uint8Array;
}

/** The descriptors of indexed files. */
export interface ShapeDoor {
  /** The next searchable files of a company with a shape, by rising id; see {@link SearchableDoor.after}. */
  after(companyId: number, after: number): Promise<CompactShape[]>;
  /** The same of one file, whatever its company; undefined when it is not searchable or has no shape. */
  one(fileId: number): Promise<CompactShape | undefined>;
  /** The same of several files without their vectors; those that are not searchable or have no shape are left out. */
  facts(fileIds: readonly number[]): Promise<readonly ShapeFacts[]>;
  /** The `faceWords` of the next searchable files of a company with a shape, by rising id. */
  faceWordsAfter(companyId: number, after: number): Promise<FaceWordsRow[]>;
  /** SHA-256 of the bytes of these files, hex, in their order; undefined for those that are gone. */
  hashes(fileIds: readonly number[]): Promise<(string | undefined)[]>;
  /** The stored features of these files, in their order; undefined for those that have none. */
  features(fileIds: readonly number[]): Promise<(string | undefined)[]>;
  /**
   * One descriptor of each of the given files, in their order; undefined for those that have none. byteLength: at most
   * so many bytes of each. Default: all.
   */
  descriptors(
    name: StoredDescriptor,
    fileIds: readonly number[],
    byteLength?: number,
  ): Promise<(Uint8Array | undefined)[]>;
  /**
   * The fine descriptors of the given files, in the given order; files without one (any more) are left out.
   * @throws EngineError `LIBRARY_DAMAGED` when they differ in length.
   */
  fine(fileIds: readonly number[]): Promise<FineShapes>;
  /** As {@link fine}, of the `compact` descriptors: 0.3 µs a file. */
  compacts(fileIds: Uint32Array): Promise<FineShapes>;
  /** Sizes of the given files, in their order; those that are not searchable any more are left out. */
  sizes(fileIds: Uint32Array): Promise<readonly ShapeSizes[]>;
}

/** Reads companies and files. */
export interface FileDoor {
  /** All companies, by name. */
  companies(): Promise<{ readonly id: number; readonly name: string }[]>;
  /** @throws EngineError `FILE_UNKNOWN`. */
  row(companyId: number, uid: string): Promise<FileRow>;
  /** The row with this path, if there is one. */
  rowAt(companyId: number, path: string): Promise<FileRow | undefined>;
  /** The row with this id, if it is still there. */
  rowById(fileId: number): Promise<FileRow | undefined>;
  /** Ids of the files with these UIDs, each once; unknown ones are passed over. */
  idsOf(companyId: number, uids: readonly string[]): Promise<number[]>;
  /** The public form of a row. */
  record(row: FileRow): Promise<FileRecord>;
  /** The record with this id, if it is still there. */
  recordById(fileId: number): Promise<FileRecord | undefined>;
  /**
   * The records of found files, by id, and which of these files changed since a mark, in one state of the catalogue.
   * Files that are not searchable any more are left out.
   */
  hits(
    fileIds: readonly number[],
    since: number,
  ): Promise<{ readonly records: ReadonlyMap<number, HitRecord>; readonly changed: number[]; readonly mark: number }>;
  /** Records in an order. */
  list(options: ListOptions): Promise<FileRecord[]>;
  /** How many files of each kind a company has. */
  counts(companyId: number): Promise<KindCounts>;
  /** How many files of each kind and state a company has. */
  summary(companyId: number): Promise<CompanySummary>;
  /** The folders directly in a folder. prefix: its path with a slash at the end; '': the uppermost. */
  folders(companyId: number, prefix: string): Promise<FolderSummary[]>;
  /** How many files could not be read, by reason. */
  failures(companyId: number): Promise<FailureSummary[]>;
}

/** Files that are kept only as inputs of searches. */
export interface SearchInputDoor {
  /** The input of a company with this UID, if there is one that the caller sees. */
  row(companyId: number, uid: string, seen: SeenInputs): Promise<FileRow | undefined>;
  /** Who put an input, and until when it is kept; undefined when the file is none. */
  facts(fileId: number): Promise<SearchInputFacts | undefined>;
  /** The company whose search inputs this one holds; for an ordinary company its own id. */
  ownerOf(companyId: number): Promise<number>;
  /** What the inputs of an owner take; null: those that are everybody's. */
  usage(companyId: number, owner: string | null): Promise<InputUsage>;
}

/** The categories of companies. */
export interface CategoryDoor {
  /** All categories of a company, by name. */
  list(companyId: number): Promise<Category[]>;
  /**
   * Adds a category; one of the same name and parent is kept, with the new image if one is given.
   * @throws EngineError `CATEGORY_UNKNOWN` (the parent).
   */
  add(category: NewCategory): Promise<Category>;
  /** Removes a category; its files and its subcategories move to its parent. @throws EngineError `CATEGORY_UNKNOWN`. */
  remove(companyId: number, id: number): Promise<void>;
  /** Gives a file a category, or with null none. @throws EngineError `FILE_UNKNOWN`, `CATEGORY_UNKNOWN`. */
  assign(companyId: number, uid: string, id: number | null): Promise<FileRecord>;
}

/** Decisions about duplicates, and pairs of parts that were compared. */
export interface DuplicateDoor {
  /** All files of a company, in whatever state, in the order of their paths. */
  files(companyId: number): Promise<DuplicateFile[]>;
  /** The result of comparing two parts, JSON; undefined when they were not compared, or have changed since. */
  pair(pair: Omit<ComparedPair, 'match'>): Promise<string | undefined>;
  /** Stores comparisons; those of deleted files are skipped. */
  putPairs(pairs: readonly ComparedPair[]): Promise<void>;
  /** The decisions of a company, in the order in which they were made. */
  decisions(companyId: number): Promise<DuplicateDecision[]>;
  /** Stores decisions; a repeated one replaces the former. @throws EngineError `FILE_UNKNOWN`. */
  decide(companyId: number, decisions: readonly NewDecision[]): Promise<DuplicateDecision[]>;
  /** Deletes decisions; returns how many of them existed. */
  undo(companyId: number, ids: readonly number[]): Promise<number>;
}

/** The known files of watched folders. */
export interface WatchedFileDoor {
  /** In the order of paths. folder: as the caller names it. after: only paths greater than this. */
  list(
    companyId: number,
    folder: string,
    options: { readonly after?: string; readonly limit: number },
  ): Promise<WatchedFile[]>;
  /** Stores a file; one at the same path is replaced. */
  put(companyId: number, folder: string, file: WatchedFile): Promise<void>;
  remove(companyId: number, folder: string, path: string): Promise<void>;
}

/** Product structures of assemblies. */
export interface AssemblyDoor {
  /** The root; undefined when the file is no assembly or is not indexed. */
  tree(fileId: number): Promise<AssemblyComponent | undefined>;
}

/** Dimensions, tolerances and annotations of drawings. */
export interface PmiDoor {
  /** JSON in the format of the room that makes it; undefined for files that are no drawings or not indexed. */
  one(fileId: number): Promise<string | undefined>;
}

/** The durable queue of files to be indexed. */
export interface JobDoor {
  /**
   * Marks the next jobs, at most `count`, as running: by priority, then arrival. A file that may be the one that
   * crashes the process is handed out only when `idle`, and alone. Not durable: after a power cut these jobs run again.
   */
  claim(count: number, options: { idle: boolean; running?: readonly number[] }): Promise<Job[]>;
  /**
   * Stores the result of indexing. A power cut may undo it; then the file is indexed again. False: the file was
   * deleted.
   */
  complete(fileId: number, file: IndexedFile): Promise<boolean>;
  /** Marks a file as failed. False: the file was deleted or replaced. */
  fail(fileId: number, error: FileError): Promise<boolean>;
  /** Returns a running job to its place in the queue. attempted: its worker died, which is counted. */
  release(fileId: number, options: { attempted: boolean }): Promise<void>;
  /** Queues a file again to index its components too; it stays searchable meanwhile. */
  wantComponents(fileId: number): Promise<void>;
  /** Queues all files (of a company) again. Returns how many. */
  reindexAll(companyId?: number): Promise<number>;
  /** Queues failed files of a company again; uid: this one alone. Returns how many. */
  retryFailed(companyId: number, uid?: string): Promise<number>;
  /** Indexed files whose descriptors for comparing are missing or of another version or length. */
  stale(rules: DescriptorRules): Promise<StaleFile[]>;
  /** Indexed files whose texts, shapelets, PMI or faces are of another version or missing. */
  outdated(rules: DescriptorRules): Promise<StaleFile[]>;
  /**
   * Queues {@link stale} files again and returns them; they are not searchable until they are indexed. Queues
   * {@link outdated} files as well, which stay searchable.
   */
  reindexStale(rules: DescriptorRules, companyId?: number): Promise<StaleFile[]>;
  /** {@link reindexStale}, unless it was already done for these versions: examining every file is slow. */
  reindexAfterUpgrade(rules: DescriptorRules): Promise<void>;
  /** Number of jobs that wait or run. */
  length(): Promise<number>;
}

/** Components of assemblies that are searchable on their own. */
export interface ComponentDoor {
  /** The company that holds the components of a company's assemblies; undefined until the first. */
  companyOf(companyId: number): Promise<number | undefined>;
  /** The components of one assembly, by number. */
  of(assemblyId: number): Promise<IndexedComponent[]>;
  /** Ids of the components of one assembly, by number. */
  idsOf(assemblyId: number): Promise<number[]>;
  /** The component with this id; undefined when it was deleted. */
  one(fileId: number): Promise<IndexedComponent | undefined>;
  /** Components by id; deleted ones are left out. */
  some(fileIds: readonly number[]): Promise<ReadonlyMap<number, IndexedComponent>>;
  byNumber(assemblyId: number, number: number): Promise<ComponentRow | undefined>;
  /** All components of a company's assemblies in ascending order of id. */
  all(companyId: number): Promise<ComponentRow[]>;
}

/** A searchable model. */
export interface IndexedModel {
  readonly fileId: number;
  readonly uid: string;
  /** Milliseconds since 1970. */
  readonly indexedAt: number;
}

/** Shapelets of files and their descriptors. */
export interface ViewDoor {
  /**
   * The next searchable files of a company that have shapelets with descriptors of this version: models, or all other
   * files; see {@link SearchableDoor.after}.
   */
  after(
    companyId: number,
    after: number,
    which: { readonly since: number; readonly models: boolean },
  ): Promise<FileViewRow[]>;
  /** The searchable ones of the given files, in the given order. */
  some(companyId: number, fileIds: readonly number[], asked?: ViewsAsked): Promise<FileViewRow[]>;
  /**
   * The next searchable models of a company, and when each was last indexed: what was read of one before is what the
   * catalogue still holds if that is the same.
   */
  modelsAfter(companyId: number, after: number): Promise<IndexedModel[]>;
  /** Searchable files with shapelets that have these bytes, by UID; the first 1 000. */
  ofBytes(companyId: number, sha256: string): Promise<number[]>;
  /** Lengths that these files state, and extents of their models, in their order; empty for those without. */
  lengths(fileIds: readonly number[]): Promise<Pick<FileViewRow, 'numbersMm' | 'extentsMm'>[]>;
  /** Of one file, searchable or not; undefined when it has none. */
  one(fileId: number): Promise<FileViewRow | undefined>;
  /** The places of a file's shapelets, by index. */
  shapelets(fileId: number): Promise<StoredShapelet[]>;
  /** The same of several files. */
  shapeletsOf(fileIds: readonly number[]): Promise<ReadonlyMap<number, StoredShapelet[]>>;
  /** The stored pictures of a file's shapelets; undefined when there are none. */
  pictures(fileId: number): Promise<Uint8Array | undefined>;
  /** The stored inks of the pages of files; files without any are left out. */
  inks(fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>>;
  /** The stored layouts of the pages of files, one after another; files without any are left out. */
  layouts(fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>>;
}

/** What is counted for a key: a name or a network that tries to sign in. */
export interface CountedAttempts {
  failures: number;
  /** End of the window, ms since 1970. */
  until: number;
  /** ms since 1970. */
  lastFailureAt: number;
  /** Attempts that run. */
  running: number;
}

/** Where failed attempts are counted: in the memory of the one process of a library, or where all of them see it. */
export interface AttemptDoor {
  /**
   * Hands the counts of these keys to `change`, in their order, with the time where all processes have one, ms since
   * 1970; keeps what it made of them. No other change of these keys happens meanwhile. What it changed before it throws
   * is kept as well.
   * @throws EngineError `STORAGE_FAILED` when the counts cannot be reached.
   */
  update<T>(
    keys: readonly string[],
    change: (counted: readonly CountedAttempts[], now: number | undefined) => T,
  ): Promise<T>;
}
