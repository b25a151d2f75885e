import { attributeOf, type XmlHandler } from '../text/xml.js';

/** What a style says of pages; undefined where it leaves it to its parent. */
interface Style {
  parent: string | undefined;
  before: boolean | undefined;
  after: boolean | undefined;
}

/** Styles can be derived from each other; more levels than this are a ring. */
const MOST_LEVELS = 32;

/** Reads which paragraph and table styles begin or end a page (ISO/IEC 26300-1, 16 and 20.184). Styles of several parts add up. */
export class PageBreaks implements XmlHandler {
  readonly #styles = new Map<string, Style>();
  #style: Style | undefined;

  /** True when what has this style begins a page. */
  before(name: string): boolean {
    return this.#inherited(name, 'before');
  }

  /** True when what comes after it begins a page. */
  after(name: string): boolean {
    return this.#inherited(name, 'after');
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'style') {
      // A paragraph that asks for another kind of page begins one.
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
