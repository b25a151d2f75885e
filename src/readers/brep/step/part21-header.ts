import type { Property } from '../../../content/text.js';
import { PropertyList } from '../../metadata/property-list.js';
import { isList, parseInstance, type Part21Value } from './part21-instances.js';

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

/**
 * Properties from the header of a STEP file (ISO 10303-21, 8.2) and its PRODUCT entities: file name, description,
 * author, organization, programs, authorisation, time, schema; id, name and description of the first products.
 * Placeholder values such as "unknown" are left out.
 */
export function readPart21Properties(bytes: Uint8Array): readonly Property[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = file.toString('latin1', 0, HEADER_BYTES).split(/ENDSEC\s*;/, 1)[0];
  const list = new PropertyList();
  const add = (name: string, value: Part21Value | undefined): void => {
    const words = (isList(value) ? value : [value])
      .filter((word): word is string => typeof word === 'string')
      .map((word) => word.trim());
    const said = words.filter(
      (word) => !/^(unknown|unspecified|none|unidentified_product|not specified|unset|)$/i.test(word),
    );
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
function schemaOf(schemas: Part21Value | undefined): string | undefined {
  const first = isList(schemas) ? schemas[0] : schemas;
  if (typeof first !== 'string') return undefined;
  const name = first.split(/[\s{]/, 1)[0];
  for (const [pattern, protocol] of PROTOCOLS) {
    const found = pattern.exec(name.toUpperCase());
    if (found !== null) return `${protocol === '' ? `AP${found[1]}` : protocol} (${name})`;
  }
  return name;
}

function productsOf(file: Buffer): (readonly Part21Value[])[] {
  const products: (readonly Part21Value[])[] = [];
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

/** The arguments of the first entity with that name. Of a truncated entity, the arguments before the end. */
function argumentsOf(text: string, entity: string): readonly Part21Value[] {
  const at = text.search(new RegExp(`${entity}\\s*\\(`));
  return at < 0 ? [] : (parseInstance(text.slice(at))?.get(entity) ?? []);
}
