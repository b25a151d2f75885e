import { useId, useState } from 'preact/hooks';
import { listAttributes, listValues } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';
import { labelOf, type AttributeParts } from '../common/attribute-text.js';
import './attribute-form.css';

/** Suggestions shown at a time, and the pause in typing after which they are loaded, ms. */
const SUGGESTED = 50;
const PATIENCE_MS = 200;

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
  // The form works without suggestions, so failures are not shown.
  const { value: attributes = [] } = useLoaded(listAttributes, []);
  const names = [...new Set(attributes.map((known) => known.Name))];
  const label = labelOf({ name: name.trim(), unit: unit.trim() });
  const { value: known = [] } = useLoaded(
    async (signal) => (label === '' ? [] : listValues(label, signal).catch(() => [])),
    [label],
    { patienceMs: PATIENCE_MS },
  );
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
      <Suggestions id={`${base}-names`} of={names} />
      <Suggestions id={`${base}-values`} of={known.filter((each) => !values.includes(each))} />
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

function Suggestions({ id, of }: { readonly id: string; readonly of: readonly string[] }) {
  return (
    <datalist id={id}>
      {of.slice(0, SUGGESTED).map((each) => (
        <option key={each} value={each} />
      ))}
    </datalist>
  );
}

/**
 * A ref callback that focuses a field when it is added to the page and scrolls its form into view. The `autofocus`
 * attribute works only for elements that are present when the document loads.
 */
export function focus(element: HTMLElement | null): void {
  element?.focus();
  const form = element?.closest('form');
  // The form has its full height only after the next frame.
  if (form) requestAnimationFrame(() => form.scrollIntoView({ block: 'nearest' }));
}
