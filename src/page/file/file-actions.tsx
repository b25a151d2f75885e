import { useRef, useState } from 'preact/hooks';
import { download } from '../api/blobs.js';
import { removeRecord, type WireRecord } from '../api/endpoints.js';
import { goTo, HREF } from '../common/route.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { CompareDialog } from './compare-dialog.js';

/** The actions on a file: search, compare, download, convert, delete. */
export function FileActions({ record }: { readonly record: WireRecord }) {
  const removal = useRef<HTMLDialogElement>(null);
  const [isComparing, setComparing] = useState(false);
  const { busy, failure, run } = useAction();
  const { uid } = record;
  const hasShape = record.state === 'indexed' && record.kind !== 'Text';
  const save = (name: string, what: string, work: () => Promise<void>) => (
    <button type="button" disabled={busy !== ''} onClick={() => run(work, what)}>
      {name}
    </button>
  );
  return (
    <div class="file-actions">
      <div class="row" role="group" aria-label="Actions">
        {hasShape && (
          <a class="button primary" href={HREF.search({ like: uid })}>
            Find similar
          </a>
        )}
        {hasShape && record.kind === 'ThreeD' && (
          <a class="button" href={HREF.search({ contains: uid })}>
            Find inside others
          </a>
        )}
        {hasShape && (
          <button type="button" onClick={() => setComparing(true)}>
            Compare with…
          </button>
        )}
        {save('Download', 'Downloading…', () => download('Download', { fileUID: uid }))}
        {hasShape &&
          record.kind === 'ThreeD' &&
          (['stl', 'step'] as const).map((to) =>
            save(`As ${to.toUpperCase()}`, 'Converting…', () => download('Converted', { fileUID: uid, to })),
          )}
        <button type="button" class="danger" onClick={() => removal.current?.showModal()}>
          Delete…
        </button>
        <span class="quiet" role="status">
          {busy}
        </span>
      </div>
      <Failure of={failure} />
      <dialog ref={removal} class="dialog" aria-labelledby="removal-title">
        <h2 id="removal-title">Delete {record.displayName}?</h2>
        <p>The file, its attributes and all data read from it are removed from the library. This cannot be undone.</p>
        <form method="dialog" class="row dialog-end">
          <button type="submit">Keep it</button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              removal.current?.close();
              run(async () => {
                await removeRecord(uid);
                goTo(HREF.library(), { replace: true });
              }, 'Deleting…');
            }}
          >
            Delete
          </button>
        </form>
      </dialog>
      {isComparing && <CompareDialog record={record} onClose={() => setComparing(false)} />}
    </div>
  );
}
