import { useEffect, useRef } from 'preact/hooks';
import type { WireRecord } from '../api/endpoints.js';
import { renameRecord } from '../api/library-endpoints.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';

interface RenameDialogProps {
  readonly record: WireRecord;
  readonly onClose: () => void;
  readonly onRenamed: () => Promise<void>;
}

/** Gives a file another name or folder. */
export function RenameDialog({ record, onClose, onRenamed }: RenameDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { busy, failure, run } = useAction();
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const path = String(new FormData(event.currentTarget as HTMLFormElement).get('path')).trim();
    run(async () => {
      await renameRecord(record.uid, path);
      await onRenamed();
      dialog.current?.close();
    });
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="rename-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="rename-title">Rename or move</h2>
        <label>
          Folders and name
          <input
            name="path"
            required
            maxLength={1_000}
            defaultValue={record.path}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <p class="quiet">Its link stays the same, and it is not read again.</p>
        <Failure of={failure} />
        <p class="dialog-end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy !== ''}>
            Rename
          </button>
        </p>
      </form>
    </dialog>
  );
}
