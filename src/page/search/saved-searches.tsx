import { listSavedSearches, removeSavedSearch } from '../api/endpoints.js';
import { momentText } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { describeSearch } from './describe-search.js';
import { RecentList } from './recent-list.js';
import { SearchPicture, useSearchedWith } from './search-picture.js';
import './search.css';

/** Recent searches that are shown: all that are kept. */
const MOST_RECENT = 12;

/** The user's saved searches, and those made last in this browser. */
export function SavedSearches() {
  const { value: saved, failure: loadFailure, replace } = useLoaded(listSavedSearches, []);
  const { failure = loadFailure, run } = useAction();
  const remove = async (id: string): Promise<void> => {
    await removeSavedSearch(id);
    replace((saved ?? []).filter(({ ID }) => ID !== id));
  };
  return (
    <>
      <h1>Saved searches</h1>
      <Failure of={failure} />
      {saved?.length === 0 && (
        <div class="panel nothing">
          <h2>No search is saved</h2>
          <p>Search for something, then choose “Save search”.</p>
        </div>
      )}
      {saved !== undefined && saved.length > 0 && (
        <ul class="saved panel">
          {saved.map((search) => (
            <li key={search.ID}>
              <SearchPicture queryText={search.QueryStr} />
              <span class="saved-text">
                <a href={`#/?${search.QueryStr.replace(/^\?/, '')}`}>{search.Name}</a>
                <Criteria of={search.QueryStr} />
              </span>
              <span class="quiet saved-date">{momentText(search.DateAdded)}</span>
              <button type="button" aria-label={`Delete ${search.Name}`} onClick={() => run(() => remove(search.ID))}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
      <RecentList most={MOST_RECENT} />
    </>
  );
}

function Criteria({ of }: { readonly of: string }) {
  return <span class="quiet">{describeSearch(of, useSearchedWith(of)?.displayName)}</span>;
}
