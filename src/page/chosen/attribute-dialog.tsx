import { useEffect, useRef } from 'preact/hooks';
import { readRecord, setAttributes } from '../api/endpoints.js';
import { count } from '../common/figures.js';
import type { ChosenFile } from '../common/chosen-files.js';
import { AttributeForm } from '../file/attribute-form.js';
import { labelOf, readAttribute, writeAttribute, type AttributeParts } from '../common/attribute-text.js';
import type { RunEach } from './use-each.js';

interface DialogProps {
  readonly files: readonly ChosenFile[];
  readonly onClose: () => void;
  readonly onRun: RunEach;
}

/** Sets one attribute of several files: it replaces that of the same name and unit, or is added. */
export function AttributeDialog({ files, onClose, onRun }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const save = (changed: AttributeParts): void => {
    const label = labelOf(changed);
    onRun(files, {
      does: 'changed',
      work: async ({ uid }) => {
        const { attributes } = await readRecord(uid);
        const others = attributes.filter((text) => labelOf(readAttribute(text)) !== label);
        await setAttributes(uid, [...others, writeAttribute(changed)]);
      },
    });
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="set-attribute-title" onClose={onClose}>
      <h2 id="set-attribute-title">Set an attribute of {many(files)}</h2>
      <p class="quiet">Values that a file has under the same name are replaced.</p>
      <AttributeForm given={undefined} isSaving={false} onSave={save} onCancel={() => dialog.current?.close()} />
    </dialog>
  );
}

/** `12 files`. */
export function many(files: readonly ChosenFile[]): string {
  return files.length === 1 ? files[0].name : `${count(files.length)} files`;
}
