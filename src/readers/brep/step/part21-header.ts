import type { Property } from '../../../content/text.js';
import { decodeText } from '../../metadata/exif.js';
import { PropertyList } from '../../metadata/property-list.js';

/** The header section is searched within this many bytes. */
const HEADER_BYTES = 262_144;
/** Longest entity that is read, bytes. */
const ENTITY_BYTES = 8_192;
/**
 * Most PRODUCT entities that are read, and most that become properties. All product names appear as component names
 * anyway.
 */
const PRODUCTS_TRIED = 2_000;
const PRODUCTS_KEPT = 20;

/** Application protocols by schema name. */
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
 * Properties from the header of a STEP file (ISO 10303-21, 8.2) and its PRODUCT entities: file name, description,
 * author, organization, programs, authorisation, time, schema; id, name and description of the first products.
 * Placeholder values such as "unknown" are left out.
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
    // Skips PRODUCT_DEFINITION and similar keywords, and the word inside a text.
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

/**
 * The arguments of the first entity with that name: texts decoded, lists as lists, everything else as null. Of a
 * truncated entity, the arguments before the end.
 */
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
      // A header has no lists nested this deep.
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
 * Decodes a Part 21 string (ISO 10303-21, 6.4.3), given with one character per byte: `''`, `\\`, `\S\c` (upper half of
 * the ISO 8859 page that `\PA\` to `\PI\` select), `\X\hh`, `\X2\hhhh…\X0\` (UTF-16) and `\X4\hhhhhhhh…\X0\`. The
 * standard allows ASCII only; other bytes are decoded as UTF-8 or Windows-1252.
 */
export function decodePart21(text: string): string {
  let page = 1;
  // Runs between escapes are decoded one by one: their bytes may be UTF-8, those of the escapes are not.
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

const ESCAPES = new RegExp(
  String.raw`\\X2\\(?<two>[0-9A-F]*?)\\X0\\|\\X4\\(?<four>[0-9A-F]*?)\\X0\\|\\X\\(?<hex>[0-9A-F]{2})` +
    String.raw`|\\S\\(?<upper>[ -~])|\\P(?<letter>[A-I])\\|\\\\`,
  'gi',
);

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function upperHalf(character: string, page: number): string {
  return new TextDecoder(`iso-8859-${page}`).decode(Uint8Array.of(character.charCodeAt(0) + 128));
}
