import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../database/storage-errors.js';

/** The callbacks of a {@link FolderWatcher}. */
export interface FolderWatcherOptions {
  /** Something changed at a path relative to the folder, or ('') somewhere in it. Repeated and false calls occur. */
  readonly onChange: (path: string) => void;
  /** The system cannot watch (any more): too many folders, or this file system. Called once, not by the constructor. */
  readonly onLost: (reason: string) => void;
}

/** Most folders watched one by one. The system's own limit for all programs is often 8 192 or far more. */
const MOST_FOLDERS = 50_000;

/** These systems watch a whole tree at once. Elsewhere each folder gets a watcher; Node would make one per file. */
const WATCHES_TREES = process.platform === 'win32' || process.platform === 'darwin';

/** Reports changes in a folder and below, as the operating system does. Links to folders are not followed. */
export class FolderWatcher {
  readonly #folder: string;
  readonly #options: FolderWatcherOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #lost = false;
  #closed = false;

  constructor(folder: string, options: FolderWatcherOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Watches more folders; those already watched stay. Returns how many were added. */
  add(folders: Iterable<string>): number {
    let added = 0;
    for (const path of WATCHES_TREES ? [''] : folders) {
      if (this.#lost || this.#closed || this.#watchers.has(path)) continue;
      if (this.#watchers.size >= MOST_FOLDERS) this.#lose(`more than ${MOST_FOLDERS} folders`);
      else if (this.#watch(path)) added++;
    }
    return added;
  }

  /** Stops watching a folder and all below it. */
  remove(path: string): void {
    for (const [known, watcher] of this.#watchers) {
      if (path !== '' && (WATCHES_TREES || (known !== path && !known.startsWith(`${path}/`)))) continue;
      this.#watchers.delete(known);
      watcher.close();
    }
  }

  close(): void {
    this.#closed = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** False: it cannot be watched. */
  #watch(path: string): boolean {
    let watcher: FSWatcher;
    try {
      watcher = watch(join(this.#folder, path), { recursive: WATCHES_TREES });
    } catch (cause) {
      this.#failed(path, cause);
      return false;
    }
    this.#watchers.set(path, watcher);
    watcher.on('change', (_event, name) => {
      const below = typeof name === 'string' ? name.replaceAll('\\', '/') : '';
      this.#options.onChange(path === '' || below === '' ? path + below : `${path}/${below}`);
    });
    watcher.on('error', (cause) => {
      watcher.close();
      if (this.#watchers.get(path) === watcher) this.#watchers.delete(path);
      this.#failed(path, cause);
    });
    return true;
  }

  #failed(path: string, cause: unknown): void {
    const code = codeOf(cause);
    // The folder was deleted or may not be read: the caller finds out when it looks there.
    if (path !== '' && ['ENOENT', 'ENOTDIR', 'EPERM', 'EACCES'].includes(code)) this.#options.onChange(path);
    else this.#lose(code);
  }

  #lose(reason: string): void {
    if (this.#lost || this.#closed) return;
    this.#lost = true;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    setImmediate(() => this.#options.onLost(reason));
  }
}
