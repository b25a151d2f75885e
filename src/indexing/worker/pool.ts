import { Worker } from 'node:worker_threads';
import { EngineError, type Warning } from '../../errors.js';
import { renumbered } from './assembly-tree.js';
import type { FileComponents, FileDescription } from './file-description.js';
import { NO_VIEWS } from './no-views.js';
import { engineError, type AnswerTo, type WorkerData, type WorkerMessage, type WorkerRequest } from './messages.js';

// Plain worker_threads are used because tinypool 2.2 does not notice a worker that exits without an error (its task
// waits forever), cannot recycle workers after a number of tasks, and blocks waiting tasks if an aborted task took the
// last worker with it.

/** Settings of a pool. */
export interface PoolOptions {
  /** Path of the worker's script. */
  readonly entry: URL;
  readonly workerData: WorkerData;
  /** Most workers at the same time. */
  readonly workers: number;
  /** Time limit of one request, ms; after it the worker is terminated. */
  readonly timeoutMs: number;
  /** Time limit for finding the views of a file, ms; after it the file is stored without them. */
  readonly viewsTimeoutMs: number;
  /** JavaScript heap of one worker, MiB. A worker that uses more than half of it after a request is replaced. */
  readonly workerMemoryMiB: number;
  /** Number of requests after which a worker is replaced, because the memory of WebAssembly readers never shrinks. */
  readonly recycleAfter: number;
  /** Time after which an idle worker is ended, ms. */
  readonly idleMs: number;
}

type Answer = AnswerTo<WorkerRequest>;

interface Task {
  readonly request: WorkerRequest;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: Answer) => void;
  readonly reject: (reason: EngineError) => void;
}

/** Time limit for the start of a worker, ms. */
const START_TIMEOUT_MS = 60_000;

/**
 * Worker threads that describe and draw shapes, one request at a time each. A worker that exceeds its time limit, runs
 * out of memory, exits or fails unexpectedly is replaced; only its current request fails. Idle workers do not keep the
 * process alive.
 */
