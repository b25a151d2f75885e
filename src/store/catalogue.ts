import type { AssemblyComponent, ComponentRow, IndexedComponent } from './catalog/assembly-component.js';
import type { Category } from './catalog/category.js';
import type { NewCategory } from './catalog/categories.js';
import type { CompanySummary } from './catalog/company-summary.js';
import type { DuplicateDecision } from './catalog/duplicate-decision.js';
import type { ComparedPair, DuplicateFile, NewDecision } from './catalog/duplicates.js';
import type { ListOptions } from './catalog/listing.js';
import type { FileRecord, FileRow, KindCounts } from './catalog/record.js';
import type { SearchInputFacts } from './catalog/search-inputs.js';
import type { FileViewRow, StoredShapelet } from './catalog/shapelet.js';
import type { WatchedFile } from './catalog/watched-file.js';

/**
 * The doors of the catalogue: what the engine asks and tells, without SQL. All are asynchronous, because another database than the SQLite
 * file in the library's folder may stand behind them. A promise of a write resolves when the write is durable.
 */

/** A record as a hit of a search shows it: reading the extracted attributes would take half of the time. */
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

/** Files that are kept only to search with. */
export interface SearchInputDoor {
  /** The input of a company with this UID, if there is one. */
  row(companyId: number, uid: string): Promise<FileRow | undefined>;
  /** Who put an input, and until when it is kept; undefined when the file is none. */
  facts(fileId: number): Promise<SearchInputFacts | undefined>;
  /** The company that search inputs under this id belong to; of a company itself, its own id. */
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
  /** What comparing two parts gave, JSON; undefined when they were not compared, or have changed since. */
  pair(pair: Omit<ComparedPair, 'match'>): Promise<string | undefined>;
  /** Remembers comparisons; those of files that are gone are passed over. */
  putPairs(pairs: readonly ComparedPair[]): Promise<void>;
  /** The decisions of a company, in the order in which they were made. */
  decisions(companyId: number): Promise<DuplicateDecision[]>;
  /** Remembers decisions; a repeated one replaces the former. @throws EngineError `FILE_UNKNOWN`. */
  decide(companyId: number, decisions: readonly NewDecision[]): Promise<DuplicateDecision[]>;
  /** Forgets decisions; returns how many of them there were. */
  undo(companyId: number, ids: readonly number[]): Promise<number>;
}

/** What was seen of folders that are watched. */
export interface WatchedFileDoor {
  /** By path. folder: as the caller names it. after: only those behind this path. */
  list(
    companyId: number,
    folder: string,
    options: { readonly after?: string; readonly limit: number },
  ): Promise<WatchedFile[]>;
  /** Remembers a file instead of the one at its path. */
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
  /** JSON in the form of who stored it; undefined for files that are no drawings, or are not indexed. */
  one(fileId: number): Promise<string | undefined>;
}

/** Components of assemblies that are found by themselves. */
export interface ComponentDoor {
  /** The id under which the components of a company's assemblies lie; undefined as long as it had none. */
  companyOf(companyId: number): Promise<number | undefined>;
  /** Those of one assembly, by their numbers. */
  of(assemblyId: number): Promise<IndexedComponent[]>;
  /** Rows of those of one assembly, by their numbers. */
  idsOf(assemblyId: number): Promise<number[]>;
  /** The component of a row; undefined when it is gone. */
  one(fileId: number): Promise<IndexedComponent | undefined>;
  /** Components of several rows, by row; those that are gone are left out. */
  some(fileIds: readonly number[]): Promise<ReadonlyMap<number, IndexedComponent>>;
  byNumber(assemblyId: number, number: number): Promise<ComponentRow | undefined>;
  /** All components of a company's assemblies by rising id. */
  all(companyId: number): Promise<ComponentRow[]>;
}

/** Shapelets of files and what describes them. */
export interface ViewDoor {
  /**
   * All searchable files of a company that have shapelets with descriptors of this version, by rising id: models, or all that are none.
   * Read at one moment, in this process: what opens an index from it must not be told of changes in between.
   */
  all(companyId: number, version: number, which: { readonly models: boolean }): Generator<FileViewRow, void, void>;
  /** Those of the files that are searchable, in the given order. */
  some(companyId: number, fileIds: readonly number[]): Promise<FileViewRow[]>;
  /** Searchable files with shapelets that have these bytes, by UID; the first 1 000. */
  ofBytes(companyId: number, sha256: string): Promise<number[]>;
  /** Of one file, searchable or not; undefined when it has none. */
  one(fileId: number): Promise<FileViewRow | undefined>;
  /** Where the shapelets of a file are, by their index. */
  shapelets(fileId: number): Promise<StoredShapelet[]>;
  /** The same of several files. */
  shapeletsOf(fileIds: readonly number[]): Promise<ReadonlyMap<number, StoredShapelet[]>>;
  /** As they were put; undefined where there are none. */
  pictures(fileId: number): Promise<Uint8Array | undefined>;
}
