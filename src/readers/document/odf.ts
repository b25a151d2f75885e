import type { Document, DocumentFormat } from '../../content/document.js';
import { EngineError, fileMalformed, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { unzip, type UnpackBudget } from '../package/archive.js';
import { PageBreaks } from './odf-styles.js';
import { OdfTextHandler } from './odf-text.js';
import { PageWriter } from '../text/page-writer.js';
import { PropertyList } from '../metadata/property-list.js';
import { attributeOf, walkXml, type XmlHandler } from '../text/xml.js';

/** Parts of a package that are read; pictures and embedded objects are not. */
const WANTED = /^(content|styles|meta|META-INF\/manifest)\.xml$/;

/**
 * Reads an OpenDocument package (ISO/IEC 26300, 1.0 to 1.3): text, spreadsheet or presentation. Pages of a text end at
 * the soft page breaks of the last layout and at the author's page breaks; a spreadsheet has one page per sheet, with
 * its name, a presentation one page per slide, with its notes. Cells have their displayed text; a repeated cell or row
 * is written once. Page headers are written on the first page, footers on the last. Deleted text is left out.
 * @throws EngineError `FILE_MALFORMED`, also for an encrypted file, `LIMIT_EXCEEDED`.
 */
export async function readOdf(
  bytes: Uint8Array,
  format: DocumentFormat & ('odt' | 'ods' | 'odp'),
  { limits }: ReadOptions,
  budget: UnpackBudget,
): Promise<Document> {
  const warnings: Warning[] = [];
  const parts = new Map<string, Uint8Array>();
  for await (const entry of unzip(bytes, budget, warnings, (path) => WANTED.test(path)))
    parts.set(entry.name, entry.bytes);
  const walk = (path: string, handler: XmlHandler): void => {
    const part = parts.get(path);
    const warn = (code: 'FILE_TRUNCATED' | 'CONTENT_SKIPPED', message: string): void => {
      // A part is walked through more than once; its defect gives one warning.
      if (!warnings.some((warning) => warning.message === message)) warnings.push({ code, message });
    };
    try {
      if (part !== undefined && !walkXml(format, part, limits, handler))
        warn('FILE_TRUNCATED', `the part ${path} of the ${format} file ends early; what came before was kept`);
    } catch (failure) {
      if (!(failure instanceof EngineError) || failure.code !== 'FILE_MALFORMED' || path === 'content.xml')
        throw failure;
      warn('CONTENT_SKIPPED', `the part ${path} of the ${format} file could not be read: ${failure.message}`);
    }
  };
  refuseEncrypted(format, walk);
  if (!parts.has('content.xml'))
    throw fileMalformed(`the ${format} file has no content.xml, which would hold its text`);

  const writer = new PageWriter(format, limits);
  const breaks = new PageBreaks();
  const margins = { header: new Set<string>(), footer: new Set<string>() };
  walk('styles.xml', breaks);
  walk('styles.xml', marginHandler(format, margins, limits));
  walk('content.xml', breaks);
  const isText = format === 'odt';
  if (isText) writer.blocks(margins.header);
  walk('content.xml', new OdfTextHandler(format, writer, breaks));
  if (isText) writer.blocks(margins.footer);
  return writer.document(format, propertiesOf(walk).properties, warnings);
}

/**
 * Refuses an encrypted package, as stated by its manifest (ISO/IEC 26300-2, 3.4.2). @throws EngineError
 * `FILE_MALFORMED`.
 */
function refuseEncrypted(format: string, walk: (path: string, handler: XmlHandler) => void): void {
  let encrypted = false;
  walk('META-INF/manifest.xml', {
    open: (name) => void (encrypted ||= name === 'encryption-data'),
  });
  if (encrypted)
    throw fileMalformed(`the ${format} file is encrypted: it can be read only with its password; store it without one`);
}

/** Elements of meta.xml and the property names they get (ISO/IEC 26300-1, 4.3). */
const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  title: 'Title',
  'initial-creator': 'Author',
  subject: 'Subject',
  keyword: 'Keywords',
  description: 'Description',
  creator: 'Last modified by',
  'creation-date': 'Created',
  date: 'Modified',
  generator: 'Application',
};

function propertiesOf(walk: (path: string, handler: XmlHandler) => void): PropertyList {
  const list = new PropertyList();
  const keywords: string[] = [];
  let text = '';
  let custom = '';
  walk('meta.xml', {
    open(name, attributes) {
      text = '';
      if (name === 'user-defined') custom = attributeOf(attributes, 'name') ?? '';
    },
    text: (run) => void (text += run),
    close(name) {
      if (name === 'keyword') keywords.push(text);
      else if (name === 'user-defined') list.add(custom, text);
      else if (Object.hasOwn(PROPERTY_NAMES, name)) list.add(PROPERTY_NAMES[name], text);
      text = '';
    },
  });
  list.add('Keywords', keywords.slice(0, 1_000).join(', '));
  return list;
}

/** Collects the different texts of the headers and footers of page styles. */
function marginHandler(
  format: string,
  margins: { readonly header: Set<string>; readonly footer: Set<string> },
  limits: Limits,
): XmlHandler {
  let margin: { kind: 'header' | 'footer'; element: string; writer: PageWriter; handler: OdfTextHandler } | undefined;
  return {
    open(name, attributes, path) {
      const kind = /^(header|footer)(-left|-first)?$/.exec(name)?.[1] as 'header' | 'footer' | undefined;
      if (margin !== undefined) return margin.handler.open(name, attributes, path);
      if (kind === undefined) return undefined;
      const writer = new PageWriter(format, { ...limits, pages: 1 });
      margin = { kind, element: name, writer, handler: new OdfTextHandler(format, writer) };
      return undefined;
    },
    text: (run) => margin?.handler.text(run),
    close(name) {
      if (margin === undefined) return;
      if (name !== margin.element) return margin.handler.close(name);
      const { text } = margin.writer.finish().pages[0];
      if (text !== '') margins[margin.kind].add(text);
      margin = undefined;
    },
  };
}
