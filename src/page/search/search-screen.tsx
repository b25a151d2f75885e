import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { goTo, HREF, route } from '../common/route.js';
import { chooseNone } from '../common/chosen-files.js';
import { wrongFacesText } from '../common/contained.js';
import { noteSearch } from '../common/recent-searches.js';
import { lazily } from '../common/lazily.js';
import { Failure } from '../common/notice.js';
import { forgetDropped, MOST_INPUTS, sendInputs } from './dropped-files.js';
import { DropTarget } from './drop-target.js';
import { FoundPages } from './found-pages.js';
import { QueryForm } from './query-form.js';
import { QueryInputs } from './query-inputs.js';
import {
  addressQueryOf,
  asksForSomething,
  EMPTY_SEARCH,
  searchOf,
  wireQueryOf,
  type SearchState,
} from './search-state.js';
import { Welcome } from './welcome.js';
import './search.css';

// Needed once something is searched for; `Welcome` fetches it in advance.
const Found = lazily(async () => (await import('./found.js')).Found);
const ContainedInput = lazily(async () => (await import('./contained-input.js')).ContainedInput);

/** The search screen. The search is stored in the address. */
export function SearchScreen() {
  const address = route.value.query.toString();
  const search = useMemo(() => searchOf(new URLSearchParams(address)), [address]);
  const asks = asksForSomething(search);
  const wrong = wrongFacesText(search.contained);
  const found = useFound(search, asks && wrong === undefined);
  // Files that could not be read stay listed beside the search that the other files of the same drop started; another
  // search removes them.
  const droppedAt = useRef(address);
  useEffect(() => {
    if (droppedAt.current !== address) forgetDropped();
    droppedAt.current = address;
  }, [address]);
  useEffect(() => forgetDropped, []);
  const first = found?.state.value.first;
  useEffect(() => {
    if (asks && first !== undefined) noteSearch({ query: addressOf({ ...search, view: 'grid' }), total: first.total });
  }, [first]);
  // What was chosen among the hits of one search is not among those of another.
  const asked = asks ? JSON.stringify(wireQueryOf(search)) : '';
  useEffect(() => chooseNone, [asked]);
  const change = (changes: Partial<SearchState>): void => goTo(HREF.search(addressQueryOf({ ...search, ...changes })));
  const searchLike = (changed: SearchState): void => {
    droppedAt.current = addressOf(changed);
    goTo(HREF.search(addressQueryOf(changed)));
  };
  const searchWith = async (files: readonly File[], { beside = false } = {}): Promise<void> => {
    const uids = await sendInputs(files);
    if (uids.length === 0) return;
    // Dropped files start a new search: filters chosen for the old one would hide results.
    searchLike(
      beside
        ? { ...search, like: [...search.like, ...uids], crop: '' }
        : { ...EMPTY_SEARCH, text: search.text, like: uids },
    );
  };
  return (
    <DropTarget
      onFiles={(files) => void searchWith(files)}
      onFound={(uid, { beside }) =>
        beside
          ? change({ like: [...search.like.filter((other) => other !== uid), uid], crop: '' })
          : searchLike({ ...EMPTY_SEARCH, text: search.text, like: [uid] })
      }
      takesMore={search.like.length > 0 && search.like.length < MOST_INPUTS}
    >
      <h1 class={asks ? 'hidden' : undefined}>Search</h1>
      <QueryForm search={search} onWords={(text) => change({ text })} onFiles={(files) => void searchWith(files)} />
      <QueryInputs
        search={search}
        onLike={(like) => change({ like, crop: '' })}
        onFiles={(files) => void searchWith(files, { beside: true })}
      />
      {search.contained.uid !== '' && (
        <ContainedInput of={search.contained} onChange={(contained) => change({ contained })} />
      )}
      <Failure of={wrong} />
      {!asks ? <Welcome /> : found !== undefined && <Found search={search} found={found} onChange={change} />}
    </DropTarget>
  );
}

/** The query of the address of a search. */
function addressOf(search: SearchState): string {
  return new URLSearchParams(HREF.search(addressQueryOf(search)).split('?')[1]).toString();
}

/** The result of the search; undefined without a criterion. */
function useFound(search: SearchState, asks: boolean): FoundPages | undefined {
  const [found, setFound] = useState<FoundPages | undefined>(undefined);
  const query = asks ? JSON.stringify(wireQueryOf(search)) : '';
  useEffect(() => {
    const pages = query === '' ? undefined : new FoundPages(JSON.parse(query) as ReturnType<typeof wireQueryOf>);
    pages?.need(0, 0);
    setFound(pages);
    return () => pages?.cancel();
  }, [query]);
  return query === '' ? undefined : found;
}
