import { useRef, useState } from 'preact/hooks';
import { download, downloadConverted } from '../api/downloads.js';
import { removeRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { goTo, HREF } from '../app/route.js';
import { Notice } from '../common/notice.js';
import { CompareDialog } from './compare-dialog.js';

/** The actions on a file: search, compare, download, convert, delete. */
export function FileActions({ record }: { readonly record: WireRecord }) {
  const removal = useRef<HTMLDialogElement>(null);
  const [isComparing, setComparing] = useState(false);
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const isRead = record.state === 'indexed';
  const run = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    setBusy(what);
    setFailure(undefined);
    try {
      await work();
    } catch (cause) {
      setFailure(messageOf(cause));
    } finally {
      setBusy('');
    }
  };
  const hasShape = isRead && record.kind !== 'Text';
  return (
    <div class="file-actions">
      <div class="row" role="group" aria-label="Actions">
        {hasShape && (
          <a class="button primary" href={HREF.search({ like: record.uid })}>
            Find similar
          </a>
        )}
        {hasShape && (
          <button type="button" onClick={() => setComparing(true)}>
            Compare with…
          </button>
        )}
        <button
          type="button"
          disabled={busy !== ''}
          onClick={() => void run('Downloading…', () => download(record.uid))}
        >
          Download
        </button>
        {hasShape && record.kind === 'ThreeD' && (
          <>
            <button
              type="button"
              disabled={busy !== ''}
              onClick={() => void run('Converting…', () => downloadConverted(record.uid, 'stl'))}
            >
              As STL
            </button>
            <button
              type="button"
              disabled={busy !== ''}
              onClick={() => void run('Converting…', () => downloadConverted(record.uid, 'step'))}
            >
              As STEP
            </button>
          </>
        )}
        <button type="button" class="danger" onClick={() => removal.current?.showModal()}>
          Delete…
        </button>
        <span class="quiet" role="status">
          {busy}
        </span>
      </div>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
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
              void run('Deleting…', async () => {
                await removeRecord(record.uid);
                goTo(HREF.library(), { replace: true });
              });
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
