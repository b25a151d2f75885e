import type { Sheet } from '../../content/sheet.js';

/**
 * The ends of the open strokes of a sheet, found by their place. Outlines go on at their ends; symbols and lines of
 * dimensions stand alone.
 */
export class StrokeEnds {
  readonly #sheet: Sheet;
  /** Ends no farther apart meet, sheet units. */
  readonly near: number;
  readonly #first: Int32Array;
  /** The next end in the same slot; ends 2 i and 2 i + 1 are the start and the end of stroke i. */
  readonly #next: Int32Array;

  /**
   * @param isOpen u8[count]: 1 for the strokes whose ends are kept.
   * @param near sheet units: ends no farther apart meet.
   */
  constructor(sheet: Sheet, isOpen: Uint8Array, near: number) {
    const { count } = sheet.strokes;
    this.#sheet = sheet;
    this.near = near;
    let slots = 1_024;
    while (slots < 2 * count) slots *= 2;
    this.#first = new Int32Array(slots).fill(-1);
    this.#next = new Int32Array(2 * count).fill(-1);
    for (let end = 0; end < 2 * count; end++) {
      if (isOpen[end >> 1] === 0) continue;
      const { x, y } = this.place(end);
      const slot = this.#slotOf(Math.floor(x / near), Math.floor(y / near));
      this.#next[end] = this.#first[slot];
      this.#first[slot] = end;
    }
  }

  /** Place of an end, and the unit vector from it along its stroke; zero where the stroke does not move. */
  place(end: number): { readonly x: number; readonly y: number; readonly ux: number; readonly uy: number } {
    const { points, starts } = this.#sheet.strokes;
    const stroke = end >> 1;
    const first = starts[stroke],
      last = starts[stroke + 1] - 1;
    // A stroke of one point has no neighbour of its own.
    const [at, to] = (end & 1) === 0 ? [first, Math.min(first + 1, last)] : [last, Math.max(last - 1, first)];
    const x = points[2 * at],
      y = points[2 * at + 1],
      dx = points[2 * to] - x,
      dy = points[2 * to + 1] - y,
      length = Math.hypot(dx, dy);
    return length > 0 ? { x, y, ux: dx / length, uy: dy / length } : { x, y, ux: 0, uy: 0 };
  }

  /** Whether an end that meets `x`, `y` passes a test, which gets the number of its stroke and its direction. */
  some(x: number, y: number, test: (stroke: number, ux: number, uy: number) => boolean): boolean {
    const column = Math.floor(x / this.near),
      row = Math.floor(y / this.near);
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        for (let end = this.#first[this.#slotOf(c, r)]; end >= 0; end = this.#next[end]) {
          const other = this.place(end);
          if (Math.hypot(other.x - x, other.y - y) <= this.near && test(end >> 1, other.ux, other.uy)) return true;
        }
      }
    }
    return false;
  }

  #slotOf(column: number, row: number): number {
    return (Math.imul(column, 73_856_093) ^ Math.imul(row, 19_349_663)) & (this.#first.length - 1);
  }
}
