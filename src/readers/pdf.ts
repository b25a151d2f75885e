import type { Document } from '../content/document.js';
import type { Drawing } from '../content/drawing.js';
import type { Property, TextPage } from '../content/text.js';
import { EngineError, type Warning } from '../errors.js';
import type { ReadOptions } from '../options.js';
import { kindOfPdf, type PageLook } from './pdf-kind.js';
import { piecesOf } from './pdf-text.js';
import { drawPage, loadPdfjs, openPdf, type PDFDocumentProxy, type Pdfjs } from './pdfjs.js';
import { PropertyList } from './property-list.js';
import { countRuledLines } from './ruled-lines.js';
import { TextBudget } from './text-budget.js';
import { layOut } from './text-layout.js';
import { readXmp } from './xmp.js';

/** Pages that are looked at to tell a drawing from a document. */
const PAGES_LOOKED_AT = 6;
/** Pictures of pages that are looked at for ruled lines, and how wide they are drawn. */
const PICTURES_LOOKED_AT = 2;
const PICTURE_WIDTH_PX = 1_000;

/**
 * Reads a PDF: the text of its pages with the places of lines, what it says of itself, and whether it is a drawing or a document
 * (see `kindOfPdf`). With `ocr`, text is recognised on pages that have none.
 * @param ocrEndMs when recognising ends, by `performance.now()`.
 * @throws EngineError `FORMAT_UNSUPPORTED` when it needs a password, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function readPdf(bytes: Uint8Array, options: ReadOptions, ocrEndMs: number): Promise<Drawing | Document> {
  const { limits } = options;
  const document = await openPdf(bytes, limits, { images: false });
  try {
    const warnings: Warning[] = [];
    const properties = await propertiesOf(document, options);
    const written = await readPages(document, options, warnings);
    const looks = await lookAt(document, written, bytes, options);
    const pages = options.ocr === true ? await (await import('./ocr-pictures.js')).recognisePages(bytes, written, { limits, endMs: ocrEndMs }, warnings) : written;
    const program = properties.filter(({ name }) => name === 'Creator' || name === 'Producer').map(({ value }) => value).join(' ');
    if (options.ocr !== true && pages.every(({ text }) => text === '')) {
      warnings.push({ code: 'CONTENT_SKIPPED', message: 'no page of the PDF has text; what is in its pictures is read with the option ocr' });
    }
    const found = { format: 'pdf', pages, properties, warnings } as const;
    return kindOfPdf(looks, program) === 'drawing' ? { kind: 'drawing', sheets: [], ...found } : { kind: 'document', ...found };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function readPages(document: PDFDocumentProxy, { limits }: ReadOptions, warnings: Warning[]): Promise<TextPage[]> {
  const budget = new TextBudget(limits);
  const pages: TextPage[] = [];
  const count = Math.min(document.numPages, limits.pages);
  const failures: string[] = [];
  for (let number = 1; number <= count && budget.left > 0; number++) {
    try {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      pages.push(budget.keep(layOut(await piecesOf(page, budget.left), { number, name: '', width, height })));
      page.cleanup();
    } catch (cause) {
      failures.push(`page ${number}: ${messageOf(cause)}`);
      pages.push({ number, name: '', text: '' });
    }
  }
  if (failures.length === pages.length) {
    throw new EngineError('FILE_MALFORMED', `no page of the PDF could be read; ${failures[0] ?? 'it has none'}`);
  }
  if (failures.length > 0) warnings.push({ code: 'CONTENT_SKIPPED', message: `${failures.length} pages could not be read; ${failures[0]}` });
  warnings.push(...budget.warnings());
  if (document.numPages > pages.length && budget.left > 0) {
    warnings.push({ code: 'CONTENT_SKIPPED', message: `the PDF has ${document.numPages} pages, more than limits.pages, ${limits.pages}; the rest was left out` });
  }
  return pages;
}

/** Looks at the line work of some pages, spread over the file; where there is nothing but pictures, at these. */
async function lookAt(document: PDFDocumentProxy, pages: readonly TextPage[], bytes: Uint8Array, options: ReadOptions): Promise<PageLook[]> {
  const pdfjs = await loadPdfjs();
  const step = Math.max(1, Math.floor(pages.length / PAGES_LOOKED_AT));
  const looks: (PageLook & { readonly number: number })[] = [];
  for (let i = 0; i < pages.length && looks.length < PAGES_LOOKED_AT; i += step) {
    const { number, text } = pages[i];
    const look = await strokesOf(document, number, pdfjs, options);
    if (look !== undefined) looks.push({ number, text, ...look });
  }
  const bare = looks.filter(({ text, strokes }) => text === '' && strokes === 0);
  if (bare.length === 0 || bare.length < looks.length) return looks;
  return lookAtPictures(bare.slice(0, PICTURES_LOOKED_AT), bytes, options);
}