export class WorkerPool {
  readonly #seats: Seat[];
  readonly #waiting: Task[] = [];
  #closed = false;
  /** Called whenever a worker becomes idle. */
  onFree: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#seats = Array.from({ length: options.workers }, () => new Seat(options));
  }

  /** Number of workers that could start a request now. */
  get free(): number {
    return Math.max(0, this.#seats.filter((seat) => !seat.busy).length - this.#waiting.length);
  }

  /**
   * Runs a request in a worker, after those that already wait. Bytes are transferred to the worker, which detaches the
   * caller's buffer.
   * @throws EngineError of the reader; `TIMEOUT`; `WORKER_FAILED` (`details.ended`: the request ended the worker);
   * `ABORTED`; `ENGINE_CLOSED`.
   */
  run<Request extends WorkerRequest>(request: Request, signal?: AbortSignal): Promise<AnswerTo<Request>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed());
      if (signal?.aborted) return reject(aborted(signal));
      const task: Task = { request, signal, resolve: resolve as (value: Answer) => void, reject };
      this.#waiting.push(task);
      signal?.addEventListener(
        'abort',
        () => {
          const position = this.#waiting.indexOf(task);
          if (position < 0) return;
          this.#waiting.splice(position, 1);
          reject(aborted(signal));
        },
        { once: true },
      );
      this.#seat();
    });
  }

  /** Ends all workers now; running and waiting requests reject with `ENGINE_CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await Promise.all(this.#seats.map((seat) => seat.close()));
  }

  #seat(): void {
    for (const seat of this.#seats) {
      if (seat.busy) continue;
      const task = this.#waiting.shift();
      if (task === undefined) return;
      void seat.take(task).then(() => {
        if (this.#closed) return;
        this.#seat();
        if (this.free > 0) this.onFree?.();
      });
    }
  }
}

/** A slot for one worker: it holds at most one thread and one task. */
class Seat {
  readonly #options: PoolOptions;
  #worker: Worker | undefined;
  #tasksDone = 0;
  #heldBytes = 0;
  /** True when the state of the worker is unknown, so that it must be replaced. */
  #unsound = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #end: ((reason: EngineError) => void) | undefined;
  busy = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Runs a task and settles it; resolves when the slot is free again. Never rejects. */
  async take(task: Task): Promise<void> {
    this.busy = true;
    clearTimeout(this.#idleTimer);
    const onAbort = (): void => this.#end?.(aborted(task.signal!));
    task.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const value = await this.#attempt(task);
      if (this.#worn || this.#unsound) await this.#dismiss();
      task.resolve(value);
    } catch (cause) {
      const error = cause as EngineError;
      // After a coded failure of a reader the worker can continue; after any other failure its state is unknown.
      if (UNSOUND.has(error.code) || this.#worn) await this.#dismiss();
      task.reject(error);
    } finally {
      task.signal?.removeEventListener('abort', onAbort);
      this.busy = false;
      this.#idleTimer = setTimeout(() => void this.#dismiss(), this.#options.idleMs).unref();
    }
  }

  async close(): Promise<void> {
    this.#end?.(closed());
    await this.#dismiss();
  }

  /** True when the worker has served its number of requests or holds too much memory. */
  get #worn(): boolean {
    const { recycleAfter, workerMemoryMiB } = this.#options;
    return this.#tasksDone >= recycleAfter || this.#heldBytes > workerMemoryMiB * 2 ** 19;
  }

  #attempt({ request }: Task): Promise<Answer> {
    const fresh = this.#worker === undefined;
    const worker = (this.#worker ??= this.#hire());
    worker.ref();
    return new Promise<Answer>((resolve, reject) => {
      const { timeoutMs, viewsTimeoutMs } = this.#options;
      // The description is complete before views are searched and the file is drawn; it is kept even if the worker
      // fails after that.
      let described: FileDescription | undefined;
      let lacking: 'views' | 'components' | undefined;
      const start = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(timeout(timeoutMs)), timeoutMs);
        worker.postMessage(request, request.of.kind === 'bytes' ? [request.of.bytes.buffer as ArrayBuffer] : []);
      };
      let timer = setTimeout(() => reject(ended('it did not start')), START_TIMEOUT_MS);
      const settle =
        <T>(act: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          worker.off('message', onMessage).off('error', onError).off('exit', onExit);
          this.#end = undefined;
          worker.unref();
          act(value);
        };
      resolve = settle(resolve);
      reject = settle(reject);
      const fail = (reason: EngineError): void => {
        if (described === undefined) return reject(reason);
        this.#unsound = true;
        resolve(
          lacking === undefined
            ? described
            : lacking === 'views'
              ? withoutViews(described, reason.message)
              : withoutComponents(described, reason.message),
        );
      };
      const onMessage = (message: WorkerMessage): void => {
        if (message.kind === 'ready') return start();
        if (
          message.kind === 'described' ||
          ((message.kind === 'views' || message.kind === 'components') && !message.isLast)
        ) {
          lacking = nextOf(message, request);
          described = message.kind === 'described' ? message.value : withFound(described!, message);
          clearTimeout(timer);
          timer =
            lacking === 'components'
              ? setTimeout(() => fail(timeout(timeoutMs)), timeoutMs)
              : setTimeout(() => fail(viewsTimeout(viewsTimeoutMs)), viewsTimeoutMs);
          return;
        }
        this.#tasksDone++;
        this.#heldBytes = message.memoryBytes;
        if (message.kind === 'done') resolve(message.value);
        else if (message.kind === 'views' || message.kind === 'components') resolve(withFound(described!, message));
        else if (message.kind === 'drawn')
          resolve(message.value === undefined ? described! : { ...described!, pictures: message.value });
        else reject(engineError(message.error));
      };
      const onError = (cause: Error & { code?: string }): void => {
        this.#worker = undefined;
        const memory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
        fail(
          ended(
            memory
              ? `it needed more than ${this.#options.workerMemoryMiB} MiB of memory (limits.workerMemoryMiB)`
              : cause.message,
            cause,
          ),
        );
      };
      const onExit = (exitCode: number): void => {
        this.#worker = undefined;
        fail(ended(`it ended with exit code ${exitCode}`));
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      this.#end = reject;
      if (!fresh) start();
    });
  }

