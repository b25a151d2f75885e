import type { Outline } from '../../descriptors/fine.js';
import { outlinesAgree, outlineReach } from '../shapes/same-part/gate.js';

interface Row {
  readonly key: number;
  readonly outline: Outline;
  /** First of the outline's invariants. */
  readonly value: number;
}

/** Rows of meshes of similar fineness, rising by value. */
interface Band {
  /** Largest `arcs` of its rows. */
  arcs: number;
  readonly rows: Row[];
}

/**
 * Parts by the outlines of their surfaces, to find candidates for the same part without testing every pair. Coarse
 * meshes agree with more parts, so rows are grouped by fineness, and in each band only a range of values is tested. The
 * result is exactly the rows that pass {@link outlinesAgree}.
 */
export class OutlineTable {
  readonly #bands = new Map<number, Band>();

  add(key: number, outline: Outline): void {
    // Bands by powers of two.
    const number = Math.max(-20, Math.ceil(Math.log2(outline.arcs)));
    let band = this.#bands.get(number);
    if (band === undefined) this.#bands.set(number, (band = { arcs: 0, rows: [] }));
    band.arcs = Math.max(band.arcs, outline.arcs);
    const value = outline.invariants[0];
    band.rows.splice(firstFrom(band.rows, value), 0, { key, outline, value });
  }

  /** Keys of the rows whose outlines agree, rising. */
  like(outline: Outline): number[] {
    const found: number[] = [];
    const value = outline.invariants[0];
    for (const { arcs, rows } of this.#bands.values()) {
      const reach = outlineReach(Math.max(arcs, outline.arcs));
      for (let i = firstFrom(rows, value - reach); i < rows.length && rows[i].value <= value + reach; i++) {
        if (outlinesAgree(rows[i].outline, outline)) found.push(rows[i].key);
      }
    }
    return found.sort((a, b) => a - b);
  }
}

/** Index of the first row whose value is not below `value`. */
function firstFrom(rows: readonly Row[], value: number): number {
  let low = 0,
    high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].value < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
