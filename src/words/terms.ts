/** Raised when the same text gives other terms or their tables change; stored terms are then recomputed. */
export const TERMS_VERSION = 4;

/** A term and its position in the text. */
export interface Term {
  /** Lower case, without diacritics; either letters or digits. */
  readonly term: string;
  /** UTF-16 offset of its first character in the text. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
}

/** Longer runs of letters or digits are split into terms of this many code points. */
export const TERM_LIMIT = 64;

/**
 * The terms of a text, in their order.
 *
 * Text is folded (compatibility forms, case, diacritics: `Müller` -> muller, `ß` -> ss, `mm²` -> mm 2, `٣` -> 3), split
 * at all characters other than letters and digits, and split between letters and digits (`AB-123/4` -> ab 123 4).
 * Scripts that are written without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) give overlapping pairs of
 * characters and the last character alone (`鋼板材` -> 鋼板 板材 材), so that any part of a run can be found. Soft hyphens and
 * direction marks are ignored.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  const run = new Run(terms);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code < 0x80 && (at + 1 === text.length || text.charCodeAt(at + 1) < 0x300)) {
      run.add(ASCII[code], ASCII_KIND[code], at, at + 1);
      at++;
      continue;
    }
    const end = clusterEnd(text, at);
    for (const char of folded(text.slice(at, end))) run.add(char, kindOf(char), at, end);
    at = end;
  }
  run.close();
  return terms;
}

/** Terms that must follow each other. */
export interface TermPhrase {
  readonly terms: readonly string[];
  /** True: the last term may be the beginning of a longer one. */
  readonly prefix: boolean;
}

/**
 * The consecutive terms that a query for `text` asks for. Like {@link termsOf}, but a run of a script
 * without spaces may continue after its end: `鋼板` -> 鋼板, and `鋼` -> any pair that begins with 鋼.
 */
export function phraseOf(text: string, { prefix = false }: { prefix?: boolean } = {}): TermPhrase {
  const found = termsOf(text);
  const terms = found.map(({ term }) => term);
  const last = found.at(-1);
  if (last === undefined || kindOf(last.term) !== 'unspaced') return { terms, prefix: prefix && last !== undefined };
  // In a run of two or more characters, the last pair already contains the last character.
  if (found.length > 1 && found[found.length - 2].end === last.end) return { terms: terms.slice(0, -1), prefix: false };
  return { terms, prefix: true };
}

/**
 * The normal form in which whole texts are compared: folded like terms, white space collapsed and trimmed, punctuation
 * kept.
 */
export function keyOf(text: string): string {
  // Fast path for most attribute names; the loop below gives the same in twenty times the time.
  if (PLAIN_WORDS.test(text)) return text.toLowerCase();
  let key = '';
  for (let at = 0; at < text.length; ) {
    const end = clusterEnd(text, at);
    key += folded(text.slice(at, end));
    at = end;
  }
  // Letters that were folded one by one may make a syllable together.
  return key.normalize('NFC').replace(WHITE, ' ').trim();
}

/**
 * Part numbers without their separators: words with a digit and more than one term, `AB-123/4` -> ab1234, so that a
 * part number is found whatever its separators. terms: those of the text.
 */
export function joinedOf(text: string, terms: readonly Term[]): Term[] {
  const joined: Term[] = [];
  for (let first = 0, next = 0; first < terms.length; first = next) {
    next = first + 1;
    while (next < terms.length && isJoint(text, terms[next - 1], terms[next])) next++;
    if (next - first < 2 || next - first > JOINED_TERMS) continue;
    const parts = terms.slice(first, next);
    const term = parts.map((part) => part.term).join('');
    if (
      term.length <= TERM_LIMIT &&
      parts.some((part) => isDigits(part.term)) &&
      !parts.some((part) => kindOf(part.term) === 'unspaced')
    ) {
      joined.push({ term, start: parts[0].start, end: parts[parts.length - 1].end });
    }
  }
  return joined;
}

/**
 * The numbers in a text in normal form: `12`, `12.0`, `12,0`, `012` and `+12` are 12, `.50` is 0.5, `1,234.5` is
 * 1234.5. A single point or comma between digits is the decimal mark. Signs are dropped, because a hyphen before a
 * number is as often a separator as a minus.
 * terms: those of the text.
 */
export function numbersOf(text: string, terms: readonly Term[]): Term[] {
  const numbers: Term[] = [];
  for (let first = 0, next = 0; first < terms.length; first = next) {
    next = first + 1;
    if (!isDigits(terms[first].term)) continue;
    while (next < terms.length && isDigits(terms[next].term) && isPoint(text, terms[next - 1], terms[next])) next++;
    const group = terms.slice(first, next);
    const parts = group.map(({ term }) => term);
    const points = group.slice(1).map(({ start }) => POINTS[text[start - 1]]);
    if (parts.length === 1) {
      const { start, end } = group[0];
      const pointed =
        POINTS[text[start - 1]] === '.' && !/[\p{L}\p{N}.,]/u.test(text.slice(Math.max(0, start - 2), start - 1));
      numbers.push({
        term: pointed ? numberForm('', parts[0]) : numberForm(parts[0], ''),
        start: pointed ? start - 1 : start,
        end,
      });
    } else if (parts.length === 2) {
      numbers.push({ term: numberForm(parts[0], parts[1]), start: group[0].start, end: group[1].end });
    } else if (isThousands(parts, points)) {
      const decimal = points[points.length - 1] === points[0] ? '' : parts[parts.length - 1];
      const whole = (decimal === '' ? parts : parts.slice(0, -1)).join('');
      numbers.push({ term: numberForm(whole, decimal), start: group[0].start, end: group[group.length - 1].end });
    } else {
      // A date or a version: each number is separate.
      for (const { term, start, end } of group) numbers.push({ term: numberForm(term, ''), start, end });
    }
  }
  return numbers;
}

/** The normal form of a text that is a number as a whole (see {@link numbersOf}); undefined for other texts. */
export function numberOf(text: string): string | undefined {
  const bare = text.trim().replace(/^[+\-−±]/u, '');
  const numbers = numbersOf(bare, termsOf(bare));
  return numbers.length === 1 && numbers[0].start === 0 && numbers[0].end === bare.length ? numbers[0].term : undefined;
}

/** Kind of a folded character: part of a word, of a number, of a script without spaces, ignored, or a separator. */
type Kind = 'letter' | 'digit' | 'unspaced' | 'none' | 'separator';

/** Most terms of a part number that is also indexed without separators. */
const JOINED_TERMS = 12;

const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const LETTER = /^[\p{L}\p{M}\p{N}]/u;
const DECIMAL = /^\p{Nd}$/u;
/** Printable ASCII with single spaces. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/;
const WHITE = /[\s\u200b]+/gu;

/**
 * Marks that people omit when typing: of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic, variation
 * selectors. Marks of other scripts count as letters.
 */
const LOOSE_MARKS = new RegExp(
  `[${[
    String.raw`\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a`,
    String.raw`\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff`,
    String.raw`\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f`,
  ].join('')}]`,
  'gu',
);
/**
 * Invisible characters that do not separate words: soft hyphen, joiners, direction marks. The zero-width space
 * separates.
 */
const INVISIBLE = /[^\P{Cf}\u200b]/gu;
/** Characters that extend the one before. */
const EXTENDS = /^[\p{M}\uff9e\uff9f]/u;
const JAMO = /^[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** Letters without a Unicode decomposition, as people type them on a keyboard that lacks them. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
  ĸ: 'k',
  ƒ: 'f',
  ɨ: 'i',
  ƶ: 'z',
};

/** Decimal points and commas of all widths. */
const POINTS: Readonly<Record<string, string>> = { '.': '.', ',': ',', '\uff0e': '.', '\uff0c': ',', '\u066b': '.' };

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toLowerCase());
const ASCII_KIND = ASCII.map(
  (char): Kind => (/[a-z]/.test(char) ? 'letter' : /[0-9]/.test(char) ? 'digit' : 'separator'),
);

