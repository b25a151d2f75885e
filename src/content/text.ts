/** A rectangle on a page, as shares of the page's width and height: 0 to 1, origin upper left. */
export interface PageBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A piece of a page's text with its position. */
export interface TextRun {
  /** UTF-16 offset of its first character in {@link TextPage.text}. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  readonly box: PageBox;
}

/** The text of one page, sheet, slide or message, in reading order. */
export interface TextPage {
  /** From 1. */
  readonly number: number;
  /** Name of the sheet or layout; '' if it has none. */
  readonly name: string;
  /** Lines are separated by `\n`; Unicode NFC; no control characters besides `\n` and `\t`. */
  readonly text: string;
  /** By ascending start, not overlapping; absent for formats without positions of text. */
  readonly runs?: readonly TextRun[];
}

/** A fact that the file states about itself: an extracted attribute. */
export interface Property {
  readonly name: string;
  /** '' if it has none. */
  readonly unit: string;
  readonly value: string;
}
