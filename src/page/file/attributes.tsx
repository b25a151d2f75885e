import { useState } from 'preact/hooks';
import { setAttributes, type WireRecord } from '../api/endpoints.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { attributeInUnits } from '../common/in-units.js';
import { AttributeForm } from './attribute-form.js';
import { labelOf, readAttribute, writeAttribute, type AttributeParts } from '../common/attribute-text.js';

interface AttributesProps {
  readonly record: WireRecord;
  /** Called after the attributes were changed. */
  readonly onChanged: () => Promise<void>;
}

/** The attributes that users set, editable, and those that were read from the file. */
export function Attributes({ record, onChanged }: AttributesProps) {
  const [open, setOpen] = useState<number | 'new' | undefined>(undefined);
  const [done, setDone] = useState('');
  const { busy, failure, run } = useAction();
  const save = (attributes: readonly string[], sentence: string): void =>
    run(async () => {
      await setAttributes(record.uid, attributes);
      await onChanged();
      setOpen(undefined);
      setDone(sentence);
    });
  const form = (at: number, given: AttributeParts | undefined) => (
    <AttributeForm
      given={given}
      isSaving={busy !== ''}
      onSave={(changed) =>
        save(record.attributes.toSpliced(at, 1, writeAttribute(changed)), `${changed.name} is saved.`)
      }
      onCancel={() => setOpen(undefined)}
    />
  );
  return (
    <section aria-labelledby="attributes-title">
      <div class="side-title">
        <h2 id="attributes-title">Attributes</h2>
        <button type="button" disabled={open === 'new'} onClick={() => setOpen('new')}>
          Add
        </button>
      </div>
      <p class="hidden" role="status">
        {done}
      </p>
      <Failure of={failure} />
      {open === 'new' && form(record.attributes.length, undefined)}
      {record.attributes.length === 0 && open !== 'new' && (
        <p class="quiet">None yet. Attributes such as Material or Customer can be searched and filtered by.</p>
      )}
      <ul class="attributes">
        {record.attributes.map((text, i) => {
          const attribute = readAttribute(text);
          if (open === i) return <li key={text}>{form(i, attribute)}</li>;
          return (
            <li key={text} class="attribute">
              <AttributeRow attribute={attribute} />
              <span class="attribute-acts">
                <button type="button" class="plain" aria-label={`Change ${attribute.name}`} onClick={() => setOpen(i)}>
                  Change
                </button>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove ${attribute.name}`}
                  disabled={busy !== ''}
                  onClick={() => save(record.attributes.toSpliced(i, 1), `${attribute.name} is removed.`)}
                >
                  Remove
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      {record.extractedAttributes.length > 0 && (
        <>
          <h2>Read from the file</h2>
          <ul class="attributes">
            {record.extractedAttributes.map((text) => (
              <li key={text} class="attribute">
                <AttributeRow attribute={readAttribute(text)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function AttributeRow({ attribute: given }: { readonly attribute: AttributeParts }) {
  const attribute = attributeInUnits(given);
  return (
    <>
      <span class="attribute-name">
        {attribute.unit === '' ? attribute.name : labelOf({ name: `${attribute.name} `, unit: attribute.unit })}
      </span>
      <span class="attribute-values">
        {attribute.values.map((value) => (
          <span key={value} class="attribute-value">
            {value}
          </span>
        ))}
      </span>
    </>
  );
}
