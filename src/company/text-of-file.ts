import type { PagesOptions } from '../words/word-door.js';
import { HIGHLIGHT_LIMITS, placesOnPage, type TextPlaces } from '../words/text-highlights.js';
import { checkInteger, withDefaults } from '../options.js';
import { parseExpression } from '../search/query/expression.js';
import type { StoredPage } from '../store/catalog/file-text.js';
import { checkString } from './checks.js';

/** Which part of a file's text is read, and which words are located in it. */
export interface TextOptions {
  /** First page. Default 1. */
  readonly from: number;
  /** No further page is read once this many UTF-16 units were read. Default: no bound. */
  readonly characters: number;
  /**
   * Words, `"phrases"` and `prefixes*` to locate, matched as `search` matches them; terms that ask for an attribute
   * (`name=value`) are ignored. Only the first 300 000 UTF-16 units are searched. Default '': none.
   */
  readonly words: string;
}

const DEFAULTS: TextOptions = Object.freeze({ from: 1, characters: Number.MAX_SAFE_INTEGER, words: '' });

/** A page of a file's text. */
export interface FoundPage extends StoredPage, Partial<TextPlaces> {}

/**
 * The requested pages, with the places of the words if any are given. numeric: `12`, `12.0` and `12,0` are equal.
 * @throws TypeError, RangeError; EngineError `QUERY_INVALID` for words without a letter or digit.
 */
export async function textOfFile(
  pagesOf: (part: PagesOptions) => Promise<readonly StoredPage[]>,
  options: Partial<TextOptions> | undefined,
  numeric: boolean,
): Promise<FoundPage[]> {
  const { from, characters, words } = withDefaults('text options', options, DEFAULTS);
  checkInteger('text options.from', from, 1);
  checkInteger('text options.characters', characters, 1);
  checkString('text options.words', words);
  const expression = words.trim() === '' ? undefined : parseExpression(words);
  const query =
    expression !== undefined && 'clause' in expression ? { clauses: [expression.clause], numeric } : undefined;
  const pages = await pagesOf({ from, characters });
  if (query === undefined) return [...pages];
  let read = 0;
  return pages.map((page) => {
    const places = placesOnPage(query, page, Math.max(0, HIGHLIGHT_LIMITS.textLength - read));
    read += page.text.length;
    return { ...page, ...places };
  });
}
