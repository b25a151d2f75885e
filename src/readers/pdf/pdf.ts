import type { Document } from '../../content/document.js';
import type { Drawing } from '../../content/drawing.js';
import type { Sheet } from '../../content/sheet.js';
import type { Property, TextPage } from '../../content/text.js';
import { checkLimit, EngineError, fileMalformed, messageOf, warning, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { kindOfPdf, pagesWithSizes, RULED_LINES, type PageLook } from './kind.js';
import { countPieces, sheetOf } from './sheet.js';
import { sheetFormatOf } from './sheet-format.js';
import { piecesOf, type PageTexts } from './text-pieces.js';
import { UnseenContent } from './unseen-content.js';
import {
  drawPage,
  loadPdfjs,
  openPdf,
  type OperatorList,
  type PDFDocumentProxy,
  type Pdfjs,
  type Picture,
} from '../pdf-file/pdfjs.js';
import { beginContents, checkContents } from '../pdf-file/bounded-contents.js';
import { compose2d, type Affine, type Bounds } from '../geometry/affine.js';
import { checkOperators } from '../pdf-file/bounded-lists.js';
import { PropertyList } from '../metadata/property-list.js';
import { SheetBudget } from '../sheet/sheet-writer.js';
import { TextBudget } from '../text/text-budget.js';
import { layOut } from '../text/text-layout.js';
import { readXmp } from '../metadata/xmp.js';

/** Most pages examined to tell a drawing from a document. */
const PAGES_LOOKED_AT = 6;
/** Most pages that are drawn to count ruled lines, and the width of that picture. */
const PICTURES_LOOKED_AT = 2;
const PICTURE_WIDTH_PX = 1_000;
const NO_TEXTS: PageTexts = { pieces: [], drawn: [], isCut: false };

/**
 * Reads a PDF: the text of its pages with the places of lines, its properties, whether it is a drawing or a document
 * (see {@link kindOfPdf}), and the line work of drawings. With `ocr`, text is recognised on pages that have none.
 * @param ocrEndMs time by `processorTimeMs` after which no further page is recognised.
 * @throws EngineError `FORMAT_UNSUPPORTED` when it needs a password, `FILE_MALFORMED`, `LIMIT_EXCEEDED`,
 * `PACKAGE_MISSING` when the recogniser is needed and not installed.
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
      warnings.push(
        warning(
          'CONTENT_SKIPPED',
          'no page of the PDF has text; that of its pictures is searched once it is indexed with the option ocr, ' +
            'their sizes are read without it',
        ),
      );
    }
    const found = { format: 'pdf', pages, properties, warnings } as const;
    if (options.pdfsAreDrawings !== true && kindOfPdf(looks, program) === 'document') {
      const sized = pagesWithSizes(looks, program).map(({ number }) => number);
      if (sized.length > 0) warnings.push(warning('CONTENT_SKIPPED', saidOfSizes(sized)));
      return { kind: 'document', ...found };
    }
    return { kind: 'drawing', ...found, sheets: await readSheets(document, read, looks, options, warnings) };
  } finally {
    await document.loadingTask.destroy();
  }
}

function saidOfSizes(numbers: readonly number[]): string {
  return (
    `the PDF was taken for a document, so that no sizes were read, but page ${numbers.join(', ')} has line work and ` +
    'sizes as drawings have: with the option pdfsAreDrawings they are read'
  );
}

/** The text of a page; there are no pieces of pages beyond `limits.sheets`, which get no sheet. */
interface ReadPage extends PageTexts {
  readonly page: TextPage;
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
      const texts = await piecesOf(page, budget.left, limits);
      pages.push({
        page: budget.keep(layOut(texts.pieces, { number, name: '', width, height })),
        ...(number <= limits.sheets ? texts : NO_TEXTS),
      });
      page.cleanup();
    } catch (cause) {
      if (cause instanceof EngineError && cause.code === 'LIMIT_EXCEEDED') throw cause;
      failures.push(`page ${number}: ${messageOf(cause)}`);
      pages.push({ page: { number, name: '', text: '' }, ...NO_TEXTS });
    }
  }
  if (failures.length === pages.length) {
    throw fileMalformed(`no page of the PDF could be read; ${failures[0] ?? 'it has none'}`);
  }
  if (failures.length > 0)
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `${failures.length === 1 ? '1 page' : `${failures.length} pages`} could not be read; ${failures[0]}`,
      ),
    );
  warnings.push(...budget.warnings());
  if (document.numPages > pages.length && budget.left > 0) {
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `the PDF has ${document.numPages} pages, more than limits.pages, ${limits.pages}; the rest was left out`,
      ),
    );
  }
  return pages;
}

