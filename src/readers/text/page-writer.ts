import type { TextPage } from '../../content/text.js';
import type { Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { plainPage } from './plain-text.js';

/** The limits that text has. */
export type PageLimits = Pick<Limits, 'pages' | 'textCharacters'>;

/** What comes before the next text: nothing, the end of a cell, of a paragraph, or of a row. Rows are never joined by a cell's end. */
type Gap = '' | '\t' | 'paragraph' | 'row';

/**
 * Puts the text of a document together, page by page. Ends of paragraphs, cells and rows are given where they are met and
 * written only between texts, so that empty ones cost nothing, however many a file claims. What passes `limits.pages` or
 * `limits.textCharacters` is left out, and a warning tells.
 */
export class PageWriter {
  readonly #format: string;
  readonly #limits: PageLimits;
  readonly #pages: TextPage[] = [];
  readonly #parts: string[] = [];
  #name = '';
  #gap: Gap = '';
  #empty = true;
  #left: number;
  #cut: 'pages' | 'textCharacters' | undefined;

  /** @param format as warnings call it: `docx`. */
  constructor(format: string, limits: PageLimits, name = '') {
    this.#format = format;
    this.#limits = limits;
    this.#left = limits.textCharacters;
    this.#name = name;
  }

  /** True when nothing more is taken: the rest of the file need not be read. */
  get full(): boolean {
    return this.#cut !== undefined;
  }

  /** True when the page has no text so far. */
  get pageIsEmpty(): boolean {
    return this.#empty;
  }

  /** True when the next text begins a line. */
  get atLineStart(): boolean {
    return this.#empty || this.#gap !== '';
  }

  /** Text in a line; may hold line ends of its own. */
  write(text: string): void {
    if (text === '' || this.full) return;
    let added = text;
    if (this.#gap !== '') {
      // Blanks between two paragraphs' ends are nobody's text.
      if (!this.#empty) added = (this.#gap === '\t' ? '\t' : '\n') + text;
      this.#gap = '';
    }
    if (added.length > this.#left) {
      added = added.slice(0, this.#left);
      if (/[\ud800-\udbff]$/.test(added)) added = added.slice(0, -1);
      this.#cut = 'textCharacters';
    }
    this.#left -= added.length;
    this.#parts.push(added);
    this.#empty = false;
    // A string of millions of pieces is cheap to grow but dear to hold.
    if (this.#parts.length > 10_000) this.#parts.splice(0, this.#parts.length, this.#parts.join(''));
  }

  /** The end of a paragraph: what comes next begins a line. */
  line(): void {
    // A cell's first paragraph may be marked at its start.
    if (this.#gap === '') this.#gap = 'paragraph';
  }

  /** The end of a table's cell: what comes next in the row stands behind a tab. */
  cell(): void {
    if (this.#gap !== 'row') this.#gap = '\t';
  }

  /** The start or the end of a table's row: what comes next begins a line, though a cell end before it. */
  row(): void {
    this.#gap = 'row';
  }

  /** Ends the page and begins the next one. */
  page(name = ''): void {
    if (this.full) return;
    if (this.#pages.length + 1 >= this.#limits.pages) {
      this.#cut = 'pages';
      return;
    }
    this.#endPage();
    this.#name = name;
  }

  /** Names the page that is being written. */
  name(name: string): void {
    this.#name = name;
  }

  /** All pages, at least one, and the warning if something was left out. */
  finish(): { pages: TextPage[]; warnings: Warning[] } {
    this.#endPage();
    if (this.#cut === undefined) return { pages: this.#pages, warnings: [] };
    const message = `the ${this.#format} file passes limits.${this.#cut}, ${this.#limits[this.#cut]}; the text beyond was left out`;
    return { pages: this.#pages, warnings: [{ code: 'CONTENT_SKIPPED', message }] };
  }

  #endPage(): void {
    this.#pages.push({ number: this.#pages.length + 1, name: this.#name, text: plainPage(this.#parts.join('')) });
    this.#parts.length = 0;
    this.#gap = '';
    this.#empty = true;
  }
}

/** Pages of several files numbered as one document's, within `limits.pages` and `limits.textCharacters` all together. */
export function joinPages(pages: readonly TextPage[], limits: PageLimits): { pages: TextPage[]; warnings: Warning[] } {
  const kept: TextPage[] = [];
  let characters = 0;
  for (const page of pages) {
    characters += page.text.length;
    if (kept.length >= limits.pages || characters > limits.textCharacters) {
      const message = `the files inside hold more text than limits.pages, ${limits.pages}, or limits.textCharacters, ${limits.textCharacters}; the pages beyond were left out`;
      return { pages: kept, warnings: [{ code: 'CONTENT_SKIPPED', message }] };
    }
    kept.push({ ...page, number: kept.length + 1 });
  }
  return { pages: kept, warnings: [] };
}
