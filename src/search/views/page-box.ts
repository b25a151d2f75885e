import { viewFacts } from '../../descriptors/views.js';
import type { Vector3 } from '../../core/mass.js';
import { weightsOf } from './match-views.js';

/** Weight of the deviation, in units of the logarithm of a score. */
const BOX_WEIGHT = 0.7;
/** Most that a side of one view deviates, as a logarithm: views along no axis, sections and details fit no box. */
const MOST_DEVIATION = 2;
/** Largest views whose sides are tried as those of the box. */
const BOX_VIEWS = 4;
/** Largest views that are compared. */
const MOST_VIEWS = 16;
/** Costs are rounded to this. */
const STEP = 1e-6;

interface ViewSides {
  /** Logarithms of width and height on the page. */
  readonly width: number;
  readonly height: number;
  /** Share of the page's views. */
  readonly weight: number;
}

/**
 * The box that the views of one page show from its sides: two of its three extents each, all in one scale. A long shaft
 * and a thin ring look alike one view at a time (a narrow rectangle, a circle), but not as views of one box.
 */
export class PageBox {
  readonly #views: readonly ViewSides[];
  /** Deviation of the box that explains the page best. */
  readonly #least: number;

  /** @param views of a drawing; of them, those on the page of the largest one count. */
  constructor(views: Uint8Array) {
    this.#views = sidesOf(views);
    this.#least = leastDeviation(this.#views);
  }

  /**
   * Cost of a model with these extents: how much worse its box explains the views than the best box does; 0 for a page
   * with fewer than two views.
   */
  costOf(extentsMm: Vector3): number {
    if (this.#views.length < 2) return 0;
    const box = extentsMm.map((extent) => Math.log(Math.max(extent, Number.MIN_VALUE)));
    let least = Infinity;
    for (const { width } of this.#views.slice(0, BOX_VIEWS))
      for (const side of box)
        least = deviationOf(this.#views, [box[0] + width - side, box[1] + width - side, box[2] + width - side], least);
    // Rounded, so that one part in two sizes costs the same.
    return BOX_WEIGHT * STEP * Math.round(Math.max(0, least - this.#least) / STEP);
  }
}

function sidesOf(views: Uint8Array): readonly ViewSides[] {
  // Small views tell as much of a box as large ones, but are more often details.
  const all = weightsOf(views).map((weight, i) => ({ ...viewFacts(views, i), weight: Math.sqrt(weight) }));
  all.sort((a, b) => b.weight - a.weight);
  const own = all.filter(({ page }) => page === all[0].page).slice(0, MOST_VIEWS);
  const sum = own.reduce((total, { weight }) => total + weight, 0);
  const log = (side: number): number => Math.log(Math.max(side, Number.MIN_VALUE));
  return own.map(({ width, height, weight }) => ({ width: log(width), height: log(height), weight: weight / sum }));
}

function leastDeviation(views: readonly ViewSides[]): number {
  const sides = views.slice(0, BOX_VIEWS).flatMap(({ width, height }) => [width, height]);
  let least = Infinity;
  for (const [i, a] of sides.entries())
    for (const [j, b] of sides.slice(0, i + 1).entries())
      for (const c of sides.slice(0, j + 1)) least = deviationOf(views, [a, b, c], least);
  return least;
}

/**
 * The deviation of a box, or `most` where it is no less.
 * @param box logarithms of its extents, in units of the page.
 */
function deviationOf(views: readonly ViewSides[], [a, b, c]: Vector3, most: number): number {
  let sum = 0;
  for (let i = 0; i < views.length && sum < most; i++) {
    const { width, height, weight } = views[i];
    // How far each side of the view is from each extent.
    const [wa, wb, wc] = [Math.abs(width - a), Math.abs(width - b), Math.abs(width - c)];
    const [ha, hb, hc] = [Math.abs(height - a), Math.abs(height - b), Math.abs(height - c)];
    sum +=
      weight *
      Math.min(
        MOST_DEVIATION,
        Math.max(wa, Math.min(hb, hc)),
        Math.max(wb, Math.min(ha, hc)),
        Math.max(wc, Math.min(ha, hb)),
      );
  }
  return Math.min(sum, most);
}
