import { useEffect, useRef, useState } from 'preact/hooks';
import type { DuplicateClass } from '../../index.js';
import {
  findDuplicates,
  saveDuplicates,
  undoDecisions,
  type FoundDuplicates,
  type WireDecision,
} from '../api/duplicate-groups.js';
import { messageOf } from '../api/request.js';
import { bytesText, count } from '../common/figures.js';
import { Notice } from '../common/notice.js';
import { CLASSES } from './class-words.js';
import { Decisions } from './decisions.js';
import { GroupCard } from './group-card.js';
import './duplicates.css';

/** Groups that are shown at first, and added per step. */
const STEP = 40;

/** The last decision, to undo it. */
interface Done {
  readonly sentence: string;
  readonly ids: readonly number[];
}

/**
 * The duplicates screen: groups of duplicate files, the evidence, and the users' decisions about them. It deletes no
 * file.
 */
export function DuplicatesScreen() {
  const [near, setNear] = useState<number | undefined>(undefined);
  const [hidden, setHidden] = useState<ReadonlySet<DuplicateClass>>(new Set());
  const [onlyOpen, setOnlyOpen] = useState(false);
  const [shown, setShown] = useState(STEP);
  const [done, setDone] = useState<Done | undefined>(undefined);
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const { found, progress, failure: findFailure } = useFound(near, version);
  const again = (): void => setVersion((now) => now + 1);
  const act = async (sentence: string, work: () => Promise<readonly WireDecision[]>): Promise<void> => {
    try {
      setDone({ sentence, ids: (await work()).map(({ id }) => id) });
      setFailure(undefined);
      again();
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  const undo = async (ids: readonly number[]): Promise<void> => {
    try {
      await undoDecisions(ids);
      setDone(undefined);
      again();
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  const open = found?.groups.filter(({ settled }) => !(onlyOpen && settled)) ?? [];
  const groups = open.filter(({ matchClass }) => !hidden.has(matchClass));
  return (
    <div class="duplicates">
      <div class="duplicates-head">
        <h1>Duplicates</h1>
        <div class="row">
          <button
            type="button"
            disabled={found === undefined}
            onClick={() => void saveDuplicates({ near }, 'csv').catch((cause: unknown) => setFailure(messageOf(cause)))}
          >
            Save as CSV
          </button>
          <button
            type="button"
            disabled={found === undefined}
            onClick={() =>
              void saveDuplicates({ near }, 'json').catch((cause: unknown) => setFailure(messageOf(cause)))
            }
          >
            Save as JSON
          </button>
        </div>
      </div>
      <div class="duplicates-filters" role="group" aria-label="Which groups">
        {CLASSES.filter(({ id }) => id !== 'near' || near !== undefined).map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={!hidden.has(id)}
            onClick={() => {
              setHidden(toggled(hidden, id));
              setShown(STEP);
            }}
          >
            {name}{' '}
            <span class="tab-count">
              {found === undefined ? '' : count(open.filter(({ matchClass }) => matchClass === id).length)}
            </span>
          </button>
        ))}
        <label class="row">
          Near parts
          <select
            value={near ?? ''}
            onChange={({ currentTarget: { value } }) => {
              setNear(value === '' ? undefined : Number(value));
              setShown(STEP);
            }}
          >
            <option value="">not searched</option>
            <option value="0.1">up to a score of 0.1</option>
            <option value="0.2">up to a score of 0.2</option>
            <option value="0.3">up to a score of 0.3</option>
          </select>
        </label>
        <label class="row">
          <input type="checkbox" checked={onlyOpen} onChange={(event) => setOnlyOpen(event.currentTarget.checked)} />
          Undecided only
        </label>
      </div>
      {done !== undefined && (
        <div class="notice notice-info duplicates-done" role="status">
          {done.sentence}{' '}
          <button type="button" class="plain" onClick={() => void undo(done.ids)}>
            Undo
          </button>
        </div>
      )}
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {findFailure !== undefined && <Notice kind="error">{findFailure}</Notice>}
      {found === undefined && findFailure === undefined && <Working progress={progress} />}
      {found !== undefined && (
        <>
          <p class="quiet" role="status">
            {summaryOf(groups, found)}
          </p>
          {groups.slice(0, shown).map((group) => (
            <GroupCard key={group.id} group={group} onAct={act} />
          ))}
          {groups.length > shown && <More left={groups.length - shown} onMore={() => setShown(shown + STEP)} />}
        </>
      )}
      <Decisions version={version} onUndo={(ids) => void undo(ids)} />
    </div>
  );
}

/** Loads the groups; the old ones stay while a new search runs. */
function useFound(
  near: number | undefined,
  version: number,
): {
  readonly found: FoundDuplicates | undefined;
  readonly progress: FoundDuplicates['progress'];
  readonly failure: string | undefined;
} {
  const [found, setFound] = useState<
    { readonly near: number | undefined; readonly result: FoundDuplicates } | undefined
  >(undefined);
  const [progress, setProgress] = useState<FoundDuplicates['progress']>(null);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    setFailure(undefined);
    findDuplicates({ near }, setProgress, controller.signal)
      .then(
        (result) => {
          if (!controller.signal.aborted) setFound({ near, result });
        },
        (cause: unknown) => setFailure(messageOf(cause)),
      )
      .finally(() => setProgress(null));
    return () => controller.abort();
  }, [near, version]);
  return { found: found !== undefined && found.near === near ? found.result : undefined, progress, failure };
}

function Working({ progress }: { readonly progress: FoundDuplicates['progress'] }) {
  if (progress === null)
    return (
      <p class="quiet" role="status">
        Comparing files…
      </p>
    );
  const words = progress.phase === 'near' ? 'Searching for near parts' : 'Comparing files';
  return (
    <div class="duplicates-working">
      <p role="status">
        {words}: {count(progress.done)} of {count(progress.total)}. Results are kept, so this takes long only the first
        time.
      </p>
      <progress max={Math.max(1, progress.total)} value={progress.done} aria-label={words} />
    </div>
  );
}

/** Shows more groups when it comes into view or is clicked. */
function More({ left, onMore }: { readonly left: number; readonly onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: '600px' },
    );
    if (button.current !== null) observer.observe(button.current);
    return () => observer.disconnect();
  }, [left]);
  return (
    <button ref={button} type="button" onClick={onMore}>
      Show {count(Math.min(STEP, left))} more of {count(left)}
    </button>
  );
}

function summaryOf(groups: FoundDuplicates['groups'], { files }: FoundDuplicates): string {
  if (groups.length === 0) return `No groups among ${count(files)} ${files === 1 ? 'file' : 'files'}.`;
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  const spare = groups
    .filter(({ matchClass }) => matchClass === 'bytes' || matchClass === 'identical')
    .reduce((sum, { spareBytes }) => sum + spareBytes, 0);
  const found = `${count(groups.length)} ${groups.length === 1 ? 'group' : 'groups'} with ${count(members)}`;
  const savings = spare > 0 ? ` Keeping only one of each set of identical files would save ${bytesText(spare)}.` : '';
  return `${found} of ${count(files)} files.${savings}`;
}

function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
