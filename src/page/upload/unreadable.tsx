import { useEffect, useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { listRecords, retryRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { HREF } from '../app/route.js';
import { sentence } from '../common/figures.js';
import { countOf } from '../library/use-summary.js';
import { uploadedPaths } from './upload-run.js';

/** Most failed files that are searched for those of this upload. */
const LOOKED_THROUGH = 1_000;

/** Files of this upload that are stored but could not be read, with the reason. */
export function Unreadable({
  summary,
  onRetried,
}: {
  readonly summary: CompanySummary | undefined;
  readonly onRetried: () => void;
}) {
  const failed = summary === undefined ? 0 : countOf(summary, undefined, 'failed');
  const [records, setRecords] = useState<readonly WireRecord[]>([]);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    if (failed === 0) setRecords([]);
    else {
      listRecords(
        { state: 'failed', order: 'addedAt', direction: 'falling', limit: LOOKED_THROUGH },
        controller.signal,
      ).then(
        (found) => setRecords(found.filter(({ path }) => uploadedPaths.has(path))),
        (cause: unknown) => setFailure(messageOf(cause)),
      );
    }
    return () => controller.abort();
  }, [failed, summary]);
  const again = async ({ uid }: WireRecord): Promise<void> => {
    try {
      await retryRecord(uid);
      setRecords((before) => before.filter((other) => other.uid !== uid));
      onRetried();
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
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
            <button type="button" aria-label={`Retry ${record.path}`} onClick={() => void again(record)}>
              Retry
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
