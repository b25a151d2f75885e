import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { saveSearch } from '../api/saved-searches.js';
import { HREF } from '../app/route.js';
import { addressQueryOf, type SearchState } from './search-state.js';

/** Saves the search under a name. */
export function SaveSearch({ search }: { readonly search: SearchState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    try {
      await saveSearch(name, HREF.search(addressQueryOf(search)).replace(/^#\/\??/, ''));
      setSaid(`Saved as “${name}”`);
    } catch (cause) {
      setSaid(messageOf(cause) ?? '');
    }
    dialog.current?.close();
  };
  return (
    <div class="save-search">
      <span role="status" class="quiet">
        {said}
      </span>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Save search…
      </button>
      <dialog ref={dialog} aria-label="Save search" class="dialog">
        <form onSubmit={(event) => void submit(event)}>
          <h2>Save search</h2>
          <label>
            Name
            <input name="name" required maxLength={200} defaultValue={search.text} autocomplete="off" />
          </label>
          {search.like.length > 0 && (
            <p class="quiet">
              The server keeps dropped files only for a limited time. A search with a file from the library keeps
              working.
            </p>
          )}
          <p class="dialog-end">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="primary">
              Save
            </button>
          </p>
        </form>
      </dialog>
    </div>
  );
}
