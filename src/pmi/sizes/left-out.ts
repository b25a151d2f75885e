import { LEAST_CONFIDENCE } from '../confidence.js';
import { MOST_TEXTS } from '../text-lines.js';
import { MOST_LINES } from '../text-objects.js';
import type { PmiObject } from '../pmi.js';
import { someOf } from './contradictions.js';

/** Most objects of a page; a drawing that a person can read has hundreds. */
export const MOST_OBJECTS = 5_000;
/** Most objects of all pages; later pages have none. */
export const MOST_OF_ALL = 20_000;
/** Most pictures and scanned pages of a file that are read; each takes some seconds. */
export const MOST_PICTURES = 8;

/** Most texts that are named of those that may be sizes: more than a drawing of one part has. */
export const MOST_TOLD = 40;

/** What was not read: pictures (below 1: none), blocks of letters of those that were, texts that nobody can read. */
export interface Unread {
  readonly pictures: number;
  readonly texts: number;
  readonly tiny: number;
}

/** What of a drawing is no part of its annotations, each as a count, and why. */
export interface LeftOut extends Unread {
  /** Annotations, texts and lines beyond bounds. */
  readonly cut: number;
  readonly unseen: number;
  /** Texts like sizes that were taken for something else. */
  readonly aside: number;
  /** Lines of several sizes that nothing parts. */
  readonly unparted: readonly string[];
  /** Texts like sizes, or with one in them, that cannot be read for certain. */
  readonly unclear: readonly string[];
  /** Tapers and slopes, which annotations have no type for. */
  readonly tapers: readonly string[];
  /** Weld symbols: their sizes, lengths and numbers of processes. */
  readonly welds: readonly string[];
  /** Control frames whose symbol is not known, or fits none of their datums, with their places. */
  readonly frames: readonly string[];
  /** Texts on dimension lines that were not understood. */
  readonly unknown: readonly string[];
  /** What was read from pixels too unsurely, and may be a size, with its place. */
  readonly unsure: readonly string[];
  /** Sizes of pages of pixels whose point may be lost, with their places. */
  readonly pointless: readonly string[];
  /** The unit that the forms of sizes say, where nothing states one. */
  readonly byForm?: 'in' | 'unknown' | undefined;
  /** Whether the file states inches, and its sizes are written as those of millimetres. */
  readonly contradicted: boolean;
  /** Fields of title blocks that are no attributes. */
  readonly unsureFields: readonly string[];
  /** Pages that seem to be turned. */
  readonly turned: readonly number[];
  /** Those that title blocks have labels of, and no value that was read. */
  readonly emptyFields: readonly string[];
}

/** A text with the middle of its box, pixels of the page's image. */
export function placedText(text: string, [x, y, width, height]: PmiObject['box'], page: number): string {
  return `${text} (page ${page}: ${Math.round(x + width / 2)}, ${Math.round(y + height / 2)})`;
}

/** A sentence for each kind of what is no part of a drawing's annotations. */
export function saidOfUnread(all: LeftOut): string[] {
  const { pictures, texts, tiny, cut, unseen, aside, unparted, unclear, unsure, byForm, contradicted, unsureFields } =
    all;
  return [
    cut > 0 ? `${cut} annotations beyond ${MOST_OBJECTS} of a page and ${MOST_OF_ALL} of a file were left out` : '',
    unseen > 0
      ? `${unseen} texts beyond ${MOST_TEXTS} of a page, and beyond ${MOST_LINES} that may be sizes, were not read`
      : '',
    texts > 0 ? `${texts} texts of scanned pages or pictures were not read, because a page has too many letters` : '',
    byForm === 'unknown' ? 'no unit is stated, and sizes may be in inches: what they are in is not known' : '',
    byForm === 'in'
      ? 'no unit is stated: sizes are written as those of inches (.50, 1.00 [25.4]), and were taken for such'
      : '',
    contradicted
      ? 'the file states inches, as templates do, but its sizes are written as those of millimetres, ' +
        'and were taken for such'
      : '',
    aside > 0
      ? `${aside} numbers that name, count or measure something else, by words beside them or in lists, ` +
        'are no sizes here'
      : '',
    unparted.length > 0
      ? `${unparted.length} lines of several sizes were not read: nothing shows where one ends: ` +
        someOf(unparted, '; ', MOST_TOLD)
      : '',
    unclear.length > 0
      ? `${unclear.length} texts are like sizes ([25], A=25, further tolerances, what follows a thread, numbers in a ` +
        `row at the edge, notes) and cannot be read as such for certain: ${someOf(unclear, '; ', MOST_TOLD)}`
      : '',
    all.tapers.length > 0
      ? `${all.tapers.length} tapers, slopes or ratios are no sizes here: ${someOf(all.tapers, '; ', MOST_TOLD)}`
      : '',
    all.welds.length > 0
      ? `${all.welds.length} weld symbols, whose numbers are no sizes here: ${someOf(all.welds, '; ', MOST_TOLD)}`
      : '',
    all.frames.length > 0
      ? `${all.frames.length} control frames have a symbol that was not understood, or one of form, which has no ` +
        `datum: ${someOf(all.frames, '; ', MOST_TOLD)}`
      : '',
    all.unknown.length > 0
      ? `${all.unknown.length} texts on dimension lines were not understood: ${someOf(all.unknown, '; ', MOST_TOLD)}`
      : '',
    unsure.length > 0
      ? `${unsure.length} texts of scanned pages or pictures may be sizes, were read too unsurely (confidence below ` +
        `${LEAST_CONFIDENCE}, or no size as they read), and were left out: ${someOf(unsure, '; ', MOST_TOLD)}`
      : '',
    all.pointless.length > 0
      ? `${all.pointless.length} sizes of scanned pages or pictures are whole and larger than all others, most of ` +
        `which have decimals: their points may be lost: ${someOf(all.pointless, '; ', MOST_TOLD)}`
      : '',
    tiny > 0 ? `${tiny} texts with figures are too small to be read on paper, and were left out` : '',
    pictures > 0
      ? `${pictures} scanned pages or pictures beyond the first ${MOST_PICTURES} were not read for dimensions`
      : '',
    unsureFields.length > 0
      ? `${unsureFields.join(', ')}: read too unsurely in the title block to be an attribute`
      : '',
    all.turned.length > 0
      ? `page ${all.turned.join(', ')}: most words are read upwards or downwards, and no title block was found: turn the page`
      : '',
    all.emptyFields.length > 0 ? `${all.emptyFields.join(', ')}: no value was read in the title block` : '',
  ].filter((said) => said !== '');
}
