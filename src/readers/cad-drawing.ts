import type { BlockRecord, CadDocument, Entity } from '@node-projects/acad-ts';
import type { Drawing } from '../content/drawing.js';
import type { TextPage } from '../content/text.js';
import { EngineError, type Warning } from '../errors.js';
import type { ReadOptions } from '../options.js';
import { addDwgHeader, addDxfHeader, releaseOf } from './cad-header.js';
import { CadTextCollector, type AcadTs, type LayoutText } from './cad-text.js';
import { readDxfAttributes } from './dxf-attributes.js';
import { plainMtext } from './mtext.js';
import { plainLine } from './plain-text.js';
import { checkDwgFrame } from './dwg-frame.js';
import { PropertyList } from './property-list.js';
import { TextBudget } from './text-budget.js';
import { layOut } from './text-layout.js';
import { latin1 } from './text-scanner.js';

/**
 * Reads a DXF or DWG drawing: the text of the model and of every layout with its places, the properties of its header, and the
 * values of its blocks (`tag=value`, those of title blocks first). Layouts with nothing but viewports are left out.
 * @throws EngineError `FORMAT_UNSUPPORTED` for versions that are not read (DWG before R14, binary DXF R12), which the message
 * names; `FILE_MALFORMED`; `LIMIT_EXCEEDED`.
 */
export async function readCadDrawing(bytes: Uint8Array, format: 'dxf' | 'dwg', { limits }: ReadOptions): Promise<Drawing> {
  const acad = await import('@node-projects/acad-ts');
  const warnings: Warning[] = [];
  const document = parse(acad, bytes, format, warnings);
  const collector = new CadTextCollector(acad, limits, format === 'dxf' ? readDxfAttributes(bytes) : []);
  const budget = new TextBudget(limits);
  const pages: TextPage[] = [];
  for (const { name, block } of layoutsOf(document, acad).slice(0, limits.pages)) {
    pages.push(budget.keep(pageOf(collector.collect(block.entities), pages.length + 1, name)));
  }
  const list = new PropertyList();
  // For what a DXF header lacks the library puts today's date and its own name, so that header is read here.
  if (format === 'dxf') addDxfHeader(list, bytes);
  else addDwgHeader(list, document);
  // The more attributes a block has, the more it is a title block.
  for (const { tag, value } of collector.attributes.toSorted((a, b) => b.siblings - a.siblings)) list.add(tag, value);
  if (collector.tooDeep > 0) warnings.push({ code: 'CONTENT_SKIPPED', message: `${collector.tooDeep} blocks are nested deeper than limits.depth, ${limits.depth}, or in themselves` });
  if (collector.broken > 0) warnings.push({ code: 'CONTENT_SKIPPED', message: `${collector.broken} entities could not be read` });
  return { kind: 'drawing', format, pages, sheets: [], properties: list.properties, warnings: [...warnings, ...budget.warnings()] };
}

function parse(acad: AcadTs, bytes: Uint8Array, format: 'dxf' | 'dwg', warnings: Warning[]): CadDocument {
  const version = versionOf(bytes, format);
  if (format === 'dwg' && !DWG_READ.has(version)) {
    throw new EngineError('FORMAT_UNSUPPORTED', `the DWG file is of version ${releaseOf(version)}; read are R14 (AC1014) to 2018 (AC1032), and most of R13`, { details: { version } });
  }
  try {
    if (format === 'dwg') checkDwgFrame(bytes, version);
    if (format === 'dwg') return new acad.DwgReader(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer).read();
    return new acad.DxfReader(closed(escaped(bytes, version), warnings)).read();
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    const { message } = cause instanceof Error ? cause : { message: String(cause) };
    if (latin1(bytes, 0, Math.min(18, bytes.length)) === 'AutoCAD Binary DXF' && /AC1009|not supported|version/i.test(`${version} ${message}`)) {
      throw new EngineError('FORMAT_UNSUPPORTED', `the binary DXF file is of version ${releaseOf(version)}, which is not read: ${message.slice(0, 200)}`, { details: { version }, cause });
    }
    throw new EngineError('FILE_MALFORMED', `the ${format.toUpperCase()} file (${releaseOf(version)}) cannot be read: ${message.slice(0, 200)}`, { cause });
  }
}

