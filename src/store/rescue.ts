import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Database } from 'better-sqlite3';
import { EngineError, messageOf } from '../errors.js';
import { normalizeFilePath } from './catalog/file-path.js';
import { withCodedErrors } from './database/coded-errors.js';
import { codeOf, storageError, withRemedy } from './database/storage-errors.js';
import { BlobStore } from './disk/blobs.js';
import { checkCatalogFiles, makeFolders } from './disk/library-folder.js';
import { LibraryLock } from './disk/lock.js';
import { LostAndFound } from './disk/lost-and-found.js';
import { openToRead } from './read-only.js';

/** What a rescue copied, and what it could not. */
export interface RescueReport {
  /** Files under the paths that the catalogue still tells. */
  readonly named: number;
  /** Search inputs and files of requests for quotation, which are kept only for a while: under `search-inputs/`. */
  readonly inputs: number;
  /** Byte strings that no readable row names: under `unnamed/`, by their SHA-256. */
  readonly unnamed: number;
  /** Files of which no whole copy was found. */
  readonly damaged: readonly DamagedBytes[];
  /** Why the catalogue tells not all names; absent: it was read to its end. */
  readonly catalogue?: string;
  /** Folders of the library that the system refuses to list; files in them may be whole. */
  readonly unreadable: readonly UnreadableFolder[];
}

/** A folder that the system refuses to list. */
interface UnreadableFolder {
  readonly folder: string;
  readonly errno: string;
}

/** Bytes that a rescue could not copy. */
export interface DamagedBytes {
  /** SHA-256 of the bytes that were put, hex. */
  readonly hash: string;
  /** Where they lie. Absent: nowhere. */
  readonly file?: string;
  /**
   * `changed`: the bytes do not match their hash; `unreadable`: the system refuses to read them; `missing`: a row names
   * them and they are not there.
   */
  readonly fault: 'missing' | 'changed' | 'unreadable';
  /** The files that they belong to, as far as the catalogue can be read. */
  readonly files: readonly { readonly company: string; readonly path: string }[];
}

/** How bytes are told apart. */
export interface RescueOptions {
  /** The extension, without its dot, that a file without a name gets; undefined when its content says nothing. */
  readonly extensionOf: (bytes: Uint8Array) => string | undefined;
}

interface Name {
  readonly company: string;
  readonly path: string;
  /** A search input. */
  readonly isInput: boolean;
}

/** Rows that cannot be read one after the other until the rest of the table is given up; the step doubles each time. */
const FAILURES_LIMIT = 40;

/** What the names of companies begin with that hold another's search inputs, or the components of its assemblies. */
const INPUTS_OF = '\u0001';
const COMPONENTS = '\u0002';

/** Files without a name that are larger get no extension: telling it takes the whole file in memory, bytes. */
const TOLD_BYTES = 2 ** 28;

/** Folders of the target that hold no company's files. */
const UNNAMED = 'unnamed';
const INPUTS = 'search-inputs';

/**
 * Copies all files whose bytes are whole out of a library, also of one that does not open: to `target/COMPANY/PATH` as
 * far as rows of the catalogue can be read, search inputs to `target/search-inputs/COMPANY/NAME`, the others to
 * `target/unnamed/SHA-256.EXTENSION`. The library stays as it is.
 * @param target a folder that is missing or empty.
 * @throws EngineError `LIBRARY_LOCKED`, `CONFLICT` when the target holds something, `STORAGE_FAILED`.
 * @internal
 */
export async function rescueBlobs(library: string, target: string, options: RescueOptions): Promise<RescueReport> {
  const folder = resolve(library);
  const to = resolve(target);
  const lock = lockToRead(folder);
  try {
    makeFolders(to);
    if ((await readdir(to)).length > 0)
      throw new EngineError('CONFLICT', `the files of a library are rescued to an empty folder; ${to} holds something`);
    const rescue = new Rescue(folder, { ...options, to });
    return await rescue.run();
  } catch (cause) {
    throw storageError(`rescue the files of ${folder}`, cause);
  } finally {
    lock?.release();
  }
}

