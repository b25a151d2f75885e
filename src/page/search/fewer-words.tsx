import type { ComponentChildren } from 'preact';
import { find } from '../api/endpoints.js';
import { listSpellings } from '../api/library-endpoints.js';
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

/** Where nothing was found: what other spellings, fewer words, or the beginning of the only word would find. */
export function FewerWords({ search }: { readonly search: SearchState }) {
  const asked = JSON.stringify(search);
  const { value } = useLoaded(async (signal) => offersFor(search, signal), [asked]);
  const { spelled = [], fewer = [] } = value ?? {};
  return (
    <>
      <Offers of={spelled} search={search}>
        No file has a word as it is spelled. Did you mean:
      </Offers>
      <Offers of={fewer} search={search}>
        {spelled.length > 0 ? 'Fewer words find:' : 'These would find something:'}
      </Offers>
    </>
  );
}

interface OffersProps {
  readonly of: readonly Offer[];
  readonly search: SearchState;
  readonly children: ComponentChildren;
}

function Offers({ of, search, children }: OffersProps) {
  if (of.length === 0) return null;
  return (
    <>
      <p>{children}</p>
      <ul class="offers">
        {of.map(({ text, total }) => (
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

interface FoundOffers {
  readonly spelled: readonly Offer[];
  readonly fewer: readonly Offer[];
}

async function offersFor(search: SearchState, signal: AbortSignal): Promise<FoundOffers> {
  if (search.text === '') return { spelled: [], fewer: [] };
  const spelled = await finding(await listSpellings(search.text, signal), search, signal);
  const fewer = await finding(shorterTexts(search.text), search, signal);
  if (fewer.length > 0) return { spelled, fewer: narrowestFirst(fewer) };
  // No word could be left out alone: each by itself.
  return { spelled, fewer: narrowestFirst(await finding(wordsOf(search.text), search, signal)) };
}

function narrowestFirst(offers: readonly Offer[]): readonly Offer[] {
  return offers.toSorted((a, b) => a.total - b.total);
}

/** Those of these texts that have hits. */
async function finding(texts: readonly string[], search: SearchState, signal: AbortSignal): Promise<readonly Offer[]> {
  const offers = await Promise.all(
    texts.map(async (text): Promise<Offer> => {
      const { total } = await find({ ...wireQueryOf({ ...search, text }), limit: 1, offset: 0 }, signal);
      return { text, total };
    }),
  );
  return offers.filter(({ total }) => total > 0);
}

/** The words without one of them; of a single word its beginnings, longest first. */
function shorterTexts(text: string): readonly string[] {
  const words = wordsOf(text);
  if (words.length > 1) return words.map((_, left) => words.filter((__, place) => place !== left).join(' '));
  return words.flatMap((word) =>
    Array.from({ length: MOST_LETTERS }, (_, i) => word.length - 1 - i)
      .filter((length) => length >= LEAST_LETTERS)
      .map((length) => `${word.slice(0, length)}*`),
  );
}

/** The words of a text; none where quotes, brackets or operators join them: leaving one out would break it. */
function wordsOf(text: string): readonly string[] {
  const words = text.trim().split(/\s+/);
  return /["[\]()|&=<>!]/.test(text) || words.length > MOST_WORDS ? [] : words;
}
