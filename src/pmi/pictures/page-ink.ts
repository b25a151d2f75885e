import type { Picture } from '../../content/sheet.js';
import { binarise, type Ink } from '../../shapelets/binarise.js';
import { bitmapOf, componentsOf, open, without, both, type Bitmap, type Components } from '../../shapelets/bitmap.js';
import { drawingArea } from '../../shapelets/page-frame.js';

/** Sizes in pixels of a page whose longer side is 2400: letters are at most as tall, and level and upright lines at least as long. */
const UNIT_SIDE = 2400;
const LETTER = 72;
const LINE = 40;
/** Lines are thinner. */
const THICK = 9;

/** A level or upright straight line, in pixels: along x when `isLevel`. */
export interface InkLine {
  readonly isLevel: boolean;
  /** Its middle across. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly thickness: number;
}

/** The ink of a page, taken apart. */
export interface PageInk {
  readonly page: Ink;
  /** Ink in the area that is drawn in, without frame and tables. */
  readonly inside: Bitmap;
  /** Pieces that may be letters: lines that are longer than letters are taken out. */
  readonly pieces: Components;
  readonly isLetter: Uint8Array;
  /** Level and upright lines, also of frames and tables. */
  readonly lines: readonly InkLine[];
  /** Pixels that are 1/2400 of the page's longer side. */
  readonly unit: number;
}

/** Tells letters from lines: what is no larger than letters is kept, and of what is larger what is left without its straight level and upright lines. */
export function pageInk(picture: Picture): PageInk {
  const page = binarise(picture);
  const { width, height, ink } = page;
  const unit = Math.max(width, height) / UNIT_SIDE;
  const { area } = drawingArea(without(ink, open(ink, Math.round(14 * unit))), unit);
  const inside = both(ink, area);
  const most = LETTER * unit;
  const whole = componentsOf(inside, 8);
  const isLarge = Uint8Array.from(whole.list, ({ box }) => (Math.max(box.x1 - box.x0, box.y1 - box.y0) > most ? 1 : 0));
  const large = new Uint8Array(width * height);
  for (let i = 0; i < large.length; i++) large[i] = isLarge[whole.labels[i]] & (whole.labels[i] > 0 ? 1 : 0);
  const least = Math.round(LINE * unit), thick = Math.max(3, Math.round(THICK * unit));
  const level = linesOf(large, width, height, true, least, thick), upright = linesOf(large, width, height, false, least, thick);
  const left = inside.bits.slice();
  for (const line of [...level, ...upright]) takeOut(line, left, width);
  const pieces = componentsOf(bitmapOf(width, height, left), 8);
  const isLetter = Uint8Array.from(pieces.list, ({ box, area: pixels }, i) => (i > 0 && pixels >= 3 && Math.max(box.x1 - box.x0, box.y1 - box.y0) <= most ? 1 : 0));
  return { page, inside, pieces, isLetter, lines: [...level, ...upright], unit };
}

/** Runs of ink, joined across where they lie beside each other. */
function linesOf(bits: Uint8Array, width: number, height: number, isLevel: boolean, least: number, thick: number): InkLine[] {
  const [rows, length, across, along] = isLevel ? [height, width, width, 1] : [width, height, 1, width];
  const done: InkLine[] = [];
  let open: { from: number; to: number; first: number; last: number; sumFrom: number; sumTo: number }[] = [];
  for (let row = 0; row <= rows; row++) {
    const runs: [number, number][] = [];
    for (let i = 0, start = -1, gap = 0; row < rows && i <= length; i++) {
      const isSet = i < length && bits[row * across + i * along] !== 0;
      if (isSet) {
        if (start < 0) start = i;
        gap = 0;
      } else if (start >= 0 && (++gap > 1 || i === length)) {
        if (i - gap + 1 - start >= least) runs.push([start, i - gap + 1]);
        start = -1;
      }
    }
    const next: typeof open = [];
    for (const band of open) {
      const found = runs.filter(([from, to]) => Math.min(to, band.to) - Math.max(from, band.from) > 0.5 * Math.min(to - from, band.to - band.from));
      if (found.length === 0) {
        const thickness = band.last - band.first + 1;
        if (thickness <= thick) done.push({ isLevel, at: (band.first + band.last + 1) / 2, from: band.from, to: band.to, thickness });
        continue;
      }
      for (const run of found) runs.splice(runs.indexOf(run), 1);
      band.from = Math.min(band.from, ...found.map(([from]) => from));
      band.to = Math.max(band.to, ...found.map(([, to]) => to));
      band.last = row;
      next.push(band);
    }
    for (const [from, to] of runs) next.push({ from, to, first: row, last: row, sumFrom: 0, sumTo: 0 });
    open = next;
  }
  return done;
}

/** Takes a line out; what crosses it stays. */
function takeOut({ isLevel, at, from, to, thickness }: InkLine, bits: Uint8Array, width: number): void {
  const [across, along] = isLevel ? [width, 1] : [1, width];
  const first = Math.max(1, Math.round(at - thickness / 2) - 1), last = Math.round(at + thickness / 2);
  const height = bits.length / width;
  const rows = isLevel ? height : width;
  for (let i = from; i < to; i++) {
    const at = (row: number): number => row * across + i * along;
    if (first > 1 && last + 1 < rows && bits[at(first - 1)] !== 0 && bits[at(last + 1)] !== 0) continue;
    for (let row = first; row <= Math.min(rows - 1, last); row++) bits[at(row)] = 0;
  }
}
