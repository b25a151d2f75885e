import { unpackPictures } from '../../descriptors/pack-pictures.js';
import { MOST_INKS, unpackInks, type PageInk } from '../../descriptors/page-inks.js';
import type { DrawnLines } from './drawn-lines.js';
import type { StoredPage } from '../../store/catalog/file-text.js';
import { MOST_TEXT, type WholeDrawing } from '../query/whole-drawing.js';
import { isSameInk, linedPage, sameLines, type LinedPage } from './inks/same-ink.js';
import { sameSigns, statedRuns } from './inks/text-lines.js';

/** Most views of a drawing that are compared. */
const MOST_VIEWS = 40;
/** Differences of the coverage of a pixel that count, of 255, and how many pixels of a view may have one. */
const SAME_COVERAGE = 64;
const MOST_PIXELS = 2;

/** The inks of a drawing, unpacked. */
export type DrawnInks = readonly (PageInk | undefined)[];

/** A drawing whose parts are read once, when they are first compared. */
export class ReadDrawing {
  readonly inks: DrawnInks;
  readonly #drawing: Omit<WholeDrawing, 'inks'>;
  #written: string | undefined;
  #views: readonly Uint8Array[] | undefined;
  readonly #pages = new Map<number, LinedPage | undefined>();

  constructor(drawing: WholeDrawing) {
    this.inks = unpackInks(drawing.inks);
    this.#drawing = drawing;
  }

  /** What is written, whatever the order and the pieces in which a program writes it: its signs, sorted. */
  get written(): string {
    this.#written ??= writtenOn(this.#drawing.pages);
    return this.#written;
  }

  get views(): readonly Uint8Array[] {
    this.#views ??= unpackPictures(this.#drawing.pictures);
    return this.#views;
  }

  /**
   * Whether all of it is known: every page with texts has an ink that the texts can be laid by, there is no page behind
   * those whose ink is kept, and no text behind what is read.
   */
  get isWhole(): boolean {
    const { pages, pageCount } = this.#drawing;
    if (pageCount !== null && pageCount > MOST_INKS) return false;
    if (pages.reduce((sum, { text }) => sum + text.length, 0) >= MOST_TEXT) return false;
    const seen = new Set(this.inks.map((ink) => ink?.number));
    return pages.every(({ number, text }) => text.trim() === '' || seen.has(number));
  }

  /** A page by the place of its ink. */
  page(at: number): LinedPage | undefined {
    if (!this.#pages.has(at)) {
      const ink = this.inks[at];
      const stored = this.#drawing.pages.find(({ number }) => number === ink?.number);
      this.#pages.set(at, ink && linedPage(ink, stored));
    }
    return this.#pages.get(at);
  }
}

/**
 * The signs of some pages, sorted, whatever the order and the pieces in which a program writes them. What stands
 * nowhere on the page by itself is left out, see `statedRuns`.
 */
export function writtenOn(pages: readonly Pick<StoredPage, 'text' | 'runs'>[]): string {
  const placed = (page: Pick<StoredPage, 'text' | 'runs'>): string =>
    page.runs === undefined
      ? page.text
      : statedRuns(page)
          .map(({ start, end }) => page.text.slice(start, end))
          .join('');
  return pages
    .flatMap((page) => [...sameSigns(placed(page)).replace(/\s+/g, '')])
    .sort()
    .join('');
}

/** The lines of a stored drawing; empty without any. inks: from `packInks`. */
export function drawnLines(inks: Uint8Array | undefined): DrawnLines {
  return inks === undefined ? [] : unpackInks(inks).map((ink) => ink && { lines: ink.lines });
}

/** Whether the lines of all pages are known: there is a page, and none is a picture. */
export function areLined(drawing: DrawnLines): boolean {
  return drawing.length > 0 && drawing.every((ink) => ink === undefined || ink.lines !== undefined);
}

/** Whether two drawings have the same lines on each page: what is told without their texts. */
export function haveSameLines(a: DrawnLines, b: DrawnLines): boolean {
  if (a.length === 0 || a.length !== b.length) return false;
  return a.every((ink, at) => {
    const [lines, others] = [ink?.lines, b[at]?.lines];
    if (ink === undefined && b[at] === undefined) return true;
    return lines !== undefined && others !== undefined && sameLines(lines, others).length > 0;
  });
}

/** Whether two drawings have the same lines; null: too little is known of one of them. */
export function comparedLines(a: DrawnLines | undefined, b: DrawnLines | undefined): 'same' | 'differ' | null {
  if (a === undefined || b === undefined) return null;
  return haveSameLines(a, b) ? 'same' : 'differ';
}

/**
 * Whether two drawings are the same, whatever program wrote the files, and wherever and in whatever size they stand on
 * their paper: the same lines on each page, and the same texts at the same places. Of drawings without any text nothing
 * is said: what their sizes are is not known. Where there are pictures, their views must be the same as well.
 */
export function isSameDrawing(a: ReadDrawing, b: ReadDrawing): boolean {
  if (a.written === '' || a.written !== b.written) return false;
  if (a.inks.length === 0 || a.inks.length !== b.inks.length || !a.isWhole || !b.isWhole) return false;
  return a.inks.every((ink, at) => {
    if (ink === undefined && b.inks[at] === undefined) return true;
    const page = a.page(at),
      other = b.page(at);
    if (page === undefined || other === undefined) return false;
    return isSameInk(page, other, () => areSameViews(a.views, b.views));
  });
}

/** Whether each view has a partner of the same lines, in any order. */
function areSameViews(views: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (views.length !== others.length || views.length > MOST_VIEWS) return false;
  const left = new Set(others);
  return views.every((view) => {
    for (const other of left) {
      if (!isSameView(view, other)) continue;
      left.delete(other);
      return true;
    }
    return false;
  });
}

function isSameView(a: Uint8Array, b: Uint8Array): boolean {
  let apart = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > SAME_COVERAGE && ++apart > MOST_PIXELS) return false;
  return true;
}
