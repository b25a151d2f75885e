import { useState } from 'preact/hooks';
import type { SharedPartMatrix } from '../../index.js';
import { hasIndexedComponents, readSharedParts } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { Failure, Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { useLoaded } from '../common/use-loaded.js';

/**
 * The assemblies that share parts with this one, those that share most first. They are loaded when the list is opened.
 * Renders nothing if the components of this assembly are not indexed.
 */
export function SharedParts({ uid }: { readonly uid: string }) {
  const [isOpen, setOpen] = useState(false);
  const { value: isKnown } = useLoaded((signal) => hasIndexedComponents(uid, signal), [uid]);
  const { value: found, failure } = useLoaded(
    (signal) => (isOpen ? readSharedParts(uid, signal) : undefined),
    [uid, isOpen],
  );
  if (isKnown !== true) return null;
  return (
    <details class="shared-parts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Assemblies with the same parts</summary>
      <Failure of={failure} />
      {found === undefined && failure === undefined && <Status>Searching…</Status>}
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
