import { fileMalformed } from '../../errors.js';
import { latin1 } from '../text/text-scanner.js';

/** Scalar types of PLY. */
export type PlyScalar = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyScalar;
  /** Type of the count before each list; absent for single values. */
  readonly countType?: PlyScalar;
}

export interface PlyElement {
  readonly name: string;
  /** The count in the header; the body may hold fewer. */
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly elements: readonly PlyElement[];
  /** Offset of the first byte after the header. */
  readonly bodyStart: number;
}

const SCALARS: Readonly<Record<string, PlyScalar>> = {
  char: 'i8',
  int8: 'i8',
  uchar: 'u8',
  uint8: 'u8',
  short: 'i16',
  int16: 'i16',
  ushort: 'u16',
  uint16: 'u16',
  int: 'i32',
  int32: 'i32',
  uint: 'u32',
  uint32: 'u32',
  float: 'f32',
  float32: 'f32',
  double: 'f64',
  float64: 'f64',
};

/** Longest header that is read, bytes, comments included; real ones are far shorter. */
const LONGEST_HEADER = 1 << 20;
/** Most elements and properties that a header may declare together. */
const MOST_DECLARATIONS = 10_000;

/**
 * Reads the header of a PLY file (Turk 1994).
 * @throws EngineError `FILE_MALFORMED`, naming the offending line.
 */
export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  let encoding: PlyHeader['encoding'] | undefined;
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = [];
  let declarations = 0;
  for (const { text, next } of linesOf(bytes)) {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const [keyword] = words;
    if (keyword === 'end_header') {
      if (encoding === undefined) throw fileMalformed('the PLY header has no "format" line');
      return { encoding, elements, bodyStart: next };
    }
    if (keyword === 'format') {
      encoding = encodingOf(words[1]);
    } else if (keyword === 'element') {
      const count = Number(words[2]);
      if (!Number.isInteger(count) || count < 0) malformed(text, 'element NAME COUNT');
      elements.push({ name: words[1], count, properties: [] });
    } else if (keyword === 'property') {
      const element = elements.at(-1);
      if (element === undefined) malformed(text, 'an element before its properties');
      element.properties.push(propertyOf(words, text));
    } else if (keyword !== undefined && keyword !== 'ply' && keyword !== 'comment' && keyword !== 'obj_info') {
      malformed(text, 'format, element, property, comment or end_header');
    }
    if ((keyword === 'element' || keyword === 'property') && ++declarations > MOST_DECLARATIONS) {
      throw fileMalformed(`the PLY header declares more than ${MOST_DECLARATIONS} elements and properties`);
    }
  }
  throw fileMalformed('the PLY header does not end with "end_header"');
}

/** The header's lines, ended by LF, CR or CRLF, each with the offset of the next line. */
function* linesOf(bytes: Uint8Array): Generator<{ text: string; next: number }> {
  const end = Math.min(bytes.length, LONGEST_HEADER);
  // The first line decides whether CRLF is one line end: otherwise a binary body that begins with a line feed would
  // lose it.
  let start = 0;
  let pairs: boolean | undefined;
  for (let at = 0; at < end; at++) {
    if (bytes[at] !== 0x0a && bytes[at] !== 0x0d) continue;
    const isPair = bytes[at] === 0x0d && bytes[at + 1] === 0x0a;
    pairs ??= isPair;
    const next = at + (pairs && isPair ? 2 : 1);
    yield { text: latin1(bytes, start, at), next };
    start = next;
    at = next - 1;
  }
}

function encodingOf(word: string | undefined): PlyHeader['encoding'] {
  if (word === 'ascii' || word === 'binary_little_endian' || word === 'binary_big_endian') return word;
  throw fileMalformed(
    `the PLY format is ${JSON.stringify(word)}, expected ascii, binary_little_endian or binary_big_endian`,
  );
}

function propertyOf(words: readonly string[], line: string): PlyProperty {
  const isList = words[1] === 'list';
  const [countType, type, name] = isList ? words.slice(2) : [undefined, words[1], words[2]];
  if (name === undefined || (isList && countType === undefined))
    malformed(line, 'property TYPE NAME or property list TYPE TYPE NAME');
  return isList
    ? { name, type: scalarOf(type, line), countType: scalarOf(countType, line) }
    : { name, type: scalarOf(type, line) };
}

function scalarOf(word: string | undefined, line: string): PlyScalar {
  const scalar = Object.hasOwn(SCALARS, word ?? '') ? SCALARS[word ?? ''] : undefined;
  if (scalar === undefined) malformed(line, `one of the types ${Object.keys(SCALARS).join(', ')}`);
  return scalar;
}

function malformed(line: string, expected: string): never {
  throw fileMalformed(`the PLY header holds ${JSON.stringify(line.slice(0, 80))}; expected ${expected}`);
}
