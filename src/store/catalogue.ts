import type { AssemblyComponent, ComponentRow, IndexedComponent } from './catalog/assembly-component.js';
import type { Category } from './catalog/category.js';
import type { NewCategory } from './catalog/categories.js';
import type { CompanySummary } from './catalog/company-summary.js';
import type { DuplicateDecision } from './catalog/duplicate-decision.js';
import type { ComparedPair, DuplicateFile, NewDecision } from './catalog/duplicate-records.js';
import type { ListOptions } from './catalog/listing.js';
import type { FileRecord, FileRow, KindCounts } from './catalog/record.js';
import type { SearchInputFacts } from './catalog/search-inputs.js';
import type { FileViewRow, StoredShapelet } from './catalog/shapelet.js';
import type { WatchedFile } from './catalog/watched-file.js';

/**
 * The doors of the catalogue: the interfaces through which the engine reads and writes it, without SQL. All are
 * asynchronous, so that another database than the SQLite file in the library's folder can implement them. The promise
 * of a write resolves when the write is durable.
 */

/** A record as a search hit shows it: reading the extracted attributes would take half of the time. */
export type HitRecord = Omit<FileRecord, 'extractedAttributes'>;

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
  /** The records of the hits of a search, by id; files that are gone are left out. */
  hits(fileIds: readonly number[]): Promise<ReadonlyMap<number, HitRecord>>;
  /** Records in an order. */
  list(options: ListOptions): Promise<FileRecord[]>;
  /** How many files of each kind a company has. */
  counts(companyId: number): Promise<KindCounts>;
  /** How many files of each kind and state a company has. */
  summary(companyId: number): Promise<CompanySummary>;
}

/** Files that are kept only as inputs of searches. */
export interface SearchInputDoor {
  /** The input of a company with this UID, if there is one. */
  row(companyId: number, uid: string): Promise<FileRow | undefined>;
  /** Who put an input, and until when it is kept; undefined when the file is none. */
  facts(fileId: number): Promise<SearchInputFacts | undefined>;
  /** The company whose search inputs this one holds; for an ordinary company its own id. */
  ownerOf(companyId: number): Promise<number>;
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

/** Shapelets of files and their descriptors. */
export interface ViewDoor {
  /**
   * All searchable files of a company that have shapelets with descriptors of this version, in ascending order of id:
   * models, or all other files. Synchronous, so that no change can come between while an index is built from it.
   */
  all(companyId: number, version: number, which: { readonly models: boolean }): Generator<FileViewRow, void, void>;
  /** The searchable ones of the given files, in the given order. */
  some(companyId: number, fileIds: readonly number[]): Promise<FileViewRow[]>;
  /** Searchable files with shapelets that have these bytes, by UID; the first 1 000. */
  ofBytes(companyId: number, sha256: string): Promise<number[]>;
  /** Of one file, searchable or not; undefined when it has none. */
  one(fileId: number): Promise<FileViewRow | undefined>;
  /** The places of a file's shapelets, by index. */
  shapelets(fileId: number): Promise<StoredShapelet[]>;
  /** The same of several files. */
  shapeletsOf(fileIds: readonly number[]): Promise<ReadonlyMap<number, StoredShapelet[]>>;
  /** The stored pictures of a file's shapelets; undefined when there are none. */
  pictures(fileId: number): Promise<Uint8Array | undefined>;
}
