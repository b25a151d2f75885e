import { EngineError, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { GrowableF64 } from '../geometry/growable.js';
import { byteOrderMarkLength, latin1, parseNumber } from '../text/text-scanner.js';

/** A node of a VRML scene: `DEF name type { fields and, in VRML 1, children }`. A node that is USEd is the same object. */
export interface VrmlNode {
  readonly type: string;
  /** The name given by DEF; may be empty. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, VrmlValue>;
  /** Nodes that stand directly in this one, as VRML 1 has them. */
  readonly children: readonly VrmlNode[];
}

/** A field's value, sorted by kind: numbers, words (strings, TRUE, FALSE and other names) and nodes. */
export interface VrmlValue {
  readonly numbers: Float64Array;
  readonly words: readonly string[];
  readonly nodes: readonly VrmlNode[];
}

export interface VrmlScene {
  readonly version: 1 | 2;
  readonly nodes: readonly VrmlNode[];
  readonly warnings: Warning[];
}

/** Most nodes in the text of one file. */
const MOST_NODES = 1_000_000;
const LONGEST_STRING = 1_024;

const OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d,
  OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  OPEN_PAREN = 0x28,
  CLOSE_PAREN = 0x29;
const QUOTE = 0x22,
  HASH = 0x23,
  COMMA = 0x2c,
  BACKSLASH = 0x5c,
  SPACE = 0x20;
/** Tokens of one byte. */
const MARKS = [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_PAREN, CLOSE_PAREN];

/**
 * Parses VRML 1.0 and 2.0 (ISO/IEC 14772) without knowing the node types: numbers, words and nodes tell each other apart.
 * Prototypes are passed over; routes and scripts have no shape.
 * @throws EngineError `FILE_MALFORMED` when the header is missing; `LIMIT_EXCEEDED` for nodes nested deeper than `limits.depth`.
 */
export function parseVrml(bytes: Uint8Array, limits: Limits): VrmlScene {
  const start = byteOrderMarkLength(bytes);
  const version = /^#VRML V([12])\.0/.exec(latin1(bytes, start, Math.min(bytes.length, start + 32)))?.[1];
  if (version === undefined)
    throw new EngineError('FILE_MALFORMED', 'a VRML file begins with "#VRML V1.0 ascii" or "#VRML V2.0 utf8"');
  const parser = new Parser(bytes, start, limits);
  return { version: version === '1' ? 1 : 2, nodes: parser.parseAll(), warnings: parser.warnings() };
}

type Token = 'end' | 'mark' | 'string' | 'word' | 'number';

class Parser {
  readonly #bytes: Uint8Array;
  readonly #limits: Limits;
  readonly #defined = new Map<string, VrmlNode>();
  readonly #unknownNames = new Set<string>();
  #prototypes = 0;
  #nodeCount = 0;
  #cut = false;
  /** The present token is `bytes[start]` to `bytes[stop]`. */
  #start = 0;
  #stop: number;
  #token: Token = 'end';

  constructor(bytes: Uint8Array, start: number, limits: Limits) {
    this.#bytes = bytes;
    this.#stop = start;
    this.#limits = limits;
  }

  parseAll(): VrmlNode[] {
    const nodes: VrmlNode[] = [];
    this.#next();
    while (this.#token !== 'end') this.#readBody(nodes, new Map(), 1);
    return nodes;
  }

  warnings(): Warning[] {
    const warnings: Warning[] = [];
    if (this.#cut)
      warnings.push({ code: 'FILE_TRUNCATED', message: 'the VRML file ends inside a node; what came before was kept' });
    if (this.#prototypes > 0)
      warnings.push({ code: 'CONTENT_SKIPPED', message: `${this.#prototypes} prototypes were passed over` });
    if (this.#unknownNames.size > 0) {
      const [first] = this.#unknownNames;
      warnings.push({
        code: 'CONTENT_SKIPPED',
        message: `USE of ${this.#unknownNames.size} names that were not given by DEF before, ${JSON.stringify(first)} among them`,
      });
    }
    return warnings;
  }

  /** Reads children and fields up to and with the closing brace, or to the end of the text. */
  #readBody(children: VrmlNode[], fields: Map<string, VrmlValue>, depth: number): void {
    for (;;) {
      if (this.#token === 'end') {
        this.#cut ||= depth > 1;
        return;
      }
      if (this.#isMark(CLOSE_BRACE)) return this.#next();
      if (this.#token !== 'word') {
        this.#next(); // A stray number, string or bracket: nothing to keep.
        continue;
      }
      if (this.#skipStatement()) continue;
      const node = this.#tryNode(depth);
      if (node === 'none') {
        const name = this.#text();
        this.#next();
        fields.set(name, this.#readValue(depth));
      } else if (node !== undefined) {
        children.push(node);
      }
    }
  }

  /** Passes over PROTO, EXTERNPROTO and ROUTE. */
  #skipStatement(): boolean {
    const word = this.#text();
    if (word === 'ROUTE') {
      for (let i = 0; i < 4; i++) this.#next();
      return true;
    }
    if (word !== 'PROTO' && word !== 'EXTERNPROTO') return false;
    this.#prototypes++;
    this.#next();
    this.#next();
    this.#skipBlock();
    if (word === 'PROTO') this.#skipBlock();
    else if (this.#isMark(OPEN_BRACKET)) this.#skipBlock();
    else if (this.#token === 'string') this.#next();
    return true;
  }

  /** Passes over a bracketed or braced block, whatever is nested in it. */
  #skipBlock(): void {
    let depth = 0;
    do {
      if (this.#token === 'end') return;
      if (this.#isMark(OPEN_BRACE) || this.#isMark(OPEN_BRACKET)) depth++;
      else if (this.#isMark(CLOSE_BRACE) || this.#isMark(CLOSE_BRACKET)) depth--;
      this.#next();
    } while (depth > 0);
  }

  /** A node at the present word; undefined when it is the USE of an unknown name, 'none' when no node stands here. */
  #tryNode(depth: number): VrmlNode | 'none' | undefined {
    let word = this.#text();
    if (word === 'USE') {
      this.#next();
      const name = this.#text();
      this.#next();
      const node = this.#defined.get(name);
      if (node === undefined) this.#unknownNames.add(name);
      return node;
    }
    let name = '';
    if (word === 'DEF') {
      this.#next();
      name = this.#text();
      this.#next();
      word = this.#text();
    } else if (!this.#braceFollows()) {
      return 'none';
    }
    this.#next();
    if (!this.#isMark(OPEN_BRACE)) return undefined;
    this.#next();
    if (depth > this.#limits.depth) refuse('depth', this.#limits.depth, depth);
    if (++this.#nodeCount > MOST_NODES) refuse('nodes', MOST_NODES, this.#nodeCount);
    const fields = new Map<string, VrmlValue>();
    const children: VrmlNode[] = [];
    const node: VrmlNode = { type: word, name, fields, children };
    this.#readBody(children, fields, depth + 1);
    if (name !== '') this.#defined.set(name, node);
    return node;
  }

  #readValue(depth: number): VrmlValue {
    const numbers = new GrowableF64();
    const words: string[] = [];
    const nodes: VrmlNode[] = [];
    if (this.#isMark(OPEN_BRACKET) || this.#isMark(OPEN_PAREN)) {
      this.#next();
      while (this.#token !== 'end' && !this.#isMark(CLOSE_BRACKET) && !this.#isMark(CLOSE_PAREN)) {
        // A brace that closes more than was opened ends the list as well: the bracket was forgotten.
        if (this.#isMark(CLOSE_BRACE)) return { numbers: numbers.view(), words, nodes };
        this.#readItem(numbers, words, nodes, depth);
      }
      this.#next();
    } else if (this.#token === 'number') {
      while (this.#is('number')) this.#readItem(numbers, words, nodes, depth);
    } else if (this.#token === 'word' || this.#token === 'string') {
      this.#readItem(numbers, words, nodes, depth);
    }
    return { numbers: numbers.view(), words, nodes };
  }

  #readItem(numbers: GrowableF64, words: string[], nodes: VrmlNode[], depth: number): void {
    if (this.#token === 'number') {
      numbers.push(parseNumber(this.#bytes, this.#start, this.#stop));
    } else if (this.#token === 'word') {
      const node = this.#tryNode(depth);
      if (node !== 'none') {
        if (node !== undefined) nodes.push(node);
        return;
      }
      words.push(this.#text());
    } else if (this.#token === 'string') {
      words.push(this.#text());
    }
    this.#next();
  }

  #is(token: Token): boolean {
    return this.#token === token;
  }

  #isMark(mark: number): boolean {
    return this.#token === 'mark' && this.#bytes[this.#start] === mark;
  }

  #text(): string {
    return latin1(this.#bytes, this.#start, Math.min(this.#stop, this.#start + LONGEST_STRING));
  }

  #braceFollows(): boolean {
    return this.#bytes[this.#skipBlanks(this.#stop)] === OPEN_BRACE;
  }

  /** The first byte from `at` on that is neither blank nor comma nor comment. */
  #skipBlanks(at: number): number {
    const bytes = this.#bytes;
    for (; at < bytes.length; at++) {
      if (bytes[at] === HASH) {
        while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
      } else if (bytes[at] > SPACE && bytes[at] !== COMMA) {
        break;
      }
    }
    return at;
  }

  #next(): void {
    const bytes = this.#bytes;
    let at = this.#skipBlanks(this.#stop);
    this.#start = at;
    if (at >= bytes.length) {
      this.#token = 'end';
      this.#start = this.#stop = bytes.length;
      return;
    }
    const byte = bytes[at];
    if (MARKS.includes(byte)) {
      this.#token = 'mark';
      this.#stop = at + 1;
    } else if (byte === QUOTE) {
      this.#token = 'string';
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH) at++;
      }
      this.#stop = Math.min(at + 1, bytes.length);
    } else {
      this.#token =
        (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e ? 'number' : 'word';
      while (
        at < bytes.length &&
        bytes[at] > SPACE &&
        bytes[at] !== COMMA &&
        bytes[at] !== QUOTE &&
        !MARKS.includes(bytes[at])
      )
        at++;
      this.#stop = at;
    }
  }
}

function refuse(limit: string, allowed: number, found: number): never {
  throw new EngineError('LIMIT_EXCEEDED', `the VRML file holds ${limit} beyond the limit of ${allowed}`, {
    details: { limit, allowed, found },
  });
}
