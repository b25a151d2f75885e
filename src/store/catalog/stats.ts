import type { Database } from 'better-sqlite3';
import type { FileKind, FileState } from './record.js';
import { Settings } from '../database/settings.js';
import { DESCRIBED } from './jobs.js';
import { cacheBytes, catalogBytes } from '../disk/library-folder.js';

/** Counts of a company's files. */
export interface CompanyStats {
  readonly name: string;
  readonly files: number;
  readonly states: Readonly<Record<FileState, number>>;
  readonly kinds: Readonly<Record<FileKind, number>>;
  /** Total size of the files as they were given; equal files count each time. */
  readonly byteLength: number;
}

/** Counts and sizes of a library. */
export interface LibraryStats {
  readonly files: number;
  readonly states: Readonly<Record<FileState, number>>;
  readonly kinds: Readonly<Record<FileKind, number>>;
  /** Jobs that wait or run. */
  readonly queueLength: number;
  /** Descriptions of files that were made since the library was: more than files says that some were read twice. */
  readonly described: number;
  /** Shapes that can be matched on their own: views of models and on drawings, objects in images. */
  readonly shapelets: number;
  /** On disk; equal bytes are stored once. */
  readonly catalogBytes: number;
  readonly blobBytes: number;
  /** Derived data, may be deleted while no engine is open. */
  readonly cacheBytes: number;
  readonly companies: readonly CompanyStats[];
  /**
   * What holds the processes that read files, as far as this system lets an unprivileged process be held. confinement:
   * `namespaces` (no network, of the file system only Node, its modules and the system's libraries, no capabilities),
   * `readonly` (no network, a read-only file system without the library), `offline` (no network, no capabilities),
   * `limits` (no new privileges; it ends with its host), `bounds` (bounds on open files and memory), `none` (what the
   * engine measures is all); each has what those after it have. holds: the same in words, with the limits in force.
   * Absent: the system had no room to try. Filled in by the engine.
   */
  readonly reading?: { readonly confinement: string; readonly holds: readonly string[] };
  /** Resident memory of the processes that read files now, bytes; 0: none runs. Filled in by the engine. */
  readonly readingBytes?: number;
  /**
   * What this engine indexed since it was opened: files, failures by code, and the rate of the last minute. Filled in
   * by the engine.
   */
  readonly indexing?: {
    readonly indexed: number;
    readonly failed: Readonly<Record<string, number>>;
    readonly ratePerS: number;
  };
  /**
   * Sentences about what is wrong with the library (see `engine.warnings`) or runs slower than it could, and the
   * remedy; absent: none. Filled in by the engine.
   */
  readonly warnings?: readonly string[];
}

interface CountRow {
  name: string;
  state: FileState | null;
  kind: FileKind | null;
  files: number;
  bytes: number;
}

/**
 * Counts from the catalogue, and sizes from the disk.
 * @internal
 */
export async function libraryStats(database: Database, folder: string, blobBytes: number): Promise<LibraryStats> {
  const rows = database
    .prepare<[], CountRow>(
      `SELECT company.name, state, kind, count(file.id) AS files, coalesce(sum(byte_length), 0) AS bytes
       FROM company LEFT JOIN file ON file.company_id = company.id WHERE inputs_of IS NULL
       GROUP BY company.name, state, kind ORDER BY company.name`,
    )
    .all();
  const names = [...new Set(rows.map(({ name }) => name))];
  return {
    ...count(rows),
    queueLength: database.prepare<[], number>('SELECT count(*) FROM job').pluck().get() as number,
    described: Number(new Settings(database).get(DESCRIBED) ?? 0),
    shapelets: database.prepare<[], number>('SELECT coalesce(sum(count), 0) FROM views').pluck().get() as number,
    catalogBytes: await catalogBytes(folder),
    blobBytes,
    cacheBytes: await cacheBytes(folder),
    companies: names.map((name) => {
      const own = rows.filter((row) => row.name === name);
      return { name, ...count(own), byteLength: own.reduce((sum, { bytes }) => sum + bytes, 0) };
    }),
  };
}

function count(rows: readonly CountRow[]): {
  files: number;
  states: Record<FileState, number>;
  kinds: Record<FileKind, number>;
} {
  const states: Record<FileState, number> = { queued: 0, indexed: 0, failed: 0 };
  const kinds: Record<FileKind, number> = { Text: 0, Image: 0, TwoD: 0, ThreeD: 0 };
  let sum = 0;
  for (const { state, kind, files } of rows) {
    if (state !== null) states[state] += files;
    if (kind !== null) kinds[kind] += files;
    sum += files;
  }
  return { files: sum, states, kinds };
}
