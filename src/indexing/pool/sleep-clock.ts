import type { ProcessUsage } from './process-usage.js';

/** What is known of a process when it is looked at. */
export interface Seen {
  /** The clock, ms. */
  readonly atMs: number;
  /** Processor time that it has taken; undefined: not known yet. */
  readonly processorMs: ProcessUsage['processorMs'] | undefined;
  /** Whether one of its threads waits for a processor or has one; undefined: the system does not tell. */
  readonly wantsProcessor: () => boolean | undefined;
}

/**
 * A process that takes less than a tenth of a processor, and is not waiting for one, sleeps: each ms that it takes is
 * set against ten that it slept. So one that wakes up now and then only is ended all the same.
 */
const SLEPT_PER_TAKEN = 10;
/**
 * The same where the system does not tell who waits for a processor: on a busy machine a good one may get so little.
 */
const SLEPT_PER_TAKEN_UNTOLD = 100;
/**
 * How long an answer to whether a process wants a processor holds, ms: a file of the system for each thread tells it,
 * three quarters of what looking at a process costs its host, and sleep is bounded in minutes.
 */
const ANSWER_HOLDS_MS = 500;
/** Most that is counted between two looks, ms: if the host was held up, so was the process, as far as is known. */
const LONGEST_LOOK_MS = 1_000;

/**
 * How long a process has slept. Time in which it wanted a processor and got none, because other work has the machine,
 * does not count, however little it got.
 */
export class SleepClock {
  #lookedAtMs: number;
  #processorMs: number | undefined;
  #sleptMs = 0;
  #wants: { readonly value: boolean | undefined; readonly atMs: number } | undefined;

  /** atMs: the clock when it begins to be looked at, ms. */
  constructor(atMs: number, processorMs: number | undefined) {
    this.#lookedAtMs = atMs;
    this.#processorMs = processorMs;
  }

  /** Notes a look; returns how long it has slept until then, ms. */
  look({ atMs, processorMs, wantsProcessor }: Seen): number {
    const elapsed = Math.min(atMs - this.#lookedAtMs, LONGEST_LOOK_MS);
    const taken = processorMs === undefined ? 0 : processorMs - (this.#processorMs ?? processorMs);
    this.#lookedAtMs = atMs;
    this.#processorMs = processorMs ?? this.#processorMs;
    // Whatever it wants, it has not slept.
    if (taken * SLEPT_PER_TAKEN >= this.#sleptMs + elapsed) return (this.#sleptMs = 0);
    if (this.#wants === undefined || atMs - this.#wants.atMs >= ANSWER_HOLDS_MS)
      this.#wants = { value: wantsProcessor(), atMs };
    const wants = this.#wants.value;
    const woken = taken * (wants === undefined ? SLEPT_PER_TAKEN_UNTOLD : SLEPT_PER_TAKEN);
    this.#sleptMs = Math.max(0, this.#sleptMs + (wants === true ? 0 : elapsed) - woken);
    return this.#sleptMs;
  }
}
