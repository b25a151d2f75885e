import type { WireRecord } from '../api/endpoints.js';
import { Failure, Status } from '../common/notice.js';
import { Reasons } from '../common/reasons.js';
import { namesOf } from '../common/telling-names.js';
import { PairedViews } from './paired-views.js';
import { useMatch } from './use-match.js';
import { Stills } from './stills.js';

/**
 * Two files of which at least one has no surface: their pictures, why they are similar, and their views overlaid. Of
 * two drawings all views that stand at the same place, those that differ first; of others the two most similar ones.
 */
export function ViewCompare({ records }: { readonly records: readonly [WireRecord, WireRecord] }) {
  const [first, second] = records;
  const names = namesOf(records);
  const { hit, overlay, failure } = useMatch(first.uid, second.uid);
  const match = hit?.shapeMatch;
  const areDrawings = records.every(({ kind }) => kind === 'TwoD');
  return (
    <>
      <Stills of={records.map(({ uid, kind }, i) => ({ uid, kind, name: names[i] }))} />
      <section class="compare-figures" aria-labelledby="views-heading">
        <h2 id="views-heading">Views over each other</h2>
        <Failure of={failure} />
        {overlay === undefined && failure === undefined && <Status>Searching for the most similar views…</Status>}
        {hit && hit.because.length > 0 && (
          <>
            <p>
              A search with {names[0]} finds {names[1]}, because:
            </p>
            <Reasons of={hit} />
          </>
        )}
        {overlay === null && <p>No view of one is like a view of the other.</p>}
        {typeof overlay === 'string' && (
          <>
            <p class="compare-keys">
              <span class="compare-swatch compare-first" /> {names[0]} <span class="compare-swatch compare-second" />{' '}
              {names[1]}
            </p>
            {areDrawings && match !== undefined ? (
              <PairedViews records={records} names={names} match={match} />
            ) : (
              <div class="compare-overlay">
                <img src={overlay} alt={`The most similar views of ${names.join(' and ')}, overlaid`} />
              </div>
            )}
          </>
        )}
      </section>
    </>
  );
}
