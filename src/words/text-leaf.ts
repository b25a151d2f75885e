import type { TermQuestion } from './indexed-terms.js';
import { brokenWordsOf } from './broken-words.js';
import { BEGINNING_LIMIT, classLetter, FIELD_WEIGHTS, FREQUENCY_CLASSES, MARKS } from './file-terms.js';
import { hashOf, WEIGHT_LIMIT } from './term-weights.js';
import { joinedOf, numberOf, numbersOf, phraseOf, termsOf, type Term } from './terms.js';
import { checkTermCount, type TextQuery, type TextWord } from './text-query.js';

/** One requirement of a query, as the index is asked for it. */
export interface TextLeaf {
  readonly question: TermQuestion;
  /** The entry of the words table that `question` asks for, when it is a single one. */
  readonly word?: string;
  /** The entry of the words table that `inLabels` asks for, when it is a single one. */
  readonly wordInLabels?: string;
  /** How to get the frequency of a plain term. Absent: the weight comes from `classes`, else it is 1. */
  readonly frequency?: TermFrequency;
  /** Questions for the files in which it weighs more than one occurrence in the text, largest weight first. */
  readonly classes: readonly { readonly question: TermQuestion; readonly weight: number }[];
  /** Question for the files whose name or attributes contain it. */
  readonly inLabels: TermQuestion;
  /** True: each query of the index takes several times as long as one for a term. */
  readonly costly: boolean;
  /**
   * The matching ranges of a text. terms: those of the text. numbered: UTF-16 units at its start in which part numbers
   * and numbers are looked for.
   */
  readonly rangesIn: (text: string, terms: readonly Term[], numbered: number) => Range[];
}

/** How the index stores the frequency of a term. */
export interface TermFrequency {
  /** The term's hash in the stored weights. */
  readonly hash: number;
  /** FTS5 expressions for the frequency classes with their bounds, highest first. A file is in at most one class. */
  readonly classes: readonly { readonly words: string; readonly least: number; readonly most: number }[];
}

/** UTF-16 offsets in a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The requirements of a query, each once, in the order of the query.
 * @throws EngineError `QUERY_INVALID` for too many terms.
 */
export function leavesOf({ clauses, numeric, labelsOnly = false }: TextQuery): TextLeaf[] {
  const leaves = new Map<string, TextLeaf>();
  let terms = 0;
  for (const word of clauses.flatMap(({ words }) => words)) {
    const found = leafOf(word, numeric);
    if (found === undefined) continue;
    const leaf = labelsOnly ? inLabels(found) : found;
    checkTermCount((terms += termsOf(word.text).length));
    leaves.set(JSON.stringify(leaf.question), leaf);
  }
  return [...leaves.values()];
}

/**
 * The same requirement in names and attributes only. Stored frequencies cover all fields, so the weight comes from the
 * field.
 */
function inLabels({ frequency: _, word: __, wordInLabels, ...leaf }: TextLeaf): TextLeaf {
  return {
    ...leaf,
    ...(wordInLabels === undefined ? {} : { word: wordInLabels }),
    question: leaf.inLabels,
    classes: [...leaf.classes.slice(0, 1), { question: leaf.inLabels, weight: FIELD_WEIGHTS.attribute }],
  };
}

/** Whether a query asks for single words and nothing else: all matches are then found in about 0.05 µs a file. */
export function asksForWordsOnly(query: TextQuery): boolean {
  return leavesOf(query).every(({ word }) => word !== undefined);
}

/** The question whose matches meet all requirements. */
export function allOf(leaves: readonly { readonly question: TermQuestion }[]): TermQuestion {
  const words = leaves.flatMap(({ question }) => question.words ?? []);
  const phrases = leaves.flatMap(({ question }) => question.phrases ?? []);
  return {
    ...(words.length === 0 ? {} : { words: joined(words, 'AND') }),
    ...(phrases.length === 0 ? {} : { phrases: joined(phrases, 'AND') }),
  };
}

/** FTS5 expression that joins expressions by AND or OR. */
export function joined(matches: readonly string[], how: 'AND' | 'OR'): string {
  return matches.length === 1 ? matches[0] : matches.map((match) => `(${match})`).join(` ${how} `);
}

