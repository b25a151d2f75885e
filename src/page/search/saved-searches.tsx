import { listSavedSearches, removeSavedSearch } from '../api/endpoints.js';
import { momentText } from '../common/figures.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { searchOf } from './search-state.js';
import './search.css';

/** The user's saved searches. */
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
              <span class="saved-text">
                <a href={`#/?${search.QueryStr.replace(/^\?/, '')}`}>{search.Name}</a>
                <span class="quiet">{describe(search.QueryStr)}</span>
              </span>
              <span class="quiet saved-date">{momentText(search.DateAdded)}</span>
              <button type="button" aria-label={`Delete ${search.Name}`} onClick={() => run(() => remove(search.ID))}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The criteria of a search as text. */
function describe(queryText: string): string {
  const { text, like, kinds, categories, attributes, ranges, volume, box, area } = searchOf(
    new URLSearchParams(queryText),
  );
  return [
    ...(text === '' ? [] : [`“${text}”`]),
    ...(like.length === 0 ? [] : [like.length === 1 ? 'like a file' : `like ${like.length} files`]),
    ...(kinds.length === 0 ? [] : [kinds.map((kind) => KIND_NAMES[kind].many.toLowerCase()).join(', ')]),
    ...attributes.map(({ name, unit, value }) => `${name}${unit === '' ? '' : ` (${unit})`} = ${value}`),
    ...ranges.map(({ name, unit, least, most }) => {
      const bounds = most === '' ? `from ${least}` : least === '' ? `up to ${most}` : `${least} to ${most}`;
      return `${name} ${bounds}${unit === '' ? '' : ` ${unit}`}`;
    }),
    ...(categories.length === 0 ? [] : [`${categories.length} ${categories.length === 1 ? 'category' : 'categories'}`]),
    ...[
      ['volume', volume],
      ['box', box],
      ['area', area],
    ].flatMap(([name, tolerance]) => (tolerance === '' ? [] : [`${name} ± ${100 * Number(tolerance)} %`])),
  ].join(' · ');
}
