import { useState } from 'preact/hooks';
import { setAttributes } from '../api/attributes.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { Notice } from '../common/notice.js';
import { AttributeForm } from './attribute-form.js';
import { labelOf, readAttribute, writeAttribute, type AttributeParts } from './attribute-text.js';

interface AttributesProps {
  readonly record: WireRecord;
  /** Called after the attributes were changed. */
  readonly onChanged: () => Promise<void>;
}

/** The attributes that users set, editable, and those that were read from the file. */
export function Attributes({ record, onChanged }: AttributesProps) {
  const [open, setOpen] = useState<number | 'new' | undefined>(undefined);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const [done, setDone] = useState('');
  const save = async (attributes: readonly string[], sentence: string): Promise<void> => {
    setSaving(true);
    try {
      await setAttributes(record.uid, attributes);
      await onChanged();
      setOpen(undefined);
      setFailure(undefined);
      setDone(sentence);
    } catch (cause) {
      setFailure(messageOf(cause));
    } finally {
      setSaving(false);
    }
  };
  const put = (attribute: AttributeParts, at: number | 'new'): Promise<void> =>
    save(
      at === 'new'
        ? [...record.attributes, writeAttribute(attribute)]
        : record.attributes.with(at, writeAttribute(attribute)),
      `${attribute.name} is saved.`,
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
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {open === 'new' && (
        <AttributeForm
          given={undefined}
          isSaving={isSaving}
          onSave={(attribute) => void put(attribute, 'new')}
          onCancel={() => setOpen(undefined)}
        />
      )}
      {record.attributes.length === 0 && open !== 'new' && (
        <p class="quiet">None yet. Attributes such as Material or Customer can be searched and filtered by.</p>
      )}
      <ul class="attributes">
        {record.attributes.map((text, i) => {
          const attribute = readAttribute(text);
          if (open === i)
            return (
              <li key={text}>
                <AttributeForm
                  given={attribute}
                  isSaving={isSaving}
                  onSave={(changed) => void put(changed, i)}
                  onCancel={() => setOpen(undefined)}
                />
              </li>
            );
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
                  disabled={isSaving}
                  onClick={() =>
                    void save(
                      record.attributes.filter((_, each) => each !== i),
                      `${attribute.name} is removed.`,
                    )
                  }
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

function AttributeRow({ attribute }: { readonly attribute: AttributeParts }) {
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
