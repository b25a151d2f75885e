import { useState } from 'preact/hooks';
import { download } from '../api/blobs.js';
import type { WireRecord } from '../api/endpoints.js';
import { mayDelete } from '../api/session.js';
import { DeleteButton } from '../common/delete-button.js';
import { goTo, HREF } from '../common/route.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { CompareDialog } from './compare-dialog.js';
import { RenameDialog } from './rename-dialog.js';

interface FileActionsProps {
  readonly record: WireRecord;
  /** Called after the record was changed. */
  readonly onChanged: () => Promise<void>;
}

/** The actions on a file: search, compare, download, convert, rename, delete. */
export function FileActions({ record, onChanged }: FileActionsProps) {
  const [isRenaming, setRenaming] = useState(false);
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
        {!('expiresAt' in record) && (
          <button type="button" onClick={() => setRenaming(true)}>
            Rename…
          </button>
        )}
        {mayDelete.value && <DeleteButton record={record} onDeleted={() => goTo(HREF.library(), { replace: true })} />}
        <span class="quiet" role="status">
          {busy}
        </span>
      </div>
      <Failure of={failure} />
      {isRenaming && <RenameDialog record={record} onClose={() => setRenaming(false)} onRenamed={onChanged} />}
      {isComparing && <CompareDialog record={record} onClose={() => setComparing(false)} />}
    </div>
  );
}
