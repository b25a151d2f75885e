import type { PixelBox } from '../../bitmap/bitmap.js';
import type { PageInk } from './page-ink.js';

/** Darkness of pixels; 0 outside the block's own ink. */
export interface InkGrid {
  readonly width: number;
  readonly height: number;
  /** u8[height × width]. */
  readonly ink: Uint8Array;
}

/** Pieces of ink that stand together like letters. */
export interface TextBlock {
  /** Numbers of the page's pieces. */
  readonly pieces: readonly number[];
  readonly box: PixelBox;
}

/** Most pieces of a page: a page with more is a picture. */
const MOST_PIECES = 12_000;
/**
 * As shares of the longer side of pieces: the gap between letters of one text, and between a letter and a small sign.
 */
const GAP = 0.62;
const SIGN_GAP = 0.42;
/** Letters of one text differ by less in size; below the second share a piece is a sign. */
const SIMILAR = 2.1;
const SIGN = 0.48;
/** Smaller pieces are specks; pixels on a page of 2400. */
const LEAST = 7;
/** Most pieces of a block; more are hatching. */
const MOST_OF_BLOCK = 160;

/** Groups pieces that are near enough to be one text or lines of one. In the order of the first piece. */
export function textBlocks({ pieces: { list }, isLetter, unit }: PageInk): TextBlock[] {
  const numbers: number[] = [];
  for (let i = 1; i < list.length && numbers.length < MOST_PIECES; i++) if (isLetter[i] === 1) numbers.push(i);
  const sizeOf = ({ x0, y0, x1, y1 }: PixelBox): number => Math.max(x1 - x0, y1 - y0);
  const least = LEAST * unit;
  const reach = Math.max(1, ...numbers.map((i) => sizeOf(list[i].box)));
  const cells = new Map<number, number[]>();
  const cellOf = (value: number): number => Math.floor(value / reach);
  const roots = new Map(numbers.map((i) => [i, i]));
  const rootOf = (i: number): number => {
    let root = i;
    while (roots.get(root) !== root) root = roots.get(root)!;
    roots.set(i, root);
    return root;
  };
  for (const i of numbers) {
    const { box } = list[i];
    const own = sizeOf(box);
    const places: number[] = [];
    for (let x = cellOf(box.x0 - 2 * reach); x <= cellOf(box.x1 + reach); x++)
      for (let y = cellOf(box.y0 - 2 * reach); y <= cellOf(box.y1 + reach); y++) places.push(x * 100_003 + y);
    for (const place of places) {
      for (const j of cells.get(place) ?? []) {
        const other = list[j].box;
        const size = sizeOf(other);
        const larger = Math.max(own, size),
          smaller = Math.min(own, size);
        if (larger < least) continue;
        const isSign = smaller < SIGN * larger;
        if (!isSign && larger > SIMILAR * smaller) continue;
        const gap = Math.hypot(
          Math.max(0, box.x0 - other.x1, other.x0 - box.x1),
          Math.max(0, box.y0 - other.y1, other.y0 - box.y1),
        );
        if (gap <= (isSign ? SIGN_GAP : GAP) * (isSign ? larger : smaller)) roots.set(rootOf(j), rootOf(i));
      }
    }
    const key = cellOf(box.x0) * 100_003 + cellOf(box.y0);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [i]);
    else cell.push(i);
  }
  const groups = new Map<number, number[]>();
  for (const i of numbers) {
    const root = rootOf(i);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [i]);
    else group.push(i);
  }
  return [...groups.values()].flatMap((group): TextBlock[] => {
    const box = group.reduce(
      (all, i) => ({
        x0: Math.min(all.x0, list[i].box.x0),
        y0: Math.min(all.y0, list[i].box.y0),
        x1: Math.max(all.x1, list[i].box.x1),
        y1: Math.max(all.y1, list[i].box.y1),
      }),
      { x0: Infinity, y0: Infinity, x1: 0, y1: 0 },
    );
    if (group.length > MOST_OF_BLOCK || sizeOf(box) < least) return [];
    return [{ pieces: group, box }];
  });
}

/** The ink of one block, scaled to 255, with a border of two pixels. */
export function inkOfBlock(
  { pieces: { labels }, page: { width, height, darkness } }: PageInk,
  { pieces, box }: TextBlock,
): InkGrid {
  const w = box.x1 - box.x0 + 4,
    h = box.y1 - box.y0 + 4;
  const own = new Set(pieces);
  const ink = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const pageY = box.y0 + y - 2;
    if (pageY < 0 || pageY >= height) continue;
    for (let x = 0; x < w; x++) {
      const pageX = box.x0 + x - 2;
      if (pageX < 0 || pageX >= width) continue;
      const at = pageY * width + pageX;
      if (own.has(labels[at])) ink[y * w + x] = Math.max(1, darkness[at]);
    }
  }
  let darkest = 1;
  for (const dark of ink) if (dark > darkest) darkest = dark;
  for (let i = 0; i < ink.length; i++) ink[i] = Math.ceil((255 * ink[i]) / darkest);
  return { width: w, height: h, ink };
}
