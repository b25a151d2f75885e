import { DESCRIPTORS, type DescriptorName, type ShapeDescription } from '../descriptors/description.js';
import { EngineError } from '../errors.js';
import type { IndexedShape, Job } from '../store/jobs.js';
import type { Store } from '../store/store.js';
import type { WorkerPool } from './pool.js';

/** What the queue works with. */
export interface QueueOptions {
  readonly store: Store;
  readonly pool: WorkerPool;
  /** A file that ended so many workers fails. */
  readonly attempts: number;
  /** Called after a file's shape is stored; before those who wait for the file go on. */
  readonly onIndexed: (job: Job, shape: ShapeDescription) => void;
  /** Called when an indexed file failed on being indexed again; it is not searchable any more. */
  readonly onFailed: (job: Job) => void;
}

/**
 * Takes files from the durable queue in their order to the workers and stores what comes of them. The queue itself is the
 * catalogue's: this holds only what runs. Starts are in order, ends need not be.
 */
export class IndexQueue {
  readonly #options: QueueOptions;
  readonly #running = new Map<number, Promise<void>>();
  readonly #waiters = new Map<number, Set<() => void>>();
  readonly #idlers = new Set<() => void>();
  #claimed = 0;
  #closed = false;
  #failure: unknown;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Starts what can start. Call when a file was put or a worker is free. */
  wake(): void {
    const count = this.#options.pool.free - this.#claimed;
    if (count <= 0 || this.#closed) return;
    this.#claimed += count;
    const idle = this.#running.size === 0 && this.#claimed === count;
    this.#options.store.claim(count, { idle }).then(
      (jobs) => {
        this.#claimed -= count;
        for (const job of jobs) this.#start(job);
        if (this.#running.size + this.#claimed === 0) this.#notifyIdle();
      },
      (cause: unknown) => {
        this.#claimed -= count;
        this.#stop(cause);
      },
    );
  }

  /** Resolves when this file's job has ended (or the file is gone). Rejects when the queue stops before. */
  async ended(fileId: number, signal?: AbortSignal): Promise<void> {
    await this.#wait((resolve) => {
      let waiters = this.#waiters.get(fileId);
      if (waiters === undefined) this.#waiters.set(fileId, (waiters = new Set()));
      waiters.add(resolve);
      return () => waiters.delete(resolve);
    }, signal);
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(signal?: AbortSignal): Promise<void> {
    this.wake();
    while (this.#running.size + this.#claimed > 0 || this.#options.store.queueLength() > 0) {
      await this.#wait((resolve) => {
        this.#idlers.add(resolve);
        return () => this.#idlers.delete(resolve);
      }, signal);
    }
  }

  /** A file was deleted or replaced: those who wait for it go on. */
  forget(fileId: number): void {
    this.#notify(fileId);
  }

  /** Starts nothing more and resolves when what ran is back in its place; end the pool's workers meanwhile. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running.values());
    this.#notifyAll();
  }

  #start(job: Job): void {
    const end = this.#index(job)
      .catch((cause: unknown) => this.#stop(cause))
      .finally(() => {
        this.#running.delete(job.fileId);
        this.#notify(job.fileId);
        this.wake();
        if (this.#running.size + this.#claimed === 0) this.#notifyIdle();
      });
    this.#running.set(job.fileId, end);
  }

  async #index(job: Job): Promise<void> {
    const { store, pool, attempts, onIndexed, onFailed } = this.#options;
    let shape: ShapeDescription;
    try {
      shape = await pool.run({ kind: 'stored', blobFolder: store.blobs.folder, hash: job.hash, name: job.path });
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      if (cause.code === 'ENGINE_CLOSED') return store.release(job.fileId, { attempted: false });
      if (cause.details['ended'] === true && job.attempts + 1 < attempts) return store.release(job.fileId, { attempted: true });
      if (await store.fail(job.fileId, cause.code, cause.message)) onFailed(job);
      return;
    }
    if (await store.complete(job.fileId, indexedShape(shape))) onIndexed(job, shape);
  }

  /** The disk refused: nothing more is started, and those who wait are told. */
  #stop(cause: unknown): void {
    this.#failure ??= cause;
    this.#closed = true;
    this.#notifyAll();
  }

  async #wait(enter: (resolve: () => void) => () => void, signal: AbortSignal | undefined): Promise<void> {
    this.#throwIfStopped(signal);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        leave();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const leave = enter(done);
      signal?.addEventListener('abort', done, { once: true });
    });
    this.#throwIfStopped(signal);
  }

  #throwIfStopped(signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#closed) throw new EngineError('ENGINE_CLOSED', 'the engine was closed before the file was indexed; it stays queued');
  }

  #notify(fileId: number): void {
    for (const go of [...(this.#waiters.get(fileId) ?? [])]) go();
    this.#waiters.delete(fileId);
  }

  #notifyIdle(): void {
    for (const go of [...this.#idlers]) go();
  }

  #notifyAll(): void {
    for (const fileId of [...this.#waiters.keys()]) this.#notify(fileId);
    this.#notifyIdle();
  }
}

function indexedShape(shape: ShapeDescription): IndexedShape {
  const descriptors = Object.fromEntries(
    Object.entries(shape.descriptors).map(([name, bytes]) => [name, { version: DESCRIPTORS[name as DescriptorName], bytes }]),
  ) as IndexedShape['descriptors'];
  return { ...shape, descriptors };
}
