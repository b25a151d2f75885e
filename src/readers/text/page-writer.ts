import type { Document, DocumentFormat } from '../../content/document.js';
import type { Property, TextPage } from '../../content/text.js';
import { warning, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { plainPage } from './plain-text.js';

/** The limits that apply to text. */
export type PageLimits = Pick<Limits, 'pages' | 'textCharacters'>;

/**
 * The pending separator before the next text: none, or the end of a cell, paragraph or row. A cell's end does not
 * replace a row's.
 */
type Gap = '' | '\t' | 'paragraph' | 'row';

/**
 * Assembles the text of a document page by page. Ends of paragraphs, cells and rows are written only between texts, so
 * empty ones cost nothing, however many a file declares. Text beyond `limits.pages` or `limits.textCharacters` is left
 * out with a warning.
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

  /**
   * @param format name of the format in warnings: `docx`.
   * @param name name of the first page.
   */
  constructor(format: string, limits: PageLimits, name = '') {
    this.#format = format;
    this.#limits = limits;
    this.#left = limits.textCharacters;
    this.#name = name;
  }

  /** True when a limit was reached: the rest of the file need not be read. */
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

  /** Appends text, which may contain line ends. */
  write(text: string): void {
    if (text === '' || this.full) return;
    let added = text;
    if (this.#gap !== '') {
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
    // Joining now and then saves memory: many short strings take far more than one long one.
    if (this.#parts.length > 10_000) this.#parts.splice(0, this.#parts.length, this.#parts.join(''));
  }

  /** Ends a paragraph: the next text begins a line. */
  line(): void {
    // A pending cell or row end takes precedence over a paragraph's.
    if (this.#gap === '') this.#gap = 'paragraph';
  }

  /** Ends a table cell: the next text of the row follows a tab. */
  cell(): void {
    if (this.#gap !== 'row') this.#gap = '\t';
  }

  /** Starts or ends a table row: the next text begins a line, even after the end of a cell. */
  row(): void {
    this.#gap = 'row';
  }

  /** Writes texts that each begin and end a line. */
  blocks(texts: Iterable<string>): void {
    for (const text of texts) {
      this.row();
      this.write(text);
      this.row();
    }
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

  /** Names the current page. */
  name(name: string): void {
    this.#name = name;
  }

  /** All pages, at least one, and a warning if text was left out. */
  finish(): { pages: TextPage[]; warnings: Warning[] } {
    this.#endPage();
    if (this.#cut === undefined) return { pages: this.#pages, warnings: [] };
    const limit = `limits.${this.#cut}, ${this.#limits[this.#cut]}`;
    const message = `the ${this.#format} file passes ${limit}; the text beyond was left out`;
    return { pages: this.#pages, warnings: [warning('CONTENT_SKIPPED', message)] };
  }

  /** The document of these pages. `warnings` come before those of the text. */
  document(format: DocumentFormat, properties: readonly Property[], warnings: readonly Warning[] = []): Document {
    const { pages, warnings: cut } = this.finish();
    return { kind: 'document', format, pages, properties, warnings: [...warnings, ...cut] };
  }

  #endPage(): void {
    this.#pages.push({ number: this.#pages.length + 1, name: this.#name, text: plainPage(this.#parts.join('')) });
    this.#parts.length = 0;
    this.#gap = '';
    this.#empty = true;
  }
}

/**
 * Numbers the pages of several files as one document; `limits.pages` and `limits.textCharacters` apply to all together.
 */
export function joinPages(pages: readonly TextPage[], limits: PageLimits): { pages: TextPage[]; warnings: Warning[] } {
  const kept: TextPage[] = [];
  let characters = 0;
  for (const page of pages) {
    characters += page.text.length;
    if (kept.length >= limits.pages || characters > limits.textCharacters) {
      const message =
        `the files inside hold more text than limits.pages, ${limits.pages}, or ` +
        `limits.textCharacters, ${limits.textCharacters}; the pages beyond were left out`;
      return { pages: kept, warnings: [warning('CONTENT_SKIPPED', message)] };
    }
    kept.push({ ...page, number: kept.length + 1 });
  }
  return { pages: kept, warnings: [] };
}
