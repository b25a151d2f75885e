import { THUMBNAIL_SIZES } from '../pictures/thumbnail-options.js';
import type { LengthUnit } from '../content/units.js';
import { DESCRIPTORS, type DescriptorName, type ShapeDescription } from '../descriptors/description.js';
import { storedFeatures } from '../descriptors/features/part-features.js';
import { EngineError } from '../errors.js';
import { displayNameOf } from '../store/catalog/file-path.js';
import type { Job } from '../store/catalog/job.js';
import type { Store } from '../store/store.js';
import { CONTENT_VERSION, type FileDescription, type FilePictures } from './worker/file-description.js';
import { pictureName } from '../pictures/picture-name.js';
import type { FileSources } from './file-sources.js';
import type { WorkerPool } from './pool/pool.js';
import { aborted } from './pool/seat.js';
import type { IndexedFile, IndexedShape } from '../store/catalog/indexed-file.js';

/** What the queue works with. */
export interface QueueOptions {
  readonly store: Store;
  readonly pool: WorkerPool;
  /** A file fails once it has ended this many workers. */
  readonly attempts: number;
  /** Which thumbnails are drawn during indexing. */
  readonly pictures: 'none' | 'small' | 'all';
  readonly sources: FileSources;
  /** Notified in this order. */
  readonly listeners: readonly IndexListener[];
  /** False: this process leaves all files to others. Default true. */
  readonly claims?: boolean;
  /**
   * Time until a refused write, or a start of processes, is tried again, ms; a put tries a write at once. Default 5
   * 000.
   */
  readonly retryMs?: number;
}

/** Receives the outcome of jobs. */
export interface IndexListener {
  /** The description of a file is stored. Called before the callers that wait for the file continue. */
  indexed(job: Job, file: FileDescription): void;
  /** A file failed; it is no longer searchable, even if it was indexed before. */
  failed(job: Job, cause: EngineError): void;
}

/**
 * Takes files from the durable queue to the workers, in order, and stores the results. The queue itself is in the
 * catalogue; this object holds only the running jobs. Jobs start in order but may end in any order.
 */
