import { useState } from 'preact/hooks';
import { listDecisions, readRecord, type WireDecision } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { count, momentText } from '../common/figures.js';
import { Failure } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';

interface DecisionsProps {
  /** Changes whenever a decision was made. */
  readonly version: number;
  readonly onUndo: (ids: readonly number[]) => void;
}

/** Decisions that are shown at first, and added per click. */
const STEP = 20;

/** The decisions so far, newest first; each can be undone. */
export function Decisions({ version, onUndo }: DecisionsProps) {
  const [shown, setShown] = useState(STEP);
  const { value: decisions = [], failure } = useLoaded(
    async (signal) => (await listDecisions(signal)).toReversed(),
    [version],
  );
  if (failure !== undefined) return <Failure of={failure} />;
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
  const { value, failure } = useLoaded((signal) => readRecord(uid, signal), [uid]);
  const name = failure === undefined ? (value?.path ?? '…') : 'a deleted file';
  return <a href={HREF.file(uid)}>{name}</a>;
}
