import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Document } from '../../content/document.js';
import { warning, type Warning } from '../../errors.js';
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
const LINES = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre ' +
    'section select summary table tbody tfoot thead title ul br'
  ).split(' '),
);
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
  const document = writer.document('html', properties.properties);
  return { ...document, warnings: [...document.warnings, ...overlong(text)] };
}

/**
 * Writes the text of HTML, such as the body of a message. Walks over tags with htmlparser2's tokenizer, without
 * building a tree, so nesting needs no limit.
 */
export function writeHtml(whole: string, writer: PageWriter, properties: PropertyList): void {
  const html = whole.slice(0, MOST_CHARACTERS);
  let tag = '';
  let attribute = '';
  let value = '';
  let attributes = new Map<string, string>();
  /** Open element whose text is skipped; '' when there is none. */
  let skipped = '';
  let title: string | undefined;
  let preformatted = 0;
  /** Whether a blank is pending, which is written if text follows in the line. */
  let blank = false;

  const text = (run: string): void => {
    if (skipped !== '' || writer.full) return;
    if (title !== undefined) {
      if (title.length < LONGEST_VALUE) title += run;
      return;
    }
    if (preformatted > 0) return writer.write(run);
    const collapsed = run.replace(/[ \t\r\n\f]+/g, ' ');
    const words = collapsed.replace(/^ | $/g, '');
    if (words === '') {
      blank ||= collapsed !== '';
      return;
    }
    const isApart = (blank || collapsed.startsWith(' ')) && !writer.atLineStart;
    writer.write(isApart ? ` ${words}` : words);
    blank = collapsed.endsWith(' ');
  };

  const alternative = (words: string): void => text(` ${words} `);

  const line = (): void => {
    writer.line();
    blank = false;
  };

  const row = (): void => {
    writer.row();
    blank = false;
  };

  const endTitle = (): void => {
    properties.add('Title', title);
    title = undefined;
  };

  const open = (): void => {
    if (skipped !== '' || title !== undefined) return;
    if (SKIPPED.has(tag)) skipped = tag;
    else if (tag === 'title') title = '';
    else if (tag === 'meta') properties.add(metaName(attributes.get('name')), attributes.get('content'));
    else if (tag === 'img' || tag === 'area') alternative(attributes.get('alt') ?? '');
    else if (tag === 'input' && /^(text|button|submit)$/.test(attributes.get('type') ?? ''))
      alternative(attributes.get('value') ?? '');
    else if (tag === 'tr') row();
    else if (tag === 'pre' || tag === 'textarea') preformatted++;
    if (LINES.has(tag)) line();
  };

  const close = (name: string): void => {
    if (skipped !== '') {
      if (skipped === name) skipped = '';
      return;
    }
    if (name === 'title') endTitle();
    else if (name === 'td' || name === 'th') {
      writer.cell();
      blank = false;
    } else if (name === 'tr') row();
    else if (name === 'pre' || name === 'textarea') preformatted = Math.max(0, preformatted - 1);
    if (LINES.has(name)) line();
  };

  const nameAt = (start: number, end: number): string => html.slice(start, Math.min(end, start + 40)).toLowerCase();
  const ignore = (): void => undefined;
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => text(html.slice(start, end)),
    ontextentity: (codepoint) => text(characterOf(codepoint)),
    oncdata: (start, end, endOffset) => text(html.slice(start, end - endOffset)),
    onopentagname(start, end) {
      tag = nameAt(start, end);
      attributes = new Map();
    },
    onattribname(start, end) {
      attribute = nameAt(start, end);
      value = '';
    },
    onattribdata(start, end) {
      if (value.length < LONGEST_VALUE) value += html.slice(start, Math.min(end, start + LONGEST_VALUE));
    },
    onattribentity(codepoint) {
      if (value.length < LONGEST_VALUE) value += characterOf(codepoint);
    },
    onattribend() {
      if (attributes.size < 100 && !attributes.has(attribute)) attributes.set(attribute, value);
    },
    onopentagend: open,
    onselfclosingtag() {
      open();
      if (skipped === tag) skipped = '';
      else close(tag);
    },
    onclosetag: (start, end) => close(nameAt(start, end)),
    onend: endTitle,
    // These hold no text.
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
  };
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
}

function overlong(text: string): Warning[] {
  if (text.length <= MOST_CHARACTERS) return [];
  return [
    warning(
      'CONTENT_SKIPPED',
      `the html file holds more than ${MOST_CHARACTERS} characters; those beyond were left out`,
    ),
  ];
}

/** The encoding stated by `<meta charset>`, `<meta http-equiv>` or `<?xml encoding?>`. */
function statedEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  return /<(?:meta\s[^>]{0,500}?charset|\?xml\s[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
}

function metaName(name: string | undefined): string {
  const key = (name ?? '').trim().toLowerCase();
  return Object.hasOwn(META_NAMES, key) ? META_NAMES[key] : '';
}

function characterOf(codepoint: number): string {
  return codepoint >= 0 && codepoint <= 0x10ffff ? String.fromCodePoint(codepoint) : '\ufffd';
}
