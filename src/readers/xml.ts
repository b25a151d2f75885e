import { SaxesParser } from 'saxes';
import { EngineError } from '../errors.js';
import type { Limits } from '../options.js';

/** What a reader wants to hear of an XML document, in document order. Names are local: without a namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** All text directly in the element since its last child ended; called before the next child opens or the element closes. */
  text?(text: string): void;
  close(name: string): void;
}

/** Bytes fed to the parser at once. */
const CHUNK_BYTES = 64 * 1024;
/** Longest run of text, one tag or one comment, bytes: the parser holds it in memory. */
const LONGEST_RUN_BYTES = 16 * 1024 * 1024;

/**
 * Walks through an XML document (UTF-8, or UTF-16 with a byte order mark) without building a tree. Entities of the
 * document's own are not expanded: naming one is an error, so there is nothing to blow up.
 *
 * @returns true when the document ended properly, false when it was cut off: the handler then heard all before the cut.
 * @throws EngineError `FILE_MALFORMED` with the place of the first error; `LIMIT_EXCEEDED` for nesting beyond
 * `limits.depth`; whatever the handler throws.
 */
export function walkXml(format: string, bytes: Uint8Array, limits: Limits, handler: XmlHandler): boolean {
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
    throw new EngineError('FILE_MALFORMED', `the ${format} file breaks XML's rules: ${error.message}`, { details: { line: parser.line } });
  });
  parser.on('opentag', ({ name, attributes }) => {
    runStart = fed;
    rooted = true;
    if (++depth > limits.depth) {
      throw new EngineError('LIMIT_EXCEEDED', `the ${format} file nests elements deeper than limits.depth, ${limits.depth}`, {
        details: { limit: 'depth', allowed: limits.depth, found: depth },
      });
    }
    handler.open(localName(name), mapOf(attributes as Record<string, string>));
  });
  parser.on('text', (text) => {
    runStart = fed;
    handler.text?.(text);
  });
  parser.on('closetag', ({ name }) => {
    runStart = fed;
    depth--;
    handler.close(localName(name));
  });

  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    fed = at + chunk.length;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (fed - runStart > LONGEST_RUN_BYTES) {
      throw new EngineError('FILE_MALFORMED', `the ${format} file holds a text or tag of more than ${LONGEST_RUN_BYTES} bytes`);
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
