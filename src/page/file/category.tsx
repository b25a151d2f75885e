import { useEffect, useState } from 'preact/hooks';
import type { Category } from '../../index.js';
import { addCategory, listCategories, setCategory } from '../api/categories.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { Notice } from '../common/notice.js';
import { focus } from './focus.js';

interface CategoryChoiceProps {
  readonly record: WireRecord;
  readonly onChanged: () => Promise<void>;
}

/** Selects the product category of a file: an existing one, a new one, or none. */
export function CategoryChoice({ record, onChanged }: CategoryChoiceProps) {
  const [categories, setCategories] = useState<readonly Category[]>([]);
  const [isNew, setNew] = useState(false);
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const load = async (signal?: AbortSignal): Promise<void> => {
    try {
      setCategories(await listCategories(signal));
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    void load(controller.signal);
    return () => controller.abort();
  }, []);
  const choose = async (work: () => Promise<number | null>): Promise<void> => {
    try {
      await setCategory(record.uid, await work());
      await Promise.all([onChanged(), load()]);
      setNew(false);
      setFailure(undefined);
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  return (
    <section aria-labelledby="category-title">
      <h2 id="category-title">Category</h2>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {isNew ? (
        <form
          class="row"
          aria-label="New category"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') void choose(() => addCategory(name.trim()));
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
            onChange={({ currentTarget: { value } }) => void choose(async () => (value === '' ? null : Number(value)))}
          >
            <option value="">None</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {pathOf(category, categories)}
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

/** `Fasteners / Screws`. */
function pathOf({ name, parentId }: Category, all: readonly Category[]): string {
  const parent = all.find(({ id }) => id === parentId);
  return parent === undefined ? name : `${pathOf(parent, all)} / ${name}`;
}
