import { useState } from 'preact/hooks';
import { retry, type WireRecord } from '../api/endpoints.js';
import { mayDelete } from '../api/session.js';
import { ChooseBox } from '../common/choose-box.js';
import { DeleteButton } from '../common/delete-button.js';
import { isWorthRetrying } from '../common/failures.js';
import { HREF } from '../common/route.js';
import { boxText, bytesText, momentText, sentence } from '../common/figures.js';
import { KindIcon, KIND_NAMES } from '../common/kind-icon.js';
import { Picture } from '../common/picture.js';
import { useAction } from '../common/use-loaded.js';
import { VirtualRows } from '../common/virtual-rows.js';
import { STATE_NAMES } from './library-state.js';

interface RecordListProps {
  readonly records: readonly WireRecord[];
  readonly total: number;
  readonly onPlaces: (first: number, last: number) => void;
  readonly onRetried: () => void;
  /** True: rows are higher, with room for the reason of a failure. */
  readonly reasons: boolean;
}

const ROW_HEIGHT = 56;
/** Row with two lines for the reason of a failure below name and folder; on a phone with four. */
const REASON_HEIGHT = 96;
const NARROW_REASON_HEIGHT = 136;
const PHONE_WIDTH = 640;

/** Records as rows of a table. */
export function RecordList({ records, total, onPlaces, onRetried, reasons }: RecordListProps) {
  const rowHeight = !reasons ? ROW_HEIGHT : innerWidth < PHONE_WIDTH ? NARROW_REASON_HEIGHT : REASON_HEIGHT;
  return (
    <div
      class={`records${reasons ? ' records-reasons' : ''}`}
      role="table"
      aria-label="Files"
      aria-rowcount={total + 1}
    >
      <div role="rowgroup">
        <div role="row" class="record record-head" aria-rowindex={1}>
          <span role="columnheader">
            <span class="hidden">Chosen</span>
          </span>
          {['Name', 'Kind', 'Box', 'Bytes', 'Added', 'State'].map((name) => (
            <span key={name} role="columnheader" class={`cell cell-${name.toLowerCase()}`}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <VirtualRows
        rows={total}
        rowHeight={rowHeight}
        label="Files"
        role="rowgroup"
        onRows={onPlaces}
        render={(row) => <RecordRow record={records[row]} row={row} reasons={reasons} onRetried={onRetried} />}
      />
    </div>
  );
}

function RecordRow({
  record,
  row,
  reasons,
  onRetried,
}: {
  readonly record: WireRecord | undefined;
  readonly row: number;
  /** Whether the row has room for more than one action. */
  readonly reasons: boolean;
  readonly onRetried: () => void;
}) {
  if (record === undefined)
    return (
      <div role="row" class="record record-coming" aria-rowindex={row + 2}>
        <span role="cell" class="hidden">
          loading
        </span>
      </div>
    );
  const { uid, path, displayName, kind, state, bboxSizeMm, byteLength, addedAt } = record;
  const folder = path.slice(0, Math.max(0, path.length - displayName.length - 1));
  return (
    <div role="row" class="record" aria-rowindex={row + 2}>
      <span role="cell">
        <ChooseBox file={{ uid, name: displayName }} />
      </span>
      <span role="cell" class="cell cell-name">
        <span class="record-picture">
          {state === 'indexed' ? <Picture uid={uid} kind={kind} alt="" /> : <KindIcon kind={kind} />}
        </span>
        <span class="record-names">
          <a href={HREF.file(uid)} title={path}>
            {displayName}
          </a>
          {/* A row without room for a third line has both in one. */}
          {state === 'failed' && !reasons ? (
            <span class="quiet">
              {folder !== '' && `${folder}: `}
              <Reason record={record} />
            </span>
          ) : (
            <span class="quiet" title={path}>
              {folder}
            </span>
          )}
          {state === 'failed' && reasons && <Reason record={record} />}
        </span>
      </span>
      <span role="cell" class="cell cell-kind">
        {KIND_NAMES[kind].one}
      </span>
      <span role="cell" class="cell cell-box">
        {bboxSizeMm === null ? '' : boxText(bboxSizeMm)}
      </span>
      <span role="cell" class="cell cell-bytes">
        {bytesText(byteLength)}
      </span>
      <span role="cell" class="cell cell-added">
        {momentText(addedAt)}
      </span>
      <span role="cell" class="cell cell-state">
        {state === 'failed' ? (
          <span class="record-acts">
            {!isWorthRetrying(record.error) && !reasons && <span class="state state-failed">{STATE_NAMES.failed}</span>}
            {isWorthRetrying(record.error) && <Retry record={record} onRetried={onRetried} />}
            {reasons && mayDelete.value && <DeleteButton record={record} onDeleted={onRetried} />}
          </span>
        ) : (
          <span class={`state state-${state}`}>{STATE_NAMES[state]}</span>
        )}
      </span>
    </div>
  );
}

function Reason({ record: { error } }: { readonly record: WireRecord }) {
  return (
    <span class="bad" title={error?.message}>
      {sentence(error?.message ?? 'the reason is not known')}
    </span>
  );
}

function Retry({
  record: { uid, displayName },
  onRetried,
}: {
  readonly record: WireRecord;
  readonly onRetried: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const { failure = 'Waiting', run } = useAction();
  if (isAsked) return <span role="status">{failure}</span>;
  const again = async (): Promise<void> => {
    setAsked(true);
    await retry(uid);
    onRetried();
  };
  return (
    <button type="button" aria-label={`Retry ${displayName}`} onClick={() => run(again)}>
      Retry
    </button>
  );
}
