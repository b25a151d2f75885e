import { useState } from 'preact/hooks';
import { retryAll } from '../api/records.js';
import { messageOf } from '../api/request.js';

/** A button to read all failed files again. */
export function FailedBar({ failed, onRetried }: { readonly failed: number; readonly onRetried: () => void }) {
  const [said, setSaid] = useState('');
  if (failed === 0 && said === '') return null;
  const again = async (): Promise<void> => {
    try {
      const queued = await retryAll();
      setSaid(`${queued} ${queued === 1 ? 'file is' : 'files are'} queued to be read again.`);
      onRetried();
    } catch (cause) {
      setSaid(messageOf(cause) ?? '');
    }
  };
  return (
    <div class="failed-bar">
      <p>
        These files could not be read; each row gives the reason. The files are stored, but searches do not find them.
      </p>
      <span role="status">{said}</span>
      {failed > 0 && (
        <button type="button" onClick={() => void again()}>
          Retry all
        </button>
      )}
    </div>
  );
}
