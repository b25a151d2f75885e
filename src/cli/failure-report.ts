import { setTimeout as pause } from 'node:timers/promises';

/** A file that could not be indexed, or a watched folder that cannot be read. */
export interface ReportedFailure {
  readonly time: Date;
  readonly company: string;
  /** In the library; of a watched folder its path on the disk. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Of a file. */
  readonly uid?: string;
}

/** How a {@link FailureReport} sends. */
export interface ReportOptions {
  /** Failures of this time are sent together, ms: one file after another may fail. */
  readonly gatherMs: number;
  /** Pauses before a report that nobody took is sent again, ms; then it is given up. */
  readonly againMs: readonly number[];
  /** Time for the receiver to answer, ms. */
  readonly timeoutMs: number;
}

export const REPORT_DEFAULTS: ReportOptions = Object.freeze({
  gatherMs: 60_000,
  againMs: Object.freeze([10_000, 60_000, 600_000]),
  timeoutMs: 15_000,
});

/** Failures told in one report; of the others their number is told. */
const MOST_TOLD = 100;
/** Lines of its text, which people read in a chat. */
const MOST_LINES = 10;

/**
 * Posts what fails, as JSON: `text` for people (which chats show), `failures`, and `more`, the number of those beyond
 * 100. Reports wait for each other, and are lost when the process ends before they are taken: the log has all.
 */
export class FailureReport {
  readonly #url: string;
  readonly #note: (text: string) => void;
  readonly #options: ReportOptions;
  readonly #stop = new AbortController();
  #gathered: ReportedFailure[] = [];
  #more = 0;
  #sending: Promise<void> | undefined;

  /** @param note told when a report is given up. */
  constructor(url: string, note: (text: string) => void, options: Partial<ReportOptions> = {}) {
    this.#url = url;
    this.#note = note;
    this.#options = { ...REPORT_DEFAULTS, ...options };
  }

  add(failure: ReportedFailure): void {
    if (this.#stop.signal.aborted) return;
    if (this.#gathered.length < MOST_TOLD) this.#gathered.push(failure);
    else this.#more++;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Sends what is gathered at once, and does not try again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#gathered.length > 0) {
      await this.#wait(this.#options.gatherMs);
      const [failures, more] = [this.#gathered, this.#more];
      [this.#gathered, this.#more] = [[], 0];
      const body = JSON.stringify({ text: textOf(failures, more), failures, more });
      for (const againMs of [...this.#options.againMs, undefined]) {
        const problem = await this.#post(body);
        if (problem === undefined) break;
        if (againMs === undefined || this.#stop.signal.aborted) {
          this.#note(`warning: a report of ${failures.length + more} failures was not taken: ${problem}`);
          break;
        }
        await this.#wait(againMs);
      }
    }
  }

  /** Why the receiver did not take it; undefined: it did. */
  async #post(body: string): Promise<string | undefined> {
    try {
      const { ok, status } = await fetch(this.#url, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      });
      return ok ? undefined : `it answered ${status}`;
    } catch (cause) {
      const { message, cause: inner } = cause as Error;
      return inner instanceof Error ? `${message}: ${inner.message}` : message;
    }
  }

  /** Until the time is over or the report is closed. */
  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal }).catch((cause: unknown) => {
      if (!this.#stop.signal.aborted) throw cause;
    });
  }
}

function textOf(failures: readonly ReportedFailure[], more: number): string {
  const count = failures.length + more;
  const told = failures
    .slice(0, MOST_LINES)
    .map(({ company, path, code, message }) => `${company}: ${path}: ${code}: ${message}`);
  const rest = count - told.length;
  return [
    `shapedex: ${count === 1 ? '1 file or folder' : `${count} files or folders`} could not be read`,
    ...told,
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n');
}
