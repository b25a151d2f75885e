import { addTo } from '../../content/groups.js';
import type { InkLine } from './ink-lines.js';

/** Side of a cell in which lines are looked up, pixels, and more cells than a row of any page has. */
const CELL = 64;
const ROW = 100_003;

/**
 * How many ends of level and upright lines lie on lines of the other direction. Looked up by place: a page may have ten
 * thousands of lines.
 */
export class BorderEnds {
  readonly #cells = new Map<number, InkLine[]>();
  readonly #reach: number;

  /**
   * @param lines level and upright ones.
   * @param reach how far from a line an end may be, pixels.
   */
  constructor(lines: readonly InkLine[], reach: number) {
    this.#reach = reach;
    for (const line of lines) {
      const about = this.#about(line);
      for (let x = Math.floor((line.x0 - about) / CELL); x <= Math.floor((line.x1 + about) / CELL); x++)
        for (let y = Math.floor((line.y0 - about) / CELL); y <= Math.floor((line.y1 + about) / CELL); y++)
          addTo(this.#cells, x * ROW + y, line);
    }
  }

  /** 0 to 2. */
  of(line: InkLine): number {
    const isLevel = line.y0 === line.y1;
    return (this.#isOn(line.x0, line.y0, isLevel) ? 1 : 0) + (this.#isOn(line.x1, line.y1, isLevel) ? 1 : 0);
  }

  #isOn(x: number, y: number, isLevel: boolean): boolean {
    return (this.#cells.get(Math.floor(x / CELL) * ROW + Math.floor(y / CELL)) ?? []).some((other) => {
      if ((other.y0 === other.y1) === isLevel) return false;
      const about = this.#about(other);
      return x > other.x0 - about && x < other.x1 + about && y > other.y0 - about && y < other.y1 + about;
    });
  }

  #about({ thickness }: InkLine): number {
    return thickness / 2 + this.#reach;
  }
}
