import { putFolder, type PutFolderOptions, type PutFolderProgress } from '../folders/folder.js';
import { watchFolder } from '../folders/watching/watch-folder.js';
import type { WatchEvent, WatchFolderOptions } from '../folders/watching/watch-options.js';
import type { WatchTarget } from '../folders/watching/watched-records.js';
import type { CompanyContext } from './context.js';
import type { CompanyFiles } from './files.js';

/** @internal */
interface FoldersParts extends CompanyContext {
  readonly files: CompanyFiles;
  /** Its methods check their arguments and store the files of a folder. */
  readonly company: Pick<WatchTarget, 'put' | 'rename' | 'delete'>;
}

/** Folders on disk that a company watches: `company.folders`. */
export class CompanyFolders {
  readonly #parts: FoldersParts;

  /** @internal */
  constructor(parts: FoldersParts) {
    this.#parts = parts;
  }

  /** See `Company.putFolder`. @internal */
  put(folder: string, options: PutFolderOptions | undefined): AsyncGenerator<PutFolderProgress, void, void> {
    const { company, files } = this.#open();
    return putFolder(folder, options, {
      put: (path, file, given) => company.put(path, file, given),
      known: (path) => files.rowAt(path),
    });
  }

  /**
   * Watches a folder and its sub-folders until the signal aborts or the loop is left. A new file is stored, a changed
   * file is stored again, a moved file is renamed (its UID stays), and a removed file is recorded as gone; each step is
   * reported. The call begins with the changes since the folder was last watched, or with all existing files. It waits
   * for files that are still being written and retries those that cannot be read, at growing intervals. Nothing is
   * deleted from the library unless `delete` is true. Links to folders are not followed.
   * @throws EngineError `ENGINE_CLOSED`, `STORAGE_FAILED` (of the library), `LIBRARY_DAMAGED`; TypeError or RangeError
   * that names the wrong option.
   */
  watch(folder: string, options?: WatchFolderOptions): AsyncGenerator<WatchEvent, void, void> {
    const { company, files, store, companyId, lifetime } = this.#open();
    return watchFolder(folder, options, {
      put: (path, file, given) => company.put(path, file, given),
      known: (path) => files.rowAt(path),
      rename: (uid, path) => company.rename(uid, path),
      delete: (uid) => company.delete(uid),
      seen: async (name, after, limit) => store.watched.list(companyId, name, { after, limit }),
      remember: (name, file) => lifetime.write(() => store.watched.put(companyId, name, file)),
      forget: (name, path) => lifetime.write(() => store.watched.remove(companyId, name, path)),
    });
  }

  #open(): FoldersParts {
    this.#parts.lifetime.checkOpen();
    return this.#parts;
  }
}
