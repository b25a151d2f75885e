import { BlockStack } from '../text/block-stack.js';
import { embeddedDrawing, writeDrawing } from './drawingml-text.js';
import type { OpcPackage } from '../package/opc.js';
import type { PageWriter } from '../text/page-writer.js';
import { symbolOf } from '../tables/symbol-font.js';
import { attributeOf, type XmlHandler } from '../text/xml.js';

/** What a document's body needs beside its XML; headers and notes have no pages of their own. */
interface BodyOptions {
  /** Texts of notes and comments, by kind and id: `footnote 2`. */
  readonly notes: ReadonlyMap<string, string>;
  /** Whether each section but the first begins a page. */
  readonly sectionBreaks: readonly boolean[];
}

/** Elements whose text is none of the document's: what was moved away, and how things were before a tracked change. */
const SKIPPED = new Set([
  'moveFrom',
  'pPrChange',
  'rPrChange',
  'sectPrChange',
  'tblPrChange',
  'trPrChange',
  'tcPrChange',
  'rPr',
  'tabs',
]);

/** Writes the text of a WordprocessingML part: body, header, footer, note or comment. */
export class DocxTextHandler implements XmlHandler {
  readonly #opened: OpcPackage;
  readonly #path: string;
  readonly #body: BodyOptions | undefined;
  readonly #blocks: BlockStack;
  readonly #main: PageWriter;
  readonly #open: string[] = [];
  #skippedBelow = Infinity;
  #section = 0;
  /** A page was begun by the author and has no text so far: Word's own mark of the same break follows. */
  #justBroken = false;
  /** The section ends with this paragraph. */
  #breakAfterParagraph = false;
  readonly #pendingNotes: string[] = [];

  /** @param body absent for parts that have no pages. */
  constructor(opened: OpcPackage, path: string, writer: PageWriter, body?: BodyOptions) {
    this.#opened = opened;
    this.#path = path;
    this.#body = body;
    this.#main = writer;
    this.#blocks = new BlockStack('docx', writer);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const parent = this.#open.at(-1);
    this.#open.push(name);
    if (this.#open.length > this.#skippedBelow) return;
    // A newer drawing and the older one that stands for it hold the same text; the newer one comes first.
    if (SKIPPED.has(name) || (name === 'Fallback' && parent === 'AlternateContent')) {
      this.#skippedBelow = this.#open.length;
      return;
    }
    const { writer } = this.#blocks;
    switch (name) {
      case 'tab':
      case 'ptab':
        writer.write('\t');
        break;
      case 'br':
        if (attributeOf(attributes, 'type') === 'page') this.#breakPage();
        else writer.line();
        break;
      case 'cr':
        writer.line();
        break;
      case 'noBreakHyphen':
        writer.write('-');
        break;
      case 'sym':
        writer.write(symbolFrom(attributes));
        break;
      case 'lastRenderedPageBreak':
        if (this.#justBroken) this.#justBroken = false;
        else this.#breakPage();
        this.#justBroken = false;
        break;
      case 'pageBreakBefore':
        if (parent === 'pPr' && !/^(0|false|off)$/.test(attributeOf(attributes, 'val') ?? '') && !writer.pageIsEmpty)
          this.#breakPage();
        break;
      case 'sectPr':
        if (this.#body?.sectionBreaks[this.#section++] === true) this.#breakAfterParagraph = parent === 'pPr';
        break;
      case 'footnoteReference':
      case 'commentReference':
        this.#note(`${name.slice(0, -'Reference'.length)} ${attributeOf(attributes, 'id') ?? ''}`);
        break;
      case 'tr':
        writer.row();
        break;
      case 'txbxContent':
        this.#blocks.begin();
        break;
      default:
        writeDrawing(this.#opened, embeddedDrawing(this.#opened, this.#path, name, attributes), writer, 1);
    }
  }

  text(run: string): void {
    if (this.#open.at(-1) !== 't' || this.#open.length >= this.#skippedBelow) return;
    this.#blocks.writer.write(run);
    if (!this.#blocks.nested && run.trim() !== '') this.#justBroken = false;
  }

  close(name: string): void {
    const skipped = this.#open.length >= this.#skippedBelow;
    if (this.#open.length <= this.#skippedBelow) this.#skippedBelow = Infinity;
    this.#open.pop();
    if (skipped) return;
    if (name === 'p') this.#endParagraph();
    else if (name === 'tc') this.#blocks.writer.cell();
    else if (name === 'tr') this.#blocks.writer.row();
    else if (name === 'txbxContent') this.#endBox();
  }

  done(): boolean {
    return this.#main.full;
  }

  /** Writes the notes of the page that is being written. */
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

  #endBox(): void {
    this.#blocks.end();
    // Some writers put boxes where there is no paragraph that could end.
    if (!this.#open.includes('p')) this.#blocks.flush();
  }

  #note(key: string): void {
    const note = this.#body?.notes.get(key);
    if (note !== undefined) this.#pendingNotes.push(note);
  }

  /** Pages are the body's; a break in a text box is none of a page. */
  #breakPage(): void {
    if (this.#body === undefined || this.#blocks.nested) return this.#blocks.writer.line();
    this.writeNotes();
    this.#main.page();
    this.#justBroken = true;
  }
}

/** A character of a font of symbols, by its code in hexadecimal. */
function symbolFrom(attributes: ReadonlyMap<string, string>): string {
  const code = parseInt(attributeOf(attributes, 'char') ?? '', 16);
  if (!(code > 0 && code < 0x10000)) return '';
  if (/^symbol/i.test(attributeOf(attributes, 'font') ?? '')) return symbolOf(code);
  // Other fonts' codes beyond Unicode's own letters mean nothing without the font.
  return code >= 0xe000 && code <= 0xf8ff ? '' : String.fromCharCode(code);
}