/** Caches of folded forms and kinds; bounded, which suffices because texts have few different characters. */
const foldedForms = new Map<string, string>();
const kinds = new Map<string, Kind>();
const CACHE_LIMIT = 20_000;

/** End of the character at `at` including its combining characters. */
function clusterEnd(text: string, at: number): number {
  const first = codePointAt(text, at);
  let end = at + first.length;
  let extension: RegExp | undefined = JAMO.test(first) ? JAMO : undefined;
  while (end < text.length) {
    const next = codePointAt(text, end);
    if (!EXTENDS.test(next) && !(extension?.test(next) ?? false)) break;
    if (EXTENDS.test(next)) extension = undefined;
    end += next.length;
  }
  return end;
}

function codePointAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!);
}

/** The folded form of a character with its combining characters; '' when nothing remains. */
function folded(cluster: string): string {
  if (cluster.length === 1 && cluster < '\x80') return ASCII[cluster.charCodeAt(0)];
  const known = foldedForms.get(cluster);
  if (known !== undefined) return known;
  let form = foldOnce(cluster);
  for (let again = foldOnce(form); again !== form; again = foldOnce(form)) form = again;
  if (foldedForms.size >= CACHE_LIMIT) foldedForms.clear();
  if (cluster.length <= 8) foldedForms.set(cluster, form);
  return form;
}

