import { EngineError } from '../../errors.js';
import { extensionOf, normalizeFilePath } from '../../store/catalog/file-path.js';
import type { FileError, FileRecord } from '../../store/catalog/record.js';
import { FileBelow, hashOfFile } from '../../store/disk/file-below.js';
import type { FoundFile } from '../../store/disk/walk.js';
import type { WatchedFile } from '../../store/catalog/watched-file.js';
import { nameError, type FolderTarget } from '../folder.js';
import type { FolderState } from './folder-state.js';
import type { WatchEvent, FollowOptions } from './watch-options.js';

/** What following a folder needs of a company. */
export interface WatchTarget extends Pick<FolderTarget, 'known'> {
  put(
    path: string,
    file: string | URL,
    options: { attributes?: readonly string[]; overwrite: true; uid?: string; signal?: AbortSignal },
  ): Promise<FileRecord>;
  rename(uid: string, path: string): Promise<FileRecord>;
  delete(uid: string): Promise<void>;
  /** What was seen of the folder of this name, by path. after: only those behind this path. */
  seen(folder: string, after: string | undefined, limit: number): Promise<readonly WatchedFile[]>;
  /** Remembers a file of it; forgets one. */
  remember(folder: string, file: WatchedFile): Promise<void>;
  forget(folder: string, path: string): Promise<void>;
}

/** The outcome of storing a file: an event, nothing to report, or a failure that may pass. */
export type StoreOutcome = { readonly event: WatchEvent | undefined } | { readonly mayPass: FileError };

/** Files recalled from the catalogue at a time; takes a few milliseconds. */
const SEEN_AT_A_TIME = 500;

/** The records of a watched folder: which file has which, and what is done to them. */
export class WatchedRecords {
  readonly #options: FollowOptions;
  readonly #target: WatchTarget;
  readonly #folder: string;
  /** Of the folder in the catalogue. */
  readonly #name: string;
  /** Paths in the library, and which file has each. */
  readonly #labels = new Map<string, string>();

  constructor(folder: string, options: FollowOptions, target: WatchTarget) {
    this.#folder = folder;
    this.#options = options;
    this.#target = target;
    this.#name = JSON.stringify([folder, options.prefix]);
  }

  /**
   * Some of the files that were seen last, by path. Those whose records are not indexed look as if they had changed: by
   * now they may be readable. after: the path of the last one before.
   */
  async seen(after: string | undefined): Promise<WatchedFile[]> {
    const files = await this.#target.seen(this.#name, after, SEEN_AT_A_TIME);
    return Promise.all(
      files.map(async (file) => {
        const label = this.labelOf(file.path);
        this.#labels.set(label, file.path);
        return (await this.#target.known(label))?.state === 'indexed' ? file : { ...file, mtimeMs: NaN };
      }),
    );
  }

  /** The path in the library as it is asked for; it may be one that no record can have. */
  prefixed(path: string): string {
    return this.#options.prefix === '' ? path : `${this.#options.prefix}/${path}`;
  }

  /** The path in the library as records spell it. */
  labelOf(path: string): string {
    const asked = this.prefixed(path);
    return nameError(asked) === undefined ? normalizeFilePath(asked) : asked;
  }

  /** Why a file cannot have a record: its name, or another file that has the same path in the library. */
  refuses(path: string, isThere: (other: string) => boolean): FileError | undefined {
    const error = nameError(this.prefixed(path));
    if (error !== undefined) return error;
    const label = this.labelOf(path);
    const owner = this.#labels.get(label);
    if (owner !== undefined && owner !== path && isThere(owner)) {
      return { code: 'CONFLICT', message: `its name is the same in the library as that of ${JSON.stringify(owner)}` };
    }
    this.#labels.set(label, path);
    return undefined;
  }

  /** A file that the library already holds with these bytes; undefined: it does not. */
  async adopted({ path, byteLength, mtimeMs }: FoundFile): Promise<WatchedFile | undefined> {
    const before = await this.#target.known(this.labelOf(path));
    if (before?.state !== 'indexed' || before.byte_length !== byteLength || before.source_mtime_ms !== mtimeMs)
      return undefined;
    return { path, uid: before.uid, byteLength, mtimeMs, sha256: before.blob_hash };
  }

  /** Stores a file: under the UID of one that is gone and had its bytes, else under its path. @throws EngineError */
  async store(file: FoundFile, state: FolderState): Promise<StoreOutcome> {
    const moved = state.known.has(file.path) ? undefined : await this.#takeMoved(file, state);
    return moved === undefined ? this.#put(file, state) : { event: await this.#move(moved, file, state) };
  }

  /** A file is gone and was not found under another path. */
  async end({ path, uid }: WatchedFile): Promise<WatchEvent> {
    const deleted = this.#options.delete && (await this.#delete(uid));
    await this.#forget(path);
    return { event: 'removed', path: this.labelOf(path), uid, deleted };
  }

  async remember(file: WatchedFile): Promise<void> {
    await this.#target.remember(this.#name, file);
  }

  async #put(file: FoundFile, state: FolderState): Promise<StoreOutcome> {
    const { path, byteLength, mtimeMs } = file;
    const { attributes, signal } = this.#options;
    const label = this.labelOf(path);
    const before = await this.#target.known(label);
    const record = await this.#target.put(label, this.#sourceOf(file.file), { attributes, overwrite: true, signal });
    const { uid, sha256, state: came, error } = record;
    if (came === 'failed' && (error?.code === 'TIMEOUT' || error?.code === 'WORKER_FAILED')) return { mayPass: error };
    await this.#stored({ path, uid, byteLength, mtimeMs, sha256 }, state);
    if (came === 'failed' && error !== null)
      return { event: { event: 'failed', path: label, error, attempt: 1, retryAt: null } };
    if (before === undefined) return { event: { event: 'added', path: label, record } };
    return {
      event:
        before.blob_hash === sha256 && before.state === 'indexed'
          ? undefined
          : { event: 'changed', path: label, record },
    };
  }

