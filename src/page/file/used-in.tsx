import { useEffect, useState } from 'preact/hooks';
import { readHolders, type Holder } from '../api/models.js';
import { HREF } from '../app/route.js';
import { Picture } from '../common/picture.js';

/** The assemblies that contain this model; renders nothing if there are none. */
export function UsedIn({ uid }: { readonly uid: string }) {
  const [holders, setHolders] = useState<readonly Holder[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    // A failure hides this section only; the rest of the screen does not need it.
    readHolders(uid, controller.signal).then(
      (found) => {
        if (!controller.signal.aborted) setHolders(found);
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [uid]);
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
