import type { Document } from '../../content/document.js';
import type { Drawing } from '../../content/drawing.js';
import type { Sheet } from '../../content/sheet.js';
import type { Property, TextPage } from '../../content/text.js';
import { EngineError, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { kindOfPdf, type PageLook } from './kind.js';
import { countPieces, sheetOf } from './sheet.js';
import { piecesOf } from './text-pieces.js';
import {
  drawPage,
  loadPdfjs,
  openPdf,
  type OperatorList,
  type PDFDocumentProxy,
  type Pdfjs,
} from '../pdf-file/pdfjs.js';
import { PropertyList } from '../metadata/property-list.js';
import { countRuledLines } from './ruled-lines.js';
import { SheetBudget } from '../sheet/sheet-writer.js';
import { TextBudget } from '../text/text-budget.js';
import { layOut, type TextPiece } from '../text/text-layout.js';
import { readXmp } from '../metadata/xmp.js';

/** Pages that are looked at to tell a drawing from a document. */
const PAGES_LOOKED_AT = 6;
/** Pictures of pages that are looked at for ruled lines, and how wide they are drawn. */
const PICTURES_LOOKED_AT = 2;
const PICTURE_WIDTH_PX = 1_000;

/**
 * Reads a PDF: the text of its pages with the places of lines, what it says of itself, and whether it is a drawing or a document
 * (see `kindOfPdf`); of drawings the line work too. With `ocr`, text is recognised on pages that have none.
 * @param ocrEndMs when recognising ends, by `performance.now()`.
 * @throws EngineError `FORMAT_UNSUPPORTED` when it needs a password, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function readPdf(bytes: Uint8Array, options: ReadOptions, ocrEndMs: number): Promise<Drawing | Document> {
  const { limits } = options;
  const document = await openPdf(bytes, limits, { images: true });
  try {
    const warnings: Warning[] = [];
    const properties = await propertiesOf(document, options);
    const read = await readPages(document, options, warnings);
    const written = read.map(({ page }) => page);
    const looks = await lookAt(document, read, options);
    const pages =
      options.ocr === true
        ? await (await import('../pixels/ocr-pictures.js')).recognisePages(
            bytes,
            written,
            { limits, endMs: ocrEndMs },
            warnings,
          )
        : written;
    const program = properties
      .filter(({ name }) => name === 'Creator' || name === 'Producer')
      .map(({ value }) => value)
      .join(' ');
    if (options.ocr !== true && pages.every(({ text }) => text === '')) {
      warnings.push({
        code: 'CONTENT_SKIPPED',
        message: 'no page of the PDF has text; what is in its pictures is read with the option ocr',
      });
    }
    const found = { format: 'pdf', pages, properties, warnings } as const;
    if (kindOfPdf(looks, program) === 'document') return { kind: 'document', ...found };
    return { kind: 'drawing', ...found, sheets: await readSheets(document, read, looks, options, warnings) };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** A page with the pieces of its text, where its sheet may need them. */
interface ReadPage {
  readonly page: TextPage;
  readonly pieces: readonly TextPiece[];
}

async function readPages(
  document: PDFDocumentProxy,
  { limits }: ReadOptions,
  warnings: Warning[],
): Promise<ReadPage[]> {
  const budget = new TextBudget(limits);
  const pages: ReadPage[] = [];
  const count = Math.min(document.numPages, limits.pages);
  const failures: string[] = [];
  for (let number = 1; number <= count && budget.left > 0; number++) {
    try {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const pieces = await piecesOf(page, budget.left);
      pages.push({
        page: budget.keep(layOut(pieces, { number, name: '', width, height })),
        pieces: number <= limits.sheets ? pieces : [],
      });
      page.cleanup();
    } catch (cause) {
      failures.push(`page ${number}: ${messageOf(cause)}`);
      pages.push({ page: { number, name: '', text: '' }, pieces: [] });
    }
  }
  if (failures.length === pages.length) {
    throw new EngineError('FILE_MALFORMED', `no page of the PDF could be read; ${failures[0] ?? 'it has none'}`);
  }
  if (failures.length > 0)
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `${failures.length === 1 ? '1 page' : `${failures.length} pages`} could not be read; ${failures[0]}`,
    });
  warnings.push(...budget.warnings());
  if (document.numPages > pages.length && budget.left > 0) {
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `the PDF has ${document.numPages} pages, more than limits.pages, ${limits.pages}; the rest was left out`,
    });
  }
  return pages;
}

/** A page that was looked at, and what it draws. It stays loaded, with its pictures, until the document is closed. */
interface LookedAt extends PageLook {
  readonly number: number;
  readonly operators: OperatorList;
}

/** Looks at the line work of some pages, spread over the file; where there is nothing but pictures, at these. */
async function lookAt(
  document: PDFDocumentProxy,
  pages: readonly ReadPage[],
  options: ReadOptions,
): Promise<LookedAt[]> {
  const pdfjs = await loadPdfjs();
  const step = Math.max(1, Math.floor(pages.length / PAGES_LOOKED_AT));
  const looks: LookedAt[] = [];
  for (let i = 0; i < pages.length && looks.length < PAGES_LOOKED_AT; i += step) {
    const { number, text } = pages[i].page;
    const look = await strokesOf(document, number, pdfjs, options);
    if (look !== undefined) looks.push({ number, text, ...look });
  }
  const bare = looks.filter(({ text, strokes }) => text === '' && strokes === 0);
  if (bare.length === 0 || bare.length < looks.length) return looks;
  return lookAtPictures(document, bare.slice(0, PICTURES_LOOKED_AT));
}

