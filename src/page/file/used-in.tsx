import { useEffect, useState } from 'preact/hooks';
import { readHolders, type Holder } from '../api/pages.js';
import { HREF } from '../app/route.js';
import { Picture } from '../common/picture.js';

/** The assemblies that hold a part; nothing where none does. */
export function UsedIn({ uid }: { readonly uid: string }) {
  const [holders, setHolders] = useState<readonly Holder[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    // Where it cannot be told, the rest of the screen is as useful.
    readHolders(uid, leaving.signal).then(
      (found) => {
        if (!leaving.signal.aborted) setHolders(found);
      },
      () => undefined,
    );
    return () => leaving.abort();
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
