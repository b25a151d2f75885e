import type { WireRecord } from '../api/endpoints.js';
import { Picture } from '../common/picture.js';

/** Pictures of files beside each other. */
export function Stills({
  of,
}: {
  readonly of: readonly (Pick<WireRecord, 'uid' | 'kind'> & { readonly name: string })[];
}) {
  return (
    <div class="compare-pair">
      {of.map(({ uid, kind, name }) => (
        <figure key={uid} class="compare-side compare-still">
          <Picture uid={uid} kind={kind} size="large" alt={`Picture of ${name}`} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </div>
  );
}
