import { useCallback, useEffect, useMemo } from 'preact/hooks';
import type { WireHit } from '../api/endpoints.js';
import { FAR_BELOW } from '../common/far-below.js';
import { foundList } from '../common/found-list.js';
import { lazily } from '../common/lazily.js';
import { tellingNames } from '../common/telling-names.js';
import { VirtualGrid } from '../common/virtual-grid.js';
import type { FoundPages } from './found-pages.js';
import { HitCard } from './hit-card.js';
import { hitAddress } from './match-badge.js';
import type { SearchState } from './search-state.js';

// Needed where nothing was found.
const FewerWords = lazily(async () => (await import('./fewer-words.js')).FewerWords);
const HitList = lazily(async () => (await import('./hit-list.js')).HitList);

/** Heights of the parts of a card, px: picture with name and folder, reasons, how it holds a shape, bars, snippet. */
const BASE_HEIGHT = 276;
const REASONS_HEIGHT = 58;
const HELD_HEIGHT = 20;
const BARS_HEIGHT = 68;
const SNIPPET_HEIGHT = 44;
const CARD_WIDTH = 216;
/** Cards that stand for those to come: more than a screen. */
const CARDS_COMING = 24;
/** Two cards fit beside each other on a phone. */
const NARROW_CARD_WIDTH = 148;
const PHONE_WIDTH = 560;
/** Hits that hold less of the shape, %, come after the divider; see also {@link FAR_BELOW}. */
const HOLDS_BELOW = 50;

/** The hits as a grid of cards, or as a list with columns. */
export function Results({ found, search }: { readonly found: FoundPages; readonly search: SearchState }) {
  const { first, hits, failure } = found.state.value;
  const onPlaces = useCallback((from: number, to: number) => found.need(from, to), [found]);
  const { like, contained, text } = search;
  useEffect(() => {
    if (hits.length === 0) return;
    const files = hits.map((hit) => hit && { uid: hit.uid, href: hitAddress(hit, { like, contained, words: text }) });
    foundList.value = { back: location.hash, files };
  }, [hits, like, contained, text]);
  const names = useMemo(() => tellingNames(hits), [hits]);
  if (first === undefined) return failure === undefined ? <Coming /> : null;
  if (first.total === 0) return <Nothing search={search} reasons={first.warnings ?? []} />;
  const isContained = search.contained.uid !== '';
  const notApplied = first.warnings?.map((warning) => (
    <p key={warning} class="bad">
      {warning}
    </p>
  ));
  if (search.view === 'list')
    return (
      <>
        {notApplied}
        <HitList
          hits={hits}
          names={names}
          like={search.like}
          contained={search.contained}
          words={search.text}
          onPlaces={onPlaces}
        />
      </>
    );
  // Of a shape inside others sizes of the whole files say nothing.
  const input = isContained ? undefined : first.inputs.find(({ volumeMm3 }) => volumeMm3 !== null);
  const far = hits.findIndex((hit) => isFar(hit, isContained));
  // The divider is known only when the hit before it is loaded.
  const divider =
    far < 0 || (far > 0 && hits[far - 1] === undefined)
      ? undefined
      : { place: far, words: dividerWords(far === 0, isContained) };
  const height =
    BASE_HEIGHT +
    (search.like.length === 0 ? 0 : REASONS_HEIGHT) +
    (isContained ? HELD_HEIGHT : 0) +
    (input === undefined ? 0 : BARS_HEIGHT) +
    (search.text === '' ? 0 : SNIPPET_HEIGHT);
  return (
    <>
      {notApplied}
      {input !== undefined && (
        <p class="legend quiet" aria-hidden="true">
          <span class="legend-own" /> size of the file <span class="legend-asked" /> size of the query
        </p>
      )}
      <VirtualGrid
        count={hits.length}
        cardWidth={innerWidth < PHONE_WIDTH ? NARROW_CARD_WIDTH : CARD_WIDTH}
        cardHeight={height}
        label="Files that were found"
        onPlaces={onPlaces}
        divider={divider}
        render={(place) => (
          <HitCard
            hit={hits[place]}
            name={names.get(hits[place]?.path ?? '')}
            place={place}
            input={input}
            like={search.like}
            contained={search.contained}
            words={search.text}
          />
        )}
      />
    </>
  );
}

/** Cards without content until the first answer is there; most answers come sooner than these are seen. */
function Coming() {
  return (
    <div class="cards-coming" aria-hidden="true">
      {Array.from({ length: CARDS_COMING }, (_, i) => (
        <div key={i} class="card card-coming" />
      ))}
    </div>
  );
}

function dividerWords(isFirst: boolean, isContained: boolean): string {
  if (isContained) return isFirst ? 'No file holds half of it; those that hold most' : 'Hold less than half of it';
  return isFirst ? 'Nothing similar; the closest files' : 'Less similar';
}

function isFar(hit: WireHit | undefined, isContained: boolean): boolean {
  return hit !== undefined && hit.similarity !== null && hit.similarity < (isContained ? HOLDS_BELOW : FAR_BELOW);
}

function Nothing({ search, reasons }: { readonly search: SearchState; readonly reasons: readonly string[] }) {
  const narrowed =
    search.kinds.length + search.categories.length + search.attributes.length + search.ranges.length > 0 ||
    search.volume + search.box + search.area !== '';
  return (
    <div class="panel nothing">
      <h2>Nothing was found</h2>
      {reasons.length > 0 ? (
        <p>{reasons.join(' ')}</p>
      ) : narrowed ? (
        <p>No file matches all filters. Remove one.</p>
      ) : search.text !== '' ? (
        <p>
          No file contains all of these words. Try fewer words, or only their beginning: <code>flan*</code>.
        </p>
      ) : search.contained.uid !== '' ? (
        <p>
          No model holds a third of this shape. Pick fewer faces, allow a larger tolerance, or look for it in any size.
        </p>
      ) : (
        <p>The library contains nothing that could be compared with this file.</p>
      )}
      {search.text !== '' && <FewerWords search={search} />}
    </div>
  );
}
