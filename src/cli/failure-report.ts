import { setTimeout as pause } from 'node:timers/promises';
import { oneLine } from './format.js';

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
  /** Least time between two reports, ms. */
  readonly apartMs: number;
  /** Pauses before a report that nobody took is sent again, ms; then it is given up. */
  readonly againMs: readonly number[];
  /** Time for the receiver to answer, ms. */
  readonly timeoutMs: number;
}

export const REPORT_DEFAULTS: ReportOptions = Object.freeze({
  gatherMs: 60_000,
  apartMs: 0,
  againMs: Object.freeze([10_000, 60_000, 600_000]),
  timeoutMs: 15_000,
});

/** Least time between two mails, ms: people read them. */
export const MAILS_APART_MS = 600_000;

/** What is told at once. */
export interface Report {
  readonly failures: readonly ReportedFailure[];
  /** Number of failures beyond those. */
  readonly more: number;
}

/** Sends a report. Resolves with why nobody took it; undefined: somebody did. timeoutMs: for the receiver to answer. */
export type SendReport = (report: Report, timeoutMs: number) => Promise<string | undefined>;

/** Failures told in one report; of the others their number is told. */
const MOST_TOLD = 100;
/** Lines of the text of a post, which people read in a chat. */
const MOST_LINES = 10;
/** Characters of a line. */
const MOST_CHARACTERS = 500;

/**
 * Tells of what fails, failures of a while together. Reports wait for each other, and are lost when the process ends
 * before they are taken: the log has all.
 */
export class FailureReport {
  readonly #send: SendReport;
  readonly #note: (text: string) => void;
  readonly #options: ReportOptions;
  readonly #stop = new AbortController();
  #gathered: ReportedFailure[] = [];
  #more = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #sending: Promise<void> | undefined;

  /** @param note told when a report is given up. */
  constructor(send: SendReport, note: (text: string) => void, options: Partial<ReportOptions> = {}) {
    this.#send = send;
    this.#note = note;
    this.#options = { ...REPORT_DEFAULTS, ...options };
  }

  add(failure: ReportedFailure): void {
    if (this.#stop.signal.aborted) return;
    if (this.#gathered.length < MOST_TOLD) this.#gathered.push(failure);
    else this.#more++;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Sends what is gathered at once, and does not try again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      const { gatherMs, apartMs, againMs, timeoutMs } = this.#options;
      await this.#wait(Math.max(gatherMs, this.#lastAt + apartMs - Date.now()));
      const report = { failures: this.#gathered, more: this.#more };
      [this.#gathered, this.#more] = [[], 0];
      for (const wait of [...againMs, undefined]) {
        this.#lastAt = Date.now();
        const problem = await this.#send(report, timeoutMs);
        if (problem === undefined) break;
        if (wait === undefined || this.#stop.signal.aborted) {
          this.#note(`warning: a report of ${countOf(report)} failures was not taken: ${problem}`);
          break;
        }
        await this.#wait(wait);
      }
    }
  }

  /** Until the time is over or the report is closed. */
  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal }).catch((cause: unknown) => {
      if (!this.#stop.signal.aborted) throw cause;
    });
  }
}

/** Posts reports as JSON: `text` for people (which chats show), `failures`, and `more`. */
export function postReport(url: string): SendReport {
  return async (report, timeoutMs) => {
    try {
      const { ok, status } = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ text: plainInChats(reportText(report, MOST_LINES)), ...report }),
        headers: { 'Content-Type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return ok ? undefined : `it answered ${status}`;
    } catch (cause) {
      const { message, cause: inner } = cause as Error;
      return inner instanceof Error ? `${message}: ${inner.message}` : message;
    }
  };
}

/** A report for people: how many, then a line for each of the first. */
export function reportText(report: Report, lines: number): string {
  const count = countOf(report);
  const told = report.failures.slice(0, lines).map(({ company, path, code, message }) => {
    const line = oneLine(`${company}: ${path}: ${code}: ${message}`.replace(/\s+/g, ' '));
    return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).replace(/\p{Cs}/gu, '')}…` : line;
  });
  const rest = count - told.length;
  return [
    `shapedex: ${count === 1 ? '1 file or folder' : `${count} files or folders`} could not be read`,
    ...told,
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n');
}

/**
 * With a word joiner, which nobody sees, in whatever chats take for more than text: names of files mention nobody
 * (`@channel`, `<!here>`) and are no links.
 */
function plainInChats(text: string): string {
  return text.replace(/[<@]|\](?=\()|:(?=\/\/)/g, '$&\u2060');
}

function countOf({ failures, more }: Report): number {
  return failures.length + more;
}
