import { KEY_NUMBERS } from '../../descriptors/line-key.js';

const DIRECTIONS = KEY_NUMBERS / 2;
const FIRST_CAPACITY = 256;
const AHEAD = 1.25;

/**
 * The keys of the lines of drawings (`descriptors/line-key.ts`), 68 bytes each and a map's entry: which stored drawings
 * may have the lines of another one, however many others are like both. All are looked at.
 */
export class LineKeys {
  /** f32[capacity × 16]. */
  #numbers = new Float32Array(0);
  /** u32[capacity]. */
  #files = new Uint32Array(0);
  readonly #rows = new Map<number, number>();

  /** Adds or replaces the key of a file. */
  add(fileId: number, key: Float32Array): void {
    let row = this.#rows.get(fileId);
    if (row === undefined) {
      row = this.#rows.size;
      if (row === this.#files.length) this.#grow();
      this.#rows.set(fileId, row);
    }
    this.#files[row] = fileId;
    this.#numbers.set(key, row * KEY_NUMBERS);
  }

  /** The last one takes its place. */
  remove(fileId: number): void {
    const row = this.#rows.get(fileId);
    if (row === undefined) return;
    this.#rows.delete(fileId);
    const last = this.#rows.size;
    if (row === last) return;
    this.#files[row] = this.#files[last];
    this.#numbers.copyWithin(row * KEY_NUMBERS, last * KEY_NUMBERS, (last + 1) * KEY_NUMBERS);
    this.#rows.set(this.#files[row], row);
  }

  /**
   * Files whose lengths differ by at most a share of all in any direction, turned by quarters at most, rising. One
   * program writes a circle as such and another one as a polygon, so each counts with chords or with arcs.
   */
  like(key: Float32Array, apart: number): number[] {
    const halves = [0, DIRECTIONS].map((at) => key.subarray(at, at + DIRECTIONS));
    // Half a turn leaves directions as they are.
    const asked = halves.flatMap((half) =>
      [0, DIRECTIONS / 2].map((turned) => ({
        lengths: half.map((_, i) => half[(i + turned) % DIRECTIONS]),
        most: apart * half.reduce((sum, length) => sum + length, 0),
      })),
    );
    const found: number[] = [];
    for (let row = 0; row < this.#rows.size; row++) {
      const at = row * KEY_NUMBERS;
      if (asked.some((one) => this.#isLike(one, at) || this.#isLike(one, at + DIRECTIONS)))
        found.push(this.#files[row]);
    }
    return found.sort((a, b) => a - b);
  }

  #isLike({ lengths, most }: { readonly lengths: Float32Array; readonly most: number }, at: number): boolean {
    for (let i = 0; i < DIRECTIONS; i++) if (!(Math.abs(lengths[i] - this.#numbers[at + i]) <= most)) return false;
    return true;
  }

  #grow(): void {
    const capacity = Math.max(FIRST_CAPACITY, Math.ceil(AHEAD * this.#files.length));
    const files = new Uint32Array(capacity),
      numbers = new Float32Array(capacity * KEY_NUMBERS);
    files.set(this.#files);
    numbers.set(this.#numbers);
    this.#files = files;
    this.#numbers = numbers;
  }
}