/**
 * The lock of a library that is only read; undefined where the disk has no place for one, as on a read-only one.
 * @throws EngineError `LIBRARY_LOCKED`.
 * @internal
 */
export function lockToRead(folder: string): LibraryLock | undefined {
  try {
    return LibraryLock.take(folder);
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'STORAGE_FAILED') return undefined;
    throw cause;
  }
}

/** One pass over all bytes of a library. @internal */
export class Rescue {
  readonly #folder: string;
  /** Undefined: files are only checked. */
  readonly #to: string | undefined;
  readonly #options: RescueOptions;
  /** Byte strings that are whole, and those of them that `lost+found` alone has. */
  readonly whole = { count: 0, byteLength: 0 };
  readonly lost = { count: 0, byteLength: 0 };
  readonly #names: ReadonlyMap<string, readonly Name[]>;
  readonly #fault: string | undefined;
  readonly #blobs: BlobStore;
  readonly #damaged = new Map<string, DamagedBytes>();
  readonly #copied = new Set<string>();
  readonly #counts = { named: 0, inputs: 0, unnamed: 0 };

  constructor(folder: string, { to, ...options }: RescueOptions & { readonly to?: string }) {
    this.#folder = folder;
    this.#to = to;
    this.#options = options;
    ({ names: this.#names, fault: this.#fault } = readNames(folder));
    this.#blobs = new BlobStore(join(folder, 'blobs'), { fileBytesLimit: 0 });
  }

  async run(): Promise<RescueReport> {
    const lost = new LostAndFound(this.#folder);
    const unreadable: UnreadableFolder[] = [];
    for (const hash of await this.#inPlace(unreadable)) await this.#copy(hash, this.#blobs.fileOf(hash));
    const { count, byteLength } = this.whole;
    for (const hash of await this.#inLost(lost, unreadable))
      if (!this.#copied.has(hash)) await this.#copy(hash, lost.fileOf(hash));
    this.lost.count = this.whole.count - count;
    this.lost.byteLength = this.whole.byteLength - byteLength;
    for (const hash of this.#names.keys())
      if (!this.#copied.has(hash) && !this.#damaged.has(hash) && !isBelow(this.#blobs.fileOf(hash), unreadable))
        this.#damaged.set(hash, { hash, fault: 'missing', files: this.#filesOf(hash) });
    const catalogue = this.#fault === undefined ? {} : { catalogue: this.#fault };
    return { ...this.#counts, damaged: [...this.#damaged.values()], ...catalogue, unreadable };
  }

  /** What is in the folder of all bytes. A folder in it that cannot be listed must not cost the others. */
  async #inPlace(unreadable: UnreadableFolder[]): Promise<string[]> {
    const { folder: blobs } = this.#blobs;
    const refused = refusalsOf(unreadable);
    const hashes = await listed(blobs, refused, async () => (await this.#blobs.list(refused)).hashes);
    return hashes ?? [];
  }

  async #inLost(lost: LostAndFound, unreadable: UnreadableFolder[]): Promise<string[]> {
    return (await listed(lost.folder, refusalsOf(unreadable), () => lost.names())) ?? [];
  }

  async #copy(hash: string, file: string): Promise<void> {
    const fault = await this.#blobs.check(hash, undefined, file);
    if (fault !== undefined) {
      this.#damaged.set(hash, { hash, file, fault, files: this.#filesOf(hash) });
      return;
    }
    this.#copied.add(hash);
    this.#damaged.delete(hash);
    this.whole.count++;
    this.whole.byteLength += (await stat(file)).size;
    const to = this.#to;
    if (to === undefined) return;
    let copies = 0;
    for (const name of this.#names.get(hash) ?? []) {
      if (!(await copyNamed(file, name.isInput ? join(to, INPUTS) : to, name))) continue;
      copies++;
      this.#counts[name.isInput ? 'inputs' : 'named']++;
    }
    if (copies > 0) return;
    await copyTo(file, join(to, UNNAMED, `${hash}${await this.#extensionOf(file)}`));
    this.#counts.unnamed++;
  }

  async #extensionOf(file: string): Promise<string> {
    if ((await stat(file)).size > TOLD_BYTES) return '';
    const extension = this.#options.extensionOf(await readFile(file));
    return extension === undefined ? '' : `.${extension}`;
  }

  #filesOf(hash: string): { company: string; path: string }[] {
    return (this.#names.get(hash) ?? []).map(({ company, path }) => ({ company, path }));
  }
}

/** Notes what the system refuses to list. */
function refusalsOf(unreadable: UnreadableFolder[]): (folder: string, cause: unknown) => void {
  return (folder, cause) => {
    const errno = codeOf(cause);
    if (errno === '') throw cause;
    unreadable.push({ folder, errno });
  };
}

/** The names in a folder; undefined when it is missing, or when the system refuses, which is then noted. */
async function listed(
  folder: string,
  refused: (folder: string, cause: unknown) => void,
  list: () => Promise<string[]>,
): Promise<string[] | undefined> {
  try {
    return await list();
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') refused(folder, cause);
    return undefined;
  }
}

function isBelow(file: string, folders: readonly UnreadableFolder[]): boolean {
  return folders.some(({ folder }) => file.startsWith(`${folder}${sep}`));
}

/** Copies to the path of a file; false when the file system has no such name, or another file has it. */
async function copyNamed(file: string, to: string, { company, path }: Name): Promise<boolean> {
  try {
    // A damaged catalogue may hold any text: no path leads out of the folder.
    await copyTo(file, join(to, normalizeFilePath(company.replaceAll('/', '_')), normalizeFilePath(path)));
    return true;
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOSPC' || code === 'EROFS' || code === 'EIO') throw cause;
    return false;
  }
}

async function copyTo(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(file, to, constants.COPYFILE_EXCL);
}

/** Paths by hash, from all rows that can be read. */
function readNames(folder: string): { names: ReadonlyMap<string, readonly Name[]>; fault: string | undefined } {
  const names = new Map<string, Name[]>();
  let fault: string | undefined;
  let database: Database | undefined;
  // Throws what is no error of disk or database; of those the first is told, and no name that cannot be read is missed.
  const failed = (doing: string, cause: unknown): void => {
    fault ??= messageOf(withRemedy(storageError(doing, cause), undefined));
  };
  try {
    checkCatalogFiles(folder);
    database = withCodedErrors(openToRead(folder));
    for (const { hash, ...name } of rowsOf(database, failed)) names.set(hash, [...(names.get(hash) ?? []), name]);
  } catch (cause) {
    failed('read the catalogue', cause);
  } finally {
    database?.close();
  }
  return { names, fault };
}

/** Rows one by one in the order of the table, passing over those that cannot be read. */
function* rowsOf(
  database: Database,
  failed: (doing: string, cause: unknown) => void,
): Generator<{ hash: string } & Name> {
  const next = database.prepare<[number], { id: number; hash: string; path: string; companyId: number }>(
    'SELECT id, blob_hash AS hash, path, company_id AS companyId FROM file NOT INDEXED WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const owner = database.prepare<[number], { name: string; own: string }>(
    `SELECT owner.name, company.name AS own
     FROM company JOIN company AS owner ON owner.id = coalesce(company.inputs_of, company.id) WHERE company.id = ?`,
  );
  let failures = 0;
  for (let id = 0; failures < FAILURES_LIMIT; ) {
    try {
      const row = next.get(id);
      if (row === undefined) return;
      const { hash, path, companyId } = row;
      const found = ownerOf(() => owner.get(companyId));
      // Components of assemblies are rows without bytes of their own.
      if (found?.own.startsWith(COMPONENTS) !== true)
        yield {
          hash,
          path,
          company: found?.name ?? `company ${companyId}`,
          isInput: found?.own.startsWith(INPUTS_OF) ?? false,
        };
      id = row.id + 1;
      failures = 0;
    } catch (cause) {
      failed('read a row of the catalogue', cause);
      id += 2 ** failures++;
    }
  }
}

function ownerOf<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (cause) {
    storageError('read the name of a company', cause);
    return undefined;
  }
}
