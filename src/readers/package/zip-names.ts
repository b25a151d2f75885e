import { latin1 } from '../text/text-scanner.js';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** Sizes of the end record and of the longest comment after it. */
const END_RECORD_BYTES = 22,
  LONGEST_COMMENT = 0xffff;
/** Most names read; the format shows in the first few. */
const MOST_NAMES = 1_000;

/**
 * Names in a zip file's central directory, read synchronously and without unpacking, which yauzl does not offer; empty
 * when there is no directory. They only serve to recognise formats, so non-ASCII names may be garbled.
 */
export function zipNames(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  let at = directoryStart(view);
  while (
    at !== undefined &&
    at + 46 <= view.byteLength &&
    view.getUint32(at, true) === DIRECTORY_ENTRY &&
    names.length < MOST_NAMES
  ) {
    const nameLength = view.getUint16(at + 28, true);
    names.push(latin1(bytes, at + 46, Math.min(at + 46 + nameLength, bytes.length)));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

function directoryStart(view: DataView): number | undefined {
  const last = view.byteLength - END_RECORD_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return view.getUint32(at + 16, true);
  }
  return undefined;
}
