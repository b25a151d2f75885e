import type { PageInk } from '../../../descriptors/page-inks.js';
import type { StoredPage, StoredRun } from '../../../store/catalog/file-text.js';
import { lineSumsApart } from '../../../descriptors/line-sums-apart.js';
import { fitInk, startsOfBoxes, startsOfPages } from './fit-ink.js';
import { layInk, type LaidInk } from './laid-ink.js';
import type { Similarity } from './similarity.js';
import { ALONG_TEXT, AROUND_TEXT, areSameTexts, textLinesOf, type TextLine } from './text-lines.js';

/** A page of lines that is prepared to be compared. */
export interface LinedPage {
  readonly ink: PageInk;
  readonly laid: LaidInk;
  readonly lines: readonly TextLine[];
  /** u8[height × width]: 1 on and around texts. */
  readonly isText: Uint8Array;
}

/** Prepares a page. Undefined: too little is known of its lines or texts. */
export function linedPage(ink: PageInk, stored: StoredPage | undefined): LinedPage | undefined {
  const lines = stored === undefined ? [] : textLinesOf(ink, stored);
  if (ink.lines === undefined || lines === undefined) return undefined;
  return { ink, laid: layInk(ink), lines, isText: textCells(ink, stored?.runs ?? []) };
}

/**
 * Distance to which ink lies on the other's, cells of the coarser page, and how many cells together may be farther off.
 */
const NEAR = 2;
const MOST_TOGETHER = 1;
/** Cells that are no farther apart lie together. */
const TOGETHER = 2;
/**
 * Largest difference of the lengths of lines, as a share of all of them; see `lineSumsApart`. Other files of a page
 * have at most 2e-5, with coordinates to .01 mm up to 2e-4; a circle of 3 mm more on it gives 1e-4 to 1e-3.
 */
const LINES_APART = 6e-5;
/** Largest deviation from a quarter turn, radians. */
const SKEW = 0.01;

/**
 * Whether two pages of lines show the same, with the same texts at the same places, wherever and in whatever size it
 * stands on them, perhaps turned by quarters.
 */
export function isSameInk(a: LinedPage, b: LinedPage): boolean {
  if (a.ink.lines === undefined || b.ink.lines === undefined) return false;
  const fit = fitInk(a.laid, b.laid, [...startsOfPages(a.laid, b.laid), ...startsOfBoxes(a.laid.boxes, b.laid.boxes)]);
  if (fit === undefined) return false;
  const { laid } = fit;
  const quarters = Math.round(laid.rotationRad / (Math.PI / 2));
  if (Math.abs(laid.rotationRad - (quarters * Math.PI) / 2) > SKEW) return false;
  if (!(lineSumsApart(a.ink.lines, b.ink.lines, Math.abs(quarters)) <= LINES_APART)) return false;
  return (
    areSameTexts(a.lines, b.lines, laid) &&
    mostTogether(a, b, laid, NEAR * Math.max(1, laid.scale)) <= MOST_TOGETHER &&
    mostTogether(b, a, laid.inverse, NEAR * Math.max(1, laid.inverse.scale)) <= MOST_TOGETHER
  );
}

function textCells({ area, page, width, height }: PageInk, runs: readonly StoredRun[]): Uint8Array {
  const found = new Uint8Array(width * height);
  const unit = Math.max(width, height) / Math.max(area.width, area.height);
  for (const { box: text } of runs) {
    const across = unit * page.width * text.width,
      down = unit * page.height * text.height;
    const left = unit * (page.width * text.x - area.x),
      top = unit * (page.height * text.y - area.y);
    const x = AROUND_TEXT + (across > down ? ALONG_TEXT * across : 0),
      y = AROUND_TEXT + (down > across ? ALONG_TEXT * down : 0);
    const end = Math.min(width, Math.ceil(left + across + x));
    for (let row = Math.max(0, Math.floor(top - y)); row < Math.min(height, top + down + y); row++)
      found.fill(1, row * width + Math.min(end, Math.max(0, Math.floor(left - x))), row * width + end);
  }
  return found;
}

/** Number of cells of the largest group of ink that lies on no ink of the other page, and not on texts of either. */
function mostTogether(own: LinedPage, other: LinedPage, laid: Similarity, near: number): number {
  const { bits, width, height } = own.ink;
  const isOff = new Uint8Array(bits.length);
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    if (own.isText[i] === 1) continue;
    const x = (i % width) + 0.5,
      y = Math.floor(i / width) + 0.5;
    const column = Math.floor(laid.atX(x, y)),
      row = Math.floor(laid.atY(x, y));
    const isOn = column >= 0 && row >= 0 && column < other.ink.width && row < other.ink.height;
    const at = row * other.ink.width + column;
    if (!isOn || (other.laid.distances[at] > near && other.isText[at] === 0)) isOff[i] = 1;
  }
  let most = 0;
  for (let first = isOff.indexOf(1); first >= 0; first = isOff.indexOf(1, first + 1)) {
    let count = 0;
    const pending = [first];
    isOff[first] = 0;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      count++;
      const x = at % width,
        y = Math.floor(at / width);
      for (let row = Math.max(0, y - TOGETHER); row <= Math.min(height - 1, y + TOGETHER); row++)
        for (let column = Math.max(0, x - TOGETHER); column <= Math.min(width - 1, x + TOGETHER); column++) {
          const next = row * width + column;
          if (isOff[next] === 0) continue;
          isOff[next] = 0;
          pending.push(next);
        }
    }
    most = Math.max(most, count);
  }
  return most;
}