/** Folds character by character, because the lower case of sigma differs at the end of a word. */
function foldOnce(text: string): string {
  const bare = text.normalize('NFKD').replace(LOOSE_MARKS, '').replace(INVISIBLE, '');
  let lower = '';
  for (const char of bare) {
    const low = char.toUpperCase().toLowerCase();
    lower += PLAIN[low] ?? (DECIMAL.test(low) ? String(decimalValue(low)) : low);
  }
  return lower.normalize('NFC');
}

/**
 * Value 0 to 9. The decimal digits of every script are ten consecutive code points, some scripts next to each other.
 */
function decimalValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (DECIMAL.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

function kindOf(char: string): Kind {
  if (char < '\x80') return ASCII_KIND[char.charCodeAt(0)] ?? 'none';
  const first = codePointAt(char, 0);
  const known = kinds.get(first);
  if (known !== undefined) return known;
  const kind: Kind = !LETTER.test(first) ? 'separator' : UNSPACED.test(first) ? 'unspaced' : 'letter';
  if (kinds.size >= CACHE_LIMIT) kinds.clear();
  kinds.set(first, kind);
  return kind;
}

/** Collects characters of one kind into terms. */
class Run {
  readonly #terms: Term[];
  #kind: Kind = 'none';
  #text = '';
  #length = 0;
  #start = 0;
  #end = 0;

  constructor(terms: Term[]) {
    this.#terms = terms;
  }

  add(char: string, kind: Kind, start: number, end: number): void {
    if (kind === 'separator') return this.close();
    if (kind !== this.#kind || (kind !== 'unspaced' && this.#length === TERM_LIMIT)) this.close();
    if (kind === 'unspaced' && this.#length === 1) {
      this.#terms.push({ term: this.#text + char, start: this.#start, end });
      this.#length = 0;
      this.#text = '';
    }
    if (this.#length === 0) this.#start = start;
    this.#kind = kind;
    this.#text += char;
    this.#length++;
    this.#end = end;
  }

  close(): void {
    // An invisible character kept these parts from being composed, as they are when the term is read again.
    if (this.#length > 0) this.#terms.push({ term: this.#text.normalize('NFC'), start: this.#start, end: this.#end });
    this.#kind = 'none';
    this.#text = '';
    this.#length = 0;
  }
}

function isDigits(term: string): boolean {
  return term >= '0' && term < ':';
}

/** Whether two terms are adjacent or separated by one character that is usual in part numbers. */
function isJoint(text: string, { end }: Term, { start }: Term): boolean {
  return start === end || (start === end + 1 && /[-_./\\+#'’‐‑‒–−·]/u.test(text[end]));
}

function isPoint(text: string, { end }: Term, { start }: Term): boolean {
  return start === end + 1 && text[end] in POINTS;
}

/**
 * Whether all groups after the first have three digits and the same separator; decimals may follow another separator.
 */
function isThousands(parts: readonly string[], points: readonly string[]): boolean {
  const last = points.length - 1;
  const decimals = points[last] !== points[0];
  const groups = decimals ? parts.slice(0, -1) : parts;
  return (
    points.slice(0, decimals ? -1 : undefined).every((point) => point === points[0]) &&
    parts[0].length <= 3 &&
    parts[0][0] !== '0' &&
    groups.slice(1).every((part) => part.length === 3)
  );
}

function numberForm(whole: string, decimals: string): string {
  const left = whole.replace(/^0+/, '') || '0';
  const right = decimals.replace(/0+$/, '');
  return (right === '' ? left : `${left}.${right}`).slice(0, TERM_LIMIT);
}
