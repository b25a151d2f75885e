import { useEffect, useState } from 'preact/hooks';
import { listDecisions, type WireDecision } from '../api/duplicate-groups.js';
import { readRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import { HREF } from '../app/route.js';
import { count, momentText } from '../common/figures.js';
import { Notice } from '../common/notice.js';

interface DecisionsProps {
  /** Changes whenever a decision was made. */
  readonly version: number;
  readonly onUndo: (ids: readonly number[]) => void;
}

/** Decisions that are shown at first, and added per click. */
const STEP = 20;

/** The decisions so far, newest first; each can be undone. */
export function Decisions({ version, onUndo }: DecisionsProps) {
  const [decisions, setDecisions] = useState<readonly WireDecision[]>([]);
  const [shown, setShown] = useState(STEP);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    listDecisions(controller.signal).then(
      (all) => setDecisions(all.toReversed()),
      (cause: unknown) => setFailure(messageOf(cause)),
    );
    return () => controller.abort();
  }, [version]);
  if (failure !== undefined) return <Notice kind="error">{failure}</Notice>;
  if (decisions.length === 0) return null;
  return (
    <details class="panel decisions">
      <summary>
        {count(decisions.length)} {decisions.length === 1 ? 'decision' : 'decisions'}
      </summary>
      <ul>
        {decisions.slice(0, shown).map((decision) => (
          <li key={decision.id}>
            <span>
              <Sentence decision={decision} /> <span class="quiet">{momentText(decision.decidedAt)}</span>
            </span>
            <button type="button" class="plain" onClick={() => onUndo([decision.id])}>
              Undo
            </button>
          </li>
        ))}
      </ul>
      {decisions.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          More
        </button>
      )}
    </details>
  );
}

function Sentence({
  decision: {
    kind,
    uids: [first, second],
  },
}: {
  readonly decision: WireDecision;
}) {
  if (kind === 'keep')
    return (
      <>
        Keep <FileName uid={first} />.
      </>
    );
  return (
    <>
      <FileName uid={first} /> and <FileName uid={second} /> are different.
    </>
  );
}

function FileName({ uid }: { readonly uid: string }) {
  const [name, setName] = useState('…');
  useEffect(() => {
    const controller = new AbortController();
    readRecord(uid, controller.signal).then(
      ({ path }) => setName(path),
      () => setName('a deleted file'),
    );
    return () => controller.abort();
  }, [uid]);
  return <a href={HREF.file(uid)}>{name}</a>;
}
