import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { download } from '../api/blobs.js';
import { count } from '../common/figures.js';
import { chooseAll, chooseNone, chosenFiles, MOST_CHOSEN, type ChosenFile } from '../common/chosen-files.js';
import { HREF } from '../common/route.js';
import { AttributeDialog } from './attribute-dialog.js';
import { CategoryDialog } from './category-dialog.js';
import { MoveDialog } from './move-dialog.js';
import { ExportButtons } from './export-buttons.js';
import { useEach } from './use-each.js';
import './chosen.css';

/** Most files that one search takes as inputs. */
const MOST_LIKE = 10;
/** Browsers ask before a page saves many files. */
const MOST_DOWNLOADS = 50;

/** Files whose UIDs an address has room for. */
const MOST_ON_SHEET = 100;

interface ChosenBarProps {
  /** The files of the list that are loaded; "Choose all" chooses these. */
  readonly shown: readonly ChosenFile[];
  /**
   * Address of the same search with these files beside those that it has; undefined if it takes no more. Undefined
   * where the list is not of a search with files.
   */
  readonly besideHref?: (uids: readonly string[]) => string | undefined;
  /** Called after files were changed. */
  readonly onChanged?: () => void;
}

/** What can be done with the chosen files; nothing while none is. */
export function ChosenBar({ shown, besideHref, onChanged }: ChosenBarProps) {
  const [asks, setAsks] = useState<'attribute' | 'category' | 'move' | undefined>(undefined);
  const { said, failures, isBusy, run, stop } = useEach(onChanged);
  const bar = useRef<HTMLElement>(null);
  const files = [...chosenFiles.value.values()];
  // Before the bar is seen: who sees it may press the key at once.
  useLayoutEffect(() => {
    if (files.length === 0) return undefined;
    // Escape takes the choice back; a dialog that is open takes the key first.
    const onKey = ({ key, target }: KeyboardEvent): void => {
      const isTyping =
        target instanceof HTMLElement && target.closest('input:not([type=checkbox]), select, dialog, canvas');
      if (key === 'Escape' && !isTyping) chooseNone();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [files.length === 0]);
  if (files.length === 0) return null;
  const uids = files.map(({ uid }) => uid);
  const beside = besideHref?.(uids);
  const close = (): void => setAsks(undefined);
  return (
    <section ref={bar} class="chosen-bar" aria-label="Chosen files">
      <p class="chosen-count">
        <strong>{count(files.length)} chosen</strong>
        {files.length === MOST_CHOSEN && <span class="quiet"> (no more at a time)</span>}
      </p>
      <div class="row" role="group" aria-label="With the chosen files">
        {files.length === 2 && (
          <a class="button" href={HREF.compare(uids[0], uids[1])}>
            Compare
          </a>
        )}
        {files.length <= MOST_LIKE && (
          <a class="button" href={HREF.search({ like: uids })}>
            Search with {files.length === 1 ? 'it' : 'them'}
          </a>
        )}
        {beside !== undefined && (
          <a class="button" href={beside}>
            Add to the search
          </a>
        )}
        <ExportButtons query={{ within: uids, limit: files.length }} />
        {files.length <= MOST_ON_SHEET && (
          <a class="button" href={HREF.sheet({ files: uids.join() })}>
            Sheet
          </a>
        )}
        {files.length <= MOST_DOWNLOADS && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => run(files, { does: 'saved', work: ({ uid }) => download('Download', { fileUID: uid }) })}
          >
            Download
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => setAsks('attribute')}>
          Set attribute…
        </button>
        <button type="button" disabled={isBusy} onClick={() => setAsks('category')}>
          Set category…
        </button>
        <button type="button" disabled={isBusy} onClick={() => setAsks('move')}>
          Move…
        </button>
        {isBusy && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </div>
      <div class="row chosen-end">
        <button type="button" class="plain" onClick={() => chooseAll(shown)}>
          Choose all shown
        </button>
        <button type="button" class="plain" onClick={chooseNone}>
          Choose none
        </button>
      </div>
      <p class="chosen-said" role="status">
        {said}
      </p>
      {failures.length > 0 && (
        <ul class="chosen-failures bad" role="alert">
          {failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      {asks === 'attribute' && <AttributeDialog files={files} onClose={close} onRun={run} />}
      {asks === 'move' && <MoveDialog files={files} onClose={close} onRun={run} />}
      {asks === 'category' && <CategoryDialog files={files} onClose={close} onRun={run} />}
    </section>
  );
}
