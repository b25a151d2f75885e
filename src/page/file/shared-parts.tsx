import { useEffect, useState } from 'preact/hooks';
import type { SharedPartMatrix } from '../../index.js';
import { hasIndexedComponents, readSharedParts } from '../api/models.js';
import { messageOf } from '../api/request.js';
import { HREF } from '../app/route.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';

/**
 * The assemblies that share parts with this one, those that share most first. They are loaded when the list is opened.
 * Renders nothing if the components of this assembly are not indexed.
 */
export function SharedParts({ uid }: { readonly uid: string }) {
  const [isKnown, setKnown] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<SharedPartMatrix | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    hasIndexedComponents(uid, controller.signal).then(setKnown, () => undefined);
    return () => controller.abort();
  }, [uid]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const controller = new AbortController();
    readSharedParts(uid, controller.signal).then(setFound, (cause: unknown) => setFailure(messageOf(cause)));
    return () => controller.abort();
  }, [uid, isOpen]);
  if (!isKnown) return null;
  return (
    <details class="shared-parts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Assemblies with the same parts</summary>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {found === undefined && failure === undefined && (
        <p class="quiet" role="status">
          Searching…
        </p>
      )}
      {found?.assemblies.length === 0 && (
        <p class="quiet">No other assembly with indexed components shares a part with this one.</p>
      )}
      {found !== undefined && (
        <ul class="used-in">
          {found.assemblies.map((other) => (
            <li key={other.uid}>
              <a href={HREF.file(other.uid)}>
                <Picture uid={other.uid} kind="ThreeD" alt="" />
                <span>
                  {other.path}
                  <small class="quiet">{partsText(found, other)}</small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** `2 parts: block; rod (1 here, 2 there)`. */
function partsText({ components }: SharedPartMatrix, { shared }: SharedPartMatrix['assemblies'][number]): string {
  const names = shared.map(({ component, occurrences: [here, there] }) => {
    const name = components.find(({ number }) => number === component)?.name || `component ${component}`;
    return here === 1 && there === 1 ? name : `${name} (${here} here, ${there} there)`;
  });
  return `${names.length === 1 ? '1 part' : `${names.length} parts`}: ${names.join('; ')}`;
}
