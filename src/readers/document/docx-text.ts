import { BlockStack } from '../text/block-stack.js';
import { embeddedDrawing, writeDrawing } from './drawingml-text.js';
import type { OpcPackage } from '../package/opc.js';
import type { PageWriter } from '../text/page-writer.js';
import { symbolOf } from '../tables/symbol-font.js';
import { attributeOf, SKIP, type XmlAttributes, type XmlHandler } from '../text/xml.js';

/** Facts that the body of a document needs; headers and notes, which have no pages, do not. */
interface BodyOptions {
  /** Texts of notes and comments by kind and id: `footnote 2`. */
  readonly notes: ReadonlyMap<string, string>;
  /** For each section but the first, whether it begins a page. */
  readonly sectionBreaks: readonly boolean[];
}

/** Elements whose text does not belong to the document: moved or replaced by a tracked change. */
const SKIPPED = new Set(
  'moveFrom pPrChange rPrChange sectPrChange tblPrChange trPrChange tcPrChange rPr tabs'.split(' '),
);

/** Writes the text of a WordprocessingML part: body, header, footer, note or comment. */
export class DocxTextHandler implements XmlHandler {
  readonly #opened: OpcPackage;
  readonly #path: string;
  readonly #body: BodyOptions | undefined;
  readonly #blocks: BlockStack;
  readonly #main: PageWriter;
  #section = 0;
  /** Whether an author's page break just began a page: Word's layout mark for the same break follows. */
  #justBroken = false;
  /** Whether the section ends with this paragraph. */
  #breakAfterParagraph = false;
  readonly #pendingNotes: string[] = [];

  /** @param body absent for parts without pages. */
  constructor(opened: OpcPackage, path: string, writer: PageWriter, body?: BodyOptions) {
    this.#opened = opened;
    this.#path = path;
    this.#body = body;
    this.#main = writer;
    this.#blocks = new BlockStack('docx', writer);
  }

  open(name: string, attributes: XmlAttributes, path: readonly string[]): typeof SKIP | undefined {
    const parent = path.at(-2);
    // A drawing and its fallback for older programs have the same text; the fallback is skipped.
    if (SKIPPED.has(name) || (name === 'Fallback' && parent === 'AlternateContent')) return SKIP;
    const { writer } = this.#blocks;
    if (name === 'tab' || name === 'ptab') writer.write('\t');
    else if (name === 'br' && attributeOf(attributes, 'type') === 'page') this.#breakPage();
    else if (name === 'br' || name === 'cr') writer.line();
    else if (name === 'noBreakHyphen') writer.write('-');
    else if (name === 'sym') writer.write(symbolFrom(attributes));
    else if (name === 'lastRenderedPageBreak') {
      if (!this.#justBroken) this.#breakPage();
      this.#justBroken = false;
    } else if (name === 'pageBreakBefore') {
      if (parent === 'pPr' && !/^(0|false|off)$/.test(attributeOf(attributes, 'val') ?? '') && !writer.pageIsEmpty)
        this.#breakPage();
    } else if (name === 'sectPr') {
      if (this.#body?.sectionBreaks[this.#section++] === true) this.#breakAfterParagraph = parent === 'pPr';
    } else if (name === 'footnoteReference' || name === 'commentReference')
      this.#note(`${name.slice(0, -'Reference'.length)} ${attributeOf(attributes, 'id') ?? ''}`);
    else if (name === 'tr') writer.row();
    else if (name === 'txbxContent') this.#blocks.begin();
    else writeDrawing(this.#opened, embeddedDrawing(this.#opened, this.#path, name, attributes), writer, 1);
    return undefined;
  }

  text(run: string, path: readonly string[]): void {
    if (path.at(-1) !== 't') return;
    this.#blocks.writer.write(run);
    if (!this.#blocks.nested && run.trim() !== '') this.#justBroken = false;
  }

  close(name: string, path: readonly string[]): void {
    if (name === 'p') this.#endParagraph();
    else if (name === 'tc') this.#blocks.writer.cell();
    else if (name === 'tr') this.#blocks.writer.row();
    else if (name === 'txbxContent') this.#endBox(path);
  }

  done(): boolean {
    return this.#main.full;
  }

  /** Writes the notes of the current page. */
  writeNotes(): void {
    for (const note of this.#pendingNotes.splice(0)) {
      this.#main.line();
      this.#main.write(note);
      this.#main.line();
    }
  }

  #endParagraph(): void {
    this.#blocks.writer.line();
    this.#blocks.flush();
    if (!this.#breakAfterParagraph || this.#blocks.nested) return;
    this.#breakAfterParagraph = false;
    this.#breakPage();
  }

  #endBox(path: readonly string[]): void {
    this.#blocks.end();
    // Some writers put boxes outside of any paragraph, whose end would write them.
    if (!path.includes('p')) this.#blocks.flush();
  }

  #note(key: string): void {
    const note = this.#body?.notes.get(key);
    if (note !== undefined) this.#pendingNotes.push(note);
  }

  /** Begins a page, but only in the body and not in a text box. */
  #breakPage(): void {
    if (this.#body === undefined || this.#blocks.nested) return this.#blocks.writer.line();
    this.writeNotes();
    this.#main.page();
    this.#justBroken = true;
  }
}

/** The character of a symbol font by its hexadecimal code. */
function symbolFrom(attributes: XmlAttributes): string {
  const code = parseInt(attributeOf(attributes, 'char') ?? '', 16);
  if (!(code > 0 && code < 0x10000)) return '';
  if (/^symbol/i.test(attributeOf(attributes, 'font') ?? '')) return symbolOf(code);
  // Private-use codes of other fonts have no meaning without the font.
  return code >= 0xe000 && code <= 0xf8ff ? '' : String.fromCharCode(code);
}
