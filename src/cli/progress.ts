import { bytes, count, duration, oneLine, pathEnd } from './format.js';
import { paintFor, type Paint } from './output.js';
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
  readonly ratePerS?: number;
  /** Instead of `ratePerS` where the work goes by bytes. */
  readonly bytesPerS?: number;
  readonly remainingS?: number | null;
  /** What was worked on last. */
  readonly path?: string;
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

  constructor(private readonly title: string) {
    // The first plain line comes after a pause: short work prints none.
    if (!this.stream.isTTY) this.lastMs = performance.now();
  }

  /** Shows `state`, at most a few times a second. */
  show(state: ProgressState): void {
    this.state = state;
    const now = performance.now();
    if (now - this.lastMs < (this.stream.isTTY ? REPAINT_MS : PLAIN_LINE_MS)) return;
    this.lastMs = now;
    this.write(state);
  }

  /** Prints a line of text above the bar. */
  interject(text: string): void {
    this.stream.write(this.stream.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
    if (this.stream.isTTY && this.state) this.write(this.state);
  }

  /** Shows the last state and ends the line. */
  end(): void {
    if (this.state) this.write({ ...this.state, path: undefined, remainingS: undefined });
    if (this.state && this.stream.isTTY) this.stream.write('\n');
    this.state = undefined;
  }

  private write(state: ProgressState): void {
    if (!this.stream.isTTY) {
      this.stream.write(`${this.title}: ${facts(state).join(', ')}\n`);
      return;
    }
    const share = state.total > 0 ? Math.min(1, state.done / state.total) : 0;
    const full = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
    const text = `${this.title} ${bar} ${facts(state).join('  ')}  `;
    const room = (this.stream.columns || 80) - 1 - text.length;
    const path = state.path && room > 10 ? this.paint.dim(pathEnd(oneLine(state.path), room)) : '';
    this.stream.write(`\r${room < 0 ? text.slice(0, room) : text}${path}\x1b[K`);
  }
}

function facts({ done, total, failed = 0, unchanged = 0, ratePerS, bytesPerS, remainingS }: ProgressState): string[] {
  const parts = [`${count(done)}/${count(total)}`];
  if (unchanged > 0) parts.push(`${count(unchanged)} unchanged`);
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (ratePerS !== undefined && ratePerS > 0) parts.push(`${ratePerS.toFixed(1)}/s`);
  if (bytesPerS !== undefined && bytesPerS > 0) parts.push(`${bytes(bytesPerS)}/s`);
  if (typeof remainingS === 'number' && Number.isFinite(remainingS)) parts.push(`${duration(remainingS)} left`);
  return parts;
}

const LOOK_EVERY_MS = 250;

/** Waits until the library's queue is empty, with a bar titled `title`; false when the signal ended the wait. */
export async function waitForQueue(engine: Engine, title: string, signal: AbortSignal): Promise<boolean> {
  const line = new ProgressLine(title);
  const started = performance.now();
  let total = 0;
  try {
    for (;;) {
      const { queueLength } = await engine.stats();
      total = Math.max(total, queueLength);
      const done = total - queueLength;
      const ratePerS = done / ((performance.now() - started) / 1000);
      if (total > 0) line.show({ done, total, ratePerS, remainingS: queueLength / ratePerS });
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
