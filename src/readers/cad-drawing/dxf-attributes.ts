import { decodeText } from '../metadata/exif.js';
import { plainMtext } from './mtext.js';

/** A filled-in attribute of a block insertion in an ASCII DXF file. Lengths in drawing units, rotation in rad. */
export interface DxfAttribute {
  /** Hexadecimal handle of the entity; '' in old files. */
  readonly handle: string;
  readonly tag: string;
  readonly value: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly rotation: number;
  readonly hidden: boolean;
  /** Number of attributes of the same insertion. */
  readonly siblings: number;
}

/** Longest entity that is read, bytes. */
const ENTITY_BYTES = 16 * 1024;
const MOST_ATTRIBUTES = 20_000;

/** The ATTRIB entities of an ASCII DXF file, in file order. acad-ts 3.2.0 loses their tags and places. */
export function readDxfAttributes(bytes: Uint8Array): DxfAttribute[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: (Omit<DxfAttribute, 'siblings'> & { readonly group: number })[] = [];
  const sizes: number[] = [];
  let last = 0;
  for (
    let at = file.indexOf('ATTRIB');
    at >= 0 && found.length < MOST_ATTRIBUTES;
    at = file.indexOf('ATTRIB', at + 6)
  ) {
    if (
      !/\n?\s*0\r?\n\s*$/.test(file.toString('latin1', Math.max(0, at - 12), at)) ||
      !/^\s*\n/.test(file.toString('latin1', at + 6, at + 10))
    )
      continue;
    const lines = decodeText(file.subarray(at, at + ENTITY_BYTES)).split(/\r?\n/);
    const codes = new Map<number, string>();
    for (let i = 1; i + 1 < lines.length; i += 2) {
      const code = Number(lines[i]);
      // The next entity, or the MTEXT behind a multi-line attribute's own codes.
      if (code === 0 || code === 101 || !Number.isInteger(code)) break;
      if (!codes.has(code)) codes.set(code, lines[i + 1]);
    }
    // SEQEND ends the attributes of an insertion.
    if (sizes.length === 0 || file.subarray(last, at).includes('SEQEND')) sizes.push(0);
    sizes[sizes.length - 1]++;
    last = at;
    const number = (code: number): number => Number(codes.get(code) ?? 0) || 0;
    found.push({
      handle: (codes.get(5) ?? '').trim().toUpperCase(),
      tag: (codes.get(2) ?? '').trim(),
      value: plainMtext(codes.get(1) ?? ''),
      x: number(10),
      y: number(20),
      height: number(40),
      rotation: (number(50) * Math.PI) / 180,
      hidden: (number(70) & 1) !== 0,
      group: sizes.length - 1,
    });
  }
  return found.map(({ group, ...attribute }) => ({ ...attribute, siblings: sizes[group] }));
}
