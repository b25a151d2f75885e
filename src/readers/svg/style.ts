import type { Attributes } from './values.js';

/** Most rules and characters that are kept; style sheets of drawings have a few dozen rules. */
const MOST_RULES = 10_000;
const LONGEST_SHEET = 1_000_000;

type Declarations = ReadonlyMap<string, string>;

/**
 * Style sheets of an SVG. Supports selectors of one element, class or id (`path`, `.a`, `#b`, `g.a`) and ignores
 * others.
 */
export class SvgStyles {
  readonly #rules = new Map<string, Map<string, string>>();
  #count = 0;

  add(css: string): void {
    const plain = css.slice(0, LONGEST_SHEET).replace(/\/\*[^]*?\*\//g, '');
    for (const [, selectors, body] of plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      const declarations = declarationsOf(body);
      for (const selector of selectors.split(',').map((part) => part.trim())) {
        if (!/^(?:\*|[\w-]*(?:[.#][\w-]+)?)$/.test(selector) || selector === '' || this.#count++ >= MOST_RULES)
          continue;
        const known = this.#rules.get(selector);
        if (known === undefined) this.#rules.set(selector, new Map(declarations));
        else for (const [name, value] of declarations) known.set(name, value);
      }
    }
  }

  /**
   * A look-up of an element's properties: first in its `style`, then in style sheets by id, class and name, then in its
   * attributes.
   */
  lookup(name: string, attributes: Attributes): (property: string) => string | undefined {
    const inline = attributes.get('style');
    const own = inline === undefined ? undefined : declarationsOf(inline);
    if (this.#rules.size === 0) return (property) => own?.get(property) ?? attributes.get(property);
    const id = attributes.get('id'),
      classes = (attributes.get('class') ?? '')
        .split(/\s+/)
        .filter((part) => part !== '')
        .slice(0, 20);
    const found: (Declarations | undefined)[] = [
      own,
      ...(id === undefined ? [] : [this.#rules.get(`${name}#${id}`), this.#rules.get(`#${id}`)]),
      ...classes.toReversed().flatMap((part) => [this.#rules.get(`${name}.${part}`), this.#rules.get(`.${part}`)]),
      this.#rules.get(name),
      this.#rules.get('*'),
    ];
    return (property) => {
      for (const declarations of found) {
        const value = declarations?.get(property);
        if (value !== undefined) return value;
      }
      return attributes.get(property);
    };
  }
}

function declarationsOf(body: string): Map<string, string> {
  const declarations = new Map<string, string>();
  for (const part of body.slice(0, 20_000).split(';')) {
    const at = part.indexOf(':');
    if (at > 0)
      declarations.set(
        part.slice(0, at).trim().toLowerCase(),
        part
          .slice(at + 1)
          .replace(/!\s*important/i, '')
          .trim(),
      );
  }
  return declarations;
}
