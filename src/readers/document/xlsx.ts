import type { Document } from '../../content/document.js';
import { warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { writeDrawing } from './drawingml-text.js';
import { OpcPackage, unescaped } from '../package/opc.js';
import { PageWriter } from '../text/page-writer.js';
import { CellFormats, stylesHandler } from './xlsx-numbers.js';
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
  const { properties } = opened.properties();
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
  });
  opened.walk(opened.related(main, 'styles')[0], stylesHandler(formats));
  const { strings, isCut } = readStrings(opened, opened.related(main, 'sharedstrings')[0], limits.textCharacters);
  const writer = new PageWriter('xlsx', limits, sheets[0]?.name);
  sheets.forEach(({ name, path }, i) => {
    if (writer.full) return;
    if (i > 0) writer.page(name);
    opened.walkOnce(path, sheetHandler(writer, strings, formats));
    if (path !== undefined) writeExtras(opened, path, writer);
  });
  const document = writer.document('xlsx', properties, opened.warnings);
  const isSaid = document.warnings.slice(opened.warnings.length).some(({ code }) => code === 'CONTENT_SKIPPED');
  if (!isCut || isSaid) return document;
  const message =
    `the cells' texts pass limits.textCharacters, ${limits.textCharacters}; ` +
    'cells that refer to one beyond were left empty';
  return { ...document, warnings: [...document.warnings, warning('CONTENT_SKIPPED', message)] };
}

/** Writes the comments and drawings of a sheet. */
function writeExtras(opened: OpcPackage, sheet: string, writer: PageWriter): void {
  // Threaded comments are also stored as plain comments for older programs.
  const threads = opened.related(sheet, 'threadedcomment');
  for (const path of threads.length > 0 ? threads : opened.related(sheet, 'comments')) {
    writer.row();
    opened.walkOnce(path, commentsHandler(writer));
  }
  for (const path of opened.related(sheet, 'drawing')) {
    writer.row();
    writeDrawing(opened, path, writer);
  }
}

/** The shared strings, to which cells refer by index (18.4); cut at `most` characters. */
function readStrings(
  opened: OpcPackage,
  part: string | undefined,
  most: number,
): { strings: string[]; isCut: boolean } {
  const strings: string[] = [];
  let left = most;
  let string = '';
  let isCut = false;
  opened.walk(part, {
    open(name) {
      if (name === 'si') string = '';
    },
    text(run, path) {
      if (path.at(-1) === 't' && !path.includes('rPh')) string += run;
    },
    close(name) {
      if (name !== 'si') return;
      isCut = left < 0;
      if (isCut) return;
      strings.push(unescaped(string));
      left -= 1 + string.length;
    },
    done: () => isCut,
  });
  return { strings, isCut };
}

function sheetHandler(writer: PageWriter, strings: readonly string[], formats: CellFormats): XmlHandler {
  let type = '';
  let style = 0;
  let value = '';
  const margins: string[] = [];
  const shown = (): string => {
    switch (type) {
      case 's':
        return strings[Number(value)] ?? '';
      case 'b':
        return value === '' ? '' : value === '0' ? 'FALSE' : 'TRUE';
      case 'n':
        return formats.show(value, style);
      case 'str':
      case 'inlineStr':
        return unescaped(value);
      case 'd':
        return value.replace(/T00:00(:00(\.0+)?)?Z?$/, '');
      default:
        return value;
    }
  };
  return {
    open(name, attributes) {
      if (name === 'row') writer.row();
      if (name !== 'c') return;
      type = attributeOf(attributes, 't') ?? 'n';
      style = Number(attributeOf(attributes, 's') ?? 0);
      value = '';
    },
    text(run, path) {
      const name = path.at(-1) ?? '';
      if (name === 'v' || (name === 't' && path.includes('is') && !path.includes('rPh'))) value += run;
      else if (/^(odd|even|first)(Header|Footer)$/.test(name)) margins.push(marginText(run));
    },
    close(name) {
      if (name === 'c') {
        writer.write(
          shown()
            .replace(/[\t\r\n]+/g, ' ')
            .trim(),
        );
        writer.cell();
      } else if (name === 'row') {
        writer.row();
      } else if (name === 'worksheet') {
        for (const margin of new Set(margins)) {
          writer.row();
          writer.write(margin);
        }
      }
    },
    done: () => writer.full,
  };
}

/** Writes comments, plain or threaded, one line each. */
function commentsHandler(writer: PageWriter): XmlHandler {
  return {
    open: () => undefined,
    text(run, path) {
      const name = path.at(-1);
      if ((name === 't' && !path.includes('rPh')) || (name === 'text' && path.at(-2) === 'threadedComment'))
        writer.write(run);
    },
    close(name) {
      if (name === 'comment' || name === 'threadedComment') writer.line();
    },
    done: () => writer.full,
  };
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
