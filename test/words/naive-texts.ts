import { joinedOf, numberOf, numbersOf, phraseOf, termsOf } from '../../dist/words/terms.js';
import type { TextFile } from './text-library.ts';

interface Piece {
  readonly field: 'name' | 'attribute' | 'text';
  readonly text: string;
  readonly numbered: string;
}

const WEIGHTS = { name: 4, attribute: 2, text: 1 };

/** The text index as a loop over all files, by its definition. */
export class NaiveTexts {
  readonly #files = new Map<number, { file: TextFile; indexed: boolean }>();

  known(): number[] {
    return [...this.#files.keys()];
  }

  /** A path belongs to one file; attributes are always given here. */
  put(fileId: number, file: TextFile, { indexed }: { indexed: boolean }): void {
    for (const [id, other] of this.#files) if (other.file.path === file.path) this.#files.delete(id);
    this.#files.set(fileId, { file, indexed });
  }

  remove(fileId: number): void {
    this.#files.delete(fileId);
  }

  fail(fileId: number): void {
    this.#files.get(fileId)!.indexed = false;
  }

  setAttributes(fileId: number, attributes: readonly string[]): void {
    const { file, indexed } = this.#files.get(fileId)!;
    this.#files.set(fileId, { file: { ...file, attributes }, indexed });
  }

  ranked(words: readonly string[], numeric: boolean): { fileId: number; score: number }[] {
    const files = [...this.#files]
      .filter(([, { indexed }]) => indexed)
      .map(([fileId, { file }]) => ({ fileId, pieces: piecesOf(file) }));
    const lengths = files.map(({ pieces }) => pieces.reduce((sum, { text }) => sum + termsOf(text).length, 0));
    const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, files.length));
    const leaves = [
      ...new Map(words.flatMap((word) => leavesOf(word, numeric)).map((leaf) => [JSON.stringify(leaf), leaf])).values(),
    ];
    const weights = files.map(({ pieces }) => leaves.map((leaf) => weightOf(leaf, pieces)));
    const counts = leaves.map((_, i) => weights.filter((row) => row[i] > 0).length);
    const idfs = counts.map((count) => Math.log(1 + (files.length - count + 0.5) / (count + 0.5)));
    return files
      .flatMap(({ fileId }, at) => {
        if (leaves.length === 0 || weights[at].some((weight) => weight === 0)) return [];
        const sum = weights[at].reduce((total, found, i) => {
          return total + (idfs[i] * found * 2.2) / (found + 1.2 * (0.25 + (0.75 * lengths[at]) / average));
        }, 0);
        return [{ fileId, score: 1 / (1 + sum) }];
      })
      .sort((a, b) => (Math.abs(a.score - b.score) < 1e-12 ? a.fileId - b.fileId : a.score - b.score));
  }
}

interface Leaf {
  readonly terms: readonly string[];
  readonly prefix: boolean;
  readonly joined?: string;
  readonly number?: string;
}

/** The words of a query without spaces in quotes being split, as the tests write them. */
function leavesOf(word: string, numeric: boolean): Leaf[] {
  if (word.startsWith('"')) return [leafOf(word.replaceAll('"', ''), 'phrase', numeric)];
  return word
    .split(' ')
    .map((part) => (part.endsWith('*') ? leafOf(part.slice(0, -1), 'prefix', numeric) : leafOf(part, 'word', numeric)));
}

function leafOf(text: string, kind: 'word' | 'phrase' | 'prefix', numeric: boolean): Leaf {
  const number = numeric && kind !== 'prefix' ? numberOf(text) : undefined;
  if (number !== undefined) return { terms: [], prefix: false, number };
  const { terms, prefix } = phraseOf(text, { prefix: kind === 'prefix' });
  const joined = joinedOf(text, termsOf(text));
  return {
    terms,
    prefix,
    joined:
      kind !== 'phrase' && terms.length > 1 && joined.length === 1 && !/\s/.test(text) ? joined[0].term : undefined,
  };
}

function piecesOf({ path, attributes = [], extracted = [], pages = [] }: TextFile): Piece[] {
  const parts = path.split('/');
  return [
    ...parts.map((text, i) => ({
      field: 'name' as const,
      text,
      numbered: i === parts.length - 1 ? text.replace(/\.[a-z]+$/, '') : text,
    })),
    ...[
      ...attributes.map((attribute) => attribute.slice(attribute.indexOf('=') + 1)),
      ...extracted.map(({ value }) => value),
    ].map((text) => ({ field: 'attribute' as const, text, numbered: text })),
    ...pages
      .map((page) => (typeof page === 'string' ? page : page.text))
      .map((text) => ({ field: 'text' as const, text, numbered: text })),
  ];
}

/** 0: it does not hold. */
function weightOf({ terms, prefix, joined, number }: Leaf, pieces: readonly Piece[]): number {
  const counts = pieces.map(({ text, numbered }) => {
    if (number !== undefined)
      return numbersOf(numbered, termsOf(numbered)).filter(({ term }) => term === number).length;
    const found = termsOf(text).map(({ term }) => term);
    const phrases = found.filter(
      (_, at) =>
        at + terms.length <= found.length &&
        terms.every((term, i) =>
          prefix && i === terms.length - 1 ? found[at + i].startsWith(term) : found[at + i] === term,
        ),
    );
    const written =
      joined === undefined
        ? []
        : joinedOf(numbered, termsOf(numbered)).filter(({ term }) =>
            prefix ? term.startsWith(joined) : term === joined,
          );
    return phrases.length + written.length;
  });
  const held = pieces.filter((_, i) => counts[i] > 0).map(({ field }) => WEIGHTS[field]);
  if (held.length === 0) return 0;
  if (number !== undefined || terms.length > 1 || prefix) return held.includes(WEIGHTS.name) ? WEIGHTS.name : 1;
  return Math.min(
    255,
    pieces.reduce((sum, { field }, i) => sum + WEIGHTS[field] * counts[i], 0),
  );
}
