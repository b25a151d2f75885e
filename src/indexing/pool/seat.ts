import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, messageOf } from '../../errors.js';
import type { AnswerTo, StartData, WorkerRequest } from '../worker/messages.js';
import type { Confined } from './confined.js';
import { Reading, type ReadingLimits } from './reading.js';
import { withStoredBytes } from './stored-bytes.js';
import { ReadingProcess, type ReadingProcessOptions } from './reading-process.js';

/** Settings of a seat. */
export interface SeatOptions extends ReadingLimits {
  /** Path of the worker's script. */
  readonly entry: URL;
  readonly data: StartData;
  /** Number of requests after which a worker is replaced, because the memory of WebAssembly readers never shrinks. */
  readonly recycleAfter: number;
  /** Time after which an idle worker is ended, ms. */
  readonly idleMs: number;
  /** Starts a process; tests make it fail. Default: a {@link ReadingProcess}. */
  readonly start?: (options: ReadingProcessOptions) => ReadingProcess;
}

/** A request, and who waits for its answer. */
export interface Task {
  readonly request: WorkerRequest;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: AnswerTo<WorkerRequest>) => void;
  readonly reject: (reason: EngineError) => void;
}

/** A worker that holds more than this share of `workerMemoryMiB` after a request is replaced. */
const KEPT_SHARE = 0.25;
/**
 * An idle worker that holds more than this, MiB, is ended after this share of `idleMs`: what the compilers of a CAD
 * kernel took is not given back by a process that lives.
 */
const MUCH_HELD_MIB = 224;
const IDLE_SHARE_OF_LARGE = 1 / 6;
/**
 * Starts of a process before a request fails for want of one, and the time after a first failure, ms; then twice that.
 */
const STARTS = 3;
const START_PAUSE_MS = 100;

/** A slot for one worker: it holds at most one process and one task. */
export class Seat {
  readonly #options: SeatOptions;
  readonly #confined: () => Promise<Confined>;
  readonly #forgetConfined: () => void;
  #process: ReadingProcess | undefined;
  #requests = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #turn: Turn | undefined;

  constructor(options: SeatOptions, confined: () => Promise<Confined>, forgetConfined: () => void) {
    this.#options = options;
    this.#confined = confined;
    this.#forgetConfined = forgetConfined;
  }

  get busy(): boolean {
    return this.#turn !== undefined;
  }

  /** Resident memory of its process, bytes; 0: there is none, or nobody tells. */
  get residentBytes(): number {
    return this.#process?.usage()?.residentBytes ?? 0;
  }

  /** Runs a task and settles it; resolves when the slot is free again. Never rejects. */
  async take({ request, signal, resolve, reject }: Task): Promise<void> {
    const turn = (this.#turn = new Turn());
    clearTimeout(this.#idleTimer);
    const onAbort = (): void => turn.end(aborted(signal!));
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      resolve(await this.#answer(request, turn));
    } catch (cause) {
      const error = cause as EngineError;
      // After a coded failure of a reader the worker can continue; after any other failure its state is unknown.
      if (UNSOUND.has(error.code)) await this.#dismiss();
      reject(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#turn = undefined;
      this.#endWhenIdle();
    }
  }

  /** A method of its own: a timer made in `take` would hold the turn, and with it the last answer, while it waits. */
  #endWhenIdle(): void {
    const soonMs = this.#options.idleMs * IDLE_SHARE_OF_LARGE;
    const end = (): void => void this.#dismiss();
    this.#idleTimer = setTimeout(() => {
      if (this.residentBytes > MUCH_HELD_MIB * 2 ** 20) return end();
      this.#idleTimer = setTimeout(end, this.#options.idleMs - soonMs).unref();
    }, soonMs).unref();
  }

  async close(): Promise<void> {
    this.#turn?.end(closed());
    await this.#dismiss();
  }

  async #answer(request: WorkerRequest, turn: Turn): Promise<AnswerTo<WorkerRequest>> {
    if (this.#process?.ended !== undefined) this.#process = undefined;
    const process = this.#process ?? (await this.#started(turn));
    const opening = withStoredBytes(request);
    const sent = await Promise.race([opening, turn.ended]).catch((cause: unknown) => {
      void opening.then((late) => late.end()).catch(() => undefined); // The disk was slower than its caller's patience.
      throw cause;
    });
    const reading = new Reading(process, sent.request, this.#options);
    try {
      return await Promise.race([reading.answer, turn.ended]);
    } catch (cause) {
      throw sent.failure ?? cause;
    } finally {
      await sent.end();
      this.#requests++;
      // What has been read was written; that is told in this round of events.
      if (process.isAsking) await new Promise((resolve) => setImmediate(resolve));
      if (reading.isUnsound || process.isAsking || this.#isWorn) await this.#dismiss();
    }
  }

  /** Whether the worker has served its number of requests or holds too much memory. */
  get #isWorn(): boolean {
    const { recycleAfter, workerMemoryMiB } = this.#options;
    return this.#requests >= recycleAfter || this.residentBytes > KEPT_SHARE * workerMemoryMiB * 2 ** 20;
  }

  /** A new process that is ready. That one fails to start says nothing about the file: another one is started. */
  async #started(turn: Turn): Promise<ReadingProcess> {
    for (let failures = 0; ; ) {
      try {
        const confined = await Promise.race([this.#confined(), turn.ended]);
        // It may have ended while the confinement was found out.
        turn.check();
        const process = (this.#process = this.#start(confined));
        this.#requests = 0;
        await Promise.race([process.ready, turn.ended]);
        turn.check();
        return process;
      } catch (cause) {
        turn.check();
        this.#forgetConfined();
        await this.#dismiss();
        if (++failures === STARTS) throw notStarted(cause);
        await Promise.race([delay(START_PAUSE_MS * 2 ** (failures - 1)), turn.ended]);
      }
    }
  }

  #start(confined: Confined): ReadingProcess {
    const { entry, data, workerMemoryMiB: memoryMiB, start } = this.#options;
    const options = { entry, confined, memoryMiB, data };
    return start === undefined ? new ReadingProcess(options) : start(options);
  }

  async #dismiss(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const process = this.#process;
    this.#process = undefined;
    await process?.end();
  }
}

/** The time that a task has the seat. */
class Turn {
  /** Rejects when the caller or the pool ends it. */
  readonly ended: Promise<never>;
  end!: (reason: EngineError) => void;
  #reason: EngineError | undefined;

  constructor() {
    this.ended = new Promise<never>((_, reject) => {
      this.end = (reason) => {
        this.#reason ??= reason;
        reject(reason);
      };
    });
    this.ended.catch(() => undefined);
  }

  /** @throws the reason, once it has been ended. A race may have been won by something else in the same moment. */
  check(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }
}

/** Failures after which a worker is not used again. */
const UNSOUND: ReadonlySet<string> = new Set(['TIMEOUT', 'WORKER_FAILED', 'CORE_FAILED', 'ABORTED', 'ENGINE_CLOSED']);

function notStarted(cause: unknown): EngineError {
  const message = `no reading process can be started, tried ${STARTS} times: ${messageOf(cause)}`;
  return new EngineError('WORKER_FAILED', message, { details: { started: false }, cause });
}

/** The error of work that its caller ended. */
export function aborted(signal: AbortSignal): EngineError {
  return new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}

/** The error of work that the engine ended. */
export function closed(): EngineError {
  return new EngineError('ENGINE_CLOSED', 'the engine was closed');
}
