import { BlockStack } from '../text/block-stack.js';
import type { PageBreaks } from './odf-styles.js';
import type { PageWriter } from '../text/page-writer.js';
import { attributeOf, SKIP, type XmlAttributes, type XmlHandler } from '../text/xml.js';

/**
 * Elements whose text does not belong to the document: deleted text, styles, data of forms and sheets, page numbers.
 */
const SKIPPED = new Set(
  (
    'tracked-changes automatic-styles font-face-decls scripts forms sequence-decls variable-decls ' +
    'user-field-decls dde-connection-decls content-validations note-citation page-number page-count ' +
    'event-listeners named-expressions database-ranges data-pilot-tables binary-data object ' +
    'calculation-settings settings ruby-text creator-initials'
  ).split(' '),
);

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

  open(name: string, attributes: XmlAttributes, path: readonly string[]): typeof SKIP | undefined {
    if (SKIPPED.has(name) || (ASIDE.has(name) && !LINES.has(path.at(-2) ?? ''))) return SKIP;
    if (BLOCKS.has(name)) this.#blocks.begin();
    const { writer } = this.#blocks;
    if (name === 'p' || name === 'h') {
      this.#breakFor(attributes);
      this.#paragraphs.push(attributeOf(attributes, 'style-name') ?? '');
    }
    // `text:c` can claim any number of blanks; one separates words as well.
    else if (name === 's') writer.write(' ');
    else if (name === 'tab') writer.write('\t');
    else if (name === 'line-break') writer.line();
    else if (name === 'soft-page-break') this.#breakPage();
    else if (name === 'table') {
      this.#tables++;
      this.#breakFor(attributes);
      // A nested table is not a sheet.
      if (this.#format === 'ods' && this.#tables === 1) this.#nextPage(attributeOf(attributes, 'name') ?? '');
    } else if (name === 'page' && this.#format === 'odp') this.#nextPage('');
    else if (name === 'table-row' || name === 'notes') writer.row();
    return undefined;
  }

  text(run: string): void {
    if (this.#paragraphs.length === 0) return;
    // White space is collapsed; significant blanks and tabs are elements (ISO/IEC 26300-1, 6.1.2).
    const collapsed = run.replace(/[ \t\r\n]+/g, ' ');
    const { writer } = this.#blocks;
    writer.write(writer.atLineStart ? collapsed.trimStart() : collapsed);
    if (!this.#blocks.nested && collapsed.trim() !== '') this.#justBroken = false;
  }

  close(name: string): void {
    if (name === 'p' || name === 'h') {
      this.#blocks.writer.line();
      this.#blocks.flush();
      if (this.#breaks?.after(this.#paragraphs.pop() ?? '') === true) this.#breakPage();
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.#blocks.writer.cell();
    else if (name === 'table-row') this.#blocks.writer.row();
    else if (name === 'table') this.#tables--;
    if (!BLOCKS.has(name)) return;
    this.#blocks.end();
    // A box on a slide is in no paragraph, whose end would write it.
    if (this.#paragraphs.length === 0) this.#blocks.flush();
  }

  done(): boolean {
    return this.#main.full;
  }

  #breakFor(attributes: XmlAttributes): void {
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