  #hire(): Worker {
    const { entry, workerData, workerMemoryMiB } = this.#options;
    const worker = new Worker(entry, {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: workerMemoryMiB },
    });
    // An error between two tasks: the slot simply becomes empty.
    worker.on('error', () => this.#forget(worker));
    worker.on('exit', () => this.#forget(worker));
    this.#unsound = false;
    this.#tasksDone = 0;
    this.#heldBytes = 0;
    return worker;
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }

  async #dismiss(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Failures after which a worker is not used again. */
const UNSOUND: ReadonlySet<string> = new Set(['TIMEOUT', 'WORKER_FAILED', 'CORE_FAILED', 'ABORTED', 'ENGINE_CLOSED']);

function ended(how: string, cause?: unknown): EngineError {
  return new EngineError('WORKER_FAILED', `the worker that read the file failed: ${how}`, {
    details: { ended: true },
    cause,
  });
}

function timeout(timeoutMs: number): EngineError {
  return new EngineError('TIMEOUT', `reading the file took longer than ${timeoutMs} ms (limits.timeoutMs)`, {
    details: { limit: 'timeoutMs', allowed: timeoutMs },
  });
}

function viewsTimeout(timeoutMs: number): EngineError {
  return new EngineError('TIMEOUT', `it took longer than ${timeoutMs} ms (limits.viewsTimeoutMs)`, {
    details: { limit: 'viewsTimeoutMs', allowed: timeoutMs },
  });
}

const VIEWS_MISSING: Warning = Object.freeze({
  code: 'VIEWS_MISSING',
  message: 'no view of a part was found on its pages, so the file is found by its text and its attributes alone',
});

/**
 * The work that the worker does next, after this message; if it fails, the file is stored without its result. Pictures
 * are drawn when they are requested.
 */
function nextOf(message: WorkerMessage, request: WorkerRequest): 'views' | 'components' | undefined {
  if (message.kind === 'described') return message.withViews ? 'views' : undefined;
  return message.kind === 'views' && request.kind === 'describe' && request.withComponents === true
    ? 'components'
    : undefined;
}

function withFound(
  file: FileDescription,
  message: Extract<WorkerMessage, { kind: 'views' | 'components' }>,
): FileDescription {
  if (message.kind === 'components') return withComponents(file, message.value);
  const { value, warning } = message;
  if (warning !== undefined) return { ...withoutViews(file, warning), views: value };
  const isMissing = value.shapelets.length === 0 && (file.kind === 'TwoD' || file.kind === 'Image');
  return { ...file, ...(isMissing ? { warnings: [...file.warnings, VIEWS_MISSING] } : {}), views: value };
}

function withComponents(
  { assembly, ...file }: FileDescription,
  { components, sameAs, warnings }: FileComponents,
): FileDescription {
  if (assembly === undefined) return file;
  return {
    ...file,
    assembly: renumbered(assembly, new Map(sameAs)),
    components,
    warnings: [...file.warnings, ...warnings],
  };
}

function withoutComponents(file: FileDescription, why: string): FileDescription {
  if (file.assembly === undefined) return file;
  const warning: Warning = {
    code: 'CONTENT_SKIPPED',
    message: `the components are not found by themselves, because describing them failed: ${why}`,
  };
  return { ...file, warnings: [...file.warnings, warning], components: [] };
}

/** Empty views are stored, so that the file is not read again for them until the version of the view search changes. */
function withoutViews(file: FileDescription, why: string): FileDescription {
  const warning: Warning = {
    code: 'CONTENT_SKIPPED',
    message: `the file is not found by its views, because looking for them failed: ${why}`,
  };
  return { ...file, warnings: [...file.warnings, warning], views: NO_VIEWS };
}

function aborted(signal: AbortSignal): EngineError {
  return new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}

function closed(): EngineError {
  return new EngineError('ENGINE_CLOSED', 'the engine was closed');
}
