import { TurnedFrame } from '../content/geometry.js';
import type { SheetBox } from '../content/sheet.js';
import type { PageBox } from '../content/text.js';
import { componentsOf, dilate } from '../bitmap/bitmap.js';

/** Cells along the longer side of the area of an ink. */
export const INK_SIDE = 384;

/**
 * Where the ink of a page, or of a part of it, is: cells that hold a line or the edge of a filled area. The area is
 * turned upright about its middle, so that most lines of the drawing are level or upright.
 */
export interface PageInk {
  /** Of its page, from 1. */
  readonly number: number;
  /** The area on its page, and the page's own sides, in units of the page's longer side. */
  readonly area: SheetBox;
  readonly page: { readonly width: number; readonly height: number };
  /** Skew of the area that was corrected, positive clockwise. */
  readonly skewRad: number;
  /** Number of cells. */
  readonly width: number;
  readonly height: number;
  /** u8[height × width]: 1 where there is ink. */
  readonly bits: Uint8Array;
  /** Boxes of its views, then of pieces of connected ink, cells: what another picture of the page may show alone. */
  readonly boxes: readonly SheetBox[];
  /**
   * Of a page of lines: the sums over them, see `lineSums`, then the number of its round loops and these, see
   * `roundLoops`; without these in libraries of before, and where there are too many. Absent for pictures.
   */
  readonly lines?: Float32Array;
}

/** Radii by which ink is widened before it is split into pieces, cells: a crop has other gaps than its page. */
const WIDENED = [0, 2, 6] as const;
/** Most views and most pieces of one radius that are kept, the largest. */
export const MOST_INK_VIEWS = 12;
const MOST_PIECES = 6;
/** Most boxes of an ink. */
export const MOST_INK_BOXES = MOST_INK_VIEWS + WIDENED.length * MOST_PIECES;
/** Least longer side of a piece, cells, and largest share of both sides of the area: frames are no pieces. */
const LEAST_PIECE = 14;
const MOST_PIECE = 0.85;
/** Sum of the differences of the sides up to which two boxes are the same, cells. */
const SAME_BOX = 4;

/**
 * The ink of a page with the boxes of its views, one for each of the first {@link MOST_INK_VIEWS}, and of its pieces.
 * views: on the page, shares of its sides, largest first.
 */
export function withBoxes(ink: PageInk, number: number, views: readonly PageBox[]): PageInk {
  const { area, page, skewRad, width, height } = ink;
  const unit = Math.max(width, height) / Math.max(area.width, area.height);
  const frame = new TurnedFrame(skewRad);
  const boxes: SheetBox[] = [];
  for (const view of views.slice(0, MOST_INK_VIEWS)) {
    const x = (view.x + view.width / 2) * page.width - area.x - area.width / 2,
      y = (view.y + view.height / 2) * page.height - area.y - area.height / 2;
    const across = Math.max(1, unit * view.width * page.width),
      down = Math.max(1, unit * view.height * page.height);
    boxes.push({
      x: unit * (frame.s(x, y) + area.width / 2) - across / 2,
      y: unit * (frame.t(x, y) + area.height / 2) - down / 2,
      width: across,
      height: down,
    });
  }
  for (const radius of WIDENED) {
    componentsOf(radius === 0 ? ink : dilate(ink, radius), 8)
      .list.slice(1)
      .map(({ box: { x0, y0, x1, y1 } }) => ({
        x: x0 + radius,
        y: y0 + radius,
        width: x1 - x0 - 2 * radius,
        height: y1 - y0 - 2 * radius,
      }))
      .filter(
        (box) =>
          Math.max(box.width, box.height) >= LEAST_PIECE &&
          !(box.width > MOST_PIECE * width && box.height > MOST_PIECE * height),
      )
      .sort((a, b) => b.width * b.height - a.width * a.height)
      .slice(0, MOST_PIECES)
      .forEach((box) => {
        addPiece(boxes, box);
      });
  }
  return { ...ink, number, boxes };
}

function addPiece(boxes: SheetBox[], { x, y, width, height }: SheetBox): void {
  const isKnown = boxes.some(
    (box) =>
      Math.abs(box.x - x) + Math.abs(box.y - y) + Math.abs(box.width - width) + Math.abs(box.height - height) <
      SAME_BOX,
  );
  if (!isKnown) boxes.push({ x, y, width, height });
}

/** Collects the ink of an area. */
export class InkCells {
  readonly #width: number;
  readonly #height: number;
  readonly #bits: Uint8Array;
  readonly #across: number;
  readonly #down: number;

  /** @param mostCells cells along the longer side, when the source has fewer than {@link INK_SIDE} pixels. */
  constructor(
    readonly area: SheetBox,
    mostCells: number,
  ) {
    const side = Math.max(1, Math.min(INK_SIDE, mostCells));
    const longer = Math.max(area.width, area.height);
    this.#across = (side * area.width) / longer;
    this.#down = (side * area.height) / longer;
    // At most `side`, since 384 × 841.89 / 841.89 may be a little more than 384: a cell more, and the ink is not read
    // again.
    this.#width = Math.max(1, Math.min(side, Math.ceil(this.#across)));
    this.#height = Math.max(1, Math.min(side, Math.ceil(this.#down)));
    this.#bits = new Uint8Array(this.#width * this.#height);
  }

  /** Marks the cell at x, y (shares of the area). */
  add(x: number, y: number): void {
    const column = Math.floor(x * this.#across),
      row = Math.floor(y * this.#down);
    if (column >= 0 && row >= 0 && column < this.#width && row < this.#height)
      this.#bits[row * this.#width + column] = 1;
  }

  /** page: sides of the page of the area, in the same unit. Undefined without ink. */
  ink(page: { readonly width: number; readonly height: number }, skewRad: number): PageInk | undefined {
    if (!this.#bits.includes(1)) return undefined;
    const longer = Math.max(page.width, page.height);
    const { x, y, width, height } = this.area;
    return {
      number: 1,
      area: { x: x / longer, y: y / longer, width: width / longer, height: height / longer },
      page: { width: page.width / longer, height: page.height / longer },
      skewRad,
      width: this.#width,
      height: this.#height,
      bits: this.#bits,
      boxes: [],
    };
  }
}