async function strokesOf(
  document: PDFDocumentProxy,
  number: number,
  pdfjs: Pdfjs,
  { limits }: ReadOptions,
): Promise<Omit<LookedAt, 'number' | 'text'> | undefined> {
  let strokes = 0;
  try {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const operators = await page.getOperatorList();
    strokes = countPieces(operators, pdfjs);
    if (operators.fnArray.length <= limits.entities && strokes <= limits.entities)
      return { widthPt: width, heightPt: height, strokes, operators };
  } catch {
    // A page that cannot be drawn says nothing of the file's kind.
    return undefined;
  }
  throw new EngineError(
    'LIMIT_EXCEEDED',
    `page ${number} draws more than limits.entities, ${limits.entities}: found ${strokes} strokes`,
    {
      details: { limit: 'entities', allowed: limits.entities, found: strokes },
    },
  );
}

async function lookAtPictures(document: PDFDocumentProxy, looks: readonly LookedAt[]): Promise<LookedAt[]> {
  try {
    const found: LookedAt[] = [];
    for (const look of looks) {
      const page = await document.getPage(look.number);
      found.push({
        ...look,
        ruledLines: countRuledLines(await drawPage(document, page, PICTURE_WIDTH_PX / Math.max(1, look.widthPt))),
      });
    }
    return found;
  } catch {
    // A picture that cannot be drawn says nothing of the file's kind.
    return [...looks];
  }
}

/** The line work of the pages of a drawing. What passes a limit is left out with a warning, because the text of such files is worth having. */
async function readSheets(
  document: PDFDocumentProxy,
  pages: readonly ReadPage[],
  looks: readonly LookedAt[],
  { limits }: ReadOptions,
  warnings: Warning[],
): Promise<Sheet[]> {
  const pdfjs = await loadPdfjs();
  const layers = await document.getOptionalContentConfig();
  const budget = new SheetBudget('PDF', limits);
  const operatorsOf = new Map(looks.map(({ number, operators }) => [number, operators]));
  const sheets: Sheet[] = [];
  const failures: string[] = [];
  for (const {
    page: { number },
    pieces,
  } of pages.slice(0, limits.sheets)) {
    try {
      const page = await document.getPage(number);
      const sheet = await sheetOf(
        page,
        operatorsOf.get(number) ?? (await page.getOperatorList()),
        pieces,
        layers,
        pdfjs,
        budget,
      );
      page.cleanup();
      if (sheet.strokes.count > 0 || sheet.pictures.length > 0) sheets.push(sheet);
    } catch (cause) {
      failures.push(`page ${number}: ${messageOf(cause)}`);
      if (cause instanceof EngineError) break;
    }
  }
  if (failures.length > 0)
    warnings.push({ code: 'CONTENT_SKIPPED', message: `line work of some pages was left out; ${failures[0]}` });
  if (pages.length > limits.sheets) {
    warnings.push({
      code: 'CONTENT_SKIPPED',
      message: `the drawing has ${pages.length} pages, more than limits.sheets, ${limits.sheets}; line work of the rest was left out`,
    });
  }
  return sheets;
}

/** Entries of the document information (ISO 32000-1, 14.3.3), and the names that they get. */
const INFO: readonly (readonly [key: string, name: string])[] = [
  ['Title', 'Title'],
  ['Author', 'Author'],
  ['Subject', 'Subject'],
  ['Keywords', 'Keywords'],
  ['Creator', 'Creator'],
  ['Producer', 'Producer'],
  ['CreationDate', 'Created'],
  ['ModDate', 'Modified'],
];

async function propertiesOf(document: PDFDocumentProxy, { limits }: ReadOptions): Promise<readonly Property[]> {
  const list = new PropertyList();
  try {
    const { info, metadata } = await document.getMetadata();
    const facts = info as Readonly<Record<string, unknown>>;
    for (const [key, name] of INFO) {
      const value = facts[key];
      if (typeof value === 'string') list.add(name, name === 'Created' || name === 'Modified' ? dateOf(value) : value);
    }
    const custom = facts['Custom'];
    if (typeof custom === 'object' && custom !== null) {
      for (const [name, value] of Object.entries(custom))
        if (['string', 'number', 'boolean'].includes(typeof value)) list.add(name, value);
    }
    const xmp = (metadata as { getRaw(): string } | null)?.getRaw();
    const known = new Set(list.properties.map(({ name }) => name));
    // Both blocks say the same as a rule; where they differ, the older one is what other programs show.
    for (const { name, value } of xmp === undefined ? [] : readXmp(Buffer.from(xmp), limits))
      if (!known.has(name)) list.add(name, value);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    // Damaged metadata leaves a file without properties, and no worse.
    return list.properties;
  }
  return list.properties;
}

/** `D:20180102030405+01'00'` (ISO 32000-1, 7.9.4) as `2018-01-02T03:04:05+01:00`; anything else as it is. */
function dateOf(text: string): string {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text);
  if (parts === null) return text;
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc, sign, zoneHour, zoneMinute = '00'] =
    parts;
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}`;
  const zone =
    time === '' ? '' : utc !== undefined ? 'Z' : sign === undefined ? '' : `${sign}${zoneHour}:${zoneMinute}`;
  return `${year}-${month}-${day}${time}${zone}`;
}

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
}
