import { bytes, count, duration, oneLine, pathEnd } from './format.js';
import { paintFor, type Paint } from './output.js';
import { RemainingTime } from './remaining.js';
import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../index.js';

/** Progress of a long operation. */
export interface ProgressState {
  /** Files done, failed and unchanged ones included. */
  readonly done: number;
  readonly total: number;
  readonly failed?: number;
  /** Files that needed no work. */
  readonly unchanged?: number;
  /** Bytes of the files that are done, and of all. */
  readonly bytes?: number;
  readonly bytesTotal?: number;
  /** Where the work goes by bytes: how fast, and how long it still takes; without them the rate is that of files. */
  readonly bytesPerS?: number;
  readonly remainingS?: number | null;
  /** What was worked on last. */
  readonly path?: string;
}

/** How long work must have run before its rate is told, and over how much of the past it is measured, ms. */
const SETTLED_MS = 2_000;
const WINDOW_MS = 10_000;

/** The rate of a long operation over its last ten seconds; none before it has done something for two seconds. */
export class SettledRate {
  readonly #seen: { readonly ms: number; readonly done: number }[] = [];
  #first: { readonly ms: number; readonly done: number } | undefined;

  /** So much is done at this time. Nothing is measured before the first of it: processes start up until then. */
  add(done: number, ms: number): void {
    if (done === 0) return;
    this.#first ??= { ms, done };
    this.#seen.push({ ms, done });
    // One is kept that is older than the window, so that work which is slower than that has a rate, too.
    while (this.#seen.length > 2 && this.#seen[1].ms <= ms - WINDOW_MS) this.#seen.shift();
  }

  /** Per second, at this time; undefined as long as it would jump. */
  perS(ms: number): number | undefined {
    const last = this.#seen.at(-1);
    if (last === undefined || this.#first === undefined || ms - this.#first.ms < SETTLED_MS) return undefined;
    const [from] = this.#seen;
    return last.done > from.done ? (1000 * (last.done - from.done)) / (ms - from.ms) : undefined;
  }
}

const BAR_WIDTH = 24;
const REPAINT_MS = 80;
const PLAIN_LINE_MS = 3000;

/**
 * One line on stderr with the progress of a long operation: a bar that is repainted on a terminal, a plain line
 * every few seconds elsewhere. A single line needs no progress-bar library.
 */
export class ProgressLine {
  private readonly stream = process.stderr;
  private readonly paint: Paint = paintFor(process.stderr);
  private lastMs = -Infinity;
  private state: ProgressState | undefined;
  private readonly rate = new SettledRate();
  private readonly remaining = new RemainingTime();
  private unchangedBytes = 0;
  private readonly startedMs = performance.now();

  constructor(private readonly title: string) {
    // The first plain line comes after a pause: short work prints none.
    if (!this.stream.isTTY) this.lastMs = performance.now();
  }

  /** Shows `state`, at most a few times a second. */
  show(state: ProgressState): void {
    this.add(state, performance.now());
    const now = performance.now();
    if (now - this.lastMs < (this.stream.isTTY ? REPAINT_MS : PLAIN_LINE_MS)) return;
    this.lastMs = now;
    this.write(state, this.paceAt(now));
  }

  private add(state: ProgressState, now: number): void {
    const { done, total, unchanged = 0, bytes: size, bytesTotal } = state;
    // Of files that needed no work the bytes took none.
    if (unchanged > (this.state?.unchanged ?? 0)) this.unchangedBytes += (size ?? 0) - (this.state?.bytes ?? 0);
    this.state = state;
    this.rate.add(worked(state), now);
    const ofBytes =
      size === undefined || bytesTotal === undefined
        ? {}
        : { bytes: size - this.unchangedBytes, bytesLeft: bytesTotal - size };
    this.remaining.add({ files: worked(state), filesLeft: total - done, ...ofBytes }, now);
  }

  private paceAt(now: number): Pace {
    return { perS: this.rate.perS(now), leftS: this.remaining.leftS(now) };
  }

  /** Prints a line of text above the bar. */
  interject(text: string): void {
    this.stream.write(this.stream.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
    if (this.stream.isTTY && this.state) this.write(this.state, this.paceAt(performance.now()));
  }

  /** Shows the last state and ends the line. */
  end(): void {
    if (this.state) {
      const overallPerS = (1000 * worked(this.state)) / Math.max(1, performance.now() - this.startedMs);
      this.write({ ...this.state, path: undefined }, { perS: overallPerS, leftS: undefined });
    }
    if (this.state && this.stream.isTTY) this.stream.write('\n');
    this.state = undefined;
  }

  private write(state: ProgressState, pace: Pace): void {
    if (!this.stream.isTTY) {
      this.stream.write(`${this.title}: ${facts(state, pace).join(', ')}\n`);
      return;
    }
    const share = state.total > 0 ? Math.min(1, state.done / state.total) : 0;
    const full = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
    const text = `${this.title} ${bar} ${facts(state, pace).join('  ')}  `;
    const room = (this.stream.columns || 80) - 1 - text.length;
    const path = state.path && room > 10 ? this.paint.dim(pathEnd(oneLine(state.path), room)) : '';
    this.stream.write(`\r${room < 0 ? text.slice(0, room) : text}${path}\x1b[K`);
  }
}

/** Files that took work. */
function worked({ done, unchanged = 0 }: ProgressState): number {
  return done - unchanged;
}

/** How fast it goes, files a second, and how long it still takes. */
interface Pace {
  readonly perS: number | undefined;
  readonly leftS: number | undefined;
}

function facts(state: ProgressState, { perS, leftS }: Pace): string[] {
  const { done, total, failed = 0, unchanged = 0, bytesPerS, remainingS } = state;
  const parts = [`${count(done)}/${count(total)}`];
  if (unchanged > 0) parts.push(`${count(unchanged)} unchanged`);
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (bytesPerS !== undefined) {
    if (bytesPerS > 0) parts.push(`${bytes(bytesPerS)}/s`);
    if (typeof remainingS === 'number' && Number.isFinite(remainingS)) parts.push(`${duration(remainingS)} left`);
  } else if (perS !== undefined && perS > 0) {
    parts.push(perS < 1 ? `${(60 * perS).toFixed(1)}/min` : `${perS.toFixed(1)}/s`);
    if (done < total && leftS !== undefined) parts.push(`${duration(leftS)} left`);
  }
  return parts;
}

/** How often it is said that work still runs of which nobody knows how far it is. */
const STILL_MS = 5_000;

/**
 * Does work of which nobody knows how far it is, and says on stderr every few seconds that it still runs: on a terminal
 * on one line, which is gone at its end.
 */
export async function whileRunning<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  const startedMs = performance.now();
  let isShown = false;
  const tell = (): void => {
    const text = `${what}: ${duration((performance.now() - startedMs) / 1000)} so far`;
    isShown = true;
    stderr.write(stderr.isTTY ? `\r${oneLine(text).slice(0, (stderr.columns || 80) - 1)}\x1b[K` : `${text}\n`);
  };
  const timer = setInterval(tell, STILL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isShown && stderr.isTTY) stderr.write('\r\x1b[K');
  }
}

const LOOK_EVERY_MS = 250;

/** Waits until the library's queue is empty, with a bar titled `title`; false when the signal ended the wait. */
export async function waitForQueue(engine: Engine, title: string, signal: AbortSignal): Promise<boolean> {
  const line = new ProgressLine(title);
  let total = 0;
  try {
    for (;;) {
      const { queueLength } = await engine.stats();
      total = Math.max(total, queueLength);
      if (total > 0) line.show({ done: total - queueLength, total });
      if (queueLength === 0) return true;
      await setTimeout(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    line.end();
  }
}
