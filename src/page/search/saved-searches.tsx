import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { listSavedSearches, removeSavedSearch, type SavedSearch } from '../api/saved-searches.js';
import { momentText } from '../common/figures.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { Notice } from '../common/notice.js';
import { searchOf } from './search-state.js';
import './search.css';

/** The user's saved searches. */
export function SavedSearches() {
  const [saved, setSaved] = useState<readonly SavedSearch[] | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    listSavedSearches(controller.signal).then(setSaved, (cause: unknown) => setFailure(messageOf(cause)));
    return () => controller.abort();
  }, []);
  const remove = async ({ ID }: SavedSearch): Promise<void> => {
    try {
      await removeSavedSearch(ID);
      setSaved((all) => all?.filter((search) => search.ID !== ID));
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  return (
    <>
      <h1>Saved searches</h1>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
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
              <button type="button" aria-label={`Delete ${search.Name}`} onClick={() => void remove(search)}>
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
