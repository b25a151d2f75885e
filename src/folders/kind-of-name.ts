import { extensionOf, formatOfExtension, type Format } from '../readers/package/sniff.js';
import type { FileKind } from '../store/catalog/record.js';

const DRAWINGS: readonly Format[] = ['dxf', 'dwg', 'svg', 'pdf'];
const IMAGES: readonly Format[] = ['png', 'jpeg', 'webp', 'tiff', 'gif', 'bmp', 'avif'];
const DOCUMENTS: readonly Format[] = [
  'txt',
  'markdown',
  'csv',
  'html',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'rtf',
  'eml',
];

/**
 * What a file seems to be until it is read, and stays when it cannot be: 'Text' where its extension says nothing, for
 * what is no drawing, picture or model of a known format is some document.
 */
export function kindOfName(path: string): FileKind {
  const bare = path.replace(/\.(gz|ifz)$/i, '');
  const format = formatOfExtension(extensionOf(bare));
  if (format === undefined) return 'Text';
  if (DRAWINGS.includes(format)) return 'TwoD';
  if (IMAGES.includes(format)) return 'Image';
  return DOCUMENTS.includes(format) ? 'Text' : 'ThreeD';
}
