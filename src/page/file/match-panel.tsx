import { useEffect, useRef } from 'preact/hooks';
import { readRecord, type WireHit, type WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { FAR_BELOW } from '../common/far-below.js';
import { figure, lengthText } from '../common/figures.js';
import { Failure, Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { Reasons } from '../common/reasons.js';
import { useLoaded } from '../common/use-loaded.js';
import { useMatch } from '../compare/use-match.js';
import { choose, type PagesState } from '../drawing/pages.js';

interface MatchPanelProps {
  readonly record: WireRecord;
  /** UID of the file that was searched with. */
  readonly likeUid: string;
  readonly state: PagesState;
}

const SENTENCES: Readonly<Record<NonNullable<WireHit['matchClass']>, string>> = {
  identical: 'The same part, in shape and size.',
  mirrored: 'The mirror image of the same part.',
  scaled: 'The same shape in another size.',
  similar: 'A similar part.',
  contains: 'A part that holds the shape.',
};

/** The reason that is the sentence itself: drawings are the same by their lines and texts, not by a shape. */
const SAID = 'same-drawing';

function sentenceOf({ matchClass, because, similarity }: WireHit): string {
  const anew = because.find(({ code }) => code === SAID)?.text;
  if (anew !== undefined) return `${anew.charAt(0).toUpperCase()}${anew.slice(1)}.`;
  if (matchClass === 'similar' && similarity !== null && similarity < FAR_BELOW) return 'Hardly similar.';
  return matchClass === null ? '' : SENTENCES[matchClass];
}

/** How a file matches the file that was searched with: class, similarity, reasons, and the matching views overlaid. */
export function MatchPanel({ record, likeUid, state }: MatchPanelProps) {
  const { value: query, failure: queryFailure } = useLoaded((signal) => readRecord(likeUid, signal), [likeUid]);
  const { hit, overlay, failure = queryFailure } = useMatch(likeUid, record.uid);
  const isShown = useRef(false);
  const spot = state.spots.value.find(({ id }) => id === `view ${hit?.shapeMatch?.shapelet}`);
  useEffect(() => {
    if (spot === undefined || isShown.current) return;
    isShown.current = true;
    choose(state, spot);
  }, [spot]);
  if (failure !== undefined) return <Failure of={failure} />;
  if (hit === undefined || query === undefined) return <Status />;
  return (
    <div class="match">
      <p>
        You searched for <a href={HREF.file(likeUid)}>{query.displayName}</a>.
      </p>
      {hit === null ? (
        <p>A search with it no longer finds this file.</p>
      ) : (
        <>
          <p>
            <strong>{hit.similarity === null ? '' : `${figure(hit.similarity)} % similar. `}</strong>
            {hit.matchClass === null ? '' : sentenceOf(hit)}
          </p>
          {hit.maxDeviationMm !== undefined && (
            <p class="quiet">
              The surfaces are at most {lengthText(hit.maxDeviationMm)} apart
              {hit.scale === undefined ? '' : `, after scaling by ${figure(hit.scale)}`}.
            </p>
          )}
          <Reasons of={{ because: hit.because.filter(({ code }) => code !== SAID) }} />
          {overlay ? (
            <figure>
              <img
                class="match-overlay"
                src={overlay}
                alt="The view of the query in red, overlaid with the view of this file in blue"
              />
              <figcaption class="quiet">
                <span class="match-query">Red</span>: {query.displayName}. <span class="match-hit">Blue</span>: this
                file.
              </figcaption>
            </figure>
          ) : (
            <div class="match-pair">
              <Picture uid={likeUid} kind={query.kind} alt={query.displayName} />
              <Picture uid={record.uid} kind={record.kind} alt={record.displayName} />
            </div>
          )}
        </>
      )}
      <a class="button" href={HREF.compare(likeUid, record.uid)}>
        Compare side by side
      </a>
    </div>
  );
}
