import { inkDistances } from '../../../core/laid-inks.js';
import { MOST_INK_VIEWS } from '../../../descriptors/page-inks.js';
import type { CellBox, LaidInk } from './laid-ink.js';
import type { Similarity } from './similarity.js';

/** One ink laid over another one. */
export interface LaidOver {
  readonly part: LaidInk;
  readonly page: LaidInk;
  /** From the cells of the part to those of the page. */
  readonly laid: Similarity;
}

/** Cells by which a box of a view is widened, and within which ink of the other page lies for ink that lies on it. */
const AROUND = 2;
const NEAR = 2;
/** Of so many cells along and down one tells how much lies near ink by chance. */
const CHANCE_STEP = 3;
/** Where so much lies near ink by chance, as on close hatching, ink that lies on ink tells nothing. */
const TELLS_NOTHING = 0.8;

/**
 * How far the views of two pages have the same ink, 0 to 1: frames, tables and title blocks, which all pages of a form
 * share, count nothing. The geometric mean of both ways, each beyond chance, 0 where one page has no ink in its views;
 * undefined where ink tells nothing, because it covers nearly all of a view, as close hatching does.
 * @param views how many views the part has. @param others how many the page has.
 */
export function inkOfViews({ part, page, laid }: LaidOver, views: number, others: number): number | undefined {
  const there = shareOn(part, page, laid, views),
    back = shareOn(page, part, laid.inverse, others);
  return there === undefined || back === undefined ? undefined : Math.sqrt(there * back);
}

/** The share of the ink in the views of one page that lies on ink of another one, beyond chance; undefined: unknown. */
function shareOn(from: LaidInk, onto: LaidInk, laid: Similarity, views: number): number | undefined {
  const own = inkDistances(from.cells),
    other = inkDistances(onto.cells);
  // The first box is that of all ink, then each view has one.
  const boxes = from.boxes.slice(1, 1 + Math.min(MOST_INK_VIEWS, views)).map((box) => cellsOf(box, from));
  const isNear = (x: number, y: number): boolean => {
    const column = Math.floor(laid.atX(x + 0.5, y + 0.5)),
      row = Math.floor(laid.atY(x + 0.5, y + 0.5));
    return column >= 0 && row >= 0 && column < onto.width && row < onto.height && other(column, row) <= NEAR;
  };
  let [ink, laidOn, tried, byChance] = [0, 0, 0, 0];
  for (const [i, box] of boxes.entries()) {
    const isCounted = (x: number, y: number): boolean => boxes.some((before, k) => k < i && isWithin(before, x, y));
    for (let y = box.y0; y < box.y1; y++) {
      for (let x = box.x0; x < box.x1; x++) {
        const isInk = own(x, y) === 0,
          isTried = x % CHANCE_STEP === 0 && y % CHANCE_STEP === 0;
        if (!(isInk || isTried) || isCounted(x, y)) continue;
        const near = isNear(x, y) ? 1 : 0;
        if (isTried) {
          tried++;
          byChance += near;
        }
        if (isInk) {
          ink++;
          laidOn += near;
        }
      }
    }
  }
  const chance = tried === 0 ? 0 : byChance / tried;
  if (chance > TELLS_NOTHING) return undefined;
  return ink === 0 ? 0 : Math.max(0, (laidOn / ink - chance) / (1 - chance));
}

/** First cells of a range, and those behind it. */
interface Cells {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

function cellsOf({ x, y, width, height }: CellBox, ink: LaidInk): Cells {
  return {
    x0: Math.max(0, Math.ceil(x - AROUND)),
    y0: Math.max(0, Math.ceil(y - AROUND)),
    x1: Math.min(ink.width, Math.ceil(x + width + AROUND)),
    y1: Math.min(ink.height, Math.ceil(y + height + AROUND)),
  };
}

const isWithin = ({ x0, y0, x1, y1 }: Cells, x: number, y: number): boolean => x >= x0 && x < x1 && y >= y0 && y < y1;
