import { checkLimit, fileMalformed, limitExceeded, warning, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { GrowableF64 } from '../geometry/growable.js';
import { byteOrderMarkLength, latin1, parseNumber } from '../text/text-scanner.js';

/** A node of a VRML scene: `DEF name type { fields and, in VRML 1, children }`. USE refers to the same object again. */
export interface VrmlNode {
  readonly type: string;
  /** The name given by DEF; may be empty. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, VrmlValue>;
  /** Nodes directly inside this one, as VRML 1 has them. */
  readonly children: readonly VrmlNode[];
}

/** A field's value by kind: numbers, words (strings, TRUE, FALSE and other names) and nodes. */
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
 * Parses VRML 1.0 and 2.0 (ISO/IEC 14772) without knowing the node types: the syntax distinguishes numbers, words and
 * nodes. Prototypes and routes are skipped.
 * @throws EngineError `FILE_MALFORMED` when the header is missing; `LIMIT_EXCEEDED` for nodes nested deeper than
 * `limits.depth`.
 */
export function parseVrml(bytes: Uint8Array, limits: Limits): VrmlScene {
  const start = byteOrderMarkLength(bytes);
  const version = /^#VRML V([12])\.0/.exec(latin1(bytes, start, Math.min(bytes.length, start + 32)))?.[1];
  if (version === undefined) throw fileMalformed('a VRML file begins with "#VRML V1.0 ascii" or "#VRML V2.0 utf8"');
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
  /** The current token is `bytes[start]` up to, not including, `bytes[stop]`. */
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
      warnings.push(warning('FILE_TRUNCATED', 'the VRML file ends inside a node; what came before was kept'));
    if (this.#prototypes > 0) warnings.push(warning('CONTENT_SKIPPED', `${this.#prototypes} prototypes were skipped`));
    if (this.#unknownNames.size > 0) {
      const [first] = this.#unknownNames;
      warnings.push(
        warning(
          'CONTENT_SKIPPED',
          `USE of ${this.#unknownNames.size} names without a DEF before, among them ${JSON.stringify(first)}`,
        ),
      );
    }
    return warnings;
  }

  /** Reads children and fields through the closing brace, or to the end of the text. */
  #readBody(children: VrmlNode[], fields: Map<string, VrmlValue>, depth: number): void {
    for (;;) {
      if (this.#token === 'end') {
        this.#cut ||= depth > 1;
        return;
      }
      if (this.#isMark(CLOSE_BRACE)) return this.#next();
      if (this.#token !== 'word') {
        this.#next(); // A stray number, string or bracket is skipped.
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

  /** Skips PROTO, EXTERNPROTO and ROUTE; false when the current word is none of them. */
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

  /** Skips a block in brackets or braces with everything nested in it. */
  #skipBlock(): void {
    let depth = 0;
    do {
      if (this.#token === 'end') return;
      if (this.#isMark(OPEN_BRACE) || this.#isMark(OPEN_BRACKET)) depth++;
      else if (this.#isMark(CLOSE_BRACE) || this.#isMark(CLOSE_BRACKET)) depth--;
      this.#next();
    } while (depth > 0);
  }

  /** The node at the current word; undefined for USE of an unknown name, 'none' when there is no node. */
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
    checkLimit('the VRML file', this.#limits, 'depth', depth);
    if (++this.#nodeCount > MOST_NODES) throw limitExceeded('the VRML file', 'nodes', MOST_NODES, this.#nodeCount);
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
        // An unmatched closing brace ends the list as well: the closing bracket is missing.
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

  /** Offset of the first byte from `at` on that is not a blank, comma or comment. */
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
