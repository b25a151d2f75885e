import { readHolders } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { Picture } from '../common/picture.js';
import { useLoaded } from '../common/use-loaded.js';

/** The assemblies that contain this model; renders nothing if there are none. */
export function UsedIn({ uid }: { readonly uid: string }) {
  // A failure hides this section only; the rest of the screen does not need it.
  const { value: holders = [] } = useLoaded((signal) => readHolders(uid, signal), [uid]);
  if (holders.length === 0) return null;
  return (
    <section aria-labelledby="used-title">
      <h2 id="used-title">Used in</h2>
      <ul class="used-in">
        {holders.map((holder) => (
          <li key={holder.uid}>
            <a href={HREF.file(holder.uid)}>
              <Picture uid={holder.uid} kind="ThreeD" alt="" />
              <span>{holder.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
