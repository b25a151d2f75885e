import { DEFAULT_LIMITS, type Limits } from '../options.js';
import { displayNameOf, extensionOf } from '../store/catalog/file-path.js';
import type { IndexedTerms } from './indexed-terms.js';
import type { FileLabels } from '../store/catalog/file-labels.js';
import type { TextTerms } from '../store/catalog/file-text.js';
import type { TermMaker } from './indexed-terms.js';
import { brokenWordsOf } from './broken-words.js';
import { encodeWeights } from './term-weights.js';
import { TERMS_VERSION, joinedOf, numbersOf, termsOf } from './terms.js';

/** The terms of a text. `isCut`: the text has more terms than are indexed. */
export interface CutTerms extends TextTerms {
  readonly isCut: boolean;
}

/** Weight of one occurrence of a term, by field. */
export const FIELD_WEIGHTS = Object.freeze({ name: 4, attribute: 2, text: 1 });

/**
 * Marks before entries that are not plain terms: a frequency class (`@csteel`), a part number without separators
 * (`~ab1234`), a number in normal form (`=12.5`), the border between two texts, a term of the name (`!steel`), a term
 * of the name or an attribute (`$steel`), and the first characters of a term (`<st`).
 */
export const MARKS = Object.freeze({
  class: '@',
  joined: '~',
  number: '=',
  border: '|',
  name: '!',
  label: '$',
  beginning: '<',
});

/** Longest indexed beginning of a term, characters. */
export const BEGINNING_LIMIT = 4;

/**
 * Lower bounds of the classes of weighted frequency: one class each up to 16, then steps of about an eighth. A
 * frequency of 1 has no class.
 */
export const FREQUENCY_CLASSES: readonly number[] = Object.freeze([
  2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 22, 25, 29, 33, 38, 44, 51, 59, 68, 79, 91, 105, 121,
]);

/** The character of a class, after its mark: a letter or a digit. */
export function classLetter(number: number): string {
  return number.toString(36);
}

/** Raised when the same terms give other index entries; {@link TERMS_VERSION} covers the terms themselves. */
const VERSION = 1_000 + TERMS_VERSION;

/** Computes the terms of files within limits. */
export function termMaker(limits: Limits): TermMaker {
  return Object.freeze<TermMaker>({
    version: VERSION,
    ofText: (pages) => textTermsOf(pages, limits),
    ofFile: fileTermsOf,
  });
}

/** With the default limits. */
export const TERM_MAKER: TermMaker = termMaker(DEFAULT_LIMITS);

/** The terms of a text of several pages, `limits.terms` at most, with borders between pages that no phrase crosses. */
export function textTermsOf(pages: readonly { readonly text: string }[], limits: Limits = DEFAULT_LIMITS): CutTerms {
  const field = new Field(limits.terms);
  for (const { text } of pages) {
    if (field.isCut) break;
    field.add(text, text);
  }
  return {
    text: field.text,
    words: [...field.words, ...beginningsOf(field.counts.keys())].join(' '),
    counts: field.counts,
    length: field.length,
    isCut: field.isCut,
  };
}

/** The terms of a whole file: its path, the values of its attributes, its text. */
export function fileTermsOf({ path, attributes }: FileLabels, text: TextTerms): IndexedTerms {
  const name = new Field(Infinity);
  const folders = path.split('/').slice(0, -1);
  for (const folder of folders) name.add(folder, folder);
  const file = displayNameOf(path);
  // Part numbers are looked for in the name without its extension.
  name.add(file, file.slice(0, file.length - extensionOf(file).length));
  const attribute = new Field(Infinity);
  for (const { value } of attributes) attribute.add(value, value);

  const weighed = new Map<string, number>();
  for (const [field, weight] of [
    [name, FIELD_WEIGHTS.name],
    [attribute, FIELD_WEIGHTS.attribute],
  ] as const) {
    for (const [term, count] of field.counts) weighed.set(term, (weighed.get(term) ?? 0) + weight * count);
  }
  const labels = new Set([...name.words, ...attribute.words]);
  const words = [text.words, ...labels, ...beginningsOf(weighed.keys())];
  for (const word of name.words) words.push(MARKS.name + word);
  for (const word of labels) words.push(MARKS.label + word);
  for (const [term, count] of text.counts)
    if (count > 1 || weighed.has(term)) weighed.set(term, (weighed.get(term) ?? 0) + FIELD_WEIGHTS.text * count);
  for (const [term, frequency] of weighed) words.push(MARKS.class + classLetter(classOf(frequency)) + term);
  return {
    words: words.join(' '),
    name: name.text,
    attribute: attribute.text,
    text: text.text,
    marked: name.marked(MARKS.name),
    weights: encodeWeights(weighed),
    length: name.length + attribute.length + text.length,
  };
}

/** Index in {@link FREQUENCY_CLASSES} of a weighted frequency of 2 or more. */
function classOf(frequency: number): number {
  let number = 0;
  while (number + 1 < FREQUENCY_CLASSES.length && frequency >= FREQUENCY_CLASSES[number + 1]) number++;
  return number;
}

/** The first one to four characters of all terms, each once, marked. */
function beginningsOf(terms: Iterable<string>): Set<string> {
  const beginnings = new Set<string>();
  for (const term of terms) {
    let beginning: string = MARKS.beginning;
    let characters = 0;
    for (const character of term) {
      if (++characters > BEGINNING_LIMIT) break;
      beginnings.add((beginning += character));
    }
  }
  return beginnings;
}

/** Collects the terms of one field. */
class Field {
  readonly counts = new Map<string, number>();
  readonly #limit: number;
  readonly #parts: string[] = [];
  /** Part numbers without separators, and numbers, with their marks. */
  readonly #marked = new Set<string>();
  #length = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of terms, without marked ones. */
  get length(): number {
    return this.#length;
  }

  /** Whether terms were left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get text(): string {
    return this.#parts.join(' ');
  }

  /** All entries of the words table, each once. */
  get words(): string[] {
    return [...this.counts.keys(), ...this.#marked];
  }

  /** The text with a mark before each term. */
  marked(mark: string): string {
    return this.#parts.map((part) => mark + part).join(' ');
  }

  /** numbered: the beginning of `text` in which part numbers and numbers are looked for. */
  add(text: string, numbered: string): void {
    const all = termsOf(text);
    const terms = all.slice(0, this.#limit - this.#length);
    this.#isCut ||= terms.length < all.length;
    if (terms.length === 0) return;
    const last = terms[terms.length - 1].end;
    const within = terms.filter(({ end }) => end <= numbered.length);
    if (this.#parts.length > 0) this.#parts.push(MARKS.border);
    for (const { term } of terms) {
      this.#parts.push(term);
      this.counts.set(term, (this.counts.get(term) ?? 0) + 1);
    }
    this.#length += terms.length;
    for (const { term } of brokenWordsOf(text, terms)) this.counts.set(term, (this.counts.get(term) ?? 0) + 1);
    const pieces = new Set<string>();
    for (const { term, end } of joinedOf(numbered, within)) if (end <= last) pieces.add(MARKS.joined + term);
    for (const piece of pieces) {
      this.#parts.push(piece); // A query may combine it with a phrase.
      this.#marked.add(piece);
    }
    for (const { term, end } of numbersOf(numbered, within)) if (end <= last) this.#marked.add(MARKS.number + term);
  }
}
