import type { FoundFile } from '../../store/disk/walk.js';
import type { WatchedFile } from '../../store/catalog/watched-file.js';

/** Size and time of a file: others mean other bytes. */
export type FileFacts = Pick<FoundFile, 'byteLength' | 'mtimeMs'>;

/** A file that changed, and since when it has these facts. */
interface Waiting extends FileFacts {
  readonly sinceMs: number;
}

/** A file that is not there any more. */
interface Gone {
  readonly sinceMs: number;
  readonly byteLength: number;
}

/** What failed, and when it is tried again. */
export interface Failing {
  /** Of the file; undefined where it could not even be looked at. */
  readonly facts: FileFacts | undefined;
  /** How often it was tried. */
  readonly attempts: number;
  /** Infinity: when it changes. */
  readonly againAtMs: number;
}

/** Times that the state keeps; see `WatchFolderOptions`. */
export interface StateTimes {
  readonly settleMs: number;
  readonly retryMs: number;
  readonly retryMostMs: number;
}

/** Longer than the time between the two notices of one move, ms. */
const MOVE_MS = 500;

/**
 * What is known of a watched folder: what is stored, what changes, what is gone. The caller gives the time, ms, from
 * any origin.
 */
export class FolderState {
  /** As they were when they were stored, by path. At the beginning the caller fills it. */
  readonly known = new Map<string, WatchedFile>();
  readonly failing = new Map<string, Failing>();
  /** If true, missing files are kept however long they are missing, and {@link nextMs} ignores them. */
  keepsGone = false;
  readonly #waiting = new Map<string, Waiting>();
  /** Stored files that are not there any more; and their paths by size. */
  readonly #gone = new Map<string, Gone>();
  readonly #goneBySize = new Map<number, Set<string>>();
  readonly #times: StateTimes;

  constructor(times: StateTimes) {
    this.#times = times;
  }

