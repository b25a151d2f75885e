import { useState } from 'preact/hooks';
import { addCategory, listCategories, setCategory, type WireRecord } from '../api/endpoints.js';
import { categoryPath } from '../common/category-path.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { focus } from './attribute-form.js';

interface CategoryChoiceProps {
  readonly record: WireRecord;
  readonly onChanged: () => Promise<void>;
}

/** Selects the product category of a file: an existing one, a new one, or none. */
export function CategoryChoice({ record, onChanged }: CategoryChoiceProps) {
  const [isNew, setNew] = useState(false);
  const [name, setName] = useState('');
  const { value: categories = [], failure: loadFailure, reload } = useLoaded(listCategories, []);
  const { failure = loadFailure, run } = useAction();
  const choose = (work: () => Promise<number | null>): void =>
    run(async () => {
      await setCategory(record.uid, await work());
      await Promise.all([onChanged(), reload()]);
      setNew(false);
    });
  return (
    <section aria-labelledby="category-title">
      <h2 id="category-title">Category</h2>
      <Failure of={failure} />
      {isNew ? (
        <form
          class="row"
          aria-label="New category"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') choose(() => addCategory(name.trim()));
          }}
        >
          <input
            aria-label="Name of the new category"
            value={name}
            maxLength={200}
            required
            ref={focus}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={() => setNew(false)}>
            Cancel
          </button>
        </form>
      ) : (
        <div class="row">
          <select
            aria-label="Category"
            value={record.categoryId ?? ''}
            onChange={({ currentTarget: { value } }) => choose(async () => (value === '' ? null : Number(value)))}
          >
            <option value="">None</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {categoryPath(category, categories)}
              </option>
            ))}
          </select>
          <button type="button" class="plain" onClick={() => setNew(true)}>
            New category
          </button>
        </div>
      )}
    </section>
  );
}
