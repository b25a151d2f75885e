import type { Property } from '../../content/text.js';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { PropertyList } from './property-list.js';
import { walkXml } from '../text/xml.js';

/** Elements of XMP (ISO 16684-1) that say what people search for, and the names that they get. */
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
/** Everything under these prefixes is somebody's own and kept under its own name. */
const CUSTOM = new Set(['pdfx']);
/** Longest XMP block that is looked at, bytes. */
const LONGEST_BYTES = 4 * 1024 * 1024;

/**
 * What an XMP block says, several values of one kind joined by `; `. A block that breaks the rules of XML gives what stands
 * before the break; entities of its own are a break, so there is nothing to blow up. Places (GPS) are not read.
 */
export function readXmp(xml: Uint8Array, limits: Limits): readonly Property[] {
  const found = new Map<string, string[]>();
  const path: string[] = [];
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
          path.push(name);
          if (name === 'rdf:Description') for (const [key, value] of attributes) add(key, value);
        },
        text(text) {
          // A value stands in the element itself or in the items of a list in it.
          const item = path.at(-1) === 'rdf:li';
          const element = item ? path.at(-3) : path.at(-1);
          if (element !== undefined) add(element, text);
        },
        close() {
          path.pop();
        },
      },
      { prefixes: true },
    );
  } catch (cause) {
    // Metadata is beside the point of a file: what was read before the break is kept.
    if (!(cause instanceof EngineError)) throw cause;
  }
  const list = new PropertyList();
  for (const [name, values] of found) list.add(name, values.join('; '));
  return list.properties;
}
