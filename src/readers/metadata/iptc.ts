import { decodeText } from './exif.js';

/** Datasets of record 2 that are read and the property names they get (IPTC-NAA Information Interchange Model 4.2). */
const DATASETS: Readonly<Record<number, string>> = {
  5: 'Title',
  25: 'Keywords',
  55: 'Date taken',
  80: 'Author',
  105: 'Headline',
  110: 'Credit',
  116: 'Copyright',
  120: 'Description',
};
const MOST_DATASETS = 500;

/**
 * Texts of an IPTC block, bare or inside Photoshop resources; repeated datasets such as keywords are joined by `; `.
 */
export function readIptc(block: Uint8Array): [name: string, value: string][] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const found = new Map<string, string[]>();
  let at = Math.max(0, bytes.indexOf(Buffer.from([0x1c, 0x02])));
  for (let i = 0; i < MOST_DATASETS && at + 5 <= bytes.length && bytes[at] === 0x1c; i++) {
    const length = bytes.readUInt16BE(at + 3);
    // The high bit marks an extended length field; no text needs one.
    if (length > 0x7fff) break;
    const name = bytes[at + 1] === 2 ? DATASETS[bytes[at + 2]] : undefined;
    if (name !== undefined)
      found.set(name, [...(found.get(name) ?? []), decodeText(bytes.subarray(at + 5, at + 5 + length))]);
    at += 5 + length;
  }
  return [...found].map(([name, values]) => [name, values.join('; ').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')]);
}
