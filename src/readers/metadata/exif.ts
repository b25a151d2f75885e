import { latin1 } from '../text/text-scanner.js';

/**
 * Tags that are read and the property names they get (Exif 2.32, 4.6; XP tags by Microsoft). The GPS directory is never
 * followed.
 */
const TAGS: Readonly<Record<number, string>> = {
  269: 'Title',
  270: 'Description',
  271: 'Camera make',
  272: 'Camera model',
  305: 'Software',
  306: 'Modified',
  315: 'Author',
  33432: 'Copyright',
  36867: 'Date taken',
  40091: 'Title',
  40092: 'Comment',
  40093: 'Author',
  40094: 'Keywords',
  40095: 'Subject',
  42036: 'Lens model',
};
const EXIF_LIST = 0x8769;
const FIRST_XP = 0x9c9b;
const LAST_XP = 0x9c9f;
/** Most entries of a directory and most bytes of a value that are read. */
const MOST_ENTRIES = 1_000;
const LONGEST_BYTES = 8_000;

/**
 * Texts of an Exif block, or of a TIFF file, which has the same layout: camera, date, description, author, copyright,
 * software. Written here because general parsers build a list of every value, which a hostile block of 64 KiB makes
 * gigabytes long, and because sharp gives the block as bytes only.
 */
export function readExif(block: Uint8Array): [name: string, value: string][] {
  const start = latin1(block, 0, Math.min(6, block.length)) === 'Exif\0\0' ? 6 : 0;
  const bytes = block.subarray(start);
  const order = latin1(bytes, 0, Math.min(2, bytes.length));
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = order === 'II';
  if (view.getUint16(2, little) !== 42) return [];
  const found: [string, string][] = [];
  const inner = readList(view, view.getUint32(4, little), little, found);
  if (inner !== undefined) readList(view, inner, little, found);
  return found;
}

/** Adds the texts of one directory; returns the offset of the directory of camera settings when there is one. */
function readList(view: DataView, at: number, little: boolean, found: [string, string][]): number | undefined {
  if (at < 8 || at + 2 > view.byteLength) return undefined;
  let inner: number | undefined;
  const entries = Math.min(MOST_ENTRIES, view.getUint16(at, little));
  for (let entry = at + 2, i = 0; i < entries && entry + 12 <= view.byteLength; entry += 12, i++) {
    const tag = view.getUint16(entry, little);
    if (tag === EXIF_LIST) inner = view.getUint32(entry + 8, little);
    const name = TAGS[tag];
    const type = view.getUint16(entry + 2, little);
    // Type 2 is text; types 1 and 7 are bytes, in which Microsoft's tags hold UTF-16.
    if (name === undefined || (type !== 2 && type !== 1 && type !== 7)) continue;
    const length = view.getUint32(entry + 4, little);
    const place = length <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
    if (place >= view.byteLength) continue;
    const bytes = new Uint8Array(
      view.buffer,
      view.byteOffset + place,
      Math.min(length, LONGEST_BYTES, view.byteLength - place),
    );
    const value = tag >= FIRST_XP && tag <= LAST_XP ? new TextDecoder('utf-16le').decode(bytes) : decodeText(bytes);
    found.push([name, dateOf(value.split('\0', 1)[0])]);
  }
  return inner;
}

/** Decodes UTF-8, which most programs write, or else Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8. Windows-1252 gives every byte a character.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** `2018:01:02 03:04:05` as `2018-01-02T03:04:05`; anything else as it is. */
function dateOf(text: string): string {
  return text.replace(/^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/, '$1-$2-$3T$4');
}
