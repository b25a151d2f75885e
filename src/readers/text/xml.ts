import { SaxesParser } from 'saxes';
import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';

/** What a reader wants to hear of an XML document, in document order. Names of elements are local: without a namespace prefix, unless asked for. */
export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** All text directly in the element since its last child ended; called before the next child opens or the element closes. */
  text?(text: string): void;
  close(name: string): void;
  /** True when the rest is of no interest: it is then not read. Asked now and then. */
  done?(): boolean;
}

/** Bytes fed to the parser at once. */
const CHUNK_BYTES = 64 * 1024;
/** Longest run of text, one tag or one comment, bytes: the parser holds it in memory. */
const LONGEST_RUN_BYTES = 16 * 1024 * 1024;

/**
 * Walks through an XML document (UTF-8, or UTF-16 with a byte order mark) without building a tree. Entities of the
 * document's own are not expanded: naming one is an error, so there is nothing to blow up.
 *
 * @param prefixes whether names of elements keep their prefix, `dc:title`; default false.
 * @returns true when the document ended properly, false when it was cut off: the handler then heard all before the cut.
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
    // The parser complains at the end about elements left open: that is the cut, and all before it is sound.
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

/** Most elements of mesh formats have no attributes, and there are millions of them. */
function mapOf(attributes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  let map: Map<string, string> | undefined;
  // The parser's object has no prototype, so these are the attributes only.
  for (const name in attributes) (map ??= new Map()).set(name, attributes[name]);
  return map ?? NO_ATTRIBUTES;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An attribute by its local name, whatever prefix the writer gave it; one without a prefix comes first. */
export function attributeOf(attributes: ReadonlyMap<string, string>, local: string): string | undefined {
  const plain = attributes.get(local);
  return plain ?? prefixedAttributeOf(attributes, local);
}

/** An attribute with a prefix, by its local name: `r:id` beside an `id` of another meaning. */
export function prefixedAttributeOf(attributes: ReadonlyMap<string, string>, local: string): string | undefined {
  for (const [name, value] of attributes) {
    if (name.length > local.length && name.endsWith(local) && name[name.length - local.length - 1] === ':')
      return value;
  }
  return undefined;
}
