import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Confined } from './confined.js';
import { Channel, CHANNEL_FD, type MessageBounds } from '../channel/channel.js';
import { SAMPLE_MS, type StartData, type ToWorker, type WorkerRequest } from '../worker/messages.js';
import { endAllOf, releaseUser } from './own-users.js';
import { readingEnvironment } from './reading-environment.js';
import { yieldToHost } from './reading-priority.js';
import { reportedUsage, TELLS_USAGE, usageOf, wantsProcessor, type ProcessUsage } from './process-usage.js';
import { SleepClock } from './sleep-clock.js';

/** How a reading process is started. */
export interface ReadingProcessOptions {
  /** Path of the script that it runs. */
  readonly entry: URL;
  readonly confined: Confined;
  /** Bound of its JavaScript heap, MiB. */
  readonly memoryMiB: number;
  /** Sent before the first request. */
  readonly data: StartData;
}

/** Place of the pipe for reports of usage among the file descriptors of the process. */
const REPORTS_FD = 4;

/**
 * Time that a process may sleep before it is ready, ms, and time for its start by the clock, whatever it does. On a
 * busy machine it may wait long for a processor. Where the system does not tell usage, it cannot report any before it
 * began.
 */
const START_SLEEP_MS = 60_000;
const START_WALL_MS = 1_200_000;
/** What it may say before it is ready: that it is. */
const READY_BOUNDS: MessageBounds = Object.freeze({ headBytes: 64, heapBytes: 1_024, arrayBytes: 0 });
/**
 * Longest time that the channel of a process that has ended is listened to, ms, for what was sent before. A process
 * that it started could hold the channel open.
 */
const LAST_WORDS_MS = 1_000;

/**
 * One process that reads files, at one request at a time. It ends with its host. While it has nothing to do it does not
 * keep the host alive. It may have been taken over by a file: one that says what makes no sense is ended.
 */
export class ReadingProcess {
  /** Resolves when requests may come; rejects with how the process ended before that. */
  readonly ready: Promise<void>;
  /** Called with each message after that, and with what was no message. */
  onMessage: ((message: unknown) => void) | undefined;
  onNonsense: ((why: string) => void) | undefined;
  /** Called once, when the process has ended and all its messages have been told, with how it did. */
  onEnd: ((how: string) => void) | undefined;
  readonly #child: ChildProcess;
  readonly #channel: Channel | undefined;
  readonly #usage: () => ProcessUsage | undefined;
  readonly #gone: Promise<string>;
  /** Resolves when what it started has ended too, as far as this host may end it. */
  readonly #cleared: Promise<void>;
  #ended: string | undefined;
  /** Who ends it waits for its exit, even if a last answer comes after the order to end. */
  #isEnding = false;

