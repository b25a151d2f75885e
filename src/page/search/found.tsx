import { useState } from 'preact/hooks';
import { chosenFiles, type ChosenFile } from '../common/chosen-files.js';
import { count } from '../common/figures.js';
import { lazily } from '../common/lazily.js';
import { Failure } from '../common/notice.js';
import { HREF } from '../common/route.js';
import { ViewChoice, type View } from '../common/view-choice.js';
import { MOST_INPUTS } from './dropped-files.js';
import { Facets } from './facets.js';
import type { FoundPages } from './found-pages.js';
import { Results } from './results.js';
import { SaveSearch } from './save-search.js';
import { addressQueryOf, wireQueryOf, type SearchState } from './search-state.js';

// Needed once something was found or chosen.
const ChosenBar = lazily(async () => (await import('../chosen/chosen-bar.js')).ChosenBar);
const ShareSearch = lazily(async () => (await import('./share-search.js')).ShareSearch);
const ExportFound = lazily(async () => (await import('../chosen/export-found.js')).ExportFound);

interface FoundProps {
  readonly search: SearchState;
  readonly found: FoundPages;
  readonly onChange: (changes: Partial<SearchState>) => void;
}

/** What a search has found: filters, how much it is, the hits. */
export function Found({ search, found, onChange }: FoundProps) {
  return (
    <div class="search-columns">
      <Facets search={search} found={found} onChange={onChange} />
      <section class="search-results" aria-label="Results">
        <Status found={found} search={search} onView={(view) => onChange({ view })} />
        <Results found={found} search={search} />
        {chosenFiles.value.size > 0 && (
          <ChosenBar shown={shownOf(found)} besideHref={(uids) => besideHref(search, uids)} />
        )}
      </section>
    </div>
  );
}

/** The hits that are loaded, in their order. */
function shownOf(found: FoundPages): ChosenFile[] {
  return found.state.value.hits.flatMap((hit) => (hit === undefined ? [] : [{ uid: hit.uid, name: hit.displayName }]));
}

/** Address of the search with more files beside its own, filters and all: what dragging them onto it does. */
function besideHref(search: SearchState, uids: readonly string[]): string | undefined {
  const like = [...search.like, ...uids.filter((uid) => !search.like.includes(uid))];
  const takesThem = search.like.length > 0 && like.length > search.like.length && like.length <= MOST_INPUTS;
  return takesThem ? HREF.search(addressQueryOf({ ...search, like, crop: '' })) : undefined;
}

interface StatusProps {
  readonly found: FoundPages;
  readonly search: SearchState;
  readonly onView: (view: View) => void;
}

function Status({ found, search, onView }: StatusProps) {
  const { first, failure, elapsedMs } = found.state.value;
  const [isSharing, setSharing] = useState(false);
  const uids = search.contained.uid === '' ? search.like : [search.contained.uid];
  return (
    <>
      <div class="search-status">
        <p aria-live="polite">
          {first === undefined
            ? failure === undefined
              ? 'Searching…'
              : ''
            : `${countText(first.total)} in ${elapsedMs < 10 ? elapsedMs.toFixed(1) : Math.round(elapsedMs)} ms`}
        </p>
        {first !== undefined && (
          <div class="row">
            {first.total > 0 && (
              <>
                <ViewChoice view={search.view} onView={onView} />
                <ExportFound query={wireQueryOf(search)} sheet={HREF.sheet(addressQueryOf(search))} />
              </>
            )}
            <button type="button" onClick={() => setSharing(true)}>
              Share…
            </button>
            <SaveSearch search={search} />
          </div>
        )}
      </div>
      <Failure of={failure} />
      {isSharing && <ShareSearch uids={uids} onClose={() => setSharing(false)} />}
    </>
  );
}

function countText(total: number): string {
  return total === 0 ? 'Nothing found' : `${count(total)} ${total === 1 ? 'file' : 'files'}`;
}
