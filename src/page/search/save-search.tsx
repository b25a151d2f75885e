import { useRef, useState } from 'preact/hooks';
import { saveSearch } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { useAction } from '../common/use-loaded.js';
import { addressQueryOf, type SearchState } from './search-state.js';

/** Saves the search under a name. */
export function SaveSearch({ search }: { readonly search: SearchState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [saved, setSaved] = useState('');
  const { failure, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    run(async () => {
      const address = HREF.search(addressQueryOf(search)).replace(/^#\/\??/, '');
      await saveSearch(name, address).finally(() => dialog.current?.close());
      setSaved(`Saved as “${name}”`);
    });
  };
  return (
    <div class="save-search">
      <span role="status" class="quiet">
        {failure ?? saved}
      </span>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Save search…
      </button>
      <dialog ref={dialog} aria-label="Save search" class="dialog">
        <form onSubmit={submit}>
          <h2>Save search</h2>
          <label>
            Name
            <input name="name" required maxLength={200} defaultValue={search.text} autocomplete="off" />
          </label>
          {search.like.length > 0 && (
            <p class="quiet">
              A dropped file is kept for a day only; “Share…” keeps it longer. A search with a file from the library
              keeps working.
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