function leafOf({ text, kind }: TextWord, numeric: boolean): TextLeaf | undefined {
  const number = numeric && kind !== 'prefix' ? numberOf(text) : undefined;
  if (number !== undefined) return numberLeaf(number);
  const { terms, prefix } = phraseOf(text, { prefix: kind === 'prefix' });
  if (terms.length === 0) return undefined;
  if (terms.length === 1) return prefix ? prefixLeaf(terms[0]) : termLeaf(terms[0]);
  // A part number may be written with other separators in the query and in the file.
  const inOnePiece = kind === 'phrase' ? undefined : joinedTermOf(text);
  const star = prefix ? ' *' : '';
  const written = (mark: string): string => {
    const phrase = `${quoted(terms.map((term) => mark + term).join(' '))}${star}`;
    return inOnePiece === undefined ? phrase : `${phrase} OR ${quoted(mark + MARKS.joined + inOnePiece)}${star}`;
  };
  return {
    question: { phrases: written('') },
    // Marked terms of names are rare; a column filter would read all rows of the unmarked terms.
    classes: nameClass({ phrases: written(MARKS.name) }),
    inLabels: { phrases: `{name attribute} : (${written('')})` },
    costly: true,
    rangesIn: (inText, inTerms, numbered) => {
      const ranges = phraseRanges(inTerms, terms, prefix);
      if (inOnePiece === undefined) return ranges;
      const found = joinedOf(
        inText.slice(0, numbered),
        inTerms.filter(({ end }) => end <= numbered),
      );
      return [...ranges, ...found.filter(({ term }) => (prefix ? term.startsWith(inOnePiece) : term === inOnePiece))];
    },
  };
}

function termLeaf(term: string): TextLeaf {
  return {
    question: { words: quoted(term) },
    word: term,
    frequency: {
      hash: hashOf(term),
      classes: FREQUENCY_CLASSES.map((least, i) => ({
        words: quoted(MARKS.class + classLetter(i) + term),
        least,
        most: (FREQUENCY_CLASSES[i + 1] ?? WEIGHT_LIMIT + 1) - 1,
      })).reverse(),
    },
    classes: nameClass({ words: quoted(MARKS.name + term) }),
    inLabels: { words: quoted(MARKS.label + term) },
    wordInLabels: MARKS.label + term,
    costly: false,
    rangesIn: (text, terms) => [...terms, ...brokenWordsOf(text, terms)].filter((found) => found.term === term),
  };
}

/** Short beginnings are index entries; for longer ones FTS5 walks all terms with that prefix. */
function prefixLeaf(beginning: string): TextLeaf {
  const indexed = Array.from(beginning).length <= BEGINNING_LIMIT;
  const from = (mark: string): TermQuestion => ({ words: `${quoted(mark + beginning)} *` });
  return {
    question: indexed ? { words: quoted(MARKS.beginning + beginning) } : from(''),
    ...(indexed ? { word: MARKS.beginning + beginning } : {}),
    classes: nameClass(from(MARKS.name)),
    inLabels: from(MARKS.label),
    costly: !indexed,
    rangesIn: (text, terms) =>
      [...terms, ...brokenWordsOf(text, terms)].filter(({ term }) => term.startsWith(beginning)),
  };
}

function numberLeaf(number: string): TextLeaf {
  const word = MARKS.number + number;
  return {
    question: { words: quoted(word) },
    word,
    classes: nameClass({ words: quoted(MARKS.name + word) }),
    inLabels: { words: quoted(MARKS.label + word) },
    wordInLabels: MARKS.label + word,
    costly: false,
    rangesIn: (text, terms, numbered) =>
      numbersOf(
        text.slice(0, numbered),
        terms.filter(({ end }) => end <= numbered),
      ).filter(({ term }) => term === number),
  };
}

/** The weight of a requirement without stored frequency: 1, or the weight of the name field when the name matches. */
function nameClass(question: TermQuestion): TextLeaf['classes'] {
  return [{ question, weight: FIELD_WEIGHTS.name }];
}

/** The text without separators when it is one part number; otherwise undefined. */
function joinedTermOf(text: string): string | undefined {
  const terms = termsOf(text);
  const [joined, another] = joinedOf(text, terms);
  if (joined === undefined || another !== undefined) return undefined;
  return joined.start === terms[0].start && joined.end === terms[terms.length - 1].end ? joined.term : undefined;
}

function phraseRanges(terms: readonly Term[], wanted: readonly string[], prefix: boolean): Range[] {
  const ranges: Range[] = [];
  const last = wanted.length - 1;
  for (let at = 0; at + last < terms.length; at++) {
    if (
      wanted.every((term, i) =>
        prefix && i === last ? terms[at + i].term.startsWith(term) : terms[at + i].term === term,
      )
    ) {
      ranges.push({ start: terms[at].start, end: terms[at + last].end });
    }
  }
  return ranges;
}

/** An FTS5 string. Terms contain no quotes, so nothing in them is syntax. */
export function quoted(terms: string): string {
  return `"${terms}"`;
}
