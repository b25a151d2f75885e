import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { goTo, HREF, route } from '../common/route.js';
import { chooseNone, chosenFiles } from '../common/chosen-files.js';
import { lazily } from '../common/lazily.js';
import { count } from '../common/figures.js';
import { KIND_NAMES, KINDS } from '../common/kind-icon.js';
import { Failure } from '../common/notice.js';
import { ViewChoice } from '../common/view-choice.js';
import { addressQueryOf, libraryOf, STATE_NAMES, STATES, type LibraryState } from './library-state.js';
import { FailedBar } from './failed-bar.js';
import { FolderTree } from './folder-tree.js';
import { ReadingProgress } from './reading-progress.js';
import { RecordGrid } from './record-grid.js';
import { RecordList } from './record-list.js';
import { RecordPages } from './record-pages.js';
import { countOf, useSummary } from './use-summary.js';
import './library.css';

const ChosenBar = lazily(async () => (await import('../chosen/chosen-bar.js')).ChosenBar);

/** The library screen: all files of the company, filtered and ordered. */
export function LibraryScreen() {
  const address = route.value.query.toString();
  const shown = useMemo(() => libraryOf(new URLSearchParams(address)), [address]);
  const { summary, refresh } = useSummary();
  // Files that were moved change no counts.
  const [moves, setMoves] = useState(0);
  const renew = useCallback(() => {
    setMoves((many) => many + 1);
    refresh();
  }, [refresh]);
  const pages = usePages(shown, summary, moves);
  const { records, ended, failure } = pages.state.value;
  useEffect(() => chooseNone, []);
  const change = (changes: Partial<LibraryState>, replace = false): void =>
    goTo(HREF.library(addressQueryOf({ ...shown, ...changes })), { replace });
  const onPlaces = useCallback((_: number, last: number) => void pages.need(last + 100), [pages]);
  // The number of files below a folder is unknown until the last page is loaded.
  const total = ended
    ? records.length
    : summary !== undefined && shown.prefix === '' && shown.reason === ''
      ? Math.max(records.length, countOf(summary, shown.kind, shown.state))
      : records.length + 1;
  return (
    <>
      <h1>Library</h1>
      <Filters shown={shown} summary={summary} onChange={change} />
      <ReadingProgress summary={summary} />
      <div class="library-columns">
        <FolderTree
          prefix={shown.prefix}
          hrefOf={(prefix) => HREF.library(addressQueryOf({ ...shown, prefix }))}
          failedOnly={shown.state === 'failed'}
          state={`${moves} ${JSON.stringify(summary)}`}
        />
        <div class="library-list">
          <Failure of={failure} />
          {shown.state === 'failed' && summary !== undefined && (
            <FailedBar
              summary={summary}
              reason={shown.reason}
              onReason={(reason) => change({ reason })}
              onRetried={refresh}
            />
          )}
          {ended && records.length === 0 ? (
            <Empty shown={shown} />
          ) : shown.view === 'grid' ? (
            <RecordGrid records={records} total={total} onPlaces={onPlaces} />
          ) : (
            <RecordList
              records={records}
              total={total}
              onPlaces={onPlaces}
              onRetried={refresh}
              reasons={shown.state === 'failed'}
            />
          )}
        </div>
      </div>
      {chosenFiles.value.size > 0 && (
        <ChosenBar shown={records.map(({ uid, displayName }) => ({ uid, name: displayName }))} onChanged={renew} />
      )}
    </>
  );
}

/**
 * The pages of the shown list. When the counts change, as many records as were loaded are fetched again; they replace
 * the old ones when all of them have arrived.
 */
function usePages(shown: LibraryState, summary: CompanySummary | undefined, moves: number): RecordPages {
  const key = JSON.stringify([moves, shown.kind, shown.state, shown.prefix, shown.order, shown.reason]);
  const [current, setCurrent] = useState(() => ({ key, summary, pages: new RecordPages(shown) }));
  useEffect(() => {
    void current.pages.need(1);
  }, [current]);
  useEffect(() => {
    if (key === current.key && (summary === current.summary || current.summary === undefined)) {
      if (summary !== current.summary) setCurrent({ ...current, summary });
      return;
    }
    const pages = new RecordPages(shown);
    let left = false;
    void pages.need(key === current.key ? Math.max(1, current.pages.state.value.records.length) : 1).then(() => {
      if (left) return;
      current.pages.cancel();
      setCurrent({ key, summary, pages });
    });
    return () => {
      left = true;
    };
  }, [key, summary, current]);
  return current.pages;
}

interface FiltersProps {
  readonly shown: LibraryState;
  readonly summary: CompanySummary | undefined;
  readonly onChange: (changes: Partial<LibraryState>, replace?: boolean) => void;
}

function Filters({ shown, summary, onChange }: FiltersProps) {
  const number = (kind: LibraryState['kind'], state: LibraryState['state']) =>
    summary !== undefined && <span class="quiet number"> {count(countOf(summary, kind, state))}</span>;
  return (
    <div class="library-filters">
      <div role="group" aria-label="Kind" class="toggles">
        {[undefined, ...KINDS].map((kind) => (
          <button key={kind} type="button" aria-pressed={shown.kind === kind} onClick={() => onChange({ kind })}>
            {kind === undefined ? 'All kinds' : KIND_NAMES[kind].many}
            {number(kind, shown.state)}
          </button>
        ))}
      </div>
      <div role="group" aria-label="State" class="toggles">
        {[undefined, ...STATES].map((state) => (
          <button key={state} type="button" aria-pressed={shown.state === state} onClick={() => onChange({ state })}>
            {state === undefined ? 'Any state' : STATE_NAMES[state]}
            {number(shown.kind, state)}
          </button>
        ))}
      </div>
      <div class="library-order">
        <label>
          Path begins with
          <input
            type="search"
            value={shown.prefix}
            placeholder="all"
            spellcheck={false}
            onInput={(event) => onChange({ prefix: event.currentTarget.value }, true)}
          />
        </label>
        <label>
          Order
          <select
            value={shown.order}
            onChange={(event) => onChange({ order: event.currentTarget.value as LibraryState['order'] })}
          >
            <option value="path">By path</option>
            <option value="newest">Newest first</option>
            <option value="oldest">Oldest first</option>
          </select>
        </label>
        <ViewChoice view={shown.view} onView={(view) => onChange({ view })} />
      </div>
    </div>
  );
}

function Empty({ shown }: { readonly shown: LibraryState }) {
  const narrowed = shown.kind !== undefined || shown.state !== undefined || shown.prefix !== '';
  return (
    <div class="panel nothing">
      <h2>{shown.state === 'failed' ? 'No file has failed' : narrowed ? 'No file matches' : 'The library is empty'}</h2>
      <p>{narrowed ? <a href={HREF.library()}>Show all files</a> : <a href={HREF.upload}>Upload a folder</a>}</p>
    </div>
  );
}
