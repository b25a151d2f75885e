import { putFolder, type FolderTarget, type PutFolderOptions, type PutFolderProgress } from '../folders/folder.js';
import { watchFolder } from '../folders/watching/watch-folder.js';
import type { WatchEvent, WatchFolderOptions } from '../folders/watching/watch-options.js';
import type { WatchTarget } from '../folders/watching/watch-target.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { FileRecord } from '../store/catalog/record.js';
import { checkUid } from './checks.js';
import { CompanyDuplicates, type DuplicatesHost } from './duplicates.js';

/** The part of a company that is about folders on disk. */
export abstract class CompanyFolders extends CompanyDuplicates {
  readonly #parts: DuplicatesHost;

  /** @internal */
  constructor(parts: DuplicatesHost) {
    super(parts);
    this.#parts = parts;
  }

  abstract put(path: string, source: string, options: Parameters<WatchTarget['put']>[2]): Promise<FileRecord>;
  abstract delete(uid: string): Promise<void>;

  /**
   * Puts all files of a folder and its sub-folders, in the order of their names, and tells how far it is after each. The company
   * then mirrors the folder: a file replaces what is stored under its path, also where `overwriteFiles` is false.
   * A file that cannot be read or indexed is counted and reported; it never ends the run. Leaving the loop or aborting
   * stops it; `resume: true` then skips what is indexed already.
   */
  putFolder(folder: string, options?: PutFolderOptions): AsyncGenerator<PutFolderProgress, void, void> {
    this.#parts.checkOpen();
    return putFolder(folder, options, { put: (path, file, given) => this.put(path, file, given), known: this.#known });
  }

  /**
   * Follows a folder and its sub-folders until the signal aborts or the loop is left: files that come, change, move or go are stored, stored
   * anew, renamed (the UID stays) or noted as gone, and each step is told. It begins with what happened since the folder was watched
   * last, or with all that is there. Files still being written are waited for; what cannot be read is tried again, later and later. From
   * the library nothing is deleted unless `delete` is true. Links to folders are not followed.
   * @throws EngineError `ENGINE_CLOSED`, `STORAGE_FAILED` (of the library), `LIBRARY_DAMAGED`; TypeError or RangeError that names a wrong option.
   */
  watchFolder(folder: string, options?: WatchFolderOptions): AsyncGenerator<WatchEvent, void, void> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    return watchFolder(folder, options, {
      put: (path, file, given) => this.put(path, file, given),
      known: this.#known,
      rename: (uid, path) => this.rename(uid, path),
      delete: (uid) => this.delete(uid),
      seen: (name, after, limit) => store.watched.list(companyId, name, { after, limit }),
      remember: (name, file) => write(() => store.commit(() => store.watched.put(companyId, name, file))),
      forget: (name, path) => write(() => store.commit(() => store.watched.remove(companyId, name, path))),
    });
  }

  /**
   * Gives a file another path in the library, and returns its new record. It keeps its UID and is not read again.
   * @throws EngineError `FILE_UNKNOWN`; `CONFLICT` when another file has the path.
   */
  async rename(uid: string, path: string): Promise<FileRecord> {
    const { store, companyId, checkOpen, write } = this.#parts;
    checkOpen();
    const label = normalizeFilePath(path);
    const known = checkUid(uid);
    return write(() => store.rename(companyId, known, label));
  }

  readonly #known: FolderTarget['known'] = (path) =>
    this.#parts.store.files.rowAt(this.#parts.companyId, normalizeFilePath(path));
}
