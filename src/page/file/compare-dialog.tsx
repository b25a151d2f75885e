import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { Failure, Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { tellingNames } from '../common/telling-names.js';
import { useSimilar } from './similar-files.js';

interface CompareDialogProps {
  readonly record: WireRecord;
  readonly onClose: () => void;
}

/** Selects the file to compare with: from the most similar ones, or from those that contain given words. */
export function CompareDialog({ record, onClose }: CompareDialogProps) {
  const { uid, path, displayName } = record;
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState('');
  const { value: hits, failure } = useSimilar(uid, words.trim());
  const names = useMemo(() => tellingNames([record, ...(hits ?? [])]), [record, hits]);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog dialog-wide" aria-labelledby="compare-title" onClose={onClose}>
      <h2 id="compare-title">Compare {names.get(path) ?? displayName} with</h2>
      <input
        type="search"
        class="wide"
        value={words}
        aria-label="Words in the name, text or attributes of the other file"
        placeholder="Words in its name, text or attributes"
        maxLength={1000}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <Failure of={failure} />
      <Status>
        {hits === undefined
          ? 'Loading…'
          : hits.length === 0
            ? 'No other file.'
            : words.trim() === ''
              ? 'The most similar files:'
              : 'Files with these words, the most similar first:'}
      </Status>
      <ul class="strip strip-wrapped">
        {hits?.map((hit) => (
          <li key={hit.uid}>
            <a href={HREF.compare(uid, hit.uid)} onClick={() => dialog.current?.close()}>
              <Picture uid={hit.uid} kind={hit.kind} alt="" />
              <span class="strip-name">{names.get(hit.path) ?? hit.displayName}</span>
            </a>
          </li>
        ))}
      </ul>
      <form method="dialog" class="row dialog-end">
        <button type="submit">Cancel</button>
      </form>
    </dialog>
  );
}
