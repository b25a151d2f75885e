import { useEffect, useState } from 'preact/hooks';
import { find } from '../api/find.js';
import { overlayAddress } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';

/** Two files of which at least one has no surface: their pictures, and the two most similar views overlaid. */
export function ViewCompare({ records }: { readonly records: readonly [WireRecord, WireRecord] }) {
  const [first, second] = records;
  const [overlay, setOverlay] = useState<string | null | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let address: string | undefined;
    (async () => {
      const {
        hits: [hit],
      } = await find({ like: [{ uid: first.uid }], within: [second.uid], limit: 1, highlights: false }, signal);
      const match = hit?.shapeMatch;
      if (match === undefined) return setOverlay(null);
      address = await overlayAddress(
        { queryUID: first.uid, queryShapelet: match.queryShapelet, fileUID: second.uid, shapelet: match.shapelet },
        signal,
      );
      if (signal.aborted) URL.revokeObjectURL(address);
      else setOverlay(address);
    })().catch((cause: unknown) => setFailure(signal.aborted ? undefined : messageOf(cause)));
    return () => {
      controller.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [first.uid, second.uid]);
  return (
    <>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <div class="compare-pair">
        {records.map(({ uid, kind, displayName }) => (
          <figure key={uid} class="compare-side compare-still">
            <Picture uid={uid} kind={kind} size="large" alt={`Picture of ${displayName}`} />
            <figcaption>{displayName}</figcaption>
          </figure>
        ))}
      </div>
      <section class="compare-figures" aria-labelledby="views-heading">
        <h2 id="views-heading">Views over each other</h2>
        {overlay === undefined && failure === undefined && (
          <p class="quiet" role="status">
            Searching for the most similar views…
          </p>
        )}
        {overlay === null && <p>No view of one is like a view of the other.</p>}
        {typeof overlay === 'string' && (
          <>
            <p class="compare-keys">
              <span class="compare-swatch compare-first" /> {first.displayName}{' '}
              <span class="compare-swatch compare-second" /> {second.displayName}
            </p>
            <div class="compare-overlay">
              <img
                src={overlay}
                alt={`The most similar views of ${first.displayName} and ${second.displayName}, overlaid`}
              />
            </div>
          </>
        )}
      </section>
    </>
  );
}
