import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Document } from '../../content/document.js';
import type { Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { PageWriter } from '../text/page-writer.js';
import { PropertyList } from '../metadata/property-list.js';
import { decodeText } from '../text/text-encoding.js';

/** Most characters of HTML that are read; more give a warning. Markup can be a hundred times as long as the text. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** Bytes at the start that are searched for the encoding; the HTML standard searches 1 024. */
const HEAD_BYTES = 4_096;
/** Longest attribute value or title that is kept, characters. */
const LONGEST_VALUE = 20_000;

/** Elements that begin and end a line. */
const LINES = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'caption',
  'center',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'legend',
  'li',
  'main',
  'menu',
  'nav',
  'ol',
  'optgroup',
  'option',
  'p',
  'pre',
  'section',
  'select',
  'summary',
  'table',
  'tbody',
  'tfoot',
  'thead',
  'title',
  'ul',
  'br',
]);
/** Elements whose text is not displayed. */
const SKIPPED = new Set(['script', 'style', 'template', 'svg', 'iframe']);

/** Names of `<meta>` elements and the property names they get. */
const META_NAMES: Readonly<Record<string, string>> = {
  author: 'Author',
  description: 'Description',
  keywords: 'Keywords',
  subject: 'Subject',
  generator: 'Application',
  company: 'Company',
  'dc.title': 'Title',
  'dc.creator': 'Author',
  'dc.subject': 'Subject',
  'dc.description': 'Description',
};

/**
 * Reads an HTML file as one page: table cells are separated by tabs, pictures are replaced by their alternative text,
 * scripts and styles are dropped. The title and the author, description and keywords of the head are properties.
 */
export function readHtml(bytes: Uint8Array, { limits }: ReadOptions): Document {
  const text = decodeText(bytes, MOST_CHARACTERS, statedEncoding(bytes));
  const writer = new PageWriter('html', limits);
  const properties = new PropertyList();
  writeHtml(text, writer, properties);
  const { pages, warnings } = writer.finish();
  return {
    kind: 'document',
    format: 'html',
    pages,
    properties: properties.properties,
    warnings: [...warnings, ...overlong(text)],
  };
}

/** Writes the text of embedded HTML, such as the body of a message. */
export function writeHtml(html: string, writer: PageWriter, properties: PropertyList): void {
  const walk = new HtmlWalk(html.slice(0, MOST_CHARACTERS), writer, properties);
  walk.read();
}

function overlong(text: string): Warning[] {
  if (text.length <= MOST_CHARACTERS) return [];
  return [
    {
      code: 'CONTENT_SKIPPED',
      message: `the html file holds more than ${MOST_CHARACTERS} characters; those beyond were left out`,
    },
  ];
}

/** The encoding stated by `<meta charset>`, `<meta http-equiv>` or `<?xml encoding?>`. */
function statedEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  return /<(?:meta\s[^>]{0,500}?charset|\?xml\s[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
}

/** Walks over tags without building a tree, so nesting needs no limit. Uses htmlparser2's tokenizer. */
class HtmlWalk implements TokenizerCallbacks {
  readonly #html: string;
  readonly #writer: PageWriter;
  readonly #properties: PropertyList;
  readonly #tokenizer: Tokenizer;
  #tag = '';
  #attribute = '';
  #value = '';
  #attributes = new Map<string, string>();
  /** Open element whose text is skipped; '' when there is none. */
  #skipped = '';
  #title: string | undefined;
  #preformatted = 0;
  /** Whether a blank is pending, which is written if text follows in the line. */
  #blank = false;

  constructor(html: string, writer: PageWriter, properties: PropertyList) {
    this.#html = html;
    this.#writer = writer;
    this.#properties = properties;
    this.#tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, this);
  }

  read(): void {
    this.#tokenizer.write(this.#html);
    this.#tokenizer.end();
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#text(characterOf(codepoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#text(this.#html.slice(start, end - endOffset));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, Math.min(end, start + 40)).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < LONGEST_VALUE)
      this.#value += this.#html.slice(start, Math.min(end, start + LONGEST_VALUE));
  }

  onattribentity(codepoint: number): void {
    if (this.#value.length < LONGEST_VALUE) this.#value += characterOf(codepoint);
  }

  onattribend(): void {
    if (this.#attributes.size < 100 && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#open();
  }

  onselfclosingtag(): void {
    this.#open();
    if (this.#skipped === this.#tag) this.#skipped = '';
    else this.#close(this.#tag);
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#html.slice(start, Math.min(end, start + 40)).toLowerCase());
  }

  oncomment(): void {
    // Comments are not displayed.
  }

  ondeclaration(): void {
    // Holds no text.
  }

  onprocessinginstruction(): void {
    // Holds no text.
  }

  onend(): void {
    this.#endTitle();
  }

  #open(): void {
    const tag = this.#tag;
    if (this.#skipped !== '' || this.#title !== undefined) return;
    if (SKIPPED.has(tag)) this.#skipped = tag;
    else if (tag === 'title') this.#title = '';
    else if (tag === 'meta')
      this.#properties.add(metaName(this.#attributes.get('name')), this.#attributes.get('content'));
    else if (tag === 'img' || tag === 'area') this.#alternative(this.#attributes.get('alt') ?? '');
    else if (tag === 'input' && /^(text|button|submit)$/.test(this.#attributes.get('type') ?? ''))
      this.#alternative(this.#attributes.get('value') ?? '');
    else if (tag === 'tr') this.#row();
    else if (tag === 'pre' || tag === 'textarea') this.#preformatted++;
    if (LINES.has(tag)) this.#line();
  }

  #close(tag: string): void {
    if (this.#skipped !== '') {
      if (this.#skipped === tag) this.#skipped = '';
      return;
    }
    if (tag === 'title') this.#endTitle();
    else if (tag === 'td' || tag === 'th') {
      this.#writer.cell();
      this.#blank = false;
    } else if (tag === 'tr') this.#row();
    else if (tag === 'pre' || tag === 'textarea') this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (LINES.has(tag)) this.#line();
  }

  #endTitle(): void {
    this.#properties.add('Title', this.#title);
    this.#title = undefined;
  }

  #line(): void {
    this.#writer.line();
    this.#blank = false;
  }

  #row(): void {
    this.#writer.row();
    this.#blank = false;
  }

  #alternative(text: string): void {
    this.#text(` ${text} `);
  }

  #text(text: string): void {
    if (this.#skipped !== '' || this.#writer.full) return;
    if (this.#title !== undefined) {
      if (this.#title.length < LONGEST_VALUE) this.#title += text;
      return;
    }
    if (this.#preformatted > 0) return this.#writer.write(text);
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const words = collapsed.replace(/^ | $/g, '');
    if (words === '') {
      this.#blank ||= collapsed !== '';
      return;
    }
    const blank = (this.#blank || collapsed.startsWith(' ')) && !this.#writer.atLineStart;
    this.#writer.write(blank ? ` ${words}` : words);
    this.#blank = collapsed.endsWith(' ');
  }
}

function metaName(name: string | undefined): string {
  const key = (name ?? '').trim().toLowerCase();
  return Object.hasOwn(META_NAMES, key) ? META_NAMES[key] : '';
}

function characterOf(codepoint: number): string {
  return codepoint >= 0 && codepoint <= 0x10ffff ? String.fromCodePoint(codepoint) : '\ufffd';
}
