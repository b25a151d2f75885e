import { count } from '../common/figures.js';
import { forgetSearches, recentSearches, type RecentSearch } from '../common/recent-searches.js';
import { describeSearch } from './describe-search.js';
import { SearchPicture, useSearchedWith } from './search-picture.js';
import './recent-list.css';

/** The searches that were made last in this browser, with pictures. most: how many are shown. */
export function RecentList({ most }: { readonly most: number }) {
  const searches = recentSearches.value.slice(0, most);
  if (searches.length === 0) return null;
  return (
    <section class="recent" aria-labelledby="recent">
      <div class="recent-head">
        <h2 id="recent">Recent searches</h2>
        <button type="button" class="plain" onClick={forgetSearches}>
          Forget them
        </button>
      </div>
      <ul class="recent-list">
        {searches.map((search) => (
          <Recent key={search.query} search={search} />
        ))}
      </ul>
    </section>
  );
}

function Recent({ search: { query, total } }: { readonly search: RecentSearch }) {
  const record = useSearchedWith(query);
  const words = describeSearch(query, record?.displayName);
  return (
    <li>
      <a href={`#/?${query}`} title={words}>
        <SearchPicture queryText={query} />
        <span class="recent-words">
          <span class="recent-what">{words}</span>
          <span class="quiet">
            {count(total)} {total === 1 ? 'file' : 'files'}
          </span>
        </span>
      </a>
    </li>
  );
}
