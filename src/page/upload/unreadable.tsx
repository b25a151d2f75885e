import type { CompanySummary } from '../../index.js';
import { listRecords, retry, type WireRecord } from '../api/endpoints.js';
import { mayDelete } from '../api/session.js';
import { DeleteButton } from '../common/delete-button.js';
import { isWorthRetrying } from '../common/failures.js';
import { HREF } from '../common/route.js';
import { sentence } from '../common/figures.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { countOf } from '../library/use-summary.js';
import { uploadedPaths } from './upload-run.js';

/** Most failed files that are searched for those of this upload. */
const LOOKED_THROUGH = 1_000;

/** Files of this upload that are stored but could not be read, with the reason. */
export function Unreadable({
  summary,
  progress,
  onChanged,
}: {
  readonly summary: CompanySummary | undefined;
  /** Changes with what was sent: a file that fails again changes no count. */
  readonly progress: string;
  /** Called when a file is queued again or deleted. */
  readonly onChanged: () => void;
}) {
  const failed = summary === undefined ? 0 : countOf(summary, undefined, 'failed');
  const {
    value: records = [],
    failure: loadFailure,
    replace,
  } = useLoaded(
    async (signal) => {
      if (failed === 0) return [];
      const query = { state: 'failed', order: 'addedAt', direction: 'falling', limit: LOOKED_THROUGH } as const;
      return (await listRecords(query, signal)).filter(({ path }) => uploadedPaths.has(path));
    },
    [failed, summary, progress],
  );
  const { failure = loadFailure, run } = useAction();
  const leave = (uid: string): void => {
    replace(records.filter((other) => other.uid !== uid));
    onChanged();
  };
  const again = ({ uid }: WireRecord): void =>
    run(async () => {
      await retry(uid);
      leave(uid);
    });
  if (records.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="unreadable">
      <div class="upload-line">
        <h2 id="unreadable">Stored, but cannot be read</h2>
        <a href={HREF.library({ state: 'failed' })}>All failed files</a>
      </div>
      {failure !== undefined && <p class="bad">{failure}</p>}
      <ul class="upload-list" tabIndex={0}>
        {records.map((record) => (
          <li key={record.uid}>
            <span class="upload-path">
              <a href={HREF.file(record.uid)}>{record.path}</a>
            </span>
            <span class="bad">{sentence(record.error?.message ?? 'the reason is not known')}</span>
            <span class="upload-acts">
              {isWorthRetrying(record.error) && (
                <button type="button" aria-label={`Retry ${record.path}`} onClick={() => again(record)}>
                  Retry
                </button>
              )}
              {mayDelete.value && <DeleteButton record={record} onDeleted={() => leave(record.uid)} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
