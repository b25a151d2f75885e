import { useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { retry } from '../api/endpoints.js';
import { listFailures } from '../api/library-endpoints.js';
import { FAILURE_NAMES, isWorthRetrying } from '../common/failures.js';
import { count } from '../common/figures.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { countOf } from './use-summary.js';

interface FailedBarProps {
  readonly summary: CompanySummary;
  /** Code of the reason whose files are shown; '': all. */
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly onRetried: () => void;
}

/** What could not be read by reason, and a button to read all failed files again. */
export function FailedBar({ summary, reason, onReason, onRetried }: FailedBarProps) {
  const failed = countOf(summary, undefined, 'failed');
  const [queued, setQueued] = useState(0);
  const { failure, run } = useAction();
  const { value: reasons = [] } = useLoaded(listFailures, [failed]);
  const said =
    failure ?? (queued > 0 ? `${queued} ${queued === 1 ? 'file is' : 'files are'} queued to be read again.` : '');
  if (failed === 0 && said === '') return null;
  const again = async (): Promise<void> => {
    setQueued(await retry());
    onRetried();
  };
  return (
    <div class="failed-bar">
      <p>
        These files could not be read; each row gives the reason. The files are stored, but searches do not find them.
      </p>
      <span role="status">{said}</span>
      {failed > 0 && reasons.some(isWorthRetrying) && (
        <button type="button" onClick={() => run(again)}>
          Retry all
        </button>
      )}
      {reasons.length > 0 && (
        <div role="group" aria-label="Reason" class="toggles failed-reasons">
          {[undefined, ...reasons].map((one) => (
            <button
              key={one?.code ?? ''}
              type="button"
              aria-pressed={reason === (one?.code ?? '')}
              title={one?.code}
              onClick={() => onReason(one?.code ?? '')}
            >
              {one === undefined ? 'All reasons' : (FAILURE_NAMES[one.code] ?? one.code)}
              <span class="quiet number"> {count(one?.files ?? failed)}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
