import { useEffect, useId, useState } from 'preact/hooks';
import { listAttributes, listValues } from '../api/attributes.js';
import { labelOf, type AttributeParts } from './attribute-text.js';
import { focus } from './focus.js';

/** Suggestions shown at a time. */
const SUGGESTED = 50;

interface AttributeFormProps {
  /** The attribute to edit; undefined: a new one. */
  readonly given: AttributeParts | undefined;
  readonly isSaving: boolean;
  readonly onSave: (attribute: AttributeParts) => void;
  readonly onCancel: () => void;
}

/** Edits name, unit and values of one attribute; suggests those of other files. */
export function AttributeForm({ given, isSaving, onSave, onCancel }: AttributeFormProps) {
  const base = useId();
  const [name, setName] = useState(given?.name ?? '');
  const [unit, setUnit] = useState(given?.unit ?? '');
  const [values, setValues] = useState<readonly string[]>(given?.values ?? ['']);
  const names = useSuggestions('', async (signal) => [
    ...new Set((await listAttributes(signal)).map((known) => known.Name)),
  ]);
  const label = labelOf({ name: name.trim(), unit: unit.trim() });
  const known = useSuggestions(label, async (signal) => (label === '' ? [] : listValues(label, signal)));
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  const isReady = name.trim() !== '' && filled.length > 0;
  return (
    <form
      class="attribute-form"
      aria-label={given === undefined ? 'New attribute' : `Change ${given.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSave({ name: name.trim(), unit: unit.trim(), values: filled });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <div class="attribute-label">
        <label>
          Name
          <input
            value={name}
            list={`${base}-names`}
            maxLength={500}
            required
            ref={given === undefined ? focus : undefined}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          Unit
          <input
            value={unit}
            maxLength={50}
            placeholder="none"
            onInput={(event) => setUnit(event.currentTarget.value)}
          />
        </label>
      </div>
      {values.map((value, i) => (
        <label key={i}>
          {values.length === 1 ? 'Value' : `Value ${i + 1}`}
          <input
            value={value}
            list={`${base}-values`}
            maxLength={5000}
            ref={given !== undefined && i === 0 ? focus : undefined}
            onInput={(event) => setValues(values.with(i, event.currentTarget.value))}
          />
        </label>
      ))}
      <datalist id={`${base}-names`}>
        {names.slice(0, SUGGESTED).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <datalist id={`${base}-values`}>
        {known
          .filter((each) => !values.includes(each))
          .slice(0, SUGGESTED)
          .map((each) => (
            <option key={each} value={each} />
          ))}
      </datalist>
      <div class="row">
        <button type="submit" class="primary" disabled={!isReady || isSaving}>
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="plain" onClick={() => setValues([...values, ''])}>
          Another value
        </button>
      </div>
    </form>
  );
}

/**
 * The result of `load` for the newest key, 200 ms after the last change; empty if it fails, because the form works
 * without suggestions.
 */
function useSuggestions(key: string, load: (signal: AbortSignal) => Promise<readonly string[]>): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      load(controller.signal).then(
        (next) => {
          if (!controller.signal.aborted) setFound(next);
        },
        () => {
          if (!controller.signal.aborted) setFound([]);
        },
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return found;
}
