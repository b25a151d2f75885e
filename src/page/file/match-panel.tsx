import { useEffect, useRef, useState } from 'preact/hooks';
import { find } from '../api/find.js';
import { overlayAddress } from '../api/pages.js';
import { readRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireHit, WireRecord } from '../api/wire.js';
import { HREF } from '../app/route.js';
import { figure } from '../common/figures.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';
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
};

/** How a file matches the file that was searched with: class, similarity, and the matching views overlaid. */
export function MatchPanel({ record, likeUid, state }: MatchPanelProps) {
  const [query, setQuery] = useState<WireRecord | undefined>(undefined);
  const [hit, setHit] = useState<WireHit | null | undefined>(undefined);
  const [overlay, setOverlay] = useState<string | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let address: string | undefined;
    void (async () => {
      try {
        const [
          asked,
          {
            hits: [found],
          },
        ] = await Promise.all([
          readRecord(likeUid, signal),
          find({ like: [{ uid: likeUid }], within: [record.uid], limit: 1, highlights: false }, signal),
        ]);
        if (signal.aborted) return;
        setQuery(asked);
        setHit(found ?? null);
        const match = found?.shapeMatch;
        if (match === undefined) return;
        address = await overlayAddress(
          { queryUID: likeUid, queryShapelet: match.queryShapelet, fileUID: record.uid, shapelet: match.shapelet },
          signal,
        );
        if (!signal.aborted) setOverlay(address);
      } catch (cause) {
        setFailure(messageOf(cause));
      }
    })();
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [record.uid, likeUid]);
  const isShown = useRef(false);
  const spot = state.spots.value.find(({ id }) => id === `view ${hit?.shapeMatch?.shapelet}`);
  useEffect(() => {
    if (spot === undefined || isShown.current) return;
    isShown.current = true;
    choose(state, spot);
  }, [spot]);
  if (failure !== undefined) return <Notice kind="error">{failure}</Notice>;
  if (hit === undefined || query === undefined)
    return (
      <p class="quiet" role="status">
        Loading…
      </p>
    );
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
            {hit.matchClass === null ? '' : SENTENCES[hit.matchClass]}
          </p>
          {hit.maxDeviationMm !== undefined && (
            <p class="quiet">
              The surfaces are at most {figure(hit.maxDeviationMm)} mm apart
              {hit.scale === undefined ? '' : `, after scaling by ${figure(hit.scale)}`}.
            </p>
          )}
          {overlay !== undefined && (
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
          )}
          {overlay === undefined && (
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
