import { useEffect, useRef, useState } from 'preact/hooks';
import { listCategories, setCategory } from '../api/endpoints.js';
import { categoryPath } from '../common/category-path.js';
import type { ChosenFile } from '../common/chosen-files.js';
import { Failure } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';
import { many } from './attribute-dialog.js';
import type { RunEach } from './use-each.js';

interface DialogProps {
  readonly files: readonly ChosenFile[];
  readonly onClose: () => void;
  readonly onRun: RunEach;
}

/** Sets the category of several files. */
export function CategoryDialog({ files, onClose, onRun }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState('');
  const { value: categories = [], failure } = useLoaded(listCategories, []);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = chosen === '' ? null : Number(chosen);
    onRun(files, { does: 'changed', work: ({ uid }) => setCategory(uid, id) });
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="set-category-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="set-category-title">Set the category of {many(files)}</h2>
        <Failure of={failure} />
        <label>
          Category
          <select class="wide" value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            <option value="">None</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {categoryPath(category, categories)}
              </option>
            ))}
          </select>
        </label>
        {categories.length === 0 && (
          <p class="quiet">There is no category yet; the page of a file, under About, makes new ones.</p>
        )}
        <p class="dialog-end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Set
          </button>
        </p>
      </form>
    </dialog>
  );
}