/** An examined page and its operators. It stays loaded, pictures included, until the document is closed. */
interface LookedAt extends PageLook {
  readonly number: number;
  readonly operators: OperatorList;
}

/** Examines the line work of some pages, spread over the file; where all of these have only pictures, the pictures. */
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
  const what = `page ${number}`;
  let look: Omit<LookedAt, 'number' | 'text'> | undefined;
  beginContents(limits);
  try {
    const page = await document.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const operators = await page.getOperatorList();
    const strokes = countPieces(operators, pdfjs);
    const shares = compose2d([1 / width, 0, 0, 1 / height, 0, 0], transform as unknown as Affine);
    const format = sheetFormatOf(operators, shares, pdfjs);
    look = { widthPt: width, heightPt: height, strokes, format, operators };
  } catch {
    // A page that cannot be interpreted does not count for the file's kind.
    look = undefined;
  }
  checkContents(what, limits);
  if (look === undefined) return undefined;
  checkOperators(what, look.operators.fnArray, limits);
  checkLimit(what, limits, 'entities', look.strokes);
  return look;
}

async function lookAtPictures(document: PDFDocumentProxy, looks: readonly LookedAt[]): Promise<LookedAt[]> {
  try {
    const found: LookedAt[] = [];
    for (const look of looks) {
      const page = await document.getPage(look.number);
      found.push({
        ...look,
        ruledLines: countRuledLines(
          await drawPage(document, page, PICTURE_WIDTH_PX / Math.max(1, look.widthPt)),
          RULED_LINES,
        ),
      });
    }
    return found;
  } catch {
    // Pages that cannot be drawn do not count for the file's kind.
    return [...looks];
  }
}

/**
 * The line work of a drawing's pages. Beyond a limit it is left out with a warning, because the text remains useful.
 */
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
  const unseen = new UnseenContent(layers, pdfjs);
  for (const { page: text, ...texts } of pages.slice(0, limits.sheets)) {
    const { number } = text;
    try {
      const page = await document.getPage(number);
      beginContents(limits);
      const operators = operatorsOf.get(number) ?? (await page.getOperatorList());
      checkContents(`page ${number}`, limits);
      checkOperators(`page ${number}`, operators.fnArray, limits);
      const pieces = unseen.seenOf(operators, texts, page.getViewport({ scale: 1 }).transform as unknown as Affine);
      const shaded: Bounds[] = [];
      const drawn = await sheetOf(page, { operators, pieces, layers, pdfjs, budget, shaded });
      const sheet = unseen.inkOf(drawn, shaded);
      page.cleanup();
      if (sheet.strokes.count > 0 || sheet.pictures.length > 0) sheets.push(sheet);
    } catch (cause) {
      failures.push(`page ${number}: ${messageOf(cause)}`);
      if (cause instanceof EngineError) break;
    }
  }
  for (const message of unseen.messages()) warnings.push(warning('CONTENT_SKIPPED', message));
  if (failures.length > 0)
    warnings.push(warning('CONTENT_SKIPPED', `line work of some pages was left out; ${failures[0]}`));
  if (pages.length > limits.sheets) {
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `the drawing has ${pages.length} pages, more than limits.sheets, ${limits.sheets}; ` +
          'line work of the rest was left out',
      ),
    );
  }
  return sheets;
}

