import { EngineError, limitExceeded, messageOf } from '../../errors.js';
import { without, type FileDescription, type LaterPart } from '../worker/file-description.js';
import { engineError, SAMPLE_MS, type AnswerTo, type WorkerMessage, type WorkerRequest } from '../worker/messages.js';
import { answerBounds, checkAnswer, checkFailure, withPart } from './answer-checks.js';
import type { ReadingProcess } from './reading-process.js';
import { SleepClock } from './sleep-clock.js';

/** Bounds of one request. */
export interface ReadingLimits {
  /** Processor time for reading and describing a file, ms. */
  readonly timeoutMs: number;
  /** Processor time for finding the views of a file, ms; after it the file is stored without them. */
  readonly viewsTimeoutMs: number;
  /** Time that the process may sleep, ms, see {@link SleepClock}; waiting for a processor is no sleep. */
  readonly sleepTimeoutMs: number;
  /** Time by the clock, ms, whatever the process does. */
  readonly wallTimeoutMs: number;
  /** Resident memory of the process, MiB. */
  readonly workerMemoryMiB: number;
}

type Answer = AnswerTo<WorkerRequest>;

const MIB = 2 ** 20;

/**
 * One request at one process, from asking to the answer. What the process takes is looked at {@link SAMPLE_MS} apart; a
 * request that passes a limit fails, and the process, whose state is unknown then, is to be ended.
 */
export class Reading {
  /**
   * @throws EngineError of the reader; `TIMEOUT`; `LIMIT_EXCEEDED`; `WORKER_FAILED` (`details.ended`: the request ended
   * the process).
   */
  readonly answer: Promise<Answer>;
  readonly #process: ReadingProcess;
  readonly #request: WorkerRequest;
  readonly #limits: ReadingLimits;
  #resolve!: (value: Answer) => void;
  #reject!: (reason: EngineError) => void;
  #isUnsound = false;
  #timer: NodeJS.Timeout | undefined;
  /** Kept even if the process fails while it looks for the next part. */
  #described: FileDescription | undefined;
  #next: LaterPart | undefined;
  readonly #beganAtMs = performance.now();
  /** Processor time that the process had taken when this part began, ms. */
  #partFromMs: number | undefined;
  readonly #sleep: SleepClock;

  /** process: one that is ready. */
  constructor(process: ReadingProcess, request: WorkerRequest, limits: ReadingLimits) {
    this.#process = process;
    this.#request = request;
    this.#limits = limits;
    this.answer = new Promise<Answer>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    }).finally(() => this.#stop());
    process.ref();
    process.onMessage = (message) => this.#hear(message as WorkerMessage);
    process.onNonsense = (why) => this.#refuse(why);
    process.onEnd = (how) => this.#fail(ended(`it ended ${how}`));
    this.#partFromMs = process.usage()?.processorMs;
    this.#sleep = new SleepClock(this.#beganAtMs, this.#partFromMs);
    this.#timer = setInterval(() => this.#look(), SAMPLE_MS);
    process.request(request, answerBounds(request.kind, limits.workerMemoryMiB));
    if (process.ended !== undefined) process.onEnd(process.ended);
  }

  /** Whether the process must not be used again. */
  get isUnsound(): boolean {
    return this.#isUnsound;
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#process.rest();
    this.#process.onMessage = this.#process.onNonsense = this.#process.onEnd = undefined;
    this.#process.unref();
  }

  /** A worker may have been taken over by the file that it reads: what makes no sense ends it. */
  #hear(message: WorkerMessage): void {
    try {
      this.#take(message);
    } catch (cause) {
      this.#refuse(messageOf(cause));
    }
  }

  #refuse(why: string): void {
    this.#described = undefined;
    this.#fail(ended(`its answer makes no sense: ${why}`));
  }

  #take(message: WorkerMessage): void {
    const { kind } = this.#request;
    switch (message?.kind) {
      case 'part':
        if (kind !== 'describe') throw new TypeError(`a ${kind} has no parts`);
        this.#described = withPart(this.#described, this.#next, message);
        this.#next = message.next;
        if (message.next === undefined) return this.#end(() => this.#resolve(this.#described!));
        this.#partFromMs = this.#process.usage()?.processorMs;
        return;
      case 'done':
        checkAnswer(this.#request, message.value);
        return this.#end(() => this.#resolve(message.value));
      case 'failed':
        checkFailure(message.error);
        return this.#end(() => this.#reject(engineError(message.error)));
      default:
        throw new TypeError('it is no answer');
    }
  }

  /** Nothing may come after the answer. */
  #end(settle: () => void): void {
    this.#process.rest();
    settle();
  }

  /** Ends the request if the process has passed a limit. */
  #look(): void {
    const { timeoutMs, viewsTimeoutMs, sleepTimeoutMs, wallTimeoutMs, workerMemoryMiB } = this.#limits;
    const usage = this.#process.usage();
    if (usage !== undefined) {
      if (usage.residentBytes > workerMemoryMiB * MIB) return this.#exceed(usage.residentBytes);
      this.#partFromMs ??= usage.processorMs;
      const [limit, allowed] =
        this.#next === undefined || this.#next === 'components'
          ? (['timeoutMs', timeoutMs] as const)
          : (['viewsTimeoutMs', viewsTimeoutMs] as const);
      if (usage.processorMs - this.#partFromMs > allowed)
        return this.#fail(timeout(`it took more than ${allowed} ms of processor time`, limit, allowed));
    }
    const atMs = performance.now();
    const wantsProcessor = (): boolean | undefined => this.#process.wantsProcessor();
    if (this.#sleep.look({ atMs, processorMs: usage?.processorMs, wantsProcessor }) > sleepTimeoutMs)
      return this.#fail(timeout(`it slept longer than ${sleepTimeoutMs} ms`, 'sleepTimeoutMs', sleepTimeoutMs));
    if (atMs - this.#beganAtMs > wallTimeoutMs)
      this.#fail(timeout(`it took longer than ${wallTimeoutMs} ms by the clock`, 'wallTimeoutMs', wallTimeoutMs));
  }

  /** What is known of a file that swells is not kept: it is hostile, or too large for this machine. */
  #exceed(residentBytes: number): void {
    const { workerMemoryMiB: allowed } = this.#limits;
    this.#described = undefined;
    const found = Math.round(residentBytes / MIB);
    this.#fail(limitExceeded('the memory of the process that read the file', 'limits.workerMemoryMiB', allowed, found));
  }

  #fail(reason: EngineError): void {
    this.#isUnsound = true;
    if (this.#described === undefined) this.#reject(reason);
    else this.#resolve(without(this.#described, this.#next, reason.message));
  }
}

function ended(how: string): EngineError {
  return new EngineError('WORKER_FAILED', `the process that read the file failed: ${how}`, {
    details: { ended: true },
  });
}

function timeout(what: string, limit: string, allowed: number): EngineError {
  return new EngineError('TIMEOUT', `reading the file was ended: ${what} (limits.${limit})`, {
    details: { limit, allowed },
  });
}
