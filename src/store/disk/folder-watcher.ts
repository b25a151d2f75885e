import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../database/storage-errors.js';

/** What a {@link FolderWatcher} tells. */
export interface FolderWatcherOptions {
  /** Something happened at a path from the folder, or ('') somewhere in it. May come twice, and for what has not changed. */
  readonly onChange: (path: string) => void;
  /** The system can tell no more: too many folders, or none of this kind of disk. Told once, never while it is made. */
  readonly onLost: (reason: string) => void;
}

/** Most folders watched one by one: the system has a bound of its own for all programs together, often 8 192 or far more. */
const MOST_FOLDERS = 50_000;

/** Where the system watches a whole tree at once. Elsewhere each folder is watched by itself, which Node would do for each file. */
const WATCHES_TREES = process.platform === 'win32' || process.platform === 'darwin';

/** Tells when something changes in a folder and below, as far as the operating system tells it. Links to folders are not followed. */
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

  /** Watches these folders, too; those that are watched already stay. Returns how many are watched anew. */
  add(folders: Iterable<string>): number {
    let added = 0;
    for (const path of WATCHES_TREES ? [''] : folders) {
      if (this.#lost || this.#closed || this.#watchers.has(path)) continue;
      if (this.#watchers.size >= MOST_FOLDERS) this.#lose(`more than ${MOST_FOLDERS} folders`);
      else if (this.#watch(path)) added++;
    }
    return added;
  }

  /** A folder is gone: neither it nor what lies below is watched any more. */
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
    // A folder that went away, or that may not be read: whoever looks at it next sees so.
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