/** Keys of the document information dictionary (ISO 32000-1, 14.3.3) and the property names they get. */
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
    // The dictionary and XMP usually agree; where they differ, other programs show the dictionary.
    for (const { name, value } of xmp === undefined ? [] : readXmp(Buffer.from(xmp), limits))
      if (!known.has(name)) list.add(name, value);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    // Damaged metadata must not fail the file.
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

/**
 * Pixels darker than this are ink, and on bright paper those that are darker than it by so much: thin grey lines of a
 * scan are, paper and its noise are not.
 */
const INK = 210;
const BELOW_PAPER = 22;
/** Least length and greatest thickness of a ruled line, as shares of the picture's side. */
const LENGTH = 0.25;
const THICKNESS = 0.01;

/** Pages that were scanned are turned by up to so much; it is found in these steps, and in quarters of the best one. */
const MOST_TURN_DEG = 5;
const TURN_STEP_DEG = 0.3;

/**
 * Counts the long lines along both sides of the paper, however it lies on the scanner: the frame, title block and long
 * edges of a scanned drawing. More than `enough` are not counted.
 */
function countRuledLines({ widthPx, heightPx, rgba }: Picture, enough: number): number {
  const level = new Uint8Array(widthPx * heightPx),
    upright = new Uint8Array(widthPx * heightPx);
  const ink = Math.max(INK, paperOf(rgba) - BELOW_PAPER);
  for (let y = 0, at = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++, at += 4)
      if (rgba[at] + rgba[at + 1] + rgba[at + 2] < 3 * ink) level[y * widthPx + x] = upright[x * heightPx + y] = 1;
  const countAt = (deg: number): number => {
    const slope = Math.tan((deg * Math.PI) / 180);
    return countAlong(level, heightPx, widthPx, slope) + countAlong(upright, widthPx, heightPx, -slope);
  };
  let [most, at] = [countAt(0), 0];
  const look = (deg: number): void => {
    const count = most < enough ? countAt(deg) : 0;
    if (count > most) [most, at] = [count, deg];
  };
  for (let deg = TURN_STEP_DEG; deg <= MOST_TURN_DEG; deg += TURN_STEP_DEG) for (const turn of [deg, -deg]) look(turn);
  const middle = at;
  for (const share of [-0.5, -0.25, 0.25, 0.5]) look(middle + share * TURN_STEP_DEG);
  return most;
}

/** The commonest gray level of a page. */
function paperOf(rgba: Uint8Array | Uint8ClampedArray): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < rgba.length; at += 4) counts[Math.round((rgba[at] + rgba[at + 1] + rgba[at + 2]) / 3)]++;
  return counts.reduce((best, count, level) => (count > counts[best] ? level : best), 0);
}

/** Adjacent inked pixel rows, turned by a slope, form one ruled line; more than a line's thickness form a dark area. */
function countAlong(ink: Uint8Array, rows: number, length: number, slope: number): number {
  const shift = Int32Array.from({ length }, (_, along) => Math.round(along * slope));
  const isInk = (row: number, along: number): boolean => {
    const line = row + shift[along];
    return along >= 0 && along < length && line >= 0 && line < rows && ink[line * length + along] === 1;
  };
  const least = Math.ceil(LENGTH * length);
  // A run of this length has ink in one of these columns.
  const isRuled = (row: number): boolean => {
    for (let along = least - 1; along < length; along += least) {
      if (!isInk(row, along)) continue;
      let [from, to] = [along, along + 1];
      while (isInk(row, from - 1)) from--;
      while (isInk(row, to)) to++;
      if (to - from >= least) return true;
    }
    return false;
  };
  const fall = shift[length - 1];
  let count = 0;
  let thick = 0;
  for (let row = Math.min(0, -fall); row <= Math.max(rows, rows - fall); row++) {
    if (isRuled(row)) {
      thick++;
    } else {
      if (thick > 0 && thick <= Math.max(2, THICKNESS * rows)) count++;
      thick = 0;
    }
  }
  return count;
}
