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
/** Flags of attributes (group 70). */
const HIDDEN = 1;
const CONSTANT = 2;

/** The ATTRIB entities of an ASCII DXF file, in file order. acad-ts 3.2.0 loses their tags and places. */
export function readDxfAttributes(bytes: Uint8Array): DxfAttribute[] {
  const found: (Omit<DxfAttribute, 'siblings'> & { readonly group: number })[] = [];
  const sizes: number[] = [];
  for (const { codes, isFirst } of entitiesNamed('ATTRIB', bytes)) {
    // SEQEND ends the attributes of an insertion.
    if (isFirst) sizes.push(0);
    sizes[sizes.length - 1]++;
    const number = (code: number): number => Number(codes.get(code) ?? 0) || 0;
    found.push({
      handle: (codes.get(5) ?? '').trim().toUpperCase(),
      tag: (codes.get(2) ?? '').trim(),
      value: plainMtext(codes.get(1) ?? ''),
      x: number(10),
      y: number(20),
      height: number(40),
      rotation: (number(50) * Math.PI) / 180,
      hidden: (number(70) & HIDDEN) !== 0,
      group: sizes.length - 1,
    });
  }
  return found.map(({ group, ...attribute }) => ({ ...attribute, siblings: sizes[group] }));
}

/**
 * The constant ATTDEF entities of an ASCII DXF file that are shown, by {@link keyOfDefinition}. acad-ts 3.2.0 loses
 * their flags.
 */
export function readConstantDefinitions(bytes: Uint8Array): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { codes } of entitiesNamed('ATTDEF', bytes)) {
    const number = (code: number): number => Number(codes.get(code) ?? 0) || 0;
    if ((number(70) & (CONSTANT | HIDDEN)) === CONSTANT)
      found.add(keyOfDefinition({ x: number(10), y: number(20) }, codes.get(1) ?? ''));
  }
  return found;
}

/** What tells a definition from the others of its file: its place in its block and its value. */
export function keyOfDefinition({ x, y }: { readonly x: number; readonly y: number }, value: string): string {
  return `${x} ${y} ${value.trim()}`;
}

/** The group codes of each entity of a name, the first of each code; `isFirst`: behind the end of a sequence. */
function* entitiesNamed(
  name: string,
  bytes: Uint8Array,
): Generator<{ readonly codes: ReadonlyMap<number, string>; readonly isFirst: boolean }> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let last = -1;
  let count = 0;
  for (let at = file.indexOf(name); at >= 0 && count < MOST_ATTRIBUTES; at = file.indexOf(name, at + name.length)) {
    const behind = at + name.length;
    if (
      !/\n?\s*0\r?\n\s*$/.test(file.toString('latin1', Math.max(0, at - 12), at)) ||
      !/^\s*\n/.test(file.toString('latin1', behind, behind + 4))
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
    yield { codes, isFirst: last < 0 || file.subarray(last, at).includes('SEQEND') };
    last = at;
    count++;
  }
}
