import { useMemo } from 'preact/hooks';
import { find, type WireHit, type WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { tellingNames } from '../common/telling-names.js';
import { useLoaded } from '../common/use-loaded.js';

/** Files that are shown, and the pause in typing after which they are searched, ms. */
const SHOWN = 12;
const PATIENCE_MS = 250;

const CLASS_NAMES: Readonly<Record<NonNullable<WireHit['matchClass']>, string>> = {
  identical: 'Identical',
  mirrored: 'Mirrored',
  scaled: 'Scaled',
  similar: '',
  contains: '',
};

/** The files most similar to a file, among those that contain the words; '' for all. */
export function useSimilar(uid: string, text: string) {
  return useLoaded(
    async (signal) => {
      const query = { like: [{ uid }], text: text || undefined, limit: SHOWN + 1, highlights: false };
      return (await find(query, signal)).hits.filter((hit) => hit.uid !== uid).slice(0, SHOWN);
    },
    [uid, text],
    { patienceMs: PATIENCE_MS },
  );
}

/** The files most similar to this one. */
export function SimilarFiles({ record }: { readonly record: WireRecord }) {
  const { uid } = record;
  const { value: hits, failure } = useSimilar(uid, '');
  const names = useMemo(() => tellingNames([record, ...(hits ?? [])]), [record, hits]);
  // A file without a shape has no similar files; other parts of the screen give the reason.
  if (failure !== undefined || hits?.length === 0) return null;
  return (
    <section class="similar" aria-labelledby="similar-title">
      <div class="side-title">
        <h2 id="similar-title">Files most like this</h2>
        <a href={HREF.search({ like: uid })}>All results</a>
      </div>
      {hits === undefined ? (
        <Status />
      ) : (
        <ul class="strip" tabIndex={0} aria-labelledby="similar-title">
          {hits.map((hit) => (
            <li key={hit.uid}>
              <a href={HREF.file(hit.uid)} title={hit.path}>
                <Picture uid={hit.uid} kind={hit.kind} alt="" />
                <span class="strip-name">{names.get(hit.path) ?? hit.displayName}</span>
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
