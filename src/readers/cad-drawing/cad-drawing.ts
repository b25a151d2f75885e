import type { BlockRecord, CadDocument } from '@node-projects/acad-ts';
import { MILLIMETRES } from '../../content/units.js';
import type { Drawing } from '../../content/drawing.js';
import { shownArea, type Sheet } from '../../content/sheet.js';
import type { TextPage } from '../../content/text.js';
import { EngineError, fileMalformed, messageOf, warning, type Warning, fileDamaged } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { addDwgHeader, addDxfHeader, millimetresOf, releaseOf } from './properties.js';
import { readInSteps } from './dwg-steps.js';
import { boundHandles } from './handles.js';
import { LostReferences } from './references.js';
import { replaceReferences } from './table-references.js';
import { CadSheets } from './sheets.js';
import type { AcadTs } from './texts.js';
import { shownViewports } from './viewports.js';
import { escapedBinaryDxf, escapedDxfText, isBinaryDxf } from './binary-dxf.js';
import { readConstantDefinitions, readDxfAttributes } from './dxf-attributes.js';
import { withBlankTexts, withLineFeeds } from './dxf-lines.js';
import { withPlainRadii, withSubclasses } from './dxf-r12.js';
import { plainMtext } from './mtext.js';
import { plainLine } from '../text/plain-text.js';
import { loadOptional } from '../../optional-package.js';
import { PropertyList } from '../metadata/property-list.js';
import { TextBudget } from '../text/text-budget.js';
import { layOut } from '../text/text-layout.js';
import { latin1 } from '../text/text-scanner.js';

/** The optional package that parses both formats. */
const ACAD_TS = '@node-projects/acad-ts';

/**
 * Reads a DXF or DWG drawing: line work and placed text of the model and of every layout, properties of the header, and
 * block attributes (`tag=value`, title blocks first). Empty layouts are left out.
 * @throws EngineError `PACKAGE_MISSING` without @node-projects/acad-ts; `FORMAT_UNSUPPORTED` for versions that are not
 * read (DWG before R13, binary DXF R12), which the message names; `FILE_MALFORMED`; `LIMIT_EXCEEDED`.
 */
export async function readCadDrawing(
  file: Uint8Array,
  format: 'dxf' | 'dwg',
  { limits }: ReadOptions,
): Promise<Drawing> {
  const acad = await loadOptional(ACAD_TS, 'reading DXF and DWG', () => import('@node-projects/acad-ts'));
  replaceReferences(acad);
  boundHandles(acad);
  const warnings: Warning[] = [];
  const bytes = format === 'dxf' ? withBlankTexts(withLineFeeds(file)) : file;
  const document = parse(acad, bytes, format, warnings);
  const layouts = layoutsOf(document, acad);
  const cad = new CadSheets(acad, document, limits, {
    format: format.toUpperCase(),
    model: layouts.find(({ isModel }) => isModel)?.block ?? document.modelSpace,
    dxfAttributes: format === 'dxf' ? readDxfAttributes(bytes) : [],
    constants: format === 'dxf' ? readConstantDefinitions(bytes) : new Set(),
  });
  const budget = new TextBudget(limits);
  const pages: TextPage[] = [];
  const sheets: Sheet[] = [];
  if (layouts.length > limits.pages)
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `the drawing has ${layouts.length} layouts, more than limits.pages, ${limits.pages}; the rest was left out`,
      ),
    );
  for (const { name, block, isModel } of layouts.slice(0, limits.pages)) {
    const number = pages.length + 1;
    const unitMm = isModel
      ? millimetresOf(document.header?.insUnits)
      : (PAPER_UNITS_MM[block.layout?.paperUnits ?? -1] ?? null);
    const space = isModel ? 'model' : 'paper';
    const { pieces, width, height, sheet } = cad.draw({ number, block, space, unitMm });
    const area = shownArea({ width, height, space });
    const placed = pieces.map((piece) => ({ ...piece, x: piece.x - area.x, y: piece.y - area.y }));
    pages.push(budget.keep(layOut(placed, { number, name, width: area.width, height: area.height })));
    if (sheet !== null) sheets.push(sheet);
    else if (pieces.length > 0)
      warnings.push(
        warning(
          'CONTENT_SKIPPED',
          `${name} has ${pieces.length} texts and no line: it is no drawing, and no sizes are read from it`,
        ),
      );
  }
  const list = new PropertyList();
  // Where a DXF header lacks a value, acad-ts fills in today's date and its own name, so that header is parsed here.
  if (format === 'dxf') addDxfHeader(list, bytes);
  else addDwgHeader(list, document);
  // A block with many attributes is probably a title block, so its attributes come first.
  for (const { tag, value } of cad.attributes.toSorted((a, b) => b.siblings - a.siblings)) list.add(tag, value);
  for (const message of cad.skipped()) warnings.push(warning('CONTENT_SKIPPED', message));
  return {
    kind: 'drawing',
    format,
    pages,
    sheets,
    properties: list.properties,
    warnings: [...warnings, ...budget.warnings()],
  };
}

