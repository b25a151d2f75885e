import type { Document } from '../../content/document.js';
import type { Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { writeDrawing } from './drawingml-text.js';
import { OpcPackage, unescaped } from '../package/opc.js';
import { PageWriter } from '../text/page-writer.js';
import { CellFormats, StylesHandler } from './xlsx-numbers.js';
import { attributeOf, prefixedAttributeOf, type XmlHandler } from '../text/xml.js';

/**
 * Reads a SpreadsheetML package (ISO/IEC 29500-1, 18; transitional and strict): one page per sheet with its name,
 * hidden sheets included; one line per row, cells separated by tabs, empty cells left out. Numbers and dates are
 * formatted as displayed (dates that depend on the locale as ISO 8601); formulas give their stored values. After the
 * cells follow header and footer, comments, text boxes and labels of charts.
 * @throws EngineError `FILE_MALFORMED`, `FORMAT_UNSUPPORTED` for a binary workbook, `LIMIT_EXCEEDED`.
 */
export async function readXlsx(bytes: Uint8Array, { limits }: ReadOptions, budget: UnpackBudget): Promise<Document> {
  const opened = await OpcPackage.open('xlsx', bytes, limits, budget);
  const main = opened.mainPart('xl/workbook.xml');
  const properties = opened.properties();
  const formats = new CellFormats();
  const sheets: { name: string; path: string | undefined }[] = [];
  opened.walk(main, {
    open(name, attributes) {
      if (name === 'workbookPr') formats.epoch1904 = /^(1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
      if (name !== 'sheet') return;
      sheets.push({
        name: attributeOf(attributes, 'name') ?? '',
        path: opened.relatedById(main, prefixedAttributeOf(attributes, 'id')),
      });
    },
    close() {
      // The reference is in the attributes.
    },
  });
  opened.walk(opened.related(main, 'styles')[0], new StylesHandler(formats));
  const strings = new SharedStringsHandler(limits.textCharacters);
  opened.walk(opened.related(main, 'sharedstrings')[0], strings);
  const writer = new PageWriter('xlsx', limits, sheets[0]?.name);
  sheets.forEach(({ name, path }, i) => {
    if (writer.full) return;
    if (i > 0) writer.page(name);
    opened.walkOnce(path, new SheetHandler(writer, strings.strings, formats));
    if (path !== undefined) writeExtras(opened, path, writer);
  });
  const { pages, warnings } = writer.finish();
  const lacking: Warning[] =
    strings.done() && !warnings.some(({ code }) => code === 'CONTENT_SKIPPED')
      ? [
          {
            code: 'CONTENT_SKIPPED',
            message:
              `the cells' texts pass limits.textCharacters, ${limits.textCharacters}; ` +
              'cells that refer to one beyond were left empty',
          },
        ]
      : [];
  return {
    kind: 'document',
    format: 'xlsx',
    pages,
    properties: properties.properties,
    warnings: [...opened.warnings, ...warnings, ...lacking],
  };
}

/** Writes the comments and drawings of a sheet. */
function writeExtras(opened: OpcPackage, sheet: string, writer: PageWriter): void {
  // Threaded comments are also stored as plain comments for older programs.
  const threads = opened.related(sheet, 'threadedcomment');
  for (const path of threads.length > 0 ? threads : opened.related(sheet, 'comments')) {
    writer.row();
    opened.walkOnce(path, new CommentsHandler(writer));
  }
  for (const path of opened.related(sheet, 'drawing')) {
    writer.row();
    writeDrawing(opened, path, writer);
  }
}

/** The shared strings, to which cells refer by index (18.4). */
class SharedStringsHandler implements XmlHandler {
  readonly strings: string[] = [];
  #left: number;
  #isCut = false;
  #string = '';
  readonly #open: string[] = [];

  constructor(most: number) {
    this.#left = most;
  }

  open(name: string): void {
    this.#open.push(name);
    if (name === 'si') this.#string = '';
  }

  text(run: string): void {
    if (this.#open.at(-1) === 't' && !this.#open.includes('rPh')) this.#string += run;
  }

  close(name: string): void {
    this.#open.pop();
    if (name !== 'si') return;
    if (this.#left < 0) {
      this.#isCut = true;
      return;
    }
    this.strings.push(unescaped(this.#string));
    this.#left -= 1 + this.#string.length;
  }

  /** Whether strings were left out because they exceed the characters that are kept of a file. */
  done(): boolean {
    return this.#isCut;
  }
}

class SheetHandler implements XmlHandler {
  readonly #writer: PageWriter;
  readonly #strings: readonly string[];
  readonly #formats: CellFormats;
  readonly #open: string[] = [];
  #type = '';
  #style = 0;
  #value = '';
  readonly #margins: string[] = [];

  constructor(writer: PageWriter, strings: readonly string[], formats: CellFormats) {
    this.#writer = writer;
    this.#strings = strings;
    this.#formats = formats;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#open.push(name);
    if (name === 'row') this.#writer.row();
    if (name !== 'c') return;
    this.#type = attributeOf(attributes, 't') ?? 'n';
    this.#style = Number(attributeOf(attributes, 's') ?? 0);
    this.#value = '';
  }

  text(run: string): void {
    const name = this.#open.at(-1) ?? '';
    if (name === 'v' || (name === 't' && this.#open.includes('is') && !this.#open.includes('rPh'))) this.#value += run;
    else if (/^(odd|even|first)(Header|Footer)$/.test(name)) this.#margins.push(marginText(run));
  }

  close(name: string): void {
    this.#open.pop();
    if (name === 'c') {
      this.#writer.write(
        this.#shown()
          .replace(/[\t\r\n]+/g, ' ')
          .trim(),
      );
      this.#writer.cell();
    } else if (name === 'row') {
      this.#writer.row();
    } else if (name === 'worksheet') {
      for (const margin of new Set(this.#margins)) {
        this.#writer.row();
        this.#writer.write(margin);
      }
    }
  }

  done(): boolean {
    return this.#writer.full;
  }

  #shown(): string {
    switch (this.#type) {
      case 's':
        return this.#strings[Number(this.#value)] ?? '';
      case 'b':
        return this.#value === '' ? '' : this.#value === '0' ? 'FALSE' : 'TRUE';
      case 'n':
        return this.#formats.show(this.#value, this.#style);
      case 'str':
      case 'inlineStr':
        return unescaped(this.#value);
      case 'd':
        return this.#value.replace(/T00:00(:00(\.0+)?)?Z?$/, '');
      default:
        return this.#value;
    }
  }
}

/** Writes comments, plain or threaded, one line each. */
class CommentsHandler implements XmlHandler {
  readonly #writer: PageWriter;
  readonly #open: string[] = [];

  constructor(writer: PageWriter) {
    this.#writer = writer;
  }

  open(name: string): void {
    this.#open.push(name);
  }

  text(run: string): void {
    const name = this.#open.at(-1);
    if ((name === 't' && !this.#open.includes('rPh')) || (name === 'text' && this.#open.at(-2) === 'threadedComment'))
      this.#writer.write(run);
  }

  close(name: string): void {
    this.#open.pop();
    if (name === 'comment' || name === 'threadedComment') this.#writer.line();
  }

  done(): boolean {
    return this.#writer.full;
  }
}

/**
 * The text of a header or footer without its codes for sections, fonts and fields (18.3.1.39) and without page
 * numbering.
 */
function marginText(codes: string): string {
  return codes
    .replace(
      /&&|&[LCR]|&[PN]|&"[^"]{0,200}"|&K[0-9A-F]{6}|&\d{1,3}|&[A-Z]/gi,
      (code) => MARGIN_CODES[code.toUpperCase()] ?? '',
    )
    .replace(/\p{L}{0,20} ?\0( ?[\p{L}/]{0,20} ?\0)?/gu, '')
    .trim();
}

const MARGIN_CODES: Readonly<Record<string, string>> = {
  '&&': '&',
  '&L': ' ',
  '&C': ' ',
  '&R': ' ',
  '&P': '\0',
  '&N': '\0',
};