const DWG_READ = new Set(['AC1012', 'AC1014', 'AC1015', 'AC1018', 'AC1021', 'AC1024', 'AC1027', 'AC1032']);

/** What the file states at its beginning; 'unknown' where a DXF file has no `$ACADVER`. */
function versionOf(bytes: Uint8Array, format: 'dxf' | 'dwg'): string {
  const head = latin1(bytes, 0, Math.min(format === 'dwg' ? 6 : 4_096, bytes.length));
  if (format === 'dwg') return head.replace(/\0/g, '');
  return /\$ACADVER[^A]{1,12}(AC\d{4})/.exec(head)?.[1] ?? 'unknown';
}

/** A DXF text that breaks off gets its end back: the library would look for it for ever. */
function closed(bytes: Uint8Array, warnings: Warning[]): Uint8Array {
  if (latin1(bytes, 0, Math.min(18, bytes.length)) === 'AutoCAD Binary DXF') return bytes;
  if (/\n\s*EOF\s*$/.test(latin1(bytes, Math.max(0, bytes.length - 200), bytes.length))) return bytes;
  warnings.push({ code: 'FILE_TRUNCATED', message: 'the DXF file ends without EOF; what could be read was kept' });
  return Buffer.concat([bytes, Buffer.from('\n  0\nENDSEC\n  0\nEOF\n')]);
}

/**
 * A DXF text in UTF-8 (since AutoCAD 2007) with `\U+00B0` for each character that is not ASCII: the library takes the code page that
 * the header still names for the text's encoding.
 */
function escaped(bytes: Uint8Array, version: string): Uint8Array {
  if (version < 'AC1021' || version > 'AC9999' || bytes.length > LONGEST_ESCAPED || !bytes.some((byte) => byte > 0x7f)) return bytes;
  if (latin1(bytes, 0, Math.min(18, bytes.length)) === 'AutoCAD Binary DXF') return bytes;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Written in the old way by a program that did not know better.
    return bytes;
  }
  return Buffer.from(text.replace(/[^\0-\x7f]/g, (unit) => `\\U+${unit.charCodeAt(0).toString(16).padStart(4, '0')}`), 'latin1');
}

/** Above this many bytes a text does not fit into one string. */
const LONGEST_ESCAPED = 256 * 1024 * 1024;

interface NamedBlock {
  readonly name: string;
  readonly block: BlockRecord;
}

/** The model, then the layouts in the order of their tabs. Versions before R2000 have a model and a paper space without names. */
function layoutsOf(document: CadDocument, { Viewport }: AcadTs): NamedBlock[] {
  const found: (NamedBlock & { readonly order: number })[] = [];
  const isFilled = (entities: Iterable<Entity>): boolean => {
    for (const entity of entities) if (!(entity instanceof Viewport)) return true;
    return false;
  };
  for (const block of document.blockRecords ?? []) {
    // In some R14 files the library renames the model to a block `*U`, and puts an empty one in its place.
    const isModel = /^\*(model_space|u)$/i.test(block.name) && (block === document.modelSpace || isFilled(block.entities));
    if (!isModel && block.layout === null && !/^\*paper_space/i.test(block.name)) continue;
    if (!isModel && !isFilled(block.entities)) continue;
    const name = plainLine(plainMtext(block.layout?.name ?? (isModel ? 'Model' : 'Layout')));
    found.push({ name, block, order: isModel ? -1 : (block.layout?.tabOrder ?? 0) });
  }
  if (found.filter(({ order }) => order < 0).length > 1) found.splice(found.findIndex(({ block }) => block === document.modelSpace), 1);
  return found.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

/** Turns the frame of a layout, y upwards, into that of a page. */
function pageOf({ pieces, bounds: { minX, minY, maxX, maxY } }: LayoutText, number: number, name: string): TextPage {
  const turned = pieces.map((piece) => ({ ...piece, x: piece.x - minX, y: maxY - piece.y, angleRad: -piece.angleRad }));
  return layOut(turned, { number, name, width: maxX - minX, height: maxY - minY });
}