function parse(acad: AcadTs, bytes: Uint8Array, format: 'dxf' | 'dwg', warnings: Warning[]): CadDocument {
  const version = versionOf(bytes, format);
  if (format === 'dwg' && !DWG_READ.has(version)) {
    throw new EngineError(
      'FORMAT_UNSUPPORTED',
      `the DWG file has version ${releaseOf(version)}; supported are R14 (AC1014) to 2018 (AC1032), and most of R13`,
      { details: { version } },
    );
  }
  try {
    if (format === 'dwg') checkDwgFrame(bytes, version);
    if (format === 'dwg')
      return readInSteps(acad, bytes.length, () =>
        new acad.DwgReader(
          bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
        ).read(),
      );
    const whole = closed(escaped(bytes, version), warnings);
    const isOld = (version < 'AC1012' || version === 'unknown') && !isBinaryDxf(bytes);
    const reader = new acad.DxfReader(isOld ? withSubclasses(whole) : withPlainRadii(whole));
    const lost = new LostReferences();
    reader.onNotification = (_, { message }) => lost.record(message);
    const document = reader.read();
    lost.restore(acad, document);
    return document;
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    const message = messageOf(cause);
    if (isBinaryDxf(bytes) && /AC1009|not supported|version/i.test(`${version} ${message}`)) {
      throw new EngineError(
        'FORMAT_UNSUPPORTED',
        `the binary DXF file has version ${releaseOf(version)}, which is not supported: ${message}`,
        { details: { version }, cause },
      );
    }
    throw fileDamaged(`the ${format.toUpperCase()} file (${releaseOf(version)})`, 'its reader', cause);
  }
}

const DWG_READ = new Set(['AC1012', 'AC1014', 'AC1015', 'AC1018', 'AC1021', 'AC1024', 'AC1027', 'AC1032']);

/** The version at the start of the file; 'unknown' when a DXF file has no `$ACADVER`. */
function versionOf(bytes: Uint8Array, format: 'dxf' | 'dwg'): string {
  const head = latin1(bytes, 0, Math.min(format === 'dwg' ? 6 : 4_096, bytes.length));
  if (format === 'dwg') return head.replace(/\0/g, '');
  return /\$ACADVER[^A]{1,12}(AC\d{4})/.exec(head)?.[1] ?? 'unknown';
}

const LINE_FEED = 0x0a;

/** Appends the missing end of a truncated DXF text, with a warning: acad-ts would search for it forever. */
function closed(bytes: Uint8Array, warnings: Warning[]): Uint8Array {
  if (isBinaryDxf(bytes)) return bytes;
  if (/\n\s*EOF\s*$/.test(latin1(bytes, Math.max(0, bytes.length - 200), bytes.length))) return bytes;
  warnings.push(warning('FILE_TRUNCATED', 'the DXF file ends without EOF; what could be read was kept'));
  const isMidLine = bytes[bytes.length - 1] !== LINE_FEED;
  let lines = isMidLine ? 1 : 0;
  for (const byte of bytes) if (byte === LINE_FEED) lines++;
  // Codes and values take turns: a code that is left alone gets a value.
  const end = `${isMidLine ? '\n' : ''}${lines % 2 === 1 ? '0\n' : ''}  0\nENDSEC\n  0\nEOF\n`;
  return Buffer.concat([bytes, Buffer.from(end)]);
}

/**
 * A UTF-8 DXF text with its non-ASCII characters written as `\U+00B0`. acad-ts would decode it with the code page that
 * the header still names. Before AutoCAD 2007 the code page holds; but other programs write UTF-8 there too, which a
 * text in a code page of one byte a letter is never by chance.
 */
