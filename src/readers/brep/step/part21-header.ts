import type { Property } from '../../../content/text.js';
import { decodeText } from '../../metadata/exif.js';
import { PropertyList } from '../../metadata/property-list.js';

/** The header section is looked for up to here, bytes. */
const HEADER_BYTES = 262_144;
/** Longest entity that is looked at, bytes. */
const ENTITY_BYTES = 8_192;
/** Products that are looked at, and those that become properties; their names all come as names of components. */
const PRODUCTS_TRIED = 2_000;
const PRODUCTS_KEPT = 20;

/** Application protocols by the name of their schema. */
const PROTOCOLS: readonly (readonly [pattern: RegExp, protocol: string])[] = [
  [/^AUTOMOTIVE_DESIGN/, 'AP214'],
  [/^CONFIG_CONTROL_DESIGN|^CONFIG_CONTROL_3D_DESIGN/, 'AP203'],
  [/^AP(\d{3})_/, ''],
  [/^STRUCTURAL_ANALYSIS/, 'AP209'],
  [/^INTEGRATED_CNC/, 'AP238'],
  [/^SHIP_|^EXPLICIT_DRAUGHTING/, 'AP201'],
];

type Argument = string | readonly Argument[] | null;

/**
 * What the header of a STEP file (ISO 10303-21, 8.2) and its PRODUCT entities say: file name, description, author, organization,
 * programs, authorisation, time, schema; id, name and description of the first products. Values that say nothing are left out.
 */
export function readPart21Properties(bytes: Uint8Array): readonly Property[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = file.toString('latin1', 0, HEADER_BYTES).split(/ENDSEC\s*;/, 1)[0];
  const list = new PropertyList();
  const add = (name: string, value: Argument | undefined): void => {
    const words = (Array.isArray(value) ? value : [value])
      .filter((word): word is string => typeof word === 'string')
      .map((word) => word.trim());
    const said = words.filter((word) => !/^(unknown|unspecified|none|not specified|unset|)$/i.test(word));
    list.add(name, said.join('; '));
  };
  const [description] = argumentsOf(header, 'FILE_DESCRIPTION');
  const [fileName, time, author, organization, preprocessor, system, authorisation] = argumentsOf(header, 'FILE_NAME');
  add('File name', fileName);
  add('Description', description);
  add('Author', author);
  add('Organization', organization);
  add('Preprocessor', preprocessor);
  add('Originating system', system);
  add('Authorisation', authorisation);
  add('Time stamp', time);
  add('Schema', schemaOf(argumentsOf(header, 'FILE_SCHEMA')[0]));
  for (const [id, name, text] of productsOf(file)) {
    add('Product id', id);
    add('Product name', name);
    add('Product description', text);
  }
  return list.properties;
}

/** `AP214 (AUTOMOTIVE_DESIGN)`. */
function schemaOf(schemas: Argument | undefined): string | undefined {
  const first = Array.isArray(schemas) ? schemas[0] : schemas;
  if (typeof first !== 'string') return undefined;
  const name = first.split(/[\s{]/, 1)[0];
  for (const [pattern, protocol] of PROTOCOLS) {
    const found = pattern.exec(name.toUpperCase());
    if (found !== null) return `${protocol === '' ? `AP${found[1]}` : protocol} (${name})`;
  }
  return name;
}

function productsOf(file: Buffer): Argument[][] {
  const products: Argument[][] = [];
  const seen = new Set<string>();
  for (
    let at = file.indexOf('PRODUCT'), tried = 0;
    at >= 0 && tried < PRODUCTS_TRIED && products.length < PRODUCTS_KEPT;
    at = file.indexOf('PRODUCT', at + 7)
  ) {
    // Not PRODUCT_DEFINITION and its like, nor the word in a text.
    if (
      !/^\s*\(/.test(file.toString('latin1', at + 7, at + 16)) ||
      !/=\s*$/.test(file.toString('latin1', Math.max(0, at - 8), at))
    )
      continue;
    tried++;
    const product = argumentsOf(file.toString('latin1', at, at + ENTITY_BYTES), 'PRODUCT').slice(0, 3);
    const key = JSON.stringify(product);
    if (seen.has(key)) continue;
    seen.add(key);
    products.push(product);
  }
  return products;
}

/** The arguments of the first entity of that name: texts decoded, lists as lists, all else as null; what was read before a break. */
function argumentsOf(text: string, entity: string): Argument[] {
  const start = new RegExp(`${entity}\\s*\\(`).exec(text);
  if (start === null) return [];
  const root: Argument[] = [];
  const open: Argument[][] = [root];
  for (let at = start.index + start[0].length; at < text.length && open.length > 0; ) {
    const character = text[at];
    if (character === "'") {
      const string = /'((?:[^']|'')*)'/y;
      string.lastIndex = at;
      const found = string.exec(text);
      if (found === null) break;
      open.at(-1)!.push(decodePart21(found[1]));
      at = string.lastIndex;
    } else if (character === '(') {
      // Deeper lists than these are none of the header's.
      if (open.length > 8) break;
      const inner: Argument[] = [];
      open.at(-1)!.push(inner);
      open.push(inner);
      at++;
    } else if (character === ')') {
      open.pop();
      at++;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) break;
      at = end + 2;
    } else {
      if (/[$*#\w.]/.test(character)) {
        open.at(-1)!.push(null);
        while (at < text.length && /[$*#\w.+-]/.test(text[at])) at++;
      } else {
        at++;
      }
    }
  }
  return root;
}

/**
 * Text of a string of Part 21 (ISO 10303-21, 6.4.3), its bytes given as one character each: `''`, `\\`, `\S\c` (upper half of the page
 * that `\PA\` to `\PI\` names of ISO 8859), `\X\hh`, `\X2\hhhh…\X0\` (UTF-16) and `\X4\hhhhhhhh…\X0\`. Bytes above ASCII, which the
 * standard does not allow, are taken as UTF-8 or Windows-1252.
 */
export function decodePart21(text: string): string {
  let page = 1;
  // What stands between escapes is decoded by itself: its bytes may be UTF-8, the escapes' are not.
  const plain = (run: string): string => (/[^\0-\x7f]/.test(run) ? decodeText(Buffer.from(run, 'latin1')) : run);
  let decoded = '';
  let last = 0;
  for (const found of text.replaceAll("''", "'").matchAll(ESCAPES)) {
    decoded += plain(found.input.slice(last, found.index));
    last = found.index + found[0].length;
    const { two, four, hex, upper, letter } = found.groups as Readonly<Record<string, string | undefined>>;
    if (two !== undefined)
      decoded += (two.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(parseInt(unit, 16))).join('');
    else if (four !== undefined)
      decoded += (four.match(/.{8}/g) ?? []).map((unit) => characterOf(parseInt(unit, 16))).join('');
    else if (hex !== undefined) decoded += String.fromCharCode(parseInt(hex, 16));
    else if (upper !== undefined) decoded += upperHalf(upper, page);
    else if (letter !== undefined) page = letter.charCodeAt(0) - 64;
    else decoded += '\\';
  }
  return decoded + plain(text.replaceAll("''", "'").slice(last));
}

const ESCAPES =
  /\\X2\\(?<two>[0-9A-F]*?)\\X0\\|\\X4\\(?<four>[0-9A-F]*?)\\X0\\|\\X\\(?<hex>[0-9A-F]{2})|\\S\\(?<upper>[ -~])|\\P(?<letter>[A-I])\\|\\\\/gi;

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function upperHalf(character: string, page: number): string {
  return new TextDecoder(`iso-8859-${page}`).decode(Uint8Array.of(character.charCodeAt(0) + 128));
}
