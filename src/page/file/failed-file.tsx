import { useState } from 'preact/hooks';
import { retry, type WireRecord } from '../api/endpoints.js';
import { sentence } from '../common/figures.js';
import { isWorthRetrying } from '../common/failures.js';
import { Failure, Notice } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';

interface FailedFileProps {
  readonly record: WireRecord;
  /** Called when the file is queued again. */
  readonly onRetried: () => Promise<void>;
}

/** Advice for the user, by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  FORMAT_UNSUPPORTED: 'Save the file in another version or format and upload it again.',
  FILE_MALFORMED: 'The file may be damaged or incomplete: export it and upload it again.',
  NO_GEOMETRY: 'The file contains no geometry. Export it with its geometry, or put it into the library as text only.',
  REFERENCE_MISSING: 'Upload the files that it refers to, then try again.',
  LIMIT_EXCEEDED: 'The file exceeds a limit of this library. The operator of the server can raise the limit.',
  TIMEOUT: 'Reading took too long. Trying again may help when the machine is less busy.',
  PACKAGE_MISSING: 'The operator of the server can install the missing package; then try again.',
  WORKER_FAILED: 'Reading stopped unexpectedly. Trying again may help.',
};

/** Why a file failed, what can be done about it, and a button to read it again where that may help. */
export function FailedFile({ record: { uid, error }, onRetried }: FailedFileProps) {
  const [isTried, setTried] = useState(false);
  const { busy, failure, run } = useAction();
  const again = async (): Promise<void> => {
    await retry(uid);
    await onRetried();
    setTried(true);
  };
  return (
    <div class="failed panel">
      <h2>This file could not be read</h2>
      <p>{sentence(error?.message ?? 'the reason is not known')}</p>
      <p class="quiet">
        {ADVICE[error?.code ?? ''] ?? ''} <code>{error?.code}</code>
      </p>
      <Failure of={failure} />
      {isTried && <Notice kind="info">The file was read again and failed again.</Notice>}
      {isWorthRetrying(error) && (
        <button type="button" disabled={busy !== ''} onClick={() => run(again)}>
          Try again
        </button>
      )}
    </div>
  );
}
