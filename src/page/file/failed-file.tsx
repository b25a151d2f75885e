import { useState } from 'preact/hooks';
import { retryRecord } from '../api/records.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { sentence } from '../common/figures.js';
import { Notice } from '../common/notice.js';

interface FailedFileProps {
  readonly record: WireRecord;
  /** Told when the file waits again. */
  readonly onRetried: () => Promise<void>;
}

/** What can be done about a failure, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  FORMAT_UNSUPPORTED: 'Save the file in another version or format and upload it again.',
  FILE_MALFORMED: 'The file may be damaged or incomplete: export it again and upload it anew.',
  NO_GEOMETRY:
    'The file holds nothing with a shape. Export it with its geometry, or put it into the library as text only.',
  REFERENCE_MISSING: 'Upload the files that it refers to, then try again.',
  LIMIT_EXCEEDED: 'The file is larger than this library allows. Whoever runs it can raise the limit.',
  TIMEOUT: 'Reading took too long. Trying again may help when the machine is less busy.',
  PACKAGE_MISSING: 'Whoever runs this library can install the missing package; then try again.',
  WORKER_FAILED: 'Reading ended unexpectedly. Trying again may help.',
};

/** Why a file failed, and another try. */
export function FailedFile({ record: { uid, error }, onRetried }: FailedFileProps) {
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await retryRecord(uid);
      await onRetried();
      setTried(true);
    } catch (cause) {
      setFailure(messageOf(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="failed panel">
      <h2>This file could not be read</h2>
      <p>{sentence(error?.message ?? 'the reason is not known')}</p>
      <p class="quiet">
        {ADVICE[error?.code ?? ''] ?? ''} <code>{error?.code}</code>
      </p>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {isTried && <Notice kind="info">It was tried again and could not be read.</Notice>}
      <button type="button" disabled={isBusy} onClick={() => void retry()}>
        Try again
      </button>
    </div>
  );
}
