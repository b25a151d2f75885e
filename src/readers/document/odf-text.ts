import { BlockStack } from '../text/block-stack.js';
import type { PageBreaks } from './odf-styles.js';
import type { PageWriter } from '../text/page-writer.js';
import { attributeOf, type XmlHandler } from '../text/xml.js';

/**
 * Elements whose text does not belong to the document: deleted text, styles, data of forms and sheets, page numbers.
 */
const SKIPPED = new Set([
  'tracked-changes',
  'automatic-styles',
  'font-face-decls',
  'scripts',
  'forms',
  'sequence-decls',
  'variable-decls',
  'user-field-decls',
  'dde-connection-decls',
  'content-validations',
  'note-citation',
  'page-number',
  'page-count',
  'event-listeners',
  'named-expressions',
  'database-ranges',
  'data-pilot-tables',
  'binary-data',
  'object',
  'calculation-settings',
  'settings',
  'ruby-text',
  'creator-initials',
]);

/** Elements that title an object or name a comment's author, but inside a line of text are fields with visible text. */
const ASIDE = new Set(['title', 'desc', 'creator', 'date']);
const LINES = new Set(['p', 'h', 'span', 'a']);

/** Elements whose text is separate from the paragraph that anchors them. */
const BLOCKS = new Set(['note-body', 'annotation', 'text-box']);

/** Writes the text of an OpenDocument body, or of a header or footer. */
export class OdfTextHandler implements XmlHandler {
  readonly #format: string;
  readonly #main: PageWriter;
  readonly #blocks: BlockStack;
  readonly #breaks: PageBreaks | undefined;
  readonly #open: string[] = [];
  #skippedBelow = Infinity;
  /** Styles of the open paragraphs; a note or text box is inside the paragraph that anchors it. */
  readonly #paragraphs: string[] = [];
  #tables = 0;
  #pages = 0;
  /** Whether a page has begun since the last text. */
  #justBroken = true;

  /** @param breaks absent for text without pages of its own, such as a header. */
  constructor(format: string, writer: PageWriter, breaks?: PageBreaks) {
    this.#format = format;
    this.#main = writer;
    this.#blocks = new BlockStack(format, writer);
    this.#breaks = breaks;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const parent = this.#open.at(-1) ?? '';
    this.#open.push(name);
    if (this.#open.length > this.#skippedBelow) return;
    if (SKIPPED.has(name) || (ASIDE.has(name) && !LINES.has(parent))) {
      this.#skippedBelow = this.#open.length;
      return;
    }
    if (BLOCKS.has(name)) this.#blocks.begin();
    const { writer } = this.#blocks;
    switch (name) {
      case 'p':
      case 'h':
        this.#breakFor(attributes);
        this.#paragraphs.push(attributeOf(attributes, 'style-name') ?? '');
        break;
      case 's':
      case 'tab':
        // `text:c` can claim any number of blanks; one separates words as well.
        writer.write(name === 's' ? ' ' : '\t');
        break;
      case 'line-break':
        writer.line();
        break;
      case 'soft-page-break':
        this.#breakPage();
        break;
      case 'table':
        this.#tables++;
        this.#breakFor(attributes);
        // A nested table is not a sheet.
        if (this.#format === 'ods' && this.#tables === 1) this.#nextPage(attributeOf(attributes, 'name') ?? '');
        break;
      case 'page':
        if (this.#format === 'odp') this.#nextPage('');
        break;
      case 'table-row':
        writer.row();
        break;
      case 'notes':
        writer.row();
        break;
    }
  }

  text(run: string): void {
    if (this.#paragraphs.length === 0 || this.#open.length >= this.#skippedBelow) return;
    // White space is collapsed; significant blanks and tabs are elements (ISO/IEC 26300-1, 6.1.2).
    const collapsed = run.replace(/[ \t\r\n]+/g, ' ');
    const { writer } = this.#blocks;
    writer.write(writer.atLineStart ? collapsed.trimStart() : collapsed);
    if (!this.#blocks.nested && collapsed.trim() !== '') this.#justBroken = false;
  }

  close(name: string): void {
    const skipped = this.#open.length >= this.#skippedBelow;
    if (this.#open.length <= this.#skippedBelow) this.#skippedBelow = Infinity;
    this.#open.pop();
    if (skipped) return;
    switch (name) {
      case 'p':
      case 'h':
        this.#blocks.writer.line();
        this.#blocks.flush();
        if (this.#breaks?.after(this.#paragraphs.pop() ?? '') === true) this.#breakPage();
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#blocks.writer.cell();
        break;
      case 'table-row':
        this.#blocks.writer.row();
        break;
      case 'table':
        this.#tables--;
        break;
    }
    if (!BLOCKS.has(name)) return;
    this.#blocks.end();
    // A box on a slide is in no paragraph, whose end would write it.
    if (this.#paragraphs.length === 0) this.#blocks.flush();
  }

  done(): boolean {
    return this.#main.full;
  }

  #breakFor(attributes: ReadonlyMap<string, string>): void {
    if (
      this.#format === 'odt' &&
      !this.#justBroken &&
      this.#breaks?.before(attributeOf(attributes, 'style-name') ?? '') === true
    )
      this.#breakPage();
  }

  #breakPage(): void {
    if (this.#breaks === undefined || this.#format !== 'odt' || this.#blocks.nested) return;
    this.#main.page();
    this.#justBroken = true;
  }

  /** Begins a sheet or slide; the first one is the page that is already open. */
  #nextPage(name: string): void {
    if (this.#pages++ === 0) this.#main.name(name);
    else this.#main.page(name);
  }
}
