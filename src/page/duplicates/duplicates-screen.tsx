import { useEffect, useRef, useState } from 'preact/hooks';
import type { DuplicateClass } from '../../index.js';
import { download } from '../api/blobs.js';
import { findDuplicates, undoDecisions, type FoundDuplicates, type WireDecision } from '../api/endpoints.js';
import { bytesText, count } from '../common/figures.js';
import { Failure, Status } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
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
  const { failure, run } = useAction();
  const [progress, setProgress] = useState<FoundDuplicates['progress']>(null);
  const { value, failure: findFailure } = useLoaded(
    async (signal) => {
      try {
        return { near, result: await findDuplicates(near, setProgress, signal) };
      } finally {
        setProgress(null);
      }
    },
    [near, version],
  );
  // The groups stay while a new search for the same kind runs.
  const found = value !== undefined && value.near === near ? value.result : undefined;
  const act = (sentence: string, work: () => Promise<readonly WireDecision[]>): void =>
    run(async () => {
      setDone({ sentence, ids: (await work()).map(({ id }) => id) });
      setVersion((now) => now + 1);
    });
  const undo = (ids: readonly number[]): void =>
    run(async () => {
      await undoDecisions(ids);
      setDone(undefined);
      setVersion((now) => now + 1);
    });
  const open = found?.groups.filter(({ settled }) => !(onlyOpen && settled)) ?? [];
  const groups = open.filter(({ matchClass }) => !hidden.has(matchClass));
  return (
    <div class="duplicates">
      <div class="duplicates-head">
        <h1>Duplicates</h1>
        <div class="row">
          {(['csv', 'json'] as const).map((format) => (
            <button
              key={format}
              type="button"
              disabled={found === undefined}
              onClick={() => run(() => download('DuplicatesFile', { near, format }))}
            >
              Save as {format.toUpperCase()}
            </button>
          ))}
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
          <button type="button" class="plain" onClick={() => undo(done.ids)}>
            Undo
          </button>
        </div>
      )}
      <Failure of={failure} />
      <Failure of={findFailure} />
      {found === undefined && findFailure === undefined && <Working progress={progress} />}
      {found !== undefined && (
        <>
          <Status>{summaryOf(groups, found)}</Status>
          <p class="quiet">
            Drawings without any text, pictures and scans are told by their bytes alone: what their sizes are is not
            known.
          </p>
          {groups.slice(0, shown).map((group) => (
            <GroupCard key={group.id} group={group} onAct={act} />
          ))}
          {groups.length > shown && <More left={groups.length - shown} onMore={() => setShown(shown + STEP)} />}
        </>
      )}
      <Decisions version={version} onUndo={undo} />
    </div>
  );
}

function Working({ progress }: { readonly progress: FoundDuplicates['progress'] }) {
  if (progress === null) return <Status>Comparing files…</Status>;
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
