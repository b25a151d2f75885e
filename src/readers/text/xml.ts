import { SaxesParser } from 'saxes';
import { checkLimit, fileMalformed } from '../../errors.js';
import type { Limits } from '../../options.js';
import { DeclaredEntities } from './xml-entities.js';

export type XmlAttributes = ReadonlyMap<string, string>;

/**
 * Receives the events of an XML document in order. Element names are local, without a namespace prefix, unless
 * `prefixes` is set.
 */
export interface XmlHandler {
  /**
   * path: the names from the outermost element to this one.
   * @returns {@link SKIP} to pass over the element: its text, what is inside it and its end are not reported.
   */
  open(name: string, attributes: XmlAttributes, path: readonly string[]): unknown;
  /**
   * Text directly in the element since its last child ended; called before the next child opens or the element closes.
   */
  text?(text: string, path: readonly string[]): void;
  /** path: ends with this element. */
  close?(name: string, path: readonly string[]): void;
  /** Returns true to stop reading; asked once per chunk. */
  done?(): boolean;
}

/** What {@link XmlHandler.open} returns to pass over an element. */
export const SKIP = Symbol('skip');

/** Bytes fed to the parser at once. */
const CHUNK_BYTES = 64 * 1024;
/** Longest run of text, one tag or one comment, bytes: the parser holds it in memory. */
const LONGEST_RUN_BYTES = 16 * 1024 * 1024;

/**
 * Walks through an XML document (UTF-8, or UTF-16 with a byte order mark) without building a tree. Entities that the
 * document declares are an error, so they cannot expand, unless `entities` is set.
 *
 * @param prefixes whether element names keep their prefix, `dc:title`; default false.
 * @param entities whether entities that the document itself declares are expanded, within bounds; default false.
 * @returns true when the document is complete, false when it is truncated; the handler then received everything before
 * the end.
 * @throws EngineError `FILE_MALFORMED` with the place of the first error; `LIMIT_EXCEEDED` for nesting beyond
 * `limits.depth`; whatever the handler throws.
 */
export function walkXml(
  format: string,
  bytes: Uint8Array,
  limits: Limits,
  handler: XmlHandler,
  { prefixes = false, entities = false } = {},
): boolean {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const decoder = new TextDecoder(encodingOf(bytes));
  const path: string[] = [];
  /** Length of the path of the element that is passed over. */
  let skipped = Infinity;
  let runStart = 0;
  let fed = 0;
  let rooted = false;
  let ending = false;
  let cut = false;

  parser.on('doctype', (declared) => {
    const known = new DeclaredEntities(format, declared, { areExpanded: entities });
    // The parser looks names up here; each look-up counts what it yields.
    for (const name of known.names)
      Object.defineProperty(parser.ENTITIES, name, { get: () => known.textOf(name), configurable: true });
  });
  parser.on('error', (error) => {
    // At the end the parser reports open elements: the document is truncated, and everything before is sound.
    if (ending && rooted) {
      cut = true;
      return;
    }
    throw fileMalformed(`the ${format} file breaks XML's rules: ${error.message.replace(/\.$/, '')}`, {
      details: { line: parser.line },
    });
  });
  parser.on('opentag', ({ name, attributes }) => {
    runStart = fed;
    rooted = true;
    const own = prefixes ? name : localName(name);
    checkLimit(`the ${format} file`, limits, 'depth', path.push(own));
    if (path.length > skipped) return;
    if (handler.open(own, mapOf(attributes as Record<string, string>), path) === SKIP) skipped = path.length;
  });
  parser.on('text', (text) => {
    runStart = fed;
    if (path.length < skipped) handler.text?.(text, path);
  });
  parser.on('closetag', () => {
    runStart = fed;
    const isSkipped = path.length >= skipped;
    if (path.length <= skipped) skipped = Infinity;
    if (!isSkipped) handler.close?.(path[path.length - 1], path);
    path.pop();
  });

  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    fed = at + chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.done?.() === true) return true;
    if (fed - runStart > LONGEST_RUN_BYTES) {
      throw fileMalformed(`the ${format} file holds a text or tag of more than ${LONGEST_RUN_BYTES} bytes`);
    }
  }
  ending = true;
  parser.close();
  return !cut;
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

const NO_ATTRIBUTES: XmlAttributes = new Map();

/** Shares one empty map, because mesh formats have millions of elements without attributes. */
function mapOf(attributes: Readonly<Record<string, string>>): XmlAttributes {
  let map: Map<string, string> | undefined;
  // The parser's object has no prototype, so `in` lists the attributes only.
  for (const name in attributes) (map ??= new Map()).set(name, attributes[name]);
  return map ?? NO_ATTRIBUTES;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An attribute by its local name, with any prefix; one without a prefix takes precedence. */
export function attributeOf(attributes: XmlAttributes, local: string): string | undefined {
  return attributes.get(local) ?? prefixedAttributeOf(attributes, local);
}

/** A prefixed attribute by its local name: `r:id`, not `id`. */
export function prefixedAttributeOf(attributes: XmlAttributes, local: string): string | undefined {
  for (const [name, value] of attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':')
      return value;
  }
  return undefined;
}
