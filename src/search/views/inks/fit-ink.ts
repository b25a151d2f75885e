import type { Core } from '../../../core/core.js';
import { layInk } from '../../../core/laid-inks.js';
import type { CellBox, LaidInk } from './laid-ink.js';
import { Similarity } from './similarity.js';

/** How one ink lies on another. */
export interface InkFit {
  /** From the cells of the part to those of the page. */
  readonly laid: Similarity;
  /**
   * Share of the ink of both, within the part, that lies on ink of the other, beyond what lies there by chance: 1 for
   * the same ink, about 0 for unrelated ones.
   */
  readonly agreement: number;
  /** Share of the page's ink that lies within the part: 1 where the part is all of the page. */
  readonly covers: number;
}

/** Numbers of a start: a, b, x and y. */
const NUMBERS = 4;
/** Most starts from boxes; two sheets of some eight boxes each have fewer. */
const MOST_STARTS = 150;
/** Least longer side of a part on the page, cells: smaller ones are like too much. */
const LEAST_SIDE = 16;
/** Largest longer side of a part on the page, sides of the page. */
const MOST_SIDE = 1.2;
/** Logarithms of the ratio of the proportions of two boxes that are laid over each other as a whole, or by one side. */
const SAME_PROPORTIONS = 0.08;
const NEAR_PROPORTIONS = 0.2;

/** Lays a part, or a whole page, over a page, from the best of the places where it may lie. Undefined if none holds. */
export function fitInk(core: Core, part: LaidInk, page: LaidInk): InkFit | undefined {
  const laid = layInk(core, part.cells, page.cells, startsOn(part, page), sidesOn(page));
  if (laid === undefined) return undefined;
  const { a, b, x, y, agreement, covers } = laid;
  return { laid: new Similarity(a, b, x, y), agreement, covers };
}

/** Least and most longer side of a part on a page, cells. */
function sidesOn({ width, height }: Pick<LaidInk, 'width' | 'height'>): {
  readonly least: number;
  readonly most: number;
} {
  return { least: LEAST_SIDE, most: MOST_SIDE * Math.max(width, height) };
}

/** Places where a part may lie on a page, as `layInk` takes them: some two hundred pages are asked for by a search. */
export function startsOn(part: PlacedInk, page: PlacedInk): Float64Array {
  const { least, most } = sidesOn(page),
    side = Math.max(part.width, part.height);
  const found = new Float64Array(NUMBERS * (MOST_STARTS + 3 * QUARTERS.length));
  let end = 0;
  const add: AddStart = (a, b, x, y) => {
    const longer = side * (b === 0 ? Math.abs(a) : Math.hypot(a, b));
    if (!(longer >= least && longer <= most)) return;
    found[end++] = a;
    found[end++] = b;
    found[end++] = x;
    found[end++] = y;
  };
  addPages(part, page, add);
  addBoxes(part.boxes, page.boxes, add);
  return found.subarray(0, end);
}

/** Adds a start: from p to (a + ib) p + (x + iy). */
type AddStart = (a: number, b: number, x: number, y: number) => void;

/** Starts that lay boxes of views and pieces of like proportions over each other. */
function addBoxes(parts: readonly CellBox[], pages: readonly CellBox[], add: AddStart): void {
  let count = 0;
  // Large boxes come first in both, and of too many pairs the largest are enough.
  for (let place = 0; place < parts.length + pages.length - 1; place++) {
    for (let i = Math.max(0, place - pages.length + 1); i <= Math.min(place, parts.length - 1); i++) {
      const part = parts[i],
        page = pages[place - i];
      const across = page.width / part.width,
        down = page.height / part.height;
      const ratio = Math.abs(Math.log(across / down));
      if (!(ratio < NEAR_PROPORTIONS)) continue;
      const isSame = ratio < SAME_PROPORTIONS;
      for (let k = 0; k < (isSame ? 1 : 2); k++) {
        if (count++ === MOST_STARTS) return;
        const scale = isSame ? Math.sqrt(across * down) : k === 0 ? across : down;
        const x = page.x + page.width / 2 - scale * (part.x + part.width / 2),
          y = page.y + page.height / 2 - scale * (part.y + part.height / 2);
        add(scale, 0, x, y);
      }
    }
  }
}

/** Starts that lay a page over a page in four quarter turns: by all ink, by the box of it and by the paper. */
function addPages(part: PlacedInk, page: PlacedInk, add: AddStart): void {
  const own = placesOf(part),
    others = placesOf(page);
  for (const { cos, sin } of QUARTERS)
    for (const [i, from] of own.entries()) {
      const onto = others[i];
      const a = (onto.size / from.size) * cos,
        b = (onto.size / from.size) * sin;
      add(a, b, a * -from.x - b * -from.y + onto.x, b * -from.x + a * -from.y + onto.y);
    }
}

const QUARTERS = [0, 1, 2, 3].map((quarters) => ({
  cos: Math.cos((quarters * Math.PI) / 2),
  sin: Math.sin((quarters * Math.PI) / 2),
}));

/** An ink without its cells. */
type PlacedInk = Omit<LaidInk, 'cells'>;

/** A middle and a measure of the extent, cells. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Of all ink, of the box of it and of the paper. */
function placesOf({ middle: { x, y, spread }, boxes, width, height }: PlacedInk): Place[] {
  return [{ x, y, size: spread }, placeOfBox(boxes[0]), placeOfBox({ x: 0, y: 0, width, height })];
}

function placeOfBox({ x, y, width, height }: CellBox): Place {
  return { x: x + width / 2, y: y + height / 2, size: Math.hypot(width, height) };
}
