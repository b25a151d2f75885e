import { lineSumsApart, type SumsApart } from '../../../descriptors/line-sums-apart.js';
import { loopsDiffer } from '../../../descriptors/loops-apart.js';
import type { PageInk } from '../../../descriptors/page-inks.js';
import type { StoredPage, StoredRun } from '../../../store/catalog/file-text.js';
import { distancesTo } from './ink-distances.js';
import { cellsOfPage } from './laid-ink.js';
import { Similarity } from './similarity.js';
import { ALONG_TEXT, AROUND_TEXT, areSameTexts, textLinesOf, type TextLine } from './text-lines.js';

/** A page of lines that is prepared to be compared. */
export interface LinedPage {
  readonly ink: PageInk;
  /** Its sums of lines, see `lineSums`. */
  readonly sums: Float32Array;
  readonly lines: readonly TextLine[];
  readonly runs: readonly StoredRun[];
}

/** Prepares a page. Undefined: too little is known of its lines or texts. */
export function linedPage(ink: PageInk, stored: StoredPage | undefined): LinedPage | undefined {
  const lines = stored === undefined ? [] : textLinesOf(ink, stored);
  if (ink.lines === undefined || lines === undefined) return undefined;
  return { ink, sums: ink.lines, lines, runs: stored?.runs ?? [] };
}

/**
 * Largest differences of the lengths of lines by direction and at a place, as shares of all of them. Other files of a
 * page have at most 2e-5 and nothing beyond what rounding explains, with coordinates to .01 mm 1.3e-4 and 2e-5. A
 * circle of 3 mm more changes places by 7e-4 at least, one of 2 mm and more that is moved by .3 mm by 4e-5.
 */
export const LENGTHS_APART = 1.5e-4;
const PLACES_APART = 2.5e-5;
/**
 * Distance to which ink of pictures lies on the other's, cells of the coarser page, and how many cells together may be
 * farther off.
 */
const NEAR = 2;
const MOST_TOGETHER = 1;
/** Cells that are no farther apart lie together. */
const TOGETHER = 2;

/** How the lines of a page lie on those of another one that has the same. */
export interface SameLines {
  /** In units of the longer side of each page. */
  readonly laid: Similarity;
  /** Whether there are pictures on either page, of which the lines say nothing. */
  readonly arePictured: boolean;
}

/**
 * The ways in which the lines of a page lie on those of another one with the same lines, wherever and in whatever size
 * they stand there, perhaps turned by quarters; none: it has others.
 */
export function sameLines(a: Float32Array, b: Float32Array): SameLines[] {
  return [0, 1, 2, 3].flatMap((quarters) => {
    const apart = lineSumsApart(a, b, quarters);
    if (!(apart.lengths <= LENGTHS_APART && apart.places <= PLACES_APART)) return [];
    const laid = laidBy(apart, quarters);
    return loopsDiffer(a, b, laid) ? [] : [{ laid, arePictured: apart.arePictured }];
  });
}

function laidBy({ scale, middles: [[x, y], [otherX, otherY]] }: SumsApart, quarters: number): Similarity {
  return Similarity.shift(-x, -y).followedBy(
    Similarity.of({ scale, rotationRad: (quarters * Math.PI) / 2, x: otherX, y: otherY }),
  );
}

/**
 * Whether two pages show the same: the same lines, and the same texts at the same places. Where there are pictures,
 * their ink must lie on each other, too, and `isPictureSame` must say that the views are the same.
 */
export function isSameInk(a: LinedPage, b: LinedPage, isPictureSame: () => boolean): boolean {
  return sameLines(a.sums, b.sums).some(({ laid, arePictured }) => {
    if (!areSameTexts(a.lines, b.lines, laid)) return false;
    return !arePictured || (isPictureSame() && isInkOn(a, b, laid));
  });
}

/** Whether the ink of each lies on that of the other. laid: in units of the pages. */
function isInkOn(a: LinedPage, b: LinedPage, laid: Similarity): boolean {
  const [own, other] = [a, b].map((page): InkOfPage => {
    const { bits, width, height } = page.ink;
    return { ink: page.ink, distances: distancesTo(bits, width, height), isText: textCells(page) };
  });
  const cells = cellsOfPage(a.ink).inverse.followedBy(laid).followedBy(cellsOfPage(b.ink));
  return mostTogether(own, other, cells) <= MOST_TOGETHER && mostTogether(other, own, cells.inverse) <= MOST_TOGETHER;
}

/** Ink whose texts are known: u8[height × width], 1 on and around them. */
interface InkOfPage {
  readonly ink: PageInk;
  /** See {@link distancesTo}. */
  readonly distances: Float32Array;
  readonly isText: Uint8Array;
}

function textCells({ ink: { area, page, width, height }, runs }: LinedPage): Uint8Array {
  const found = new Uint8Array(width * height);
  const unit = Math.max(width, height) / Math.max(area.width, area.height);
  const around = AROUND_TEXT * unit;
  for (const { box: text } of runs) {
    const across = unit * page.width * text.width,
      down = unit * page.height * text.height;
    const left = unit * (page.width * text.x - area.x),
      top = unit * (page.height * text.y - area.y);
    const x = around + (across > down ? ALONG_TEXT * across : 0),
      y = around + (down > across ? ALONG_TEXT * down : 0);
    const end = Math.min(width, Math.ceil(left + across + x));
    for (let row = Math.max(0, Math.floor(top - y)); row < Math.min(height, top + down + y); row++)
      found.fill(1, row * width + Math.min(end, Math.max(0, Math.floor(left - x))), row * width + end);
  }
  return found;
}

/** Number of cells of the largest group of ink that lies on no ink of the other page, and not on texts of either. */
function mostTogether(own: InkOfPage, other: InkOfPage, laid: Similarity): number {
  const near = NEAR * Math.max(1, laid.scale);
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
    if (!isOn || (other.distances[at] > near && other.isText[at] === 0)) isOff[i] = 1;
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
