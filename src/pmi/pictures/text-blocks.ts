import { bytesOf } from '../../content/bytes-of.js';
import { fineDarkness } from '../../bitmap/binarise.js';
import { bitmapOf, componentsOf, type PixelBox } from '../../bitmap/bitmap.js';
import { longerSide, unionOf } from '../../content/geometry.js';
import { addTo, DisjointSets } from '../../content/groups.js';
import type { PageInk } from './page-ink.js';
import { isWalled } from './lines/walled.js';
import { slantsBeside, type Slants } from './slants-beside.js';

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
export function textBlocks({ pieces: { list }, sizes, unit, walls }: PageInk): TextBlock[] {
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
        if (gap <= (isSign ? SIGN_GAP : GAP) * (isSign ? larger : smaller) && !isWalled(box, other, walls))
          joined.join(j, i);
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
  /** Height of most letters of the page, pixels of the ink. */
  readonly letter: number;
  /** Whether it stands in a gap of an upright line. */
  readonly isInUpright: boolean;
  /** Directions in which slanted lines beside it suggest to read it. */
  readonly slants: Slants;
  /** All that is dark about the block, other ink too, and where the block's ink begins in it. */
  readonly around: InkGrid & { readonly x0: number; readonly y0: number };
}

/** How far from a block points are sought, in the size of its largest piece. */
const POINT_REACH = 0.45;
/**
 * A point is at least this dark beside the darkest ink of its block, and at most this large beside its largest piece.
 */
const POINT_DARK = 0.3;
const POINT = 0.24;
/** Paper around the ink of a block, pixels of the page. */
const BORDER = 2;

/** The part of the finest picture of the page that a block is read from. */
function areaOfBlock({ sizes, page, fine }: PageInk, { pieces, box }: TextBlock): PixelBox {
  const scale = fine.widthPx / page.width;
  const about = Math.max(BORDER, POINT_REACH * Math.max(...pieces.map((i) => sizes[i])));
  return {
    x0: Math.floor((box.x0 - about) * scale),
    y0: Math.floor((box.y0 - about) * scale),
    x1: Math.ceil((box.x1 + about) * scale),
    y1: Math.ceil((box.y1 + about) * scale),
  };
}

/**
 * Pixels of {@link inkOfBlock} before it is cut to the ink: blocks that lie across each other have more than the page.
 */
export function pixelsOfBlock(page: PageInk, block: TextBlock): number {
  const { x0, y0, x1, y1 } = areaOfBlock(page, block);
  return (x1 - x0) * (y1 - y0);
}

/**
 * The ink of one block in the finest picture of the page, scaled to 255, with a border. Points that are too small to be
 * pieces of the page are in it.
 */
export function inkOfBlock(part: PageInk, block: TextBlock): BlockInk {
  const {
    pieces: { labels },
    sizes,
    page,
    fine,
  } = part;
  const { pieces } = block;
  const { width, height } = page;
  const scale = fine.widthPx / width;
  const largest = Math.max(...pieces.map((i) => sizes[i]));
  const area = areaOfBlock(part, block);
  const w = area.x1 - area.x0,
    h = area.y1 - area.y0;
  const darkness = fine.widthPx === width ? undefined : fineDarkness(page, fine, area);
  const own = new Set(pieces);
  const ink = new Uint8Array(w * h),
    others = new Uint8Array(w * h),
    isTaken = new Uint8Array(w * h);
  const around = new Uint8Array(w * h);
  let darkest = 1;
  for (let y = 0; y < h; y++) {
    const pageY = Math.floor((area.y0 + y + 0.5) / scale);
    if (pageY < 0 || pageY >= height) continue;
    for (let x = 0; x < w; x++) {
      const pageX = Math.floor((area.x0 + x + 0.5) / scale);
      if (pageX < 0 || pageX >= width) continue;
      const at = pageY * width + pageX,
        i = y * w + x;
      const dark = darkness === undefined ? page.darkness[at] : darkness[i];
      around[i] = dark;
      if (own.has(labels[at])) {
        ink[i] = Math.max(1, dark);
        if (dark > darkest) darkest = dark;
      } else others[i] = dark;
      if (sizes[labels[at]] > 0) isTaken[i] = 1;
    }
  }
  addPoints({ ink, others, isTaken, width: w, height: h, darkest, most: POINT * largest * scale });
  for (let i = 0; i < ink.length; i++) ink[i] = Math.ceil((255 * ink[i]) / darkest);
  const grid = cropped({ width: w, height: h, ink }, Math.ceil(BORDER * scale));
  return {
    ...grid,
    x0: (area.x0 + grid.x0) / scale,
    y0: (area.y0 + grid.y0) / scale,
    scale,
    letter: part.letter * scale,
    isInUpright: isInUpright(part, block.box),
    slants: slantsBeside(part, block.box),
    around: { width: w, height: h, ink: around, x0: grid.x0, y0: grid.y0 },
  };
}

