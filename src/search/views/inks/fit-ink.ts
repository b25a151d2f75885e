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

/** Most starts from boxes; two sheets of some eight boxes each have fewer. */
const MOST_STARTS = 150;
/** Least longer side of a part on the page, cells: smaller ones are like too much. */
const LEAST_SIDE = 16;
/** Largest longer side of a part on the page, sides of the page. */
const MOST_SIDE = 1.2;
/** Logarithms of the ratio of the proportions of two boxes that are laid over each other as a whole, or by one side. */
const SAME_PROPORTIONS = 0.08;
const NEAR_PROPORTIONS = 0.2;

/** Lays a part, or a whole page, over a page, from the best of some starts. Undefined if none holds. */
export function fitInk(core: Core, part: LaidInk, page: LaidInk, starts: readonly Similarity[]): InkFit | undefined {
  const laid = layInk(core, part.cells, page.cells, starts, sidesOn(page));
  if (laid === undefined) return undefined;
  const { a, b, x, y, agreement, covers } = laid;
  return { laid: new Similarity(a, b, x, y), agreement, covers };
}

/** Least and most longer side of a part on a page, cells. */
export function sidesOn({ width, height }: Pick<LaidInk, 'width' | 'height'>): {
  readonly least: number;
  readonly most: number;
} {
  return { least: LEAST_SIDE, most: MOST_SIDE * Math.max(width, height) };
}

/** Starts that lay boxes of views and pieces of like proportions over each other. */
export function startsOfBoxes(parts: readonly CellBox[], pages: readonly CellBox[]): Similarity[] {
  const starts: Similarity[] = [];
  // Large boxes come first in both, and of too many pairs the largest are enough.
  for (let place = 0; place < parts.length + pages.length - 1; place++) {
    for (let i = Math.max(0, place - pages.length + 1); i <= Math.min(place, parts.length - 1); i++) {
      const part = parts[i],
        page = pages[place - i];
      const across = page.width / part.width,
        down = page.height / part.height;
      const ratio = Math.abs(Math.log(across / down));
      const scales =
        ratio < SAME_PROPORTIONS ? [Math.sqrt(across * down)] : ratio < NEAR_PROPORTIONS ? [across, down] : [];
      for (const scale of scales) {
        if (starts.length === MOST_STARTS) return starts;
        const x = page.x + page.width / 2 - scale * (part.x + part.width / 2),
          y = page.y + page.height / 2 - scale * (part.y + part.height / 2);
        starts.push(new Similarity(scale, 0, x, y));
      }
    }
  }
  return starts;
}

/** Starts that lay a page over a page in four quarter turns: by all ink, by the box of it and by the paper. */
export function startsOfPages(part: PlacedInk, page: PlacedInk): Similarity[] {
  return [0, 1, 2, 3].flatMap((quarters) => {
    const turned = (from: Place, onto: Place): Similarity =>
      Similarity.shift(-from.x, -from.y)
        .followedBy(Similarity.of({ scale: onto.size / from.size, rotationRad: (quarters * Math.PI) / 2, x: 0, y: 0 }))
        .followedBy(Similarity.shift(onto.x, onto.y));
    return [
      turned(placeOfInk(part), placeOfInk(page)),
      turned(placeOfBox(part.boxes[0]), placeOfBox(page.boxes[0])),
      turned(placeOfBox({ x: 0, y: 0, ...part }), placeOfBox({ x: 0, y: 0, ...page })),
    ];
  });
}

/** An ink without its cells. */
type PlacedInk = Omit<LaidInk, 'cells'>;

/** A middle and a measure of the extent, cells. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

function placeOfInk({ middle: { x, y, spread } }: PlacedInk): Place {
  return { x, y, size: spread };
}

function placeOfBox({ x, y, width, height }: CellBox): Place {
  return { x: x + width / 2, y: y + height / 2, size: Math.hypot(width, height) };
}
