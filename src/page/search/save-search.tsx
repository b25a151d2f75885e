import { useState } from 'preact/hooks';
import { lazily } from '../common/lazily.js';
import type { SearchState } from './search-state.js';

const SaveDialog = lazily(async () => (await import('./save-dialog.js')).SaveDialog);

/** Saves the search under a name. */
export function SaveSearch({ search }: { readonly search: SearchState }) {
  const [isAsking, setAsking] = useState(false);
  const [saved, setSaved] = useState('');
  return (
    <div class="save-search">
      <span role="status" class="quiet">
        {saved}
      </span>
      <button type="button" onClick={() => setAsking(true)}>
        Save search…
      </button>
      {isAsking && (
        <SaveDialog
          search={search}
          onSaved={(name) => setSaved(`Saved as “${name}”`)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