/** How far the end of an upright line is from a text that interrupts it, and from its middle, in heights of letters. */
const LINE_GAP = [-0.6, 1.4] as const;
const LINE_OFF = 0.3;
/** Width of upright texts of one line. */
const ONE_LINE = [0.6, 1.6] as const;

/**
 * Whether an upright line, or the head of an arrow on one, points at the upper or lower end of a box from its middle.
 */
function isInUpright({ lines, heads, letter }: PageInk, box: PixelBox): boolean {
  const width = box.x1 - box.x0;
  if (width < ONE_LINE[0] * letter || width > ONE_LINE[1] * letter) return false;
  const middle = (box.x0 + box.x1) / 2,
    off = LINE_OFF * letter;
  const isAt = (x0: number, y0: number, x1: number, y1: number): boolean => {
    if (Math.abs(x0 - middle) > off || Math.abs(x1 - middle) > off) return false;
    const above = (box.y0 - Math.max(y0, y1)) / letter,
      below = (Math.min(y0, y1) - box.y1) / letter;
    return (above > LINE_GAP[0] && above < LINE_GAP[1]) || (below > LINE_GAP[0] && below < LINE_GAP[1]);
  };
  return (
    lines.some(({ x0, y0, x1, y1 }) => isAt(x0, y0, x1, y1)) ||
    heads.some(({ tipX, tipY, backX, backY }) => isAt(tipX, tipY, backX, backY))
  );
}

interface Surroundings extends InkGrid {
  /** Darkness of what belongs to no piece of the block. */
  readonly others: Uint8Array;
  /** Whether a pixel belongs to a piece that may be a letter. */
  readonly isTaken: Uint8Array;
  /** Darkest ink of the block. */
  readonly darkest: number;
  /** Largest side of a point. */
  readonly most: number;
}

/** Adds small dark spots that stand by themselves: points of a pixel or two, which are no pieces of the page. */
function addPoints({ ink, others, isTaken, width, height, darkest, most }: Surroundings): void {
  const least = POINT_DARK * darkest;
  const isDark = bytesOf(others, (dark, i) => (dark >= least || isTaken[i] === 1 ? 1 : 0));
  const { labels, list } = componentsOf(bitmapOf(width, height, isDark), 8);
  const isPiece = new Uint8Array(list.length);
  for (let i = 0; i < ink.length; i++) if (isTaken[i] === 1) isPiece[labels[i]] = 1;
  list.forEach(({ box: { x0, y0, x1, y1 } }, number) => {
    if (number === 0 || isPiece[number] === 1 || x1 - x0 > most || y1 - y0 > most) return;
    if (x0 < 2 || y0 < 2 || x1 > width - 2 || y1 > height - 2) return;
    for (let y = y0 - 1; y <= y1; y++)
      for (let x = x0 - 1; x <= x1; x++) {
        const i = y * width + x;
        if (isTaken[i] === 0) ink[i] = Math.max(ink[i], others[i]);
      }
  });
}

/** The part of a grid that has ink, with a border, and where it is in the grid. */
function cropped(
  { width, height, ink }: InkGrid,
  border: number,
): InkGrid & { readonly x0: number; readonly y0: number } {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < ink.length; i++) {
    if (ink[i] === 0) continue;
    const x = i % width,
      y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  if (right === 0) return { width, height, ink, x0: 0, y0: 0 };
  const [x0, y0] = [left - border, top - border];
  const [w, h] = [right + border - x0, bottom + border - y0];
  const cut = new Uint8Array(w * h);
  for (let y = top; y < bottom; y++) cut.set(ink.subarray(y * width + left, y * width + right), (y - y0) * w + border);
  return { width: w, height: h, ink: cut, x0, y0 };
}
