/** How far work is at a moment. */
export interface WorkDone {
  /** Files that took work, and those that wait. */
  readonly files: number;
  readonly filesLeft: number;
  /** The same in bytes; absent where sizes are not known. */
  readonly bytes?: number;
  readonly bytesLeft?: number;
}

/** No time is told before the work has run so long, ms, and has done so many files after its first one. */
const LEAST_MS = 5_000;
const LEAST_FILES = 1;
/** Speed is measured over the last half of the work, and over no less than this, ms. */
const LEAST_WINDOW_MS = 20_000;
/** Moments that are remembered; with more, every second one is forgotten. */
const MOST_MOMENTS = 512;
/** Time in which what is told comes halfway to a new estimate, ms. */
const HALFWAY_MS = 6_000;

interface Moment extends WorkDone {
  readonly ms: number;
}

/**
 * Estimates how long work still takes. A file costs something by itself and something for each of its bytes, and
 * folders hold files that are alike: so half of the work is counted in files and half in bytes, over the last half of
 * what is done, and what is told follows it slowly.
 */
export class RemainingTime {
  #moments: Moment[] = [];
  /** The clock at which the work ends, as told last. */
  #told: { readonly endMs: number; readonly atMs: number } | undefined;

  /** So much is done at this time. Nothing is measured before the first file: processes start up until then. */
  add(done: WorkDone, ms: number): void {
    if (done.files === 0) return;
    const last = this.#moments.at(-1);
    if (last !== undefined && last.files === done.files)
      this.#moments[this.#moments.length - 1] = { ...done, ms: last.ms };
    else this.#moments.push({ ...done, ms });
    if (this.#moments.length > MOST_MOMENTS)
      this.#moments = this.#moments.filter((_, at, all) => at % 2 === 0 || at === all.length - 1);
  }

  /** Seconds that are left at this time; undefined as long as nobody can say. */
  leftS(ms: number): number | undefined {
    const estimateMs = this.#estimateMs(ms);
    if (estimateMs === undefined) return undefined;
    const endMs = ms + estimateMs;
    const { endMs: before, atMs } = this.#told ?? { endMs, atMs: ms };
    const step = 1 - 0.5 ** ((ms - atMs) / HALFWAY_MS);
    this.#told = { endMs: before + step * (endMs - before), atMs: ms };
    return Math.max(0, this.#told.endMs - ms) / 1_000;
  }

  #estimateMs(ms: number): number | undefined {
    const [first] = this.#moments;
    const last = this.#moments.at(-1);
    if (first === undefined || last === undefined) return undefined;
    if (ms - first.ms < LEAST_MS || last.files - first.files < LEAST_FILES) return undefined;
    const since = Math.min((first.ms + ms) / 2, ms - LEAST_WINDOW_MS);
    // The last one before the window, so that work which is slower than that is measured, too.
    const from = this.#moments.findLast((one) => one.ms <= since && one.files < last.files) ?? first;
    const tookMs = ms - from.ms;
    const byFiles = (last.filesLeft * tookMs) / (last.files - from.files);
    const { bytes, bytesLeft } = last;
    if (bytes === undefined || bytesLeft === undefined || from.bytes === undefined) return byFiles;
    // A file by itself counts as the bytes of a mean one: after tiny files the rest would else take days.
    const fileBytes = (bytes + bytesLeft) / (last.files + last.filesLeft);
    if (fileBytes === 0) return byFiles;
    const doneSince = bytes - from.bytes + fileBytes * (last.files - from.files);
    return (tookMs * (bytesLeft + fileBytes * last.filesLeft)) / doneSince;
  }
}
