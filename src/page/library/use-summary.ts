import { useCallback, useEffect, useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { readSummary } from '../api/endpoints.js';

/** Time between two requests while files are being read, and otherwise. */
const BUSY_MS = 2_000;
const IDLE_MS = 30_000;

/** The number of files by kind and state, polled while the screen is shown. refresh: asks at once. */
export function useSummary(): { readonly summary: CompanySummary | undefined; readonly refresh: () => void } {
  const [summary, setSummary] = useState<CompanySummary | undefined>(undefined);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      let waitMs = IDLE_MS;
      try {
        const next = await readSummary(controller.signal);
        // Unchanged counts keep the old object, so that nothing is rendered or fetched again.
        setSummary((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        if (queuedOf(next) + next.describedAgain > 0) waitMs = BUSY_MS;
      } catch {
        // The list reports the error; the next request may succeed.
      }
      if (!controller.signal.aborted) timer = setTimeout(() => void look(), waitMs);
    };
    void look();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [asked]);
  return { summary, refresh: useCallback(() => setAsked((times) => times + 1), []) };
}

/** Number of files that wait or are being read. */
export function queuedOf({ counts }: CompanySummary): number {
  return Object.values(counts).reduce((sum, { queued }) => sum + queued, 0);
}

/** Number of files of a kind in a state; undefined: all kinds, any state. */
export function countOf(
  { counts }: CompanySummary,
  kind: keyof CompanySummary['counts'] | undefined,
  state: 'queued' | 'indexed' | 'failed' | undefined,
): number {
  const ofKinds = kind === undefined ? Object.values(counts) : [counts[kind]];
  return ofKinds.reduce(
    (sum, states) => sum + (state === undefined ? states.queued + states.indexed + states.failed : states[state]),
    0,
  );
}
