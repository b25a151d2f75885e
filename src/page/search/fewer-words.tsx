import { find } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { count } from '../common/figures.js';
import { useLoaded } from '../common/use-loaded.js';
import { addressQueryOf, wireQueryOf, type SearchState } from './search-state.js';

/** Most words of a search of which one at a time is left out. */
const MOST_WORDS = 6;
/** Most letters that are left out at the end of a single word. */
const MOST_LETTERS = 3;
/** Shortest beginning of a word that is looked for. */
const LEAST_LETTERS = 3;

interface Offer {
  readonly text: string;
  readonly total: number;
}

/** Where nothing was found: what fewer words, or the beginning of the only word, would find. */
export function FewerWords({ search }: { readonly search: SearchState }) {
  const asked = JSON.stringify(search);
  const { value: offers = [] } = useLoaded(async (signal) => offersFor(search, signal), [asked]);
  if (offers.length === 0) return null;
  return (
    <>
      <p>These would find something:</p>
      <ul class="offers">
        {offers.map(({ text, total }) => (
          <li key={text}>
            <a href={HREF.search(addressQueryOf({ ...search, text }))}>{text}</a>{' '}
            <span class="quiet">
              {count(total)} {total === 1 ? 'file' : 'files'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The offers that have hits, most hits last left out: the narrowest first. */
async function offersFor(search: SearchState, signal: AbortSignal): Promise<readonly Offer[]> {
  const offers = await Promise.all(
    shorterTexts(search.text).map(async (text): Promise<Offer> => {
      const { total } = await find({ ...wireQueryOf({ ...search, text }), limit: 1, offset: 0 }, signal);
      return { text, total };
    }),
  );
  return offers.filter(({ total }) => total > 0).sort((a, b) => a.total - b.total);
}

/** The words without one of them; of a single word its beginnings, longest first. */
export function shorterTexts(text: string): readonly string[] {
  const words = text.trim().split(/\s+/);
  // Quotes, brackets and operators join words: leaving one out would break them.
  if (/["[\]()|&=<>!]/.test(text) || words.length > MOST_WORDS) return [];
  if (words.length > 1) return words.map((_, left) => words.filter((__, place) => place !== left).join(' '));
  const [word] = words;
  const lengths = Array.from({ length: MOST_LETTERS }, (_, i) => word.length - 1 - i);
  return lengths.filter((length) => length >= LEAST_LETTERS).map((length) => `${word.slice(0, length)}*`);
}
