import { useEffect, useRef, useState } from 'preact/hooks';
import { find } from '../api/find.js';
import { messageOf } from '../api/request.js';
import type { WireHit, WireRecord } from '../api/wire.js';
import { HREF } from '../app/route.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';

interface CompareDialogProps {
  readonly record: WireRecord;
  readonly onClose: () => void;
}

/** Files offered. */
const OFFERED = 12;
const PATIENCE_MS = 250;

/** Selects the file to compare with: from the most similar ones, or from those that contain given words. */
export function CompareDialog({ record: { uid, displayName }, onClose }: CompareDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState('');
  const [hits, setHits] = useState<readonly WireHit[] | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const controller = new AbortController();
    const text = words.trim();
    const timer = setTimeout(
      () => {
        find(
          { like: [{ uid }], ...(text === '' ? {} : { text }), limit: OFFERED + 1, highlights: false },
          controller.signal,
        ).then(
          (result) => {
            setHits(result.hits.filter((hit) => hit.uid !== uid).slice(0, OFFERED));
            setFailure(undefined);
          },
          (cause: unknown) => setFailure(messageOf(cause)),
        );
      },
      hits === undefined ? 0 : PATIENCE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words]);
  return (
    <dialog ref={dialog} class="dialog dialog-wide" aria-labelledby="compare-title" onClose={onClose}>
      <h2 id="compare-title">Compare {displayName} with</h2>
      <input
        type="search"
        class="wide"
        value={words}
        aria-label="Words in the name, text or attributes of the other file"
        placeholder="Words in its name, text or attributes"
        maxLength={1000}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      <p class="quiet" role="status">
        {hits === undefined
          ? 'Loading…'
          : hits.length === 0
            ? 'No other file.'
            : words.trim() === ''
              ? 'The most similar files:'
              : 'Files with these words, the most similar first:'}
      </p>
      <ul class="strip strip-wrapped">
        {hits?.map((hit) => (
          <li key={hit.uid}>
            <a href={HREF.compare(uid, hit.uid)} onClick={() => dialog.current?.close()}>
              <Picture uid={hit.uid} kind={hit.kind} alt="" />
              <span class="strip-name">{hit.displayName}</span>
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
