import { EngineError } from '../../errors.js';

/** First bytes of an OLE compound file ([MS-CFB] 2.2). */
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Streams that identify the kind of a compound file; the first one found counts. */
const KINDS: readonly (readonly [stream: string, kind: string])[] = [
  ['EncryptedPackage', 'an encrypted office document: it can be read only with its password; store it without one'],
  ['WordDocument', 'a Word document of the old binary kind (.doc): save it as .docx'],
  ['Workbook', 'an Excel workbook of the old binary kind (.xls): save it as .xlsx'],
  ['PowerPoint Document', 'a PowerPoint presentation of the old binary kind (.ppt): save it as .pptx'],
  ['__properties_version1.0', 'an Outlook message (.msg): save it as .eml'],
  ['VisioDocument', 'a Visio drawing of the old binary kind (.vsd)'],
];

/** The error for an OLE compound file, which names its kind, because none is read; undefined for other bytes. */
export function oleRefusal(bytes: Uint8Array, name: string): EngineError | undefined {
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Stream names are UTF-16 in directory entries of 128 bytes; searching for them needs no sector chain.
  const kind =
    KINDS.find(([stream]) => buffer.includes(Buffer.from(`${stream}\0`, 'utf16le')))?.[1] ??
    'an OLE compound file of no kind that is read';
  return new EngineError('FORMAT_UNSUPPORTED', `${JSON.stringify(name.slice(-200))} is ${kind}`);
}
