import { fileMalformed, limitExceeded } from '../../errors.js';

/** A declaration in a document type, or what may hold the like and is none: a comment, an instruction, a string. */
const DECLARATION = new RegExp(
  [
    /<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$)/,
    /<!ENTITY\s+([^\s"'>%]+)\s+(?:"([^"]*)"|'([^']*)'|(SYSTEM|PUBLIC)\b)/,
    /"[^"]*"|'[^']*'/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
/** A reference in the text of an entity, to a character or to another entity. */
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([^\s;&#]+));/gi;
/** What XML declares by itself. */
const PREDEFINED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);
/** Longest document type that is looked into, and most entities of it. Drawing programs declare some twenty. */
const LONGEST_TYPE = 262_144;
const MOST_ENTITIES = 1_000;
/** Most characters that one entity, and all references of a document, may become: programs style each path by one. */
const ENTITY_CHARACTERS = 65_536;
const EXPANDED_CHARACTERS = 16_777_216;
/** Entities within entities. */
const DEEPEST = 16;

/**
 * The general entities that a document declares in itself, as drawing programs do for the names of their namespaces and
 * for styles. What they become is bounded in length and depth, so that a file of a kilobyte does not become gigabytes.
 * What lies outside of the document is never loaded, and what stands for elements is not read: both are told.
 */
export class DeclaredEntities {
  readonly #format: string;
  readonly #areExpanded: boolean;
  /** Undefined: it lies outside. */
  readonly #declared = new Map<string, string | undefined>();
  readonly #expanded = new Map<string, string>();
  #characters = 0;

  /** @param areExpanded false: a reference to any of them is refused. */
  constructor(format: string, documentType: string, { areExpanded }: { readonly areExpanded: boolean }) {
    this.#format = format;
    this.#areExpanded = areExpanded;
    if (documentType.length > LONGEST_TYPE) throw limitExceeded(this.#what, 'characters of declarations', LONGEST_TYPE);
    for (const [, name, double, single, outside] of documentType.matchAll(DECLARATION)) {
      // The first declaration of a name holds, and those of XML itself stay.
      if (name === undefined || PREDEFINED.has(name) || this.#declared.has(name)) continue;
      if (this.#declared.size >= MOST_ENTITIES) throw limitExceeded(this.#what, 'declared entities', MOST_ENTITIES);
      this.#declared.set(name, outside === undefined ? (double ?? single) : undefined);
    }
  }

  get names(): Iterable<string> {
    return this.#declared.keys();
  }

  /**
   * What a reference to an entity becomes.
   * @throws EngineError `FILE_MALFORMED` for one that is not expanded, `LIMIT_EXCEEDED`.
   */
  textOf(name: string): string {
    if (!this.#areExpanded)
      throw this.#refused(name, `is declared in the document, which is not expanded in ${this.#format}`);
    const text = this.#expand(name, 1);
    this.#characters += text.length;
    if (this.#characters > EXPANDED_CHARACTERS)
      throw limitExceeded(this.#what, 'characters of all references', EXPANDED_CHARACTERS);
    return text;
  }

  #expand(name: string, depth: number): string {
    const known = this.#expanded.get(name);
    if (known !== undefined) return known;
    if (!this.#declared.has(name)) throw this.#refused(name, 'is not declared');
    const value = this.#declared.get(name);
    if (value === undefined) throw this.#refused(name, 'lies outside of the file, and nothing outside is loaded');
    if (depth > DEEPEST) throw this.#refused(name, `refers to others more than ${DEEPEST} deep, or to itself`);
    if (value.includes('<')) throw this.#refused(name, 'stands for elements; only entities that are text are expanded');
    let length = 0;
    const text = value.replace(REFERENCE, (_, decimal?: string, hex?: string, other?: string) => {
      const inner =
        other === undefined ? characterOf(decimal, hex) : (PREDEFINED.get(other) ?? this.#expand(other, depth + 1));
      length += inner.length;
      if (length > ENTITY_CHARACTERS) throw limitExceeded(this.#what, 'characters of an entity', ENTITY_CHARACTERS);
      return inner;
    });
    if (text.length > ENTITY_CHARACTERS) throw limitExceeded(this.#what, 'characters of an entity', ENTITY_CHARACTERS);
    this.#expanded.set(name, text);
    return text;
  }

  get #what(): string {
    return `what the ${this.#format} file declares`;
  }

  #refused(name: string, why: string): Error {
    return fileMalformed(`the ${this.#format} file uses the entity ${JSON.stringify(name.slice(0, 80))}, which ${why}`);
  }
}

function characterOf(decimal: string | undefined, hex: string | undefined): string {
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
