import type { TermQuestion } from './indexed-terms.js';
import { brokenWordsOf } from './broken-words.js';
import { BEGINNING_LIMIT, classLetter, FIELD_WEIGHTS, FREQUENCY_CLASSES, MARKS } from './file-terms.js';
import { hashOf, WEIGHT_LIMIT } from './term-weights.js';
import { joinedOf, numberOf, numbersOf, phraseOf, termsOf, type Term } from './terms.js';
import { checkTermCount, type TextQuery, type TextWord } from './text-query.js';

/** One thing that must hold, as the index is asked for it. */
export interface TextLeaf {
  readonly question: TermQuestion;
  /** The word that `question` is, where it is no more than one. */
  readonly word?: string;
  /** The word that `inLabels` is, where it is no more than one. */
  readonly wordInLabels?: string;
  /** Of a term, whose frequency is known. Absent: it counts as `classes` say, else once. */
  readonly frequency?: TermFrequency;
  /** Questions for the files in which it weighs more than one occurrence in the text, heaviest first. */
  readonly classes: readonly { readonly question: TermQuestion; readonly weight: number }[];
  /** For the files whose names or attributes hold it. */
  readonly inLabels: TermQuestion;
  /** True: the index takes a multiple of the time of a term for it, each time that it is asked. */
  readonly costly: boolean;
  /** Where it holds in a text. `terms`: those of the text; `numbered`: UTF-16 units of it in which part numbers and numbers are looked for. */
  readonly rangesIn: (text: string, terms: readonly Term[], numbered: number) => Range[];
}

/** How the index knows how often a term is in a file. */
export interface TermFrequency {
  /** In the stored weights. */
  readonly hash: number;
  /** From the highest frequency down: what to ask the table of words for, and the frequencies. A file is in one of them at most. */
  readonly classes: readonly { readonly words: string; readonly least: number; readonly most: number }[];
}

/** UTF-16 offsets in a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * What must hold for a query, each thing once, in the order of the query.
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

/** The same in names and attributes alone. Frequencies are of all fields, so it weighs by the field. */
function inLabels({ frequency: _, word: __, wordInLabels, ...leaf }: TextLeaf): TextLeaf {
  return {
    ...leaf,
    ...(wordInLabels === undefined ? {} : { word: wordInLabels }),
    question: leaf.inLabels,
    classes: [...leaf.classes.slice(0, 1), { question: leaf.inLabels, weight: FIELD_WEIGHTS.attribute }],
  };
}

/** The question for all of them. */
export function allOf(leaves: readonly { readonly question: TermQuestion }[]): TermQuestion {
  const words = leaves.flatMap(({ question }) => question.words ?? []);
  const phrases = leaves.flatMap(({ question }) => question.phrases ?? []);
  return {
    ...(words.length === 0 ? {} : { words: joined(words, 'AND') }),
    ...(phrases.length === 0 ? {} : { phrases: joined(phrases, 'AND') }),
  };
}

/** FTS5 expression for all or any of some. */
export function joined(matches: readonly string[], how: 'AND' | 'OR'): string {
  return matches.length === 1 ? matches[0] : matches.map((match) => `(${match})`).join(` ${how} `);
}

function leafOf({ text, kind }: TextWord, numeric: boolean): TextLeaf | undefined {
  const number = numeric && kind !== 'prefix' ? numberOf(text) : undefined;
  if (number !== undefined) return numberLeaf(number);
  const { terms, prefix } = phraseOf(text, { prefix: kind === 'prefix' });
  if (terms.length === 0) return undefined;
  if (terms.length === 1) return prefix ? prefixLeaf(terms[0]) : termLeaf(terms[0]);
  // A word in one piece may be written in several, and the other way round.
  const inOnePiece = kind === 'phrase' ? undefined : joinedTermOf(text);
  const star = prefix ? ' *' : '';
  const written = (mark: string): string =>
    `${quoted(terms.map((term) => mark + term).join(' '))}${star}${inOnePiece === undefined ? '' : ` OR ${quoted(mark + MARKS.joined + inOnePiece)}${star}`}`;
  return {
    question: { phrases: written('') },
    // The marked terms of names are few: with a filter of columns, all rows of the terms would be read.
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

/** The first characters have words of their own, up to a length; of longer ones all terms are gone through. */
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

/** What has no frequency in the index counts once; in the name, as much as a term there. */
function nameClass(question: TermQuestion): TextLeaf['classes'] {
  return [{ question, weight: FIELD_WEIGHTS.name }];
}

/** The text in one piece, when all of it is one word of several terms. */
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

/** As an FTS5 string: terms hold no quotes, so nothing in them is syntax. */
function quoted(terms: string): string {
  return `"${terms}"`;
}
