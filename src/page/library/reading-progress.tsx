import { useEffect, useRef, useState } from 'preact/hooks';
import type { CompanySummary } from '../../index.js';
import { count, durationText, figure } from '../common/figures.js';
import { countOf, queuedOf } from './use-summary.js';

/** The rate is that of the last half minute. */
const WINDOW_MS = 30_000;

interface Sample {
  readonly atMs: number;
  /** Files that were read, or could not be. */
  readonly read: number;
}

/** How many files wait to be read, how fast they are read and how long the rest will take; nothing while none waits. */
export function ReadingProgress({ summary }: { readonly summary: CompanySummary | undefined }) {
  const samples = useRef<readonly Sample[]>([]);
  const [perSecond, setRate] = useState(0);
  const waiting = summary === undefined ? 0 : queuedOf(summary);
  const read =
    summary === undefined ? 0 : countOf(summary, undefined, 'indexed') + countOf(summary, undefined, 'failed');
  const begun = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (waiting === 0) {
      samples.current = [];
      begun.current = undefined;
      setRate(0);
      return;
    }
    begun.current ??= read;
    const now = performance.now();
    const kept = [...samples.current, { atMs: now, read }].filter(({ atMs }) => now - atMs <= WINDOW_MS);
    samples.current = kept;
    const [first] = kept;
    setRate(now > first.atMs ? Math.max(0, (1_000 * (read - first.read)) / (now - first.atMs)) : 0);
  }, [waiting, read]);
  if (waiting === 0) return <DescribedAgain files={summary?.describedAgain ?? 0} />;
  const done = read - (begun.current ?? read);
  return (
    <div class="reading" role="group" aria-label="Reading">
      <p role="status">
        {count(waiting)} {waiting === 1 ? 'file waits or is' : 'files wait or are'} being read
        {perSecond > 0 && `, ${figure(perSecond, 2)} a second; about ${durationText(waiting / perSecond)} are left`}.
      </p>
      <progress aria-label="Files that were read" max={done + waiting} value={done} />
    </div>
  );
}

/** Says that files which are found already are described again, as after an update of the program. */
function DescribedAgain({ files }: { readonly files: number }) {
  if (files === 0) return null;
  return (
    <div class="reading" role="group" aria-label="Describing again">
      <p role="status">
        {count(files)} {files === 1 ? 'file is' : 'files are'} being described again, as after an update; searches find{' '}
        {files === 1 ? 'it' : 'them'} as before.
      </p>
    </div>
  );
}
