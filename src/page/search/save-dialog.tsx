import { useEffect, useRef } from 'preact/hooks';
import { saveSearch } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { addressQueryOf, type SearchState } from './search-state.js';

interface SaveDialogProps {
  readonly search: SearchState;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for a name and saves the search under it. */
export function SaveDialog({ search, onSaved, onClose }: SaveDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { busy, failure, run } = useAction();
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    run(async () => {
      await saveSearch(name, HREF.search(addressQueryOf(search)).replace(/^#\/\??/, ''));
      onSaved(name);
      dialog.current?.close();
    });
  };
  return (
    <dialog ref={dialog} aria-label="Save search" class="dialog" onClose={onClose}>
      <form onSubmit={submit}>
        <h2>Save search</h2>
        <label>
          Name
          <input name="name" required maxLength={200} defaultValue={search.text} autocomplete="off" />
        </label>
        {search.like.length > 0 && (
          <p class="quiet">
            A dropped file is kept for a day only; “Share…” keeps it longer. A search with a file from the library keeps
            working.
          </p>
        )}
        <Failure of={failure} />
        <p class="dialog-end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy !== ''}>
            Save
          </button>
        </p>
      </form>
    </dialog>
  );
}