  #sourceOf(file: string): string | FileBelow {
    return this.#options.followLinks ? file : new FileBelow(this.#folder, file);
  }

  /**
   * The stored file that now lies at another path; it is gone from its own. @throws EngineError when the file cannot be
   * read.
   */
  async #takeMoved({ path, file, byteLength }: FoundFile, state: FolderState): Promise<WatchedFile | undefined> {
    if (state.goneOf(byteLength).length === 0) return undefined;
    const sha256 = await hashOfFile(this.#sourceOf(file), { byteLength, signal: this.#options.signal });
    // Written to, or replaced by something else: it is looked at again.
    if (sha256 === undefined) return undefined;
    const gone = state.goneOf(byteLength).filter((other) => other.sha256 === sha256);
    const moved = gone.find((other) => nameOf(other.path) === nameOf(path)) ?? gone.at(0);
    return moved !== undefined && state.release(moved.path) ? moved : undefined;
  }

  async #move(
    from: WatchedFile,
    { path, file, byteLength, mtimeMs }: FoundFile,
    state: FolderState,
  ): Promise<WatchEvent> {
    const { attributes, signal } = this.#options;
    const { uid, sha256 } = from;
    const label = this.labelOf(path),
      left = this.labelOf(from.path);
    let record: FileRecord;
    try {
      // Another extension may mean another format: then it is read again.
      record =
        extensionOf(label) === extensionOf(left)
          ? await this.#target.rename(uid, label)
          : await this.#target.put(label, this.#sourceOf(file), { uid, attributes, overwrite: true, signal });
    } catch (cause) {
      if (!(cause instanceof EngineError) || (cause.code !== 'CONFLICT' && cause.code !== 'FILE_UNKNOWN')) throw cause;
      // Another file of the library has the path, and is replaced; or the record was deleted, and the file comes anew.
      record = await this.#target.put(label, this.#sourceOf(file), {
        ...(cause.code === 'CONFLICT' ? { uid } : {}),
        attributes,
        overwrite: true,
        signal,
      });
    }
    await this.#forget(from.path);
    await this.#stored({ path, uid: record.uid, byteLength, mtimeMs, sha256 }, state);
    return record.uid === uid
      ? { event: 'moved', path: label, from: left, record }
      : { event: 'added', path: label, record };
  }

  /** False: the library no longer has it. */
  async #delete(uid: string): Promise<boolean> {
    try {
      await this.#target.delete(uid);
      return true;
    } catch (cause) {
      if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
      return false;
    }
  }

  async #stored(file: WatchedFile, state: FolderState): Promise<void> {
    await this.remember(file);
    state.stored(file);
  }

  async #forget(path: string): Promise<void> {
    await this.#target.forget(this.#name, path);
    const label = this.labelOf(path);
    if (this.#labels.get(label) === path) this.#labels.delete(label);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