function escaped(bytes: Uint8Array, version: string): Uint8Array {
  if (bytes.length > LONGEST_ESCAPED || !bytes.some((byte) => byte > 0x7f)) return bytes;
  const isOld = version < 'AC1021' || version > 'AC9999';
  if (isOld && (isBinaryDxf(bytes) || WIDE_PAGE.test(latin1(bytes, 0, Math.min(HEADER_BYTES, bytes.length)))))
    return bytes;
  if (isBinaryDxf(bytes)) return escapedBinaryDxf(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the program still wrote the old code page.
    return bytes;
  }
  return Buffer.from(escapedDxfText(text), 'latin1');
}

/** Code pages with two bytes a letter: Japanese, Chinese, Korean. */
const WIDE_PAGE = /\$DWGCODEPAGE\s+3\s+(?:ANSI_|dos|cp|x-cp)?(?:932|936|949|950|1361|gb|big5|johab|ksc)/i;
/** The header is searched this far for its code page, bytes. */
const HEADER_BYTES = 65_536;

/** Longest text that is escaped, bytes; a longer one might not fit into one string. */
const LONGEST_ESCAPED = 256 * 1024 * 1024;

/** Millimetres per paper unit of a layout: inches, millimetres. */
const PAPER_UNITS_MM: Readonly<Record<number, number>> = { 0: MILLIMETRES.in, 1: 1 };

interface NamedBlock {
  readonly name: string;
  readonly block: BlockRecord;
  readonly isModel: boolean;
}

/** The model, then the layouts in tab order. Versions before R2000 have a model and a paper space without names. */
function layoutsOf(document: CadDocument, acad: AcadTs): NamedBlock[] {
  const found: (NamedBlock & { readonly order: number })[] = [];
  const isFilled = (block: BlockRecord): boolean => {
    for (const entity of block.entities) if (!(entity instanceof acad.Viewport)) return true;
    return false;
  };
  for (const block of document.blockRecords ?? []) {
    // A damaged table may hold an object of another kind.
    if (!(block instanceof acad.BlockRecord)) continue;
    // In some R14 files acad-ts renames the model to a block `*U` and puts an empty one in its place.
    const isModel = /^\*(model_space|u)$/i.test(block.name) && (block === document.modelSpace || isFilled(block));
    if (!isModel && block.layout === null && !/^\*paper_space/i.test(block.name)) continue;
    if (!isModel && !isFilled(block) && shownViewports(acad, block).length === 0) continue;
    const name = plainLine(plainMtext(block.layout?.name ?? (isModel ? 'Model' : 'Layout')));
    found.push({ name, block, isModel, order: isModel ? -1 : (block.layout?.tabOrder ?? 0) });
  }
  if (found.filter(({ isModel }) => isModel).length > 1)
    found.splice(
      found.findIndex(({ block }) => block === document.modelSpace),
      1,
    );
  return found.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

/**
 * The header of AC1018 and later is XORed with a fixed sequence of this many bytes from this offset ("Open Design
 * Specification for .dwg files", 4.1).
 */
const COVERED_AT = 0x80;
const COVERED_BYTES = 0x6c;

/**
 * Checks that the sections of a DWG file lie inside it: acad-ts would read forever beyond the end of a truncated file.
 * Files of AutoCAD 2007 encode these offsets differently and are not checked.
 * @throws EngineError `FILE_MALFORMED`.
 */
function checkDwgFrame(bytes: Uint8Array, version: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 0x100) throw cut(bytes.length, 0x100);
  if (version <= 'AC1015') {
    const sections = view.getUint32(0x15, true);
    for (let i = 0; i < Math.min(sections, 20); i++) {
      const end = view.getUint32(0x1a + 9 * i, true) + view.getUint32(0x1e + 9 * i, true);
      if (end > bytes.length) throw cut(bytes.length, end);
    }
  } else if (version !== 'AC1021') {
    const header = new DataView(new ArrayBuffer(COVERED_BYTES));
    for (let i = 0, seed = 1; i < COVERED_BYTES; i++) {
      seed = (Math.imul(seed, 0x343fd) + 0x269ec3) | 0;
      header.setUint8(i, bytes[COVERED_AT + i] ^ ((seed >> 16) & 0xff));
    }
    const pageMapAt = header.getUint32(0x54, true) + 0x100;
    if (header.getUint32(0x58, true) !== 0 || pageMapAt >= bytes.length) throw cut(bytes.length, pageMapAt);
  }
}

function cut(found: number, expected: number): EngineError {
  return fileMalformed(`the DWG file has ${found} bytes, but refers to offset ${expected}: it is truncated or damaged`);
}
