import { DEFAULT_LIMITS, type Limits } from '../options.js';
import { displayNameOf, extensionOf } from '../store/file-path.js';
import type { IndexedTerms } from '../store/term-table.js';
import type { FileLabels } from '../store/file-labels.js';
import type { TermMaker, TextTerms } from '../store/terms.js';
import { TERMS_VERSION, joinedOf, numbersOf, termsOf } from './terms.js';

/** `isCut`: the text has more of them than are indexed. */
export interface CutTerms extends TextTerms {
  readonly isCut: boolean;
}

/** What one occurrence of a term counts for, by the field. */
export const FIELD_WEIGHTS = Object.freeze({ name: 4, attribute: 2, text: 1 });

/** Marks of what is no plain term; see the store's table. */
export const MARKS = Object.freeze({ class: '@', joined: '~', number: '=', border: '|', name: '!' });

/**
 * Classes of weighted frequency above one occurrence: from which on, and what it counts for in ranking. Exact up to 4; above, BM25
 * hardly rises any more.
 */
export const FREQUENCY_CLASSES: readonly { readonly from: number; readonly weight: number }[] = Object.freeze([
  { from: 2, weight: 2 }, { from: 3, weight: 3 }, { from: 4, weight: 4 }, { from: 5, weight: 5.5 }, { from: 7, weight: 8 }, { from: 10, weight: 12 }, { from: 15, weight: 20 },
]);

/** Makes what the store indexes of a file. */
export function termMaker(limits: Limits): TermMaker {
  return Object.freeze<TermMaker>({ version: TERMS_VERSION, ofText: (pages) => textTermsOf(pages, limits), ofFile: fileTermsOf });
}

/** With the default limits. */
export const TERM_MAKER: TermMaker = termMaker(DEFAULT_LIMITS);

/** The terms of a text of several pages, as far as `limits.terms`; a border between two of them, which no phrase crosses. */
export function textTermsOf(pages: readonly { readonly text: string }[], limits: Limits = DEFAULT_LIMITS): CutTerms {
  const field = new Field(limits.terms);
  for (const { text } of pages) {
    if (field.isCut) break;
    field.add(text, text);
  }
  return { text: field.text, counts: field.counts, length: field.length, isCut: field.isCut };
}

/** The terms of a whole file: its path, the values of its attributes, its text. */
export function fileTermsOf({ path, attributes }: FileLabels, text: TextTerms): IndexedTerms {
  const name = new Field(Infinity);
  const folders = path.split('/').slice(0, -1);
  for (const folder of folders) name.add(folder, folder);
  const file = displayNameOf(path);
  // The extension is part of the name, but not of the part number in it.
  name.add(file, file.slice(0, file.length - extensionOf(file).length));
  const attribute = new Field(Infinity);
  for (const { value } of attributes) attribute.add(value, value);

  const often: string[] = [];
  const mark = (term: string, frequency: number): void => {
    const number = classOf(frequency);
    if (number > 0) often.push(`${MARKS.class}${number}${term}`);
  };
  const weighed = new Map<string, number>();
  for (const [field, weight] of [[name, FIELD_WEIGHTS.name], [attribute, FIELD_WEIGHTS.attribute]] as const) {
    for (const [term, count] of field.counts) weighed.set(term, (weighed.get(term) ?? 0) + weight * count);
  }
  for (const [term, weight] of weighed) mark(term, weight + FIELD_WEIGHTS.text * (text.counts.get(term) ?? 0));
  for (const [term, count] of text.counts) if (!weighed.has(term)) mark(term, FIELD_WEIGHTS.text * count);
  return { name: name.text, attribute: attribute.text, text: text.text, often: [...name.marked(MARKS.name), ...often].join(' '), length: name.length + attribute.length + text.length };
}

/** From 1; 0: one occurrence. */
export function classOf(frequency: number): number {
  let number = 0;
  while (number < FREQUENCY_CLASSES.length && frequency >= FREQUENCY_CLASSES[number].from) number++;
  return number;
}

/** Collects the terms of one field. */
class Field {
  readonly counts = new Map<string, number>();
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Terms, marked ones not counted. */
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

  /** Each with a mark before it, in their order. */
  marked(mark: string): string[] {
    return this.#parts.map((part) => mark + part);
  }

  /** `numbered`: the part of it in which part numbers and numbers are looked for. */
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
    const seen = new Set<string>();
    for (const { term, end } of joinedOf(numbered, within)) if (end <= last) seen.add(MARKS.joined + term);
    for (const { term, end } of numbersOf(numbered, within)) if (end <= last) seen.add(MARKS.number + term);
    for (const marked of seen) this.#parts.push(marked);
  }
}