export class IndexQueue {
  readonly #options: QueueOptions;
  readonly #running = new Map<number, Promise<void>>();
  /** Whether a claim was refused since the last one that took up what such a claim may have marked. */
  #hasLostClaim = false;
  readonly #waiters = new Map<number, Set<Waiter>>();
  readonly #idlers = new Set<Waiter>();
  /**
   * Files whose outcome could not be stored: they are still marked as running and must be put back into the queue
   * before another job starts.
   */
  readonly #stuck = new Set<number>();
  #retrying: Promise<void> | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Number of jobs that are being fetched, or were fetched and are not with a worker yet. */
  #claimed = 0;
  /** No process can be started for now. */
  #isPaused = false;
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    options.pool.onFree = () => this.wake();
  }

  /** Starts as many jobs as possible. Call this when a file was put or a worker is free. */
  wake(): void {
    if (this.#closed || this.#isPaused || this.#options.claims === false) return;
    if (this.#stuck.size > 0) {
      this.#retrying ??= this.#retry().finally(() => {
        this.#retrying = undefined;
      });
      return;
    }
    const count = this.#options.pool.free - this.#claimed;
    if (count <= 0) return;
    this.#claimed += count;
    const idle = this.#running.size === 0 && this.#claimed === count;
    // What a refused claim marked, if it was done all the same, is claimed anew.
    const running = this.#hasLostClaim && this.#claimed === count ? this.running : undefined;
    this.#options.store.jobs.claim(count, { idle, running }).then(
      (jobs) => {
        if (running !== undefined) this.#hasLostClaim = false;
        this.#claimed -= count - jobs.length;
        for (const job of jobs) this.#start(job);
        if (this.#running.size + this.#claimed === 0) this.#notifyIdle();
      },
      (cause: unknown) => {
        this.#claimed -= count;
        this.#hasLostClaim = true;
        this.#report(cause);
        this.#wakeLater();
      },
    );
  }

  /** The files that are being read. */
  get running(): number[] {
    return [...this.#running.keys()];
  }

  /**
   * Resolves when this file's job has ended (or the file no longer exists). Rejects when before that the queue closes,
   * the disk fails, or no reading process can be started; the file then stays queued.
   */
  async ended(fileId: number, signal?: AbortSignal): Promise<void> {
    let waiters = this.#waiters.get(fileId);
    if (waiters === undefined) this.#waiters.set(fileId, (waiters = new Set()));
    await this.#wait(waiters, signal);
  }

  /** Resolves when no job waits or runs. Rejects as {@link ended} does. */
  async idle(signal?: AbortSignal): Promise<void> {
    this.wake();
    while (this.#running.size + this.#claimed > 0 || (await this.#options.store.jobs.length()) > 0)
      await this.#wait(this.#idlers, signal);
  }

  /** Other processes ended the jobs of these files, or changed the queue. */
  changed(ended: readonly number[]): void {
    for (const fileId of ended) this.#notify(fileId);
    this.wake();
    if (this.#running.size + this.#claimed === 0) this.#notifyIdle();
  }

  /** Call this when a file was deleted or replaced: callers that wait for it continue. */
  forget(fileId: number): void {
    this.#notify(fileId);
  }

  /**
   * Starts no more jobs and resolves when the running ones are back in the queue. The caller ends the pool's workers
   * meanwhile.
   */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    this.#report(closed());
    await Promise.all([...this.#running.values(), this.#retrying]);
  }

  #start(job: Job): void {
    const end = this.#index(job)
      .catch((cause: unknown) => {
        this.#stuck.add(job.fileId);
        this.#report(cause);
      })
      .finally(() => {
        this.#running.delete(job.fileId);
        this.#notify(job.fileId);
        this.wake();
        if (this.#running.size + this.#claimed === 0) this.#notifyIdle();
      });
    this.#running.set(job.fileId, end);
  }

  async #index(job: Job): Promise<void> {
    const { store, pool, attempts, pictures, sources, listeners } = this.#options;
    let unit: LengthUnit | undefined;
    try {
      unit = await sources.unitOf(job.companyId);
    } finally {
      this.#claimed--; // From here on, its worker counts as busy.
    }
    let file: FileDescription;
    try {
      await store.blobs.bring(job.hash);
      file = await pool.run({
        kind: 'describe',
        of: { kind: 'stored', blobFolder: store.blobs.folder, hash: job.hash, name: displayNameOf(job.path), unit },
        textOnly: job.textOnly === 1,
        withComponents: job.components === 1,
        ...(pictures === 'none' ? {} : { pictures }),
      });
      await keepPictures(store, job, file);
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      if (cause.code === 'ENGINE_CLOSED') return store.jobs.release(job.fileId, { attempted: false });
      if (cause.details['started'] === false || cause.details['outage'] === true) {
        // That says nothing about the file: it waits until the system has room for a process, or its bytes can be had.
        this.#isPaused = true;
        await store.jobs.release(job.fileId, { attempted: false });
        this.#report(cause);
        return this.#wakeLater();
      }
      const mayPass = cause.details['ended'] === true || cause.code === 'STORAGE_FAILED';
      if (mayPass && job.attempts + 1 < attempts) return store.jobs.release(job.fileId, { attempted: true });
      if (await store.jobs.fail(job.fileId, cause)) for (const listener of listeners) listener.failed(job, cause);
      return;
    }
    if (await store.jobs.complete(job.fileId, indexedFile(file)))
      for (const listener of listeners) listener.indexed(job, file);
    // The file was deleted while it was read; its pictures are removed with its bytes.
    else await store.owned.removeUnowned([job.hash]);
  }

  /** Puts stuck files back into the queue; retries later if the disk refuses that as well. */
  async #retry(): Promise<void> {
    try {
      for (const fileId of this.#stuck) {
        await this.#options.store.jobs.release(fileId, { attempted: false });
        this.#stuck.delete(fileId);
      }
    } catch (cause) {
      this.#report(cause);
      this.#wakeLater();
      return;
    }
    setImmediate(() => this.wake());
  }

  #wakeLater(): void {
    clearTimeout(this.#retryTimer);
    if (this.#closed) return;
    this.#retryTimer = setTimeout(() => {
      this.#isPaused = false;
      this.wake();
    }, this.#options.retryMs ?? RETRY_MS).unref();
  }

  /** Rejects all waiting callers: the disk refused a write, no process can be started, or the queue closed. */
  #report(cause: unknown): void {
    for (const waiter of [...[...this.#waiters.values()].flatMap((waiters) => [...waiters]), ...this.#idlers])
      waiter(cause);
  }

  async #wait(waiters: Set<Waiter>, signal: AbortSignal | undefined): Promise<void> {
    if (this.#closed) throw closed();
    if (signal?.aborted) throw aborted(signal);
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => waiter(aborted(signal!));
      const waiter = (cause?: unknown): void => {
        waiters.delete(waiter);
        signal?.removeEventListener('abort', onAbort);
        if (cause === undefined) resolve();
        else reject(cause);
      };
      waiters.add(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  #notify(fileId: number): void {
    for (const waiter of [...(this.#waiters.get(fileId) ?? [])]) waiter();
    this.#waiters.delete(fileId);
  }

  #notifyIdle(): void {
    for (const waiter of [...this.#idlers]) waiter();
  }
}

/** Called with the cause when the wait fails. */
type Waiter = (cause?: unknown) => void;

/** The default of `retryMs`. */
const RETRY_MS = 5_000;

function closed(): EngineError {
  return new EngineError('ENGINE_CLOSED', 'the engine was closed before the file was indexed; it stays queued');
}

/** Called before the file counts as indexed, so that its pictures are available to everybody who sees it indexed. */
async function keepPictures(store: Store, { hash, path }: Job, { pictures }: FileDescription): Promise<void> {
  if (pictures === undefined) return;
  for (const [size, png] of Object.entries(pictures) as [keyof FilePictures, Uint8Array][]) {
    const name = pictureName(path, { kind: 'thumbnail', size: THUMBNAIL_SIZES[size] });
    await store.pictures.put({ hash, name }, png);
  }
}

function indexedFile({ properties, shape, components, pictures: _kept, ...file }: FileDescription): IndexedFile {
  return {
    ...file,
    contentVersion: CONTENT_VERSION,
    extracted: properties,
    shape: shape && indexedShape(shape),
    components: components?.map((component) => ({ ...component, shape: indexedShape(component.shape) })),
  };
}

function indexedShape(shape: ShapeDescription): IndexedShape {
  const descriptors = Object.fromEntries(
    Object.entries(shape.descriptors).map(([name, bytes]) => [
      name,
      { version: DESCRIPTORS[name as DescriptorName], bytes },
    ]),
  ) as IndexedShape['descriptors'];
  return { ...shape, descriptors, features: shape.features === null ? undefined : storedFeatures(shape.features) };
}
