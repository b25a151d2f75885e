import type { Property } from '../../content/text.js';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { PropertyList } from './property-list.js';
import { walkXml } from '../text/xml.js';

/** Elements that people search for and the property names they get (XMP, ISO 16684-1). */
const NAMES: Readonly<Record<string, string>> = {
  'dc:title': 'Title',
  'dc:creator': 'Author',
  'dc:description': 'Description',
  'dc:subject': 'Keywords',
  'dc:rights': 'Copyright',
  'dc:publisher': 'Publisher',
  'dc:identifier': 'Identifier',
  'xmp:CreatorTool': 'Creator',
  'xmp:CreateDate': 'Created',
  'xmp:ModifyDate': 'Modified',
  'xmp:Label': 'Label',
  'pdf:Keywords': 'Keywords',
  'pdf:Producer': 'Producer',
  'photoshop:Headline': 'Headline',
  'tiff:Make': 'Camera make',
  'tiff:Model': 'Camera model',
  'tiff:Artist': 'Author',
  'tiff:ImageDescription': 'Description',
  'exif:DateTimeOriginal': 'Date taken',
};
/** Prefixes of custom properties, all of which are kept under their own names. */
const CUSTOM = new Set(['pdfx']);
/** Most bytes of an XMP block that are read. */
const LONGEST_BYTES = 4 * 1024 * 1024;

/**
 * Properties of an XMP block; several values of one element are joined by `; `. Of malformed XML, what precedes the
 * error is kept. A declared entity counts as an error, so entities cannot expand. GPS places are not read.
 */
export function readXmp(xml: Uint8Array, limits: Limits): readonly Property[] {
  const found = new Map<string, string[]>();
  const add = (element: string, text: string): void => {
    const [prefix, local] = element.split(':', 2);
    const name = NAMES[element] ?? (CUSTOM.has(prefix) ? local : undefined);
    if (name === undefined || text.trim() === '') return;
    const values = found.get(name);
    if (values === undefined) found.set(name, [text.trim()]);
    else if (!values.includes(text.trim()) && values.length < 100) values.push(text.trim());
  };
  try {
    walkXml(
      'XMP',
      xml.subarray(0, LONGEST_BYTES),
      limits,
      {
        open(name, attributes) {
          if (name === 'rdf:Description') for (const [key, value] of attributes) add(key, value);
        },
        text(text, path) {
          // A value is the text of the element itself or of `rdf:li` items of a list inside it.
          const item = path.at(-1) === 'rdf:li';
          const element = item ? path.at(-3) : path.at(-1);
          if (element !== undefined) add(element, text);
        },
      },
      { prefixes: true },
    );
  } catch (cause) {
    // Malformed metadata must not fail the file: what was read before the error is kept.
    if (!(cause instanceof EngineError)) throw cause;
  }
  const list = new PropertyList();
  for (const [name, values] of found) list.add(name, values.join('; '));
  return list.properties;
}
