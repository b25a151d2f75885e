import { useEffect, useRef } from 'preact/hooks';
import { readRecord, type WireInput, type WireRecord } from '../api/endpoints.js';
import { isOwn } from '../api/session.js';
import { keepInput } from '../api/library-endpoints.js';
import { momentText } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';

interface ShareSearchProps {
  /** UIDs of the files that are searched with. */
  readonly uids: readonly string[];
  readonly onClose: () => void;
}

/** How long a dropped file is kept for a link, days. */
const DAYS = 90;

/** The link of a search; files that were dropped are kept for it on request. */
export function ShareSearch({ uids, onClose }: ShareSearchProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const link = useRef<HTMLInputElement>(null);
  const {
    value: records = [],
    failure,
    reload,
  } = useLoaded((signal) => Promise.all(uids.map((uid) => readRecord(uid, signal))), [uids.join()]);
  const { busy, failure: failed, run } = useAction();
  const copied = useAction();
  const copy = (): Promise<void> => navigator.clipboard.writeText(location.href);
  useEffect(() => {
    dialog.current?.showModal();
    link.current?.select();
  }, []);
  const dropped = records.filter(isInput);
  const unkept = dropped.filter(({ owner }) => owner !== null);
  const own = unkept.filter(({ owner }) => owner !== null && isOwn(owner));
  const keep = async (): Promise<void> => {
    await Promise.all(own.map(({ uid }) => keepInput(uid, DAYS)));
    await reload();
  };
  const until = dropped.map(({ expiresAt }) => expiresAt).sort()[0];
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="share-title" onClose={onClose}>
      <h2 id="share-title">Link to this search</h2>
      <label>
        Address
        <input ref={link} readOnly value={location.href} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      {unkept.length > 0 ? (
        <>
          <p>
            {unkept.length === 1 ? `${unkept[0].displayName} was` : `${unkept.length} files were`} only put to search
            with: others cannot open the link, and it ends {momentText(until)}.
            {own.length < unkept.length && ' Only who put it there can keep it for others.'}
          </p>
          {own.length === unkept.length && (
            <button type="button" disabled={busy !== ''} onClick={() => run(keep)}>
              Keep {own.length === 1 ? 'it' : 'them'} {DAYS} days for everybody of the company
            </button>
          )}
        </>
      ) : (
        <p role="status">
          {until === undefined
            ? 'It shows the same search to everybody who may see the library, for as long as its files are there.'
            : `Everybody of the company who has the link can open it until ${momentText(until)}.`}
        </p>
      )}
      <Failure of={failure ?? failed ?? copied.failure} />
      <p class="dialog-end">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
        {'clipboard' in navigator && (
          <button type="button" class="primary" onClick={() => copied.run(copy)}>
            Copy
          </button>
        )}
      </p>
    </dialog>
  );
}

function isInput(record: WireRecord | WireInput): record is WireInput {
  return 'expiresAt' in record;
}
