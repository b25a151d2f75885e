import { heldBy, type Confined, type Held } from './confined.js';
import { confinement } from './confinement.js';
import type { AnswerTo, WorkerRequest } from '../worker/messages.js';
import { aborted, closed, Seat, type SeatOptions, type Task } from './seat.js';

/** Settings of a pool. */
export interface PoolOptions extends SeatOptions {
  /** Most workers at the same time. */
  readonly workers: number;
  /** Most files and pipes that a worker may have open at the same time. */
  readonly workerOpenFiles: number;
  /** Folders that the workers must be able to read besides those of their script. */
  readonly folders: readonly string[];
  /** Folders that they must not see, such as that of the library. */
  readonly hidden: readonly string[];
}

type Answer = AnswerTo<WorkerRequest>;

interface WaitingTask extends Task {
  /** Called when it waits no more. */
  readonly begins: () => void;
}

/**
 * Processes that describe and draw shapes, one request at a time each. A worker that passes a limit, exits or fails
 * unexpectedly is replaced; only its current request fails. Idle workers do not keep the process alive.
 */
export class WorkerPool {
  readonly #seats: Seat[];
  readonly #waiting: WaitingTask[] = [];
  #closed = false;
  /** Called whenever a worker becomes idle. */
  onFree: (() => void) | undefined;

  constructor(options: PoolOptions) {
    const { entry, workerMemoryMiB: memoryMiB, workerOpenFiles: openFiles, folders, hidden } = options;
    let found: Promise<Confined> | undefined;
    const confined = (): Promise<Confined> => {
      // What has not been found out, or holds nothing, is tried again: what failed may have been the trying.
      found ??= confinement({ entry, memoryMiB, openFiles, folders, hidden }).then(
        (result) => {
          if (result.kind === 'none') forget();
          return result;
        },
        (cause: unknown) => {
          forget();
          throw cause;
        },
      );
      return found;
    };
    // The mounts of the system may have changed since: the next worker is confined as the system now allows.
    const forget = (): void => {
      found = undefined;
    };
    this.#seats = Array.from({ length: options.workers }, () => new Seat(options, confined, forget));
    this.confinement = async () => heldBy(await confined(), { memoryMiB, openFiles });
  }

  /** What holds the workers on this system, and is tried when it is first asked for. @throws the system's error. */
  readonly confinement: () => Promise<Held>;

  /** Number of workers that could start a request now. */
  get free(): number {
    return Math.max(0, this.#seats.filter((seat) => !seat.busy).length - this.#waiting.length);
  }

  /** Resident memory of all workers now, bytes. */
  get residentBytes(): number {
    return this.#seats.reduce((sum, seat) => sum + seat.residentBytes, 0);
  }

  /**
   * Runs a request in a worker, after those that already wait.
   * @throws EngineError of the reader; `TIMEOUT`; `LIMIT_EXCEEDED`; `WORKER_FAILED` (`details.ended`: the request ended
   * the worker; `details.started` false: no worker could be started); `ABORTED`; `ENGINE_CLOSED`.
   */
  run<Request extends WorkerRequest>(request: Request, signal?: AbortSignal): Promise<AnswerTo<Request>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed());
      if (signal?.aborted) return reject(aborted(signal));
      const onAbort = (): void => {
        const position = this.#waiting.indexOf(task);
        if (position < 0) return;
        this.#waiting.splice(position, 1);
        reject(aborted(signal!));
      };
      // A signal may outlive many requests: it must not hold their bytes.
      const begins = (): void => signal?.removeEventListener('abort', onAbort);
      const task: WaitingTask = { request, signal, begins, resolve: resolve as (value: Answer) => void, reject };
      this.#waiting.push(task);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#seat();
    });
  }

  /** Ends all workers now; running and waiting requests reject with `ENGINE_CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { begins, reject } of this.#waiting.splice(0)) {
      begins();
      reject(closed());
    }
    await Promise.all(this.#seats.map((seat) => seat.close()));
  }

  #seat(): void {
    for (const seat of this.#seats) {
      if (seat.busy) continue;
      const task = this.#waiting.shift();
      if (task === undefined) return;
      task.begins();
      void seat.take(task).then(() => {
        if (this.#closed) return;
        this.#seat();
        if (this.free > 0) this.onFree?.();
      });
    }
  }
}