  /**
   * A file was seen.
   * @param settled it has not changed for long. @returns whether it is as it was when it was stored.
   */
  seen({ path, byteLength, mtimeMs }: FileFacts & { readonly path: string }, nowMs: number, settled: boolean): boolean {
    const facts = { byteLength, mtimeMs };
    this.#comes(path);
    if (same(this.known.get(path), facts)) {
      this.#waiting.delete(path);
      this.failing.delete(path);
      return true;
    }
    const failing = this.failing.get(path);
    const isTriedAgain = failing !== undefined && (failing.facts === undefined || same(failing.facts, facts));
    if (isTriedAgain && failing.againAtMs > nowMs) return false;
    // Attempts are counted as long as the file stays as it is.
    if (failing !== undefined && !isTriedAgain) this.failing.delete(path);
    if (failing !== undefined && isTriedAgain) this.failing.set(path, { ...failing, facts, againAtMs: Infinity });
    if (!same(this.#waiting.get(path), facts))
      this.#waiting.set(path, { ...facts, sinceMs: settled || isTriedAgain ? -Infinity : nowMs });
    return false;
  }

  /** A path is not there: neither it nor what lay below. */
  missing(path: string, nowMs: number): void {
    // A file has no children, so the search through all known paths, slow when many files vanish, is skipped.
    const wasFile = this.known.has(path) || this.#waiting.has(path);
    if (!wasFile) this.listed(path, NONE, NONE, nowMs);
    this.#drop(path);
    if (this.known.has(path)) this.#goes(path, nowMs);
  }

  /**
   * A folder was listed.
   * @param there paths of the files in it and below. @param unreadable paths that could not be looked at: nothing is
   * known of what lies there.
   */
  listed(folder: string, there: ReadonlySet<string>, unreadable: ReadonlySet<string>, nowMs: number): void {
    this.failing.delete(folder);
    const beginning = folder === '' ? '' : `${folder}/`;
    const isAway = (path: string): boolean =>
      path.startsWith(beginning) && path !== '' && !there.has(path) && !(unreadable.size > 0 && isIn(unreadable, path));
    for (const path of [...this.#waiting.keys(), ...this.failing.keys()]) if (isAway(path)) this.#drop(path);
    for (const path of this.known.keys()) if (isAway(path)) this.#goes(path, nowMs);
  }

  /**
   * Something cannot be read or stored.
   * @param facts of the file, where they are known. @returns when it is tried again; undefined: it failed before, and
   * its time has not come.
   */
  fails(
    path: string,
    facts: FileFacts | undefined,
    nowMs: number,
    { retries }: { readonly retries: boolean },
  ): Failing | undefined {
    const before = this.failing.get(path);
    if (before !== undefined && facts === undefined && before.facts === undefined && before.againAtMs > nowMs)
      return undefined;
    const { retryMs, retryMostMs } = this.#times;
    const attempts = (before?.attempts ?? 0) + 1;
    const waitMs = Math.min(retryMostMs, retryMs * 2 ** Math.min(attempts - 1, 30));
    const failing = { facts, attempts, againAtMs: retries ? nowMs + waitMs : Infinity };
    this.#waiting.delete(path);
    this.failing.set(path, failing);
    return failing;
  }

  /** A file is stored as it is on disk. */
  stored(file: WatchedFile): void {
    this.known.set(file.path, file);
    this.failing.delete(file.path);
  }

  /** Removes and returns the next file whose size and time have been stable for `settleMs`. */
  take(nowMs: number): { readonly path: string; readonly facts: FileFacts } | undefined {
    for (const [path, { byteLength, mtimeMs, sinceMs }] of this.#waiting) {
      if (sinceMs + this.#times.settleMs > nowMs) continue;
      this.#waiting.delete(path);
      return { path, facts: { byteLength, mtimeMs } };
    }
    return undefined;
  }

  /** What failed and is to be looked at again. */
  dueAgain(nowMs: number): string[] {
    return [...this.failing].filter(([, { againAtMs }]) => againAtMs <= nowMs).map(([path]) => path);
  }

  /** Stored files that are gone and had this size: one of them may lie elsewhere now. By path. */
  goneOf(byteLength: number): WatchedFile[] {
    return [...(this.#goneBySize.get(byteLength) ?? [])].sort().map((path) => this.known.get(path)!);
  }

  /** A file that was gone is found elsewhere, or given up. False: it is not gone any more. */
  release(path: string): boolean {
    return this.#comes(path) && this.known.delete(path);
  }

  /** Files that are gone for good: nothing that waits can be one of them under another path. */
  goneForGood(nowMs: number): WatchedFile[] {
    const lengths = this.#waitingLengths();
    return [...this.#gone]
      .filter(([, { sinceMs }]) => sinceMs + this.#times.settleMs + MOVE_MS <= nowMs)
      .map(([path]) => this.known.get(path)!)
      .filter(({ byteLength }) => !lengths.has(byteLength));
  }

  /** Whether there are stored files and every one is gone. */
  get isEmpty(): boolean {
    return this.known.size > 0 && this.#gone.size === this.known.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether a file is there, as far as is known. */
  has(path: string): boolean {
    return (this.known.has(path) && !this.#gone.has(path)) || this.#waiting.has(path);
  }

  /** Time of the next due action; Infinity if there is none. @param gone whether missing files may be removed. */
  nextMs({ gone }: { readonly gone: boolean }): number {
    let next = Infinity;
    for (const { sinceMs } of this.#waiting.values()) next = Math.min(next, sinceMs + this.#times.settleMs);
    for (const { againAtMs } of this.failing.values()) next = Math.min(next, againAtMs);
    if (this.keepsGone || !gone) return next;
    const lengths = this.#waitingLengths();
    for (const [path, { sinceMs }] of this.#gone) {
      if (!lengths.has(this.known.get(path)!.byteLength))
        next = Math.min(next, sinceMs + this.#times.settleMs + MOVE_MS);
    }
    return next;
  }

  #waitingLengths(): Set<number> {
    return new Set([...this.#waiting.values()].map(({ byteLength }) => byteLength));
  }

  #drop(path: string): void {
    this.#waiting.delete(path);
    this.failing.delete(path);
  }

  #goes(path: string, nowMs: number): void {
    if (this.#gone.has(path)) return;
    const { byteLength } = this.known.get(path)!;
    this.#gone.set(path, { sinceMs: nowMs, byteLength });
    const alike = this.#goneBySize.get(byteLength);
    if (alike === undefined) this.#goneBySize.set(byteLength, new Set([path]));
    else alike.add(path);
  }

  /** Marks a missing file as present again. Returns false if it was not missing. */
  #comes(path: string): boolean {
    const gone = this.#gone.get(path);
    if (gone === undefined) return false;
    this.#gone.delete(path);
    const alike = this.#goneBySize.get(gone.byteLength)!;
    alike.delete(path);
    if (alike.size === 0) this.#goneBySize.delete(gone.byteLength);
    return true;
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Whether a path is one of these or lies below one. */
function isIn(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}

function same(a: FileFacts | undefined, b: FileFacts): boolean {
  return a !== undefined && a.byteLength === b.byteLength && a.mtimeMs === b.mtimeMs;
}
