import type { PageBox } from '../content/text.js';
import { EngineError } from '../errors.js';
import { termsOf } from './terms.js';

/** One thing to look for. */
export interface TextWord {
  /** As it was written, without quotes and star. */
  readonly text: string;
  /**
   * - `word`: its terms must follow each other (`AB-123`: ab, then 123), or the part number is written without
   *   separators (`AB123`).
   * - `phrase`: its terms must follow each other.
   * - `prefix`: like `phrase`, and the last term may continue.
   */
  readonly kind: 'word' | 'phrase' | 'prefix';
}

/** Words that must all match, in any order and any field. */
export interface TextClause {
  readonly words: readonly TextWord[];
}

/** Text to look for: all clauses must match. */
export interface TextQuery {
  readonly clauses: readonly TextClause[];
  /** True: a word that is a number finds that number however it is written (`12`, `12.0`, `12,0`), and only it. */
  readonly numeric: boolean;
  /** True: only names and attributes are searched, not the text of files. Default false. */
  readonly labelsOnly?: boolean;
}

/** A match in a file. */
export interface TextHighlight {
  readonly field: 'text' | 'name' | 'attribute';
  /** From 1; null for names and attributes. */
  readonly page: number | null;
  /** The text around the match; for an attribute `name=value`. */
  readonly snippet: string;
  /** The matches as UTF-16 offsets in the snippet, rising. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Positions of the matches on the page; empty when the format has no positions. */
  readonly boxes: readonly PageBox[];
}

/** Most terms of a query; each costs a lookup in the index. */
export const QUERY_TERMS_LIMIT = 64;

/** Most UTF-16 units of one clause. */
export const QUERY_TEXT_LIMIT = 4_096;

/**
 * Parses typed text: words, `"quoted phrases"`, and `prefix*`. No other characters have a meaning;
 * an unclosed quote extends to the end of the text.
 * @throws EngineError `QUERY_INVALID` when it has no letter or digit, or is too long.
 */
export function readTextClause(text: string): TextClause {
  if (text.length > QUERY_TEXT_LIMIT) {
    throw new EngineError(
      'QUERY_INVALID',
      `the text to search for has ${text.length} characters, allowed are ${QUERY_TEXT_LIMIT}`,
      {
        details: { limit: 'QUERY_TEXT_LIMIT', allowed: QUERY_TEXT_LIMIT, found: text.length },
      },
    );
  }
  const words: TextWord[] = [];
  let terms = 0;
  // A piece is a quoted text, or text without white space and quotes.
  for (const [, quoted, bare] of text.matchAll(/["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|([^\s"“”„«»]+)/gu)) {
    const word = quoted === undefined ? bareWord(bare) : { text: quoted, kind: 'phrase' as const };
    const count = termsOf(word.text).length;
    if (count === 0) continue; // Punctuation is not indexed.
    terms += count;
    words.push(word);
  }
  if (words.length === 0) {
    throw new EngineError(
      'QUERY_INVALID',
      `the text to search for holds no letter or digit: ${JSON.stringify(text.slice(0, 100))}`,
      { details: { name: 'FT', text: text.slice(0, 100) } },
    );
  }
  checkTermCount(terms);
  return { words };
}

/** @throws EngineError `QUERY_INVALID`. */
export function checkTermCount(count: number): void {
  if (count <= QUERY_TERMS_LIMIT) return;
  throw new EngineError(
    'QUERY_INVALID',
    `the text to search for has ${count} terms, allowed are ${QUERY_TERMS_LIMIT}`,
    {
      details: { limit: 'QUERY_TERMS_LIMIT', allowed: QUERY_TERMS_LIMIT, found: count },
    },
  );
}

function bareWord(text: string): TextWord {
  return text.endsWith('*') ? { text: text.replace(/\*+$/, ''), kind: 'prefix' } : { text, kind: 'word' };
}
