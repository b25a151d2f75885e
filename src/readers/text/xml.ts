import { SaxesParser } from 'saxes';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';

/**
 * Receives the events of an XML document in order. Element names are local, without a namespace prefix, unless
 * `prefixes` is set.
 */
export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /**
   * Text directly in the element since its last child ended; called before the next child opens or the element closes.
   */
  text?(text: string): void;
  close(name: string): void;
  /** Returns true to stop reading; asked once per chunk. */
  done?(): boolean;
}

/** Bytes fed to the parser at once. */
const CHUNK_BYTES = 64 * 1024;
/** Longest run of text, one tag or one comment, bytes: the parser holds it in memory. */
const LONGEST_RUN_BYTES = 16 * 1024 * 1024;

/**
 * Walks through an XML document (UTF-8, or UTF-16 with a byte order mark) without building a tree. Entities that the
 * document declares are an error, so they cannot expand.
 *
 * @param prefixes whether element names keep their prefix, `dc:title`; default false.
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
  { prefixes = false } = {},
): boolean {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const decoder = new TextDecoder(encodingOf(bytes));
  let depth = 0;
  let runStart = 0;
  let fed = 0;
  let rooted = false;
  let ending = false;
  let cut = false;

  parser.on('error', (error) => {
    // At the end the parser reports open elements: the document is truncated, and everything before is sound.
    if (ending && rooted) {
      cut = true;
      return;
    }
    throw new EngineError(
      'FILE_MALFORMED',
      `the ${format} file breaks XML's rules: ${error.message.replace(/\.$/, '')}`,
      { details: { line: parser.line } },
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    runStart = fed;
    rooted = true;
    if (++depth > limits.depth) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the ${format} file nests elements deeper than limits.depth, ${limits.depth}`,
        {
          details: { limit: 'depth', allowed: limits.depth, found: depth },
        },
      );
    }
    handler.open(prefixes ? name : localName(name), mapOf(attributes as Record<string, string>));
  });
  parser.on('text', (text) => {
    runStart = fed;
    handler.text?.(text);
  });
  parser.on('closetag', ({ name }) => {
    runStart = fed;
    depth--;
    handler.close(prefixes ? name : localName(name));
  });

  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    fed = at + chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.done?.() === true) return true;
    if (fed - runStart > LONGEST_RUN_BYTES) {
      throw new EngineError(
        'FILE_MALFORMED',
        `the ${format} file holds a text or tag of more than ${LONGEST_RUN_BYTES} bytes`,
      );
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

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Shares one empty map, because mesh formats have millions of elements without attributes. */
function mapOf(attributes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  let map: Map<string, string> | undefined;
  // The parser's object has no prototype, so `in` lists the attributes only.
  for (const name in attributes) (map ??= new Map()).set(name, attributes[name]);
  return map ?? NO_ATTRIBUTES;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An attribute by its local name, with any prefix; one without a prefix takes precedence. */
export function attributeOf(attributes: ReadonlyMap<string, string>, local: string): string | undefined {
  const plain = attributes.get(local);
  return plain ?? prefixedAttributeOf(attributes, local);
}

/** A prefixed attribute by its local name: `r:id`, not `id`. */
export function prefixedAttributeOf(attributes: ReadonlyMap<string, string>, local: string): string | undefined {
  for (const [name, value] of attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':')
      return value;
  }
  return undefined;
}
