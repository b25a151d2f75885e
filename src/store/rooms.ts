import type { Database } from 'better-sqlite3';
import type { Attribute } from './catalog/attribute.js';
import type { ChangeLog } from './database/change-log.js';
import type { Writes } from './database/writes.js';
import type { Settings } from './database/settings.js';
import type { IndexedFile } from './catalog/indexed-file.js';
import type { VerifyProblem } from './verify-report.js';

/** The row of a file in the catalogue, and the company that it belongs to. */
export interface FileKey {
  readonly companyId: number;
  readonly fileId: number;
}

/** Ids of rows that arrived from other processes or were written there, for whatever a room derives from them. */
export interface ArrivedRows {
  readonly companies: readonly number[];
  /** Files whose row, attributes or texts came, changed or went. */
  readonly files: readonly number[];
  /** Files whose attributes came, changed or went. */
  readonly attributed: readonly FileKey[];
}

/** The open catalogue, as a room gets it. */
export interface OpenCatalog {
  readonly database: Database;
  readonly writes: Writes;
  readonly changes: ChangeLog;
  /**
   * Whether the catalogue is a replica of a shared one. What a room derives for itself it then derives when rows arrive
   * ({@link RoomTables.rowsArrived}) and not in the transaction that writes them, which is undone here.
   */
  readonly isReplica: boolean;
  /** The id of a company, made on first use. Only for work inside a transaction of `writes`. */
  readonly enterCompany: (name: string) => number;
  /** The folder for derived data of this name; it may be missing. */
  readonly cacheFolder: (name: string) => string;
  /**
   * Names what is committed in the catalogue. Where two openings find equal names, all that durable writes ever changed
   * is equal; undefined: a replica that holds nothing yet.
   */
  readonly state: () => string | undefined;
}

/** A problem that a check of a room's tables found. */
export interface RoomProblem extends Pick<VerifyProblem, 'code' | 'message'> {
  /** Absent: the problem concerns no single company. */
  readonly companyId?: number;
}

/**
 * Tables of a room in the catalogue that depend on its files. The store calls these methods on events of a file. All
 * but {@link verify} run inside the transaction that makes the change, so that the room's rows and the file's are
 * committed together or not at all. A room omits the methods of events that it does not need.
 *
 * They are synchronous, because they are a part of the implementation for SQLite, whose transactions do not span turns
 * of the event loop. What a room offers to other rooms is asynchronous.
 */
export interface RoomTables {
  /** The library is being opened: the room brings rows of older versions up to date. */
  opened?(settings: Settings): void;
  /** A company was entered. */
  companyAdded?(companyId: number): void;
  /** A file is new, or its path or its attributes changed. */
  relabelled?(fileId: number): void;
  /** A file was indexed: its row is written already. */
  indexed?(file: FileKey, found: IndexedFile): void;
  /** A file failed. */
  failed?(file: FileKey): void;
  /** A file waits to be indexed again and must not be found until then. */
  withdrawn?(file: FileKey): void;
  /** Of a replica: these rows are about to arrive; {@link rowsArrived} follows on the same object and transaction. */
  rowsArriving?(rows: ArrivedRows): void;
  /**
   * Of a replica: rows arrived. Runs inside the transaction that brings them, on the connection that does, where a
   * second object of the room works.
   */
  rowsArrived?(rows: ArrivedRows): void;
  /** Of a replica that was opened: makes what the room keeps for itself. */
  makeOwn?(): Promise<void>;
  /** The row of a file is about to be deleted. */
  removing?(file: FileKey): void;
  /** The library is being closed, nothing is written any more: the room may keep what it derived. */
  closing?(): Promise<void>;
  /** Compares derived data with their source, and with `repair` makes them again. */
  verify?(
    catalog: OpenCatalog,
    options: { readonly repair: boolean; readonly signal?: AbortSignal },
  ): Promise<RoomProblem[]>;
  /** Whether {@link verify} reports and repairs a finding of SQLite's own checks: a message or the name of a table. */
  reports?(finding: string): boolean;
}

/** The attributes of files. */
export interface AttributeTables extends RoomTables {
  /** Attributes given to a file, as text. */
  texts(fileId: number): string[];
  /** Attributes found in a file, as text. */
  extractedTexts(fileId: number): string[];
  /** Attributes given to a file. */
  given(fileId: number): Attribute[];
  /** Replaces the attributes of a file. False: it had the same. */
  put(companyId: number, fileId: number, attributes: readonly Attribute[]): boolean;
  /** Adds attributes to a file. False: it had them all. @throws RangeError when it would have too many. */
  add(companyId: number, fileId: number, attributes: readonly Attribute[]): boolean;
}

/** Accounts: callbacks that are due when a file is indexed, and blobs that belong to no file. */
export interface AccountTables extends RoomTables {
  /** Stores that a callback with this text is due when the file is indexed or has failed. */
  awaitCallback(fileId: number, param: string): void;
  /** Whether the accounts refer to a blob. */
  refers(hash: string): boolean;
  /** All blobs that the accounts refer to. */
  blobs(): { readonly hash: string; readonly byteLength: number }[];
  /** The entries of the accounts that refer to a blob. */
  owners(hash: string): { readonly uid: string; readonly path: string; readonly company: string }[];
}

/** The rooms that own tables in the catalogue besides the store. */
export interface Rooms {
  readonly attributes: AttributeTables;
  readonly words: RoomTables;
  readonly accounts: AccountTables;
}

/** How the rooms' tables are made and opened; passed in by the code that opens the library. */
export interface RoomTablesOf<R extends Rooms> {
  /** SQL of each room's steps, by the version of the catalogue that they lead to. See `migrations.ts`. */
  readonly steps: readonly Readonly<Record<number, string>>[];
  /** Called once, after the migrations. */
  readonly open: (catalog: OpenCatalog) => R;
}

/** Passes events of files to the rooms, in this order, because words are derived from attributes. */
export class RoomEvents
  implements Required<Omit<RoomTables, 'verify' | 'reports' | 'rowsArriving' | 'rowsArrived' | 'makeOwn' | 'closing'>>
{
  readonly #rooms: readonly RoomTables[];
  readonly #changes: ChangeLog;

  constructor({ attributes, words, accounts }: Rooms, changes: ChangeLog) {
    this.#rooms = [attributes, words, accounts];
    this.#changes = changes;
  }

  opened(settings: Settings): void {
    for (const room of this.#rooms) room.opened?.(settings);
  }

  companyAdded(companyId: number): void {
    for (const room of this.#rooms) room.companyAdded?.(companyId);
  }

  relabelled(fileId: number): void {
    this.#changes.note(fileId);
    for (const room of this.#rooms) room.relabelled?.(fileId);
  }

  indexed(file: FileKey, found: IndexedFile): void {
    this.#changes.note(file.fileId);
    for (const room of this.#rooms) room.indexed?.(file, found);
  }

  failed(file: FileKey): void {
    this.#changes.note(file.fileId);
    for (const room of this.#rooms) room.failed?.(file);
  }

  withdrawn(file: FileKey): void {
    this.#changes.note(file.fileId);
    for (const room of this.#rooms) room.withdrawn?.(file);
  }

  removing(file: FileKey): void {
    this.#changes.note(file.fileId);
    for (const room of this.#rooms) room.removing?.(file);
  }
}
