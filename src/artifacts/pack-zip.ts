import { zip } from 'fflate';
import { EngineError } from '../errors.js';
import { extensionOf, numberedPath } from '../store/file-path.js';

/** A file to be packed; its name has no folder. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Packs files into a ZIP, in their order; a name that comes again gets a number. The same files give the same bytes. */
export function packZip(files: readonly PackedFile[]): Promise<Uint8Array> {
  const entries: Record<string, Uint8Array> = {};
  for (const { name, bytes } of files) {
    let free = name;
    for (let number = 2; free in entries; number++) free = numberedPath(name, number);
    entries[free] = bytes;
  }
  return new Promise((resolve, reject) => {
    // The least time that the format knows: the time of the day is nobody's concern.
    zip(entries, { mtime: new Date(1980, 0, 1) }, (error, packed) => {
      if (error === null) resolve(packed);
      else reject(new EngineError('LIMIT_EXCEEDED', `the files could not be packed: ${error.message}`, { cause: error }));
    });
  });
}

/** A name for the converted copy of a file: its own without folders, with another extension. */
export function convertedName(name: string, extension: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const stem = last.slice(0, last.length - extensionOf(last).length).replace(/[\p{Cc}\p{Cs}:*?"<>|]/gu, '_');
  return `${stem === '' || /^\.+$/.test(stem) ? 'file' : stem}${extension}`;
}
