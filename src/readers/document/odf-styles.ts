import { attributeOf, type XmlHandler } from '../text/xml.js';

/** Page breaks of a style; undefined where the parent style decides. */
interface Style {
  parent: string | undefined;
  before: boolean | undefined;
  after: boolean | undefined;
}

/** Most levels of derived styles; more are a cycle. */
const MOST_LEVELS = 32;

/**
 * Collects, over one or more parts, which paragraph and table styles begin or end a page (ISO/IEC 26300-1, 16 and
 * 20.184).
 */
export class PageBreaks implements XmlHandler {
  readonly #styles = new Map<string, Style>();
  #style: Style | undefined;

  /** Whether an element of this style begins a page. */
  before(name: string): boolean {
    return this.#inherited(name, 'before');
  }

  /** Whether a page begins after an element of this style. */
  after(name: string): boolean {
    return this.#inherited(name, 'after');
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'style') {
      // A paragraph that changes the page style begins a page.
      const kind = attributeOf(attributes, 'master-page-name');
      this.#style = {
        parent: attributeOf(attributes, 'parent-style-name'),
        before: kind === undefined || kind === '' ? undefined : true,
        after: undefined,
      };
      this.#styles.set(attributeOf(attributes, 'name') ?? '', this.#style);
    } else if ((name === 'paragraph-properties' || name === 'table-properties') && this.#style !== undefined) {
      const before = attributeOf(attributes, 'break-before');
      const after = attributeOf(attributes, 'break-after');
      if (before !== undefined) this.#style.before ||= before === 'page';
      if (after !== undefined) this.#style.after = after === 'page';
    }
  }

  close(name: string): void {
    if (name === 'style') this.#style = undefined;
  }

  #inherited(name: string, side: 'before' | 'after'): boolean {
    let style = this.#styles.get(name);
    for (let level = 0; style !== undefined && level < MOST_LEVELS; level++) {
      const stated = style[side];
      if (stated !== undefined) return stated;
      style = style.parent === undefined ? undefined : this.#styles.get(style.parent);
    }
    return false;
  }
}
