import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../../errors.js';
import { FolderWatcher } from '../../store/disk/folder-watcher.js';
import type { FileError } from '../../store/catalog/record.js';
import { networkDiskOf } from '../../store/disk/network-disk.js';
import { LEADS_OUTSIDE } from '../../store/disk/file-below.js';
import { lookAt, walkSteps, type FoundFile } from '../../store/disk/walk.js';
import { endsTheRun, lastExtension } from '../folder.js';
import { FolderState, type FileFacts } from './folder-state.js';
import type { WatchEvent, FollowOptions, WatchMethod } from './watch-options.js';
import { WatchedRecords, type WatchTarget } from './watched-records.js';

/** Notices that come within this time are looked into together, ms. */
const GATHER_MS = 100;
/** Pending events at which no further file is started. */
const MOST_EVENTS = 1_000;
/** Times that a file is tried which ended its worker or took too long. */
const MOST_TRIES = 3;

/** Follows one folder. The steps of {@link events} run one after another; only files on their way run beside them. */
export class FolderFollower {
  readonly #folder: string;
  readonly #options: FollowOptions;
  readonly #records: WatchedRecords;
  readonly #state: FolderState;
  readonly #watcher: FolderWatcher;
  readonly #extensions: ReadonlySet<string>;
  /** Paths that are to be looked at; '' is the whole folder. */
  readonly #noticed = new Set<string>();
  readonly #flying = new Map<string, Promise<void>>();
  readonly #events: WatchEvent[] = [];
  /** Until the beginning is over: files that were known then, and files that were stored since. */
  readonly #unchanged = new Set<string>();
  readonly #storedSince = new Set<string>();
  /**
   * The folder that stands at the path, and the one in which a known file was seen last. Where a disk is away, another
   * folder may stand in its place, and even get files of its own: nothing is gone until a known file is seen again.
   */
  #root: string | undefined;
  #rootOfKnown: string | undefined;
  /** Files that were stored from a folder in which no file was known. */
  readonly #strays = new Set<string>();
  /** Links that lead out of the folder. */
  readonly #outside = new Set<string>();
  #method: WatchMethod;
  #lostBecause: string | undefined;
  #rescanAtMs = -Infinity;
  #isReady = false;
  #failure: { readonly cause: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(folder: string, options: FollowOptions, target: WatchTarget) {
    this.#folder = folder;
    this.#options = options;
    this.#records = new WatchedRecords(folder, options, target);
    this.#method = options.poll ? 'polling' : 'events';
    this.#extensions = new Set(options.extensions.map((extension) => extension.toLowerCase()));
    this.#state = new FolderState(options);
    this.#watcher = new FolderWatcher(folder, {
      onChange: (path) => {
        this.#noticed.add(path);
        this.#wake();
      },
      onLost: (reason) => {
        this.#lostBecause = reason;
        this.#wake();
      },
    });
    options.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** What happens, until the signal aborts. @throws what ends the work. */
  async *events(): AsyncGenerator<WatchEvent, void, void> {
    await this.#recall();
    while (!this.#options.signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure.cause;
      if (this.#hasLost()) {
        this.#method = 'polling';
        this.#rescanAtMs = -Infinity;
        yield { event: 'polling', reason: this.#lostBecause! };
      }
      yield* this.#lookAround();
      this.#begin();
      if (this.#flying.size === 0) await this.#endGone();
      yield* this.#events.splice(0);
      if (!this.#isReady && this.#isSettled()) {
        this.#isReady = true;
        yield {
          event: 'ready',
          method: this.#method,
          files: this.#state.known.size,
          unchanged: this.#unchanged.size,
          failing: this.#state.failing.size - this.#outside.size,
          outsideLinks: this.#outside.size,
        };
        this.#unchanged.clear();
        this.#storedSince.clear();
      }
      await this.#sleep();
    }
  }

  /** Waits for what is on its way. The signal must have aborted. */
  async end(): Promise<void> {
    this.#watcher.close();
    await Promise.allSettled(this.#flying.values());
  }

  get #isOtherFolder(): boolean {
    return this.#root !== this.#rootOfKnown;
  }

  #hasLost(): boolean {
    return this.#lostBecause !== undefined && this.#method === 'events';
  }

  #isSettled(): boolean {
    return (
      this.#noticed.size === 0 &&
      this.#flying.size === 0 &&
      this.#state.waiting === 0 &&
      this.#events.length === 0 &&
      this.#failure === undefined &&
      !this.#hasLost()
    );
  }

  /** Until something is to be done. */
  async #sleep(): Promise<void> {
    if (this.#failure !== undefined || this.#events.length > 0 || this.#hasLost()) return;
    if (this.#noticed.size === 0) {
      const isFull = this.#flying.size >= this.#options.inFlight;
      const next = Math.min(
        isFull ? Infinity : this.#state.nextMs({ gone: this.#flying.size === 0 }),
        this.#rescanAtMs,
      );
      await this.#pause(next - performance.now(), () => true);
      // After a stall of the process its timers run before it hears of changes: without this turn, a file that was
      // moved could be stored as new before its old path is known to be gone.
      await nextTurn();
    }
    if (this.#noticed.size > 0) await this.#pause(GATHER_MS, () => false);
  }

  /** @param mayEnd asked when something happens: whether it ends the pause. The signal always does. */
  async #pause(ms: number, mayEnd: () => boolean): Promise<void> {
    const { signal, rescanMs } = this.#options;
    if (signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = () => {
        if (signal.aborted || mayEnd()) resolve();
      };
      timer = setTimeout(resolve, Math.max(0, Math.min(ms, rescanMs)));
    });
    clearTimeout(timer);
    this.#wake = () => undefined;
  }

  /** Reads what was seen last, some files at a time. */
  async #recall(): Promise<void> {
    for (
      let files = await this.#records.seen(undefined);
      files.length > 0 && !this.#options.signal.aborted;
      files = await this.#records.seen(files.at(-1)!.path)
    ) {
      for (const file of files) this.#state.known.set(file.path, file);
      await nextTurn();
    }
  }

  /**
   * Checks the paths that were noticed, failed files that are due and, periodically, everything; yields events as
   * results arrive.
   */
  async *#lookAround(): AsyncGenerator<WatchEvent, void, void> {
    const nowMs = performance.now();
    for (const path of this.#state.dueAgain(nowMs)) this.#noticed.add(path);
    const paths = nowMs >= this.#rescanAtMs || this.#noticed.has('') ? [''] : [...this.#noticed].sort();
    this.#noticed.clear();
    for (const path of paths) {
      if (this.#options.signal.aborted) return;
      yield* this.#lookAt(path);
    }
  }

  async *#lookAt(path: string): AsyncGenerator<WatchEvent, void, void> {
    if (path === '')
      this.#rescanAtMs =
        performance.now() + (this.#method === 'polling' ? this.#options.pollMs : this.#options.rescanMs);
    const seen = await lookAt(this.#folder, path, this.#options);
    if (seen.kind === 'folder') {
      if (path === '') {
        // Asked again where another folder stands there: a share that is back, or away.
        if (seen.id !== this.#root) await this.#askDisk();
        this.#root = seen.id;
        if (this.#state.known.size === 0) this.#rootOfKnown = seen.id;
      }
      return yield* this.#walk(path);
    }
    if (seen.kind === 'file' && path !== '' && this.#accepts(path)) {
      return this.#see(seen.file);
    }
    if (seen.kind === 'outside' && this.#accepts(path)) return this.#leadsOutside(path);
    if (seen.kind === 'unreadable')
      return this.#fail(path, undefined, { code: 'STORAGE_FAILED', message: seen.message }, { retries: true });
    if (path !== '') return this.#isMissing(path);
    // The watched folder itself may be away for a while, like a network disk: its files then count as still there.
    this.#watcher.remove('');
    const message = `${this.#folder} is not there, or is no folder`;
    this.#fail('', undefined, { code: 'STORAGE_FAILED', message }, { retries: true });
  }

  /** Where other machines change files, the system does not tell. */
  async #askDisk(): Promise<void> {
    const network = this.#method === 'events' ? await networkDiskOf(this.#folder) : undefined;
    if (network !== undefined)
      this.#lostBecause ??= `the folder is on ${network}, which does not tell what other machines change`;
  }

  /** Notes that neither this path nor anything below it is there. */
  #isMissing(path: string): void {
    this.#watcher.remove(path);
    this.#outside.delete(path);
    this.#state.missing(path, performance.now());
  }

  /** Tells of a link that is not followed, once as long as it is one. */
  #leadsOutside(path: string): void {
    if (this.#outside.has(path)) return;
    this.#outside.add(path);
    this.#state.failing.delete(path);
    this.#fail(path, undefined, { code: 'NOT_ALLOWED', message: LEADS_OUTSIDE }, { retries: false });
  }

  /**
   * Looks at all that lies in a folder and below. Where nothing is known yet, files are stored as they are found: else
   * one may be another that has moved.
   */
  async *#walk(folder: string): AsyncGenerator<WatchEvent, void, void> {
    const { signal } = this.#options;
    const isNew = this.#state.known.size === 0;
    const there = new Set<string>(),
      unreadable = new Set<string>();
    // Watched before it is listed: what comes in between is noticed.
    const onFolder = (path: string): void => {
      if (this.#method === 'events' && !this.#hasLost()) this.#watcher.add([path]);
    };
    try {
      for await (const step of walkSteps(this.#folder, {
        accepts: (name) => this.#accepts(name),
        onFolder,
        onPassedOver: (what, path) => {
          if (what !== 'outsideLinks') return;
          // What was stored of it before is kept: the link is there.
          unreadable.add(path);
          this.#leadsOutside(path);
        },
        followLinks: this.#options.followLinks,
        signal,
        below: folder,
      })) {
        await Promise.all(step.files.map((file) => this.#see(file)));
        for (const { path } of step.files) there.add(path);
        for (const { path, message } of step.unreadable) {
          unreadable.add(path);
          this.#fail(path, undefined, { code: 'STORAGE_FAILED', message }, { retries: true });
        }
        if (isNew) this.#begin();
        yield* this.#events.splice(0);
      }
    } catch (cause) {
      if (!(cause instanceof EngineError) || cause.code !== 'STORAGE_FAILED') throw cause;
      // It may have been moved or deleted since it was looked at.
      if (folder !== '' && (await lookAt(this.#folder, folder)).kind === 'missing') return this.#isMissing(folder);
      return this.#fail(folder, undefined, { code: cause.code, message: cause.message }, { retries: true });
    }
    for (const path of this.#outside)
      if (!unreadable.has(path) && (folder === '' || path.startsWith(`${folder}/`))) this.#outside.delete(path);
    this.#state.listed(folder, there, unreadable, performance.now());
  }

  /** Notes a file that is there. */
  async #see(file: FoundFile): Promise<void> {
    const { path } = file;
    // It is looked at again when it is stored.
    if (this.#flying.has(path)) return;
    if (this.#outside.delete(path)) this.#state.failing.delete(path);
    const error = this.#records.refuses(path, (other) => this.#state.has(other) || this.#flying.has(other));
    if (error !== undefined) {
      return this.#fail(path, undefined, error, { retries: error.code === 'CONFLICT' });
    }
    if (this.#state.known.has(path) && !this.#strays.has(path)) {
      this.#rootOfKnown = this.#root;
      this.#strays.clear();
    }
    const adopted = this.#state.known.has(path) ? undefined : await this.#records.adopted(file);
    if (adopted !== undefined) this.#state.stored(adopted);
    const isOld = !this.#isReady && Date.now() - file.mtimeMs > this.#options.settleMs;
    const isAsStored = this.#state.seen(file, performance.now(), isOld);
    if (isAsStored && !this.#isReady && !this.#storedSince.has(path)) this.#unchanged.add(path);
    if (adopted !== undefined) await this.#records.remember(adopted);
  }

  /** Stores what has settled. */
  #begin(): void {
    while (this.#flying.size < this.#options.inFlight && this.#events.length < MOST_EVENTS) {
      const next = this.#state.take(performance.now());
      if (next === undefined) return;
      const flight = this.#store(next.path, next.facts)
        .catch((cause: unknown) => {
          this.#failure ??= { cause };
        })
        .finally(() => {
          this.#flying.delete(next.path);
          this.#wake();
        });
      this.#flying.set(next.path, flight);
    }
  }

  /** Stores a file, if it still has these facts. */
  async #store(path: string, facts: FileFacts): Promise<void> {
    const file = await this.#fileAt(path);
    if (file === undefined) return;
    if (file.byteLength !== facts.byteLength || file.mtimeMs !== facts.mtimeMs) return void this.#noticed.add(path);
    try {
      const outcome = await this.#records.store(file, this.#state);
      if ('mayPass' in outcome)
        this.#fail(path, facts, outcome.mayPass, {
          retries: (this.#state.failing.get(path)?.attempts ?? 0) + 1 < MOST_TRIES,
        });
      else if (outcome.event !== undefined) this.#events.push(outcome.event);
      if (!this.#isReady) this.#storedSince.add(path);
      if (this.#isOtherFolder) this.#strays.add(path);
    } catch (cause) {
      if (!(cause instanceof EngineError) || endsTheRun(cause)) throw cause;
      this.#fail(
        path,
        facts,
        { code: cause.code, message: cause.message },
        { retries: cause.code === 'STORAGE_FAILED' },
      );
    }
    // The file may have changed or been moved while it was read. Only `#lookAround` changes what is known of paths: an
    // answer of the disk that arrives late here could otherwise undo a newer one, so that a file which was moved counts
    // as still there.
    const after = await this.#fileAt(path);
    if (after !== undefined && (after.byteLength !== facts.byteLength || after.mtimeMs !== facts.mtimeMs))
      this.#noticed.add(path);
  }

  /** The file at the path; where there is none, the path is looked at again. */
  async #fileAt(path: string): Promise<FoundFile | undefined> {
    const seen = await lookAt(this.#folder, path, this.#options);
    if (seen.kind === 'file') return seen.file;
    this.#noticed.add(path);
    return undefined;
  }

  /** Ends what is gone for good. Call it when nothing is on its way. */
  async #endGone(): Promise<void> {
    const gone = this.#state.goneForGood(performance.now());
    // A disk that is not mounted looks like an empty folder.
    const keeps = this.#options.delete && (this.#state.isEmpty || this.#isOtherFolder);
    if (!keeps) this.#state.keepsGone = false;
    if (keeps && gone.length > 0 && !this.#state.keepsGone) {
      this.#state.keepsGone = true;
      this.#events.push({
        event: 'failed',
        path: '',
        attempt: 1,
        retryAt: null,
        error: {
          code: 'CONFLICT',
          message: this.#state.isEmpty
            ? `${this.#folder} holds no file any more; nothing is deleted from the library until it holds one again`
            : `another folder than before stands at ${this.#folder}, with none of the files that were there; nothing is ` +
              'deleted from the library until one of them is back',
        },
      });
    }
    if (keeps) return;
    for (const file of gone) if (this.#state.release(file.path)) this.#events.push(await this.#records.end(file));
  }

  #fail(path: string, facts: FileFacts | undefined, error: FileError, retry: { readonly retries: boolean }): void {
    const nowMs = performance.now();
    const failing = this.#state.fails(path, facts, nowMs, retry);
    if (failing === undefined) return;
    const { attempts: attempt, againAtMs } = failing;
    const retryAt = againAtMs === Infinity ? null : new Date(Date.now() + againAtMs - nowMs);
    this.#events.push({
      event: 'failed',
      path: path === '' ? '' : this.#records.prefixed(path),
      error,
      attempt,
      retryAt,
    });
  }

  #accepts(name: string): boolean {
    return this.#extensions.has(lastExtension(name));
  }
}
