import type { Document } from '../../content/document.js';
import { checkLimit, warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { PageWriter } from '../text/page-writer.js';
import { PropertyList } from '../metadata/property-list.js';
import { encodingOfCharset, encodingOfCodePage } from '../tables/rtf-charsets.js';
import { symbolOf } from '../tables/symbol-font.js';
import { decodeAs } from '../text/text-encoding.js';

const OPEN = 0x7b,
  CLOSE = 0x7d,
  BACKSLASH = 0x5c,
  RETURN = 0x0d,
  NEWLINE = 0x0a,
  MINUS = 0x2d,
  SPACE = 0x20;

/** Longest control word; those of the specification are shorter (RTF 1.9.1). */
const LONGEST_WORD = 32;
/** Most fonts that are stored, most bytes that wait to be decoded, most characters of a property. */
const MOST_FONTS = 10_000,
  MOST_WAITING = 65_536,
  LONGEST_VALUE = 20_000;

/**
 * Groups without text of the document. Groups that begin with `\*` and are not in {@link ENTERED} are skipped as well.
 */
const SKIPPED = new Set(
  (
    'colortbl stylesheet pict xe tc rxe tcn filetbl revtbl listtable sp objdata nonshppict fldinst template ' +
    'themedata background upr private panose falt nesttableprops buptim printim hlinkbase'
  ).split(' '),
);

/** Groups with `\*` that contain text. */
const ENTERED = new Set(
  'shpinst shptxt do dptxbxtext annotation userprops company manager category ud footnote'.split(' '),
);

/** Groups of the information group and the property names they get. */
const PROPERTIES: Readonly<Record<string, string>> = {
  title: 'Title',
  subject: 'Subject',
  author: 'Author',
  keywords: 'Keywords',
  doccomm: 'Description',
  operator: 'Last modified by',
  company: 'Company',
  manager: 'Manager',
  category: 'Category',
  creatim: 'Created',
  revtim: 'Modified',
};

/** Control words and symbols that represent a character. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  emdash: '\u2014',
  endash: '\u2013',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
  zwj: '\u200d',
  zwnj: '\u200c',
  ltrmark: '\u200e',
  rtlmark: '\u200f',
};

/** Groups whose text forms a block: notes, headers, footers and boxes. */
const BLOCKS = new Set(
  'header headerl headerr headerf footer footerl footerr footerf footnote annotation shptxt dptxbxtext'.split(' '),
);

/** Control words that end a run of text. */
const ENDS = new Set('par line lbr cell nestcell row nestrow trowd page softpage pagebb sect'.split(' '));

/** State of a group, which is restored at its end. */
interface Group {
  /** Control word because of which the group is skipped; '' when it is not. */
  readonly skipped: string;
  readonly encoding: string;
  /** Number of fallback characters that follow a `\u` character (`\uc`). */
  readonly fallback: number;
  /** Destination of text: '' is the page, else a property or the font table. */
  readonly target: string;
  readonly block: boolean;
}

/**
 * Reads Rich Text Format (1.9.1): text in all code pages and Unicode, tables, results of fields, headers and footers,
 * and notes and text boxes at their place. Pages end at the author's page breaks; a file without them is one page.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED` for groups nested beyond `limits.depth`.
 */
export function readRtf(bytes: Uint8Array, { limits }: ReadOptions): Document {
  return new RtfReader(bytes, limits).read();
}

class RtfReader {
  readonly #bytes: Uint8Array;
  readonly #limits: Limits;
  readonly #writer: PageWriter;
  readonly #properties = new PropertyList();
  readonly #fonts = new Map<number, string>();
  readonly #groups: Group[] = [];
  #group: Group = { skipped: '', encoding: '', fallback: 1, target: '', block: false };
  #at = 0;
  #documentEncoding = 'windows-1252';
  #defaultFont = 0;
  #font = 0;
  /** Bytes of text that are not decoded yet, because a character may take two. */
  readonly #waiting: number[] = [];
  /** Fallback characters still to be skipped after a `\u`. */
  #passOver = 0;
  /** Whether `\*` came just before: the next word names a group that may be skipped. */
  #starred = false;
  /** Whether a section has ended; the next one states whether it begins a page. */
  #sectionEnded = false;
  #captured = '';
  #propertyName = '';
  #date: Record<string, number> = {};

  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#writer = new PageWriter('rtf', limits);
  }

  read(): Document {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && !this.#writer.full) {
      const byte = bytes[this.#at++];
      if (byte === OPEN) this.#openGroup();
      else if (byte === CLOSE) this.#closeGroup();
      else if (byte === BACKSLASH) this.#control();
      else if (byte !== RETURN && byte !== NEWLINE && byte !== 0) this.#byte(byte);
    }
    this.#flush();
    const cut = this.#groups.length > 0 && !this.#writer.full;
    const { pages, warnings } = this.#writer.finish();
    if (cut)
      warnings.push(warning('FILE_TRUNCATED', 'the rtf file ends before its last group; what came before was kept'));
    return { kind: 'document', format: 'rtf', pages, properties: this.#properties.properties, warnings };
  }

  #openGroup(): void {
    this.#flush();
    this.#passOver = 0;
    this.#groups.push(this.#group);
    this.#group = { ...this.#group, block: false };
    checkLimit('the rtf file', this.#limits, 'depth', this.#groups.length);
  }

  #closeGroup(): void {
    this.#flush();
    this.#passOver = 0;
    this.#starred = false;
    const closed = this.#group;
    const outer = this.#groups.pop();
    // Some writers close more groups than they opened.
    if (outer === undefined) return;
    this.#group = outer;
    if (closed.block) this.#writer.line();
    if (closed.target === outer.target || closed.skipped !== '') return;
    if (closed.target === 'propname') this.#propertyName = this.#captured;
    else if (closed.target === 'staticval') this.#properties.add(this.#propertyName, this.#captured);
    else if (closed.target === 'creatim' || closed.target === 'revtim')
      this.#properties.add(PROPERTIES[closed.target], isoOf(this.#date));
    else if (Object.hasOwn(PROPERTIES, closed.target)) this.#properties.add(PROPERTIES[closed.target], this.#captured);
  }

  #control(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    while (at < bytes.length && at - start < LONGEST_WORD && isLetter(bytes[at])) at++;
    if (at === start) return this.#symbol();
    const word = String.fromCharCode(...bytes.subarray(start, at));
    let sign = 1;
    if (bytes[at] === MINUS) {
      sign = -1;
      at++;
    }
    let value: number | undefined;
    while (at < bytes.length && bytes[at] >= 0x30 && bytes[at] <= 0x39)
      value = Math.min(1e9, 10 * (value ?? 0) + (bytes[at++] - 0x30));
    if (bytes[at] === SPACE) at++;
    this.#at = at;
    this.#word(word, value === undefined ? undefined : sign * value);
  }

  #symbol(): void {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) return;
    const symbol = String.fromCharCode(byte);
    if (symbol === "'") {
      const code = parseInt(String.fromCharCode(...this.#bytes.subarray(this.#at, this.#at + 2)), 16);
      this.#at = Math.min(this.#bytes.length, this.#at + 2);
      if (!Number.isNaN(code)) this.#byte(code);
    } else if (symbol === '*') {
      this.#starred = true;
    } else if (byte === RETURN || byte === NEWLINE) {
      this.#word('par', undefined);
    } else if (Object.hasOwn(CHARACTERS, symbol)) {
      this.#character(CHARACTERS[symbol]);
    }
  }

  #word(word: string, value: number | undefined): void {
    const starred = this.#starred;
    this.#starred = false;
    if (word === 'bin') {
      this.#at = Math.min(this.#bytes.length, this.#at + Math.max(0, value ?? 0));
      return;
    }
    if (word === 'u') return this.#unicode(value ?? 0);
    if (this.#passOver > 0 && Object.hasOwn(CHARACTERS, word)) {
      this.#passOver--;
      return;
    }
    // The group `\upr` holds a fallback text and, in `\*\ud`, the Unicode text, which is read.
    if (this.#group.skipped === 'upr' && starred && word === 'ud') this.#group = { ...this.#group, skipped: '' };
    if (this.#group.skipped !== '') return;
    if (SKIPPED.has(word) || (starred && !ENTERED.has(word))) this.#skip(word);
    else if (Object.hasOwn(CHARACTERS, word)) this.#character(CHARACTERS[word]);
    else if (this.#inInformation() && this.#information(word, value)) return;
    else this.#document(word, value);
  }

  #skip(word: string): void {
    this.#flush();
    this.#group = { ...this.#group, skipped: word };
  }

  /** Control words that format or redirect the text. */
  #document(word: string, value: number | undefined): void {
    if (ENDS.has(word)) this.#flush();
    const { target } = this.#group;
    if (word === 'par' || word === 'line' || word === 'lbr') {
      if (target === '') this.#writer.line();
      else this.#put(' ');
    } else if (word === 'cell' || word === 'nestcell') this.#writer.cell();
    else if (word === 'row' || word === 'nestrow' || word === 'trowd') this.#writer.row();
    else if (word === 'page' || word === 'softpage') this.#writer.page();
    else if (word === 'pagebb') {
      if (value !== 0 && !this.#writer.pageIsEmpty) this.#writer.page();
    } else if (word === 'sect') {
      this.#writer.line();
      this.#sectionEnded = true;
    } else if (word === 'sbknone' || word === 'sbkcol') this.#sectionEnded = false;
    else if (word === 'uc') this.#group = { ...this.#group, fallback: Math.max(0, Math.min(100, value ?? 1)) };
    else if (word === 'ansicpg') this.#documentEncoding = encodingOfCodePage(value ?? 1252);
    else if (word === 'mac') this.#documentEncoding = 'macintosh';
    else if (word === 'deff') this.#defaultFont = value ?? 0;
    else if (word === 'fonttbl' || word === 'info' || word === 'userprops') this.#aim(word);
    else if (word === 'f') this.#selectFont(value ?? 0);
    else if (word === 'plain') this.#selectFont(this.#defaultFont);
    else if (word === 'fcharset' || word === 'cpg') {
      const encoding = word === 'cpg' ? encodingOfCodePage(value ?? 1252) : (encodingOfCharset(value ?? 0) ?? '');
      if (target === 'fonttbl' && this.#fonts.size < MOST_FONTS) this.#fonts.set(this.#font, encoding);
    } else if (BLOCKS.has(word) && target === '') {
      this.#flush();
      this.#writer.line();
      this.#group = { ...this.#group, block: true };
    }
  }

  #inInformation(): boolean {
    const { target } = this.#group;
    return target !== '' && target !== 'fonttbl';
  }

  /** Control words of the information group; returns false for any other. */
  #information(word: string, value: number | undefined): boolean {
    const { target } = this.#group;
    if (
      (target === 'info' && Object.hasOwn(PROPERTIES, word)) ||
      (target === 'userprops' && (word === 'propname' || word === 'staticval'))
    ) {
      this.#aim(word);
      this.#captured = '';
      this.#date = {};
      return true;
    }
    if (target !== 'creatim' && target !== 'revtim') return false;
    this.#date[word] = value ?? 0;
    return true;
  }

  #aim(target: string): void {
    this.#flush();
    this.#group = { ...this.#group, target };
  }

  #selectFont(font: number): void {
    this.#flush();
    if (this.#group.target === 'fonttbl') this.#font = font;
    else this.#group = { ...this.#group, encoding: this.#fonts.get(font) ?? '' };
  }

  /** A byte of text, literal or from `\'hh`. */
  #byte(byte: number): void {
    this.#starred = false;
    if (this.#passOver > 0) {
      this.#passOver--;
      return;
    }
    if (this.#group.skipped !== '') return;
    this.#waiting.push(byte);
    if (this.#waiting.length >= MOST_WAITING) this.#flush();
  }

  /** A UTF-16 unit as a signed 16-bit number; fallback characters follow it. */
  #unicode(value: number): void {
    this.#passOver = 0;
    this.#character(String.fromCharCode(value < 0 ? value + 0x10000 : value));
    this.#passOver = this.#group.fallback;
  }

  #character(character: string): void {
    if (this.#passOver > 0) {
      this.#passOver--;
      return;
    }
    if (this.#group.skipped !== '') return;
    this.#flush();
    const code = character.charCodeAt(0);
    // Word writes characters of symbol fonts as 0xf000 plus their code.
    this.#put(code >= 0xf020 && code <= 0xf0ff && this.#group.encoding === 'symbol' ? symbolOf(code) : character);
  }

  /** Decodes the waiting bytes. */
  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Uint8Array.from(this.#waiting);
    this.#waiting.length = 0;
    const encoding = this.#group.encoding === '' ? this.#documentEncoding : this.#group.encoding;
    if (encoding === 'symbol') return this.#put(Array.from(bytes, (byte) => symbolOf(byte)).join(''));
    this.#put(decodeAs(encoding, bytes));
  }

  #put(text: string): void {
    if (this.#group.target !== '') {
      if (this.#captured.length < LONGEST_VALUE) this.#captured += text;
      return;
    }
    if (this.#sectionEnded && text.trim() !== '') {
      this.#sectionEnded = false;
      this.#writer.page();
    }
    this.#writer.write(text);
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

/** `2024-05-17T08:30:00`, without a time zone, because RTF states none. */
function isoOf({ yr, mo, dy, hr, min, sec }: Record<string, number>): string | undefined {
  // Some writers state zeros for an unknown date.
  if (yr === undefined || yr === 0) return undefined;
  const two = (value: number | undefined): string => String(value ?? 0).padStart(2, '0');
  return `${String(yr).padStart(4, '0')}-${two(mo ?? 1)}-${two(dy ?? 1)}T${two(hr)}:${two(min)}:${two(sec)}`;
}
