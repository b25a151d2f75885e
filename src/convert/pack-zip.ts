import { zip, type Zippable } from 'fflate';
import { EngineError } from '../errors.js';
import { extensionOf, numberedPath } from '../store/catalog/file-path.js';

/** A file to be packed; its name is unique and has no folder. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Comment of the entry; '' for none. */
  readonly comment: string;
}

/** Longest name of a packed file, bytes of UTF-8: the limit of common file systems. */
const NAME_BYTES = 240;
/** Names that stand for devices on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Packs files into a ZIP, in their order. The same files give the same bytes. */
export function packZip(files: readonly PackedFile[]): Promise<Uint8Array> {
  const entries: Zippable = {};
  for (const { name, bytes, comment } of files) entries[name] = comment === '' ? bytes : [bytes, { comment }];
  return new Promise((resolve, reject) => {
    // The earliest time of the format, so that equal files give equal bytes.
    zip(entries, { mtime: new Date(1980, 0, 1) }, (error, packed) => {
      if (error === null) resolve(packed);
      else
        reject(new EngineError('LIMIT_EXCEEDED', `the files could not be packed: ${error.message}`, { cause: error }));
    });
  });
}

/**
 * Names for converted copies of files: the original name without folders and without characters that file systems
 * refuse, with another extension. A name that is already used, in any casing, gets a number.
 */
export function uniqueNames(names: readonly string[], extension: string): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const wanted = convertedName(name, extension);
    let free = wanted;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = numberedPath(wanted, number);
    taken.add(free.toLowerCase());
    return free;
  });
}

function convertedName(name: string, extension: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).normalize('NFC');
  const stem = last
    .slice(0, last.length - extensionOf(last).length)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}:*?"<>|]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  const safe = stem === '' ? 'file' : DEVICES.test(stem) ? `_${stem}` : stem;
  return `${shortened(safe)}${extension}`;
}

/** The longest prefix of whole characters that fits. */
function shortened(stem: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > NAME_BYTES) break;
    kept += character;
  }
  return kept;
}
