/** Span over which the rate is measured, ms. */
const WINDOW_MS = 8_000;

/** The rate at which bytes are sent, over the last seconds. */
export class Throughput {
  readonly #notes: { readonly at: number; readonly bytes: number }[] = [];
  readonly #startedAt = performance.now();

  /** Records the bytes sent since the last call. */
  note(bytes: number): void {
    this.#notes.push({ at: performance.now(), bytes });
    while (this.#notes.length > 0 && this.#notes[0].at < performance.now() - WINDOW_MS) this.#notes.shift();
  }

  get bytesPerSecond(): number {
    const spanMs = Math.min(WINDOW_MS, performance.now() - this.#startedAt);
    return spanMs < 200 ? 0 : (1_000 * this.#notes.reduce((sum, { bytes }) => sum + bytes, 0)) / spanMs;
  }
}
