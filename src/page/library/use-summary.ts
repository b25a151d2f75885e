import { useCallback, useEffect, useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { readSummary } from '../api/records.js';

/** While files are read the counts change; else they are looked at seldom. */
const BUSY_MS = 2_000;
const IDLE_MS = 30_000;

/** How many files there are, kept up to date while the screen is shown; and how to look at once. */
export function useSummary(): { readonly summary: CompanySummary | undefined; readonly refresh: () => void } {
  const [summary, setSummary] = useState<CompanySummary | undefined>(undefined);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      let waitMs = IDLE_MS;
      try {
        const next = await readSummary(leaving.signal);
        // The same counts are the same object, so that nothing is drawn or fetched anew for them.
        setSummary((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        if (queuedOf(next) > 0) waitMs = BUSY_MS;
      } catch {
        // What is wrong the list says; the counts are asked for again.
      }
      if (!leaving.signal.aborted) timer = setTimeout(() => void look(), waitMs);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [asked]);
  return { summary, refresh: useCallback(() => setAsked((times) => times + 1), []) };
}

/** Files that wait or are being read. */
export function queuedOf({ counts }: CompanySummary): number {
  return Object.values(counts).reduce((sum, { queued }) => sum + queued, 0);
}

/** Files of a kind (of all, without one) in a state (in any, without one). */
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