async function strokesOf(document: PDFDocumentProxy, number: number, { OPS }: Pdfjs, { limits }: ReadOptions): Promise<Omit<PageLook, 'text'> | undefined> {
  let strokes = 0;
  try {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { fnArray, argsArray } = await page.getOperatorList();
    page.cleanup();
    for (let i = 0; i < fnArray.length; i++) if (fnArray[i] === OPS.constructPath) strokes += piecesOfPath(argsArray[i] as PathArguments);
    if (fnArray.length <= limits.entities && strokes <= limits.entities) return { widthPt: width, heightPt: height, strokes };
  } catch {
    // A page that cannot be drawn says nothing of the file's kind.
    return undefined;
  }
  throw new EngineError('LIMIT_EXCEEDED', `page ${number} draws more than limits.entities, ${limits.entities}: found ${strokes} strokes`, {
    details: { limit: 'entities', allowed: limits.entities, found: strokes },
  });
}

/** How pdfjs 5 hands a path over: what is done with it, and its commands with their coordinates in one array. */
type PathArguments = readonly [operation: number, data: readonly (Float32Array | null)[], minMax: unknown];

/** Numbers that follow each command: move, line, curve, quadratic curve, close. */
const COORDINATES = [2, 2, 6, 4, 0];

function piecesOfPath([, [data]]: PathArguments): number {
  let pieces = 0;
  for (let at = 0; data != null && at < data.length;) {
    const command = data[at];
    if (command >= 1 && command <= 3) pieces++;
    at += 1 + (COORDINATES[command] ?? 0);
  }
  return pieces;
}

async function lookAtPictures(looks: readonly (PageLook & { readonly number: number })[], bytes: Uint8Array, { limits }: ReadOptions): Promise<PageLook[]> {
  const document = await openPdf(bytes, limits, { images: true });
  try {
    const found: PageLook[] = [];
    for (const look of looks) {
      const page = await document.getPage(look.number);
      const picture = await drawPage(document, page, PICTURE_WIDTH_PX / Math.max(1, look.widthPt));
      page.cleanup();
      found.push({ ...look, ruledLines: countRuledLines(picture) });
    }
    return found;
  } catch {
    // A picture that cannot be drawn says nothing of the file's kind.
    return [...looks];
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Entries of the document information (ISO 32000-1, 14.3.3), and the names that they get. */
const INFO: readonly (readonly [key: string, name: string])[] = [
  ['Title', 'Title'], ['Author', 'Author'], ['Subject', 'Subject'], ['Keywords', 'Keywords'], ['Creator', 'Creator'],
  ['Producer', 'Producer'], ['CreationDate', 'Created'], ['ModDate', 'Modified'],
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
      for (const [name, value] of Object.entries(custom)) if (['string', 'number', 'boolean'].includes(typeof value)) list.add(name, value);
    }
    const xmp = (metadata as { getRaw(): string } | null)?.getRaw();
    const known = new Set(list.properties.map(({ name }) => name));
    // Both blocks say the same as a rule; where they differ, the older one is what other programs show.
    for (const { name, value } of xmp === undefined ? [] : readXmp(Buffer.from(xmp), limits)) if (!known.has(name)) list.add(name, value);
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
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc, sign, zoneHour, zoneMinute = '00'] = parts;
  const time = hour === undefined ? '' : `T${hour}:${minute}:${second}`;
  const zone = time === '' ? '' : utc !== undefined ? 'Z' : sign === undefined ? '' : `${sign}${zoneHour}:${zoneMinute}`;
  return `${year}-${month}-${day}${time}${zone}`;
}

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
}
