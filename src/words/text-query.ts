import type { PageBox } from '../content/text.js';
import { EngineError } from '../errors.js';
import { termsOf } from './terms.js';

/** One thing to look for. */
export interface TextWord {
  /** As it was written, without quotes and star. */
  readonly text: string;
  /**
   * - `word`: its terms must stand one after the other (`AB-123`: ab, then 123), or it was written in one piece (`AB123`).
   * - `phrase`: its terms must stand one after the other.
   * - `prefix`: as `phrase`, and the last term may go on.
   */
  readonly kind: 'word' | 'phrase' | 'prefix';
}

/** Words that all must hold, in any order and any field. */
export interface TextClause {
  readonly words: readonly TextWord[];
}

/** Text to look for: all clauses must hold. */
export interface TextQuery {
  readonly clauses: readonly TextClause[];
  /** True: a word that is a number finds that number however it is written (`12`, `12.0`, `12,0`), and only it. */
  readonly numeric: boolean;
  /** True: names and attributes are looked at, the text of files is not. Default false. */
  readonly labelsOnly?: boolean;
}

/** A place in a file that a query holds for. */
export interface TextHighlight {
  readonly field: 'text' | 'name' | 'attribute';
  /** From 1; of names and attributes null. */
  readonly page: number | null;
  /** What is around it; of an attribute `name=value`. */
  readonly snippet: string;
  /** What was found, as UTF-16 offsets in the snippet, rising. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Where that stands on the page; empty where the format does not say. */
  readonly boxes: readonly PageBox[];
}

/** Most terms that a query may have; each costs a look into the index. */
export const QUERY_TERMS_LIMIT = 64;

/** Most UTF-16 units of one clause. */
export const QUERY_TEXT_LIMIT = 4_096;

/**
 * Reads what somebody typed: words, `"quoted phrases"`, and `words*` of which only the beginning is known. Nothing else has a meaning;
 * a quote that does not end goes to the end of the text.
 * @throws EngineError `QUERY_INVALID` when no letter or digit is in it, or it is too long.
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
  // A piece is a quoted text or one without white space and quotes.
  for (const [, quoted, bare] of text.matchAll(/["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|([^\s"“”„«»]+)/gu)) {
    const word = quoted === undefined ? bareWord(bare) : { text: quoted, kind: 'phrase' as const };
    const count = termsOf(word.text).length;
    if (count === 0) continue; // Punctuation by itself is in no index.
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
