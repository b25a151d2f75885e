import type { WireRecord } from '../api/endpoints.js';
import { HREF } from '../common/route.js';
import { KIND_NAMES, KindIcon } from '../common/kind-icon.js';
import { FileActions } from './file-actions.js';
import { FoundSteps } from './found-steps.js';

const STATES: Readonly<Record<WireRecord['state'], string>> = { queued: 'Waiting', indexed: '', failed: 'Failed' };

interface FileHeadProps {
  readonly record: WireRecord;
  readonly onChanged: () => Promise<void>;
}

/** Folders, name, state and actions of a file. */
export function FileHead({ record, onChanged }: FileHeadProps) {
  const isInput = 'expiresAt' in record;
  const folders = isInput ? [] : record.path.split('/').slice(0, -1);
  return (
    <header class="file-head">
      <div class="file-title">
        <FoundSteps uid={record.uid} />
        <nav class="file-path" aria-label="Folders">
          {isInput ? (
            <a href={HREF.search({ like: record.uid })}>Search input</a>
          ) : (
            <a href={HREF.library()}>Library</a>
          )}
          {folders.map((folder, i) => (
            <span key={i}>
              {' '}
              / <a href={HREF.library({ prefix: `${folders.slice(0, i + 1).join('/')}/` })}>{folder}</a>
            </span>
          ))}
        </nav>
        <h1>
          <KindIcon kind={record.kind} />
          <span class="hidden">{KIND_NAMES[record.kind].one}: </span>
          {record.displayName}
          {STATES[record.state] !== '' && <span class={`chip chip-${record.state}`}>{STATES[record.state]}</span>}
        </h1>
      </div>
      <FileActions record={record} onChanged={onChanged} />
    </header>
  );
}
