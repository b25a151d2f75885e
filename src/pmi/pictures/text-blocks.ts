import { fineDarkness } from '../../bitmap/binarise.js';
import type { PixelBox } from '../../bitmap/bitmap.js';
import { longerSide, unionOf } from '../../content/geometry.js';
import { addTo, DisjointSets } from '../../content/groups.js';
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
const GAP = 0.8;
const SIGN_GAP = 0.62;
/** Letters of one text differ by less in size; below the second share a piece is a sign. */
const SIMILAR = 2.1;
const SIGN = 0.48;
/** Smaller pieces are specks; pixels on a page of 2400. */
const LEAST = 7;
/** Most pieces of a block; more are hatching. */
const MOST_OF_BLOCK = 160;

/** Groups pieces that are near enough to be one text or lines of one. In the order of the first piece. */
export function textBlocks({ pieces: { list }, sizes, unit }: PageInk): TextBlock[] {
  const numbers: number[] = [];
  for (let i = 1; i < list.length && numbers.length < MOST_PIECES; i++) if (sizes[i] > 0) numbers.push(i);
  const least = LEAST * unit;
  const reach = Math.max(1, ...numbers.map((i) => longerSide(list[i].box)));
  const cells = new Map<number, number[]>();
  const cellOf = (value: number): number => Math.floor(value / reach);
  const joined = new DisjointSets(list.length);
  for (const i of numbers) {
    const { box } = list[i];
    const own = sizes[i];
    const places: number[] = [];
    for (let x = cellOf(box.x0 - 2 * reach); x <= cellOf(box.x1 + reach); x++)
      for (let y = cellOf(box.y0 - 2 * reach); y <= cellOf(box.y1 + reach); y++) places.push(x * 100_003 + y);
    for (const place of places) {
      for (const j of cells.get(place) ?? []) {
        const other = list[j].box;
        const size = sizes[j];
        const larger = Math.max(own, size),
          smaller = Math.min(own, size);
        if (larger < least) continue;
        const isSign = smaller < SIGN * larger;
        if (!isSign && larger > SIMILAR * smaller) continue;
        const gap = Math.hypot(
          Math.max(0, box.x0 - other.x1, other.x0 - box.x1),
          Math.max(0, box.y0 - other.y1, other.y0 - box.y1),
        );
        if (gap <= (isSign ? SIGN_GAP : GAP) * (isSign ? larger : smaller)) joined.join(j, i);
      }
    }
    addTo(cells, cellOf(box.x0) * 100_003 + cellOf(box.y0), i);
  }
  const groups = new Map<number, number[]>();
  for (const i of numbers) addTo(groups, joined.rootOf(i), i);
  return [...groups.values()].flatMap((group): TextBlock[] => {
    const box = group.map((i) => list[i].box).reduce(unionOf);
    if (group.length > MOST_OF_BLOCK || longerSide(box) < least) return [];
    return [{ pieces: group, box }];
  });
}

/** The ink of a block, and where it is: `(x - x0) * scale` of a place on the page is one in the ink. */
export interface BlockInk extends InkGrid {
  readonly x0: number;
  readonly y0: number;
  /** Pixels of the ink per pixel of the page. */
  readonly scale: number;
}

/** The ink of one block in the finest picture of the page, scaled to 255, with a border of two pixels of the page. */
export function inkOfBlock(
  { pieces: { labels }, page, fine }: PageInk,
  { pieces, box }: Pick<TextBlock, 'pieces' | 'box'>,
): BlockInk {
  const { width, height } = page;
  const scale = fine.widthPx / width;
  const area = {
    x0: Math.floor((box.x0 - 2) * scale),
    y0: Math.floor((box.y0 - 2) * scale),
    x1: Math.ceil((box.x1 + 2) * scale),
    y1: Math.ceil((box.y1 + 2) * scale),
  };
  const w = area.x1 - area.x0,
    h = area.y1 - area.y0;
  const darkness = fine.widthPx === width ? undefined : fineDarkness(page, fine, area);
  const own = new Set(pieces);
  const ink = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const pageY = Math.floor((area.y0 + y + 0.5) / scale);
    if (pageY < 0 || pageY >= height) continue;
    for (let x = 0; x < w; x++) {
      const pageX = Math.floor((area.x0 + x + 0.5) / scale);
      if (pageX < 0 || pageX >= width) continue;
      const at = pageY * width + pageX;
      if (own.has(labels[at]))
        ink[y * w + x] = Math.max(1, darkness === undefined ? page.darkness[at] : darkness[y * w + x]);
    }
  }
  let darkest = 1;
  for (const dark of ink) if (dark > darkest) darkest = dark;
  for (let i = 0; i < ink.length; i++) ink[i] = Math.ceil((255 * ink[i]) / darkest);
  return { width: w, height: h, ink, x0: area.x0 / scale, y0: area.y0 / scale, scale };
}
