import { useEffect, useState } from 'preact/hooks';
import { find } from '../api/find.js';
import { messageOf } from '../api/request.js';
import type { WireHit } from '../api/wire.js';
import { HREF } from '../app/route.js';
import { Picture } from '../common/picture.js';

/** Files in the strip. */
const SHOWN = 12;

const CLASS_NAMES: Readonly<Record<NonNullable<WireHit['matchClass']>, string>> = {
  identical: 'Identical',
  mirrored: 'Mirrored',
  scaled: 'Scaled',
  similar: '',
};

/** The files most similar to this one. */
export function SimilarFiles({ uid }: { readonly uid: string }) {
  const [hits, setHits] = useState<readonly WireHit[] | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    find({ like: [{ uid }], limit: SHOWN + 1, highlights: false }, controller.signal).then(
      (result) => setHits(result.hits.filter((hit) => hit.uid !== uid).slice(0, SHOWN)),
      (cause: unknown) => setFailure(messageOf(cause)),
    );
    return () => controller.abort();
  }, [uid]);
  // A file without a shape has no similar files; other parts of the screen give the reason.
  if (failure !== undefined || hits?.length === 0) return null;
  return (
    <section class="similar" aria-labelledby="similar-title">
      <div class="side-title">
        <h2 id="similar-title">Files most like this</h2>
        <a href={HREF.search({ like: uid })}>All results</a>
      </div>
      {hits === undefined ? (
        <p class="quiet" role="status">
          Loading…
        </p>
      ) : (
        <ul class="strip" tabIndex={0} aria-labelledby="similar-title">
          {hits.map((hit) => (
            <li key={hit.uid}>
              <a href={HREF.file(hit.uid)} title={hit.path}>
                <Picture uid={hit.uid} kind={hit.kind} alt="" />
                <span class="strip-name">{hit.displayName}</span>
                <span class="quiet">
                  {[
                    hit.similarity === null ? '' : `${Math.round(hit.similarity)} %`,
                    hit.matchClass === null ? '' : CLASS_NAMES[hit.matchClass],
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
