import { useRef } from 'preact/hooks';
import { removeRecord, type WireRecord } from '../api/endpoints.js';
import { Failure } from './notice.js';
import { useAction } from './use-loaded.js';

interface DeleteButtonProps {
  readonly record: Pick<WireRecord, 'uid' | 'displayName'>;
  readonly onDeleted: () => void;
}

/** Deletes a file of the company after a question. */
export function DeleteButton({ record: { uid, displayName }, onDeleted }: DeleteButtonProps) {
  const removal = useRef<HTMLDialogElement>(null);
  const { busy, failure, run } = useAction();
  const remove = async (): Promise<void> => {
    await removeRecord(uid);
    onDeleted();
  };
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={`Delete ${displayName}`}
        disabled={busy !== ''}
        onClick={() => removal.current?.showModal()}
      >
        {busy === '' ? 'Delete…' : busy}
      </button>
      <Failure of={failure} />
      <dialog ref={removal} class="dialog" aria-labelledby={`removal-${uid}`}>
        <h2 id={`removal-${uid}`}>Delete {displayName}?</h2>
        <p>The file, its attributes and all data read from it are removed from the library. This cannot be undone.</p>
        <form method="dialog" class="row dialog-end">
          <button type="submit">Keep it</button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              removal.current?.close();
              run(remove, 'Deleting…');
            }}
          >
            Delete
          </button>
        </form>
      </dialog>
    </>
  );
}
