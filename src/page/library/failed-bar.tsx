import { useState } from 'preact/hooks';
import { retryAll } from '../api/records.js';
import { messageOf } from '../api/request.js';

/** Offers to read all failed files once more. */
export function FailedBar({ failed, onRetried }: { readonly failed: number; readonly onRetried: () => void }) {
  const [said, setSaid] = useState('');
  if (failed === 0 && said === '') return null;
  const again = async (): Promise<void> => {
    try {
      const queued = await retryAll();
      setSaid(`${queued} ${queued === 1 ? 'file is' : 'files are'} read once more.`);
      onRetried();
    } catch (cause) {
      setSaid(messageOf(cause) ?? '');
    }
  };
  return (
    <div class="failed-bar">
      <p>These files could not be read; each says why. They are kept, and are not found by searches.</p>
      <span role="status">{said}</span>
      {failed > 0 && (
        <button type="button" onClick={() => void again()}>
          Retry all
        </button>
      )}
    </div>
  );
}
