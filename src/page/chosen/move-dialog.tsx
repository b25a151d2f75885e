import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { readRecord } from '../api/endpoints.js';
import { listFolders, renameRecord } from '../api/library-endpoints.js';
import type { ChosenFile } from '../common/chosen-files.js';
import { useLoaded } from '../common/use-loaded.js';
import { many } from './attribute-dialog.js';
import type { RunEach } from './use-each.js';

interface DialogProps {
  readonly files: readonly ChosenFile[];
  readonly onClose: () => void;
  readonly onRun: RunEach;
}

/** Moves several files to a folder, and replaces a part of their names. */
export function MoveDialog({ files, onClose, onRun }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const folders = useId();
  const [moves, setMoves] = useState(true);
  const [folder, setFolder] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  // Suggestions: the form works without them.
  const { value: known = [] } = useLoaded(
    async (signal) => listFolders(folderOf(folder), signal).catch(() => []),
    [folderOf(folder)],
  );
  const { value: first } = useLoaded((signal) => readRecord(files[0].uid, signal), []);
  useEffect(() => dialog.current?.showModal(), []);
  const renamed = (path: string): string => {
    const at = path.lastIndexOf('/') + 1;
    const name = from === '' ? path.slice(at) : path.slice(at).replaceAll(from, to);
    const clean = folder.trim().replace(/^\/+|\/+$/g, '');
    return !moves ? path.slice(0, at) + name : clean === '' ? name : `${clean}/${name}`;
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onRun(files, {
      does: 'moved',
      work: async ({ uid }) => {
        const { path } = await readRecord(uid);
        if (renamed(path) !== path) await renameRecord(uid, renamed(path));
      },
    });
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="move-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="move-title">Move or rename {many(files)}</h2>
        <label class="inline">
          <input type="checkbox" checked={moves} onChange={({ currentTarget }) => setMoves(currentTarget.checked)} />
          Move to another folder
        </label>
        {moves && (
          <label>
            Folder
            <input
              value={folder}
              list={folders}
              placeholder="the uppermost"
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setFolder(currentTarget.value)}
            />
            <datalist id={folders}>
              {known.map(({ name }) => (
                <option key={name} value={[folderOf(folder), name].filter(Boolean).join('/')} />
              ))}
            </datalist>
          </label>
        )}
        <label>
          In names, replace
          <input
            value={from}
            placeholder="nothing"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        {from !== '' && (
          <label>
            With
            <input
              value={to}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </label>
        )}
        {first !== undefined && (
          <p class="quiet move-example" role="status">
            {first.path} becomes {renamed(first.path)}
          </p>
        )}
        <p class="dialog-end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!moves && from === ''}>
            Move
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** The folder of which the folders are suggested while a path is typed. */
function folderOf(typed: string): string {
  return typed.slice(0, Math.max(0, typed.lastIndexOf('/')));
}
