import { FIELD_WEIGHTS, FREQUENCY_CLASSES, MARKS } from './file-terms.js';
import { joinedOf, numberOf, numbersOf, phraseOf, termsOf, type Term } from './terms.js';
import { checkTermCount, type TextQuery, type TextWord } from './text-query.js';

/** One thing that must hold, as the index is asked for it. */
export interface TextLeaf {
  /** FTS5 expression. */
  readonly match: string;
  /** The term that `match` is, where it is no more than one in any field. */
  readonly term?: string;
  /** For the files whose name holds it. The marked terms of names are few: in `match` with a filter of columns, all its rows would be read. */
  readonly inName: string;
  /** Expressions for the files in which it weighs more than one occurrence in the text, heaviest first; a file is in one of them at most. */
  readonly classes: readonly { readonly match: string; readonly weight: number }[];
  /** True: the index takes a multiple of the time of a term for it, each time that it is asked. */
  readonly costly: boolean;
  /** Where it holds in a text. `terms`: those of the text; `numbered`: UTF-16 units of it in which part numbers and numbers are looked for. */
  readonly rangesIn: (text: string, terms: readonly Term[], numbered: number) => Range[];
}

/** UTF-16 offsets in a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Beginnings of which the store's table keeps an index: as quick as a term. */
const INDEXED_PREFIX = /^.{2,4}$/u;

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
    leaves.set(leaf.match, leaf);
  }
  return [...leaves.values()];
}

/** The same in names and attributes alone. The classes of frequency are of all fields, so it weighs by the field. */
function inLabels(leaf: TextLeaf): TextLeaf {
  const within = (fields: string): string => `{${fields}} : (${leaf.match})`;
  return {
    ...leaf,
    term: undefined,
    match: within('name attribute'),
    classes: [{ match: leaf.inName, weight: FIELD_WEIGHTS.name }, { match: `(${within('attribute')}) NOT (${leaf.inName})`, weight: FIELD_WEIGHTS.attribute }],
  };
}

/** The expression for all of them. */
export function allOf(leaves: readonly { readonly match: string }[]): string {
  return leaves.length === 1 ? leaves[0].match : leaves.map(({ match }) => `(${match})`).join(' AND ');
}

function leafOf({ text, kind }: TextWord, numeric: boolean): TextLeaf | undefined {
  const number = numeric && kind !== 'prefix' ? numberOf(text) : undefined;
  if (number !== undefined) return numberLeaf(number);
  const { terms, prefix } = phraseOf(text, { prefix: kind === 'prefix' });
  if (terms.length === 0) return undefined;
  if (terms.length === 1 && !prefix) return termLeaf(terms[0]);
  // A word in one piece may be written in several, and the other way round.
  const joined = kind === 'phrase' ? undefined : joinedTermOf(text);
  const star = prefix ? ' *' : '';
  const written = (mark: string): string =>
    `${quoted(terms.map((term) => mark + term).join(' '))}${star}${joined === undefined ? '' : ` OR ${quoted(mark + MARKS.joined + joined)}${star}`}`;
  const inName = written(MARKS.name);
  return {
    match: written(''),
    inName,
    classes: nameClass(inName),
    costly: !(prefix && terms.length === 1 && INDEXED_PREFIX.test(terms[0])),
    rangesIn: (inText, inTerms, numbered) => {
      const ranges = phraseRanges(inTerms, terms, prefix);
      if (joined === undefined) return ranges;
      const found = joinedOf(inText.slice(0, numbered), inTerms.filter(({ end }) => end <= numbered));
      return [...ranges, ...found.filter(({ term }) => (prefix ? term.startsWith(joined) : term === joined))];
    },
  };
}

function termLeaf(term: string): TextLeaf {
  return {
    match: quoted(term),
    term,
    inName: quoted(MARKS.name + term),
    classes: FREQUENCY_CLASSES.map(({ weight }, i) => ({ match: quoted(`${MARKS.class}${i + 1}${term}`), weight })).reverse(),
    costly: false,
    rangesIn: (_, terms) => terms.filter((found) => found.term === term),
  };
}

function numberLeaf(number: string): TextLeaf {
  const inName = quoted(MARKS.name + MARKS.number + number);
  return {
    match: quoted(MARKS.number + number),
    term: MARKS.number + number,
    inName,
    classes: nameClass(inName),
    costly: false,
    rangesIn: (text, terms, numbered) =>
      numbersOf(text.slice(0, numbered), terms.filter(({ end }) => end <= numbered)).filter(({ term }) => term === number),
  };
}

/** What has no frequency in the index counts once; in the name, as much as a term there. */
function nameClass(inName: string): TextLeaf['classes'] {
  return [{ match: inName, weight: FIELD_WEIGHTS.name }];
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
    if (wanted.every((term, i) => (prefix && i === last ? terms[at + i].term.startsWith(term) : terms[at + i].term === term))) {
      ranges.push({ start: terms[at].start, end: terms[at + last].end });
    }
  }
  return ranges;
}

/** As an FTS5 string: terms hold no quotes, so nothing in them is syntax. */
function quoted(terms: string): string {
  return `"${terms}"`;
}