  /** @throws the error of the system when no process can be made; some of them come by `ready`. */
  constructor({ entry, confined, memoryMiB, data }: ReadingProcessOptions) {
    const { words, user } = confined.next();
    const [file, ...args] = [
      ...words,
      process.execPath,
      `--max-old-space-size=${memoryMiB}`,
      '--expose-gc',
      fileURLToPath(entry),
    ];
    try {
      this.#child = spawn(file, args, {
        env: readingEnvironment(),
        stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...(TELLS_USAGE ? [] : (['pipe'] as const))],
        windowsHide: true,
        // In a process group of its own: Ctrl-C at the host's terminal is the host's to answer.
        detached: process.platform !== 'win32',
      });
    } catch (cause) {
      if (user !== undefined) releaseUser(user);
      throw cause;
    }
    const { pid } = this.#child;
    if (pid !== undefined) yieldToHost(pid);
    this.#gone = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(code === null ? `by ${signal}` : `with exit code ${code}`));
      this.#child.on('error', (cause) => {
        // Otherwise a signal could not be sent, and the exit of the process tells why.
        if (pid === undefined) resolve(`before it began: ${cause.message}`);
      });
    });
    // Where no process could be made (EMFILE), it has no streams.
    const pipe = (fd: number): Socket | undefined => (this.#child.stdio?.[fd] as Socket | undefined) ?? undefined;
    const socket = pipe(CHANNEL_FD);
    this.#channel = socket && new Channel(socket, READY_BOUNDS);
    const reports = pipe(REPORTS_FD);
    reports?.unref();
    this.#usage = reports === undefined ? () => (pid === undefined ? undefined : usageOf(pid)) : reportedUsage(reports);
    void this.#gone.then((how) => this.#close(how));
    this.#cleared = this.#gone.then(() => (user === undefined ? undefined : endAllOf(user)));
    this.ready = this.#start(data);
    this.ready.catch(() => undefined); // Who waits for it is told.
  }

  /** How the process ended; undefined: it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Whether a request has not reached it as a whole. */
  get isAsking(): boolean {
    return this.#channel!.unsent > 0;
  }

  /**
   * Sends a request, to which messages within `allowed` may come until `rest`. If the process has ended meanwhile,
   * `onEnd` tells. Bytes in the request must not change until it is answered.
   */
  request(request: WorkerRequest, allowed: MessageBounds): void {
    this.#channel!.allowed = allowed;
    void this.#channel!.send({ kind: 'request', request } satisfies ToWorker);
  }

  /** No message may come until the next request. */
  rest(): void {
    this.#channel!.allowed = undefined;
  }

  /** What it has taken up to now; undefined: not known yet. */
  usage(): ProcessUsage | undefined {
    return this.#usage();
  }

  /** Whether it has a processor or waits for one; undefined: not known. */
  wantsProcessor(): boolean | undefined {
    const { pid } = this.#child;
    return pid === undefined ? undefined : wantsProcessor(pid);
  }

  ref(): void {
    this.#child.ref();
    this.#channel?.ref();
  }

  unref(): void {
    if (this.#isEnding) return;
    this.#child.unref();
    this.#channel?.unref();
  }

  /** Ends the process at once; resolves when it is gone, and its memory with it. */
  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#isEnding = true;
    this.ref();
    this.#kill();
    await this.#cleared;
  }

  async #start(data: StartData): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (how: string): void => reject(new Error(how));
        this.onEnd = (how) => fail(`it ended ${how}`);
        this.onNonsense = (why) => fail(`what it says makes no sense: ${why}`);
        this.onMessage = (message) => {
          this.rest();
          if ((message as { readonly kind?: unknown } | null)?.kind === 'ready') resolve();
          else fail('it did not say that it is ready');
        };
        const beganAtMs = performance.now();
        const sleep = new SleepClock(beganAtMs, undefined);
        timer = setInterval(() => {
          const atMs = performance.now();
          const processorMs = this.usage()?.processorMs;
          const slept = sleep.look({ atMs, processorMs, wantsProcessor: () => this.wantsProcessor() });
          if (slept > START_SLEEP_MS) fail(`it slept longer than ${START_SLEEP_MS} ms before it was ready`);
          else if (atMs - beganAtMs > START_WALL_MS) fail(`it took longer than ${START_WALL_MS} ms to be ready`);
        }, SAMPLE_MS);
        const channel = this.#channel;
        if (channel === undefined) return;
        channel.onMessage = (message) => this.onMessage?.(message);
        channel.onBroken = (why) => {
          // One that has nothing to do is not asked again.
          this.#kill();
          this.onNonsense?.(why);
        };
        void channel.ended.then(() => this.#endWithChannel());
        void channel.send({ kind: 'start', data, reportsTo: TELLS_USAGE ? undefined : REPORTS_FD } satisfies ToWorker);
      });
    } finally {
      clearInterval(timer);
      this.onMessage = this.onNonsense = this.onEnd = undefined;
    }
  }

  /** One that cannot be heard any more is of no use. Most that close their channel are about to end by themselves. */
  async #endWithChannel(): Promise<void> {
    await within(LAST_WORDS_MS, this.#gone);
    this.#kill();
  }

  async #close(how: string): Promise<void> {
    this.#ended = how;
    this.#killGroup();
    if (this.onEnd !== undefined && this.#channel !== undefined) await within(LAST_WORDS_MS, this.#channel.ended);
    this.#channel?.close();
    this.onEnd?.(how);
  }

  #kill(): void {
    if (this.#ended !== undefined) return;
    this.#killGroup();
    this.#child.kill('SIGKILL');
  }

  /** Ends those that it may have started as well. */
  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined || process.platform === 'win32') return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // There are none any more.
    }
  }
}

/** Resolves with `wanted`, or after a time. */
async function within(ms: number, wanted: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    wanted,
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}
