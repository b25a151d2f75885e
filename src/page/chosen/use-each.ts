import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { count } from '../common/figures.js';
import type { ChosenFile } from '../common/chosen-files.js';

/** What is done with each of several files. */
export interface EachWork {
  /** Past participle for what is said: `saved`. */
  readonly does: string;
  readonly work: (file: ChosenFile) => Promise<unknown>;
}

export type RunEach = (files: readonly ChosenFile[], what: EachWork) => void;

/** Failures that are told; the rest are counted. */
const MOST_TOLD = 5;

/**
 * Does something with files one after the other; a failure of one leaves the others. onChanged: called once at the end.
 */
export function useEach(onChanged?: () => void) {
  const [said, setSaid] = useState('');
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);
  const run: RunEach = (files, { does, work }) => {
    isStopped.current = false;
    setBusy(true);
    setFailures([]);
    void (async () => {
      const failed: string[] = [];
      let done = 0;
      for (const file of files) {
        if (isStopped.current) break;
        setSaid(`${count(done)} of ${count(files.length)} ${does}…`);
        try {
          await work(file);
          done++;
        } catch (cause) {
          failed.push(`${file.name}: ${messageOf(cause) ?? 'stopped'}`);
        }
      }
      setSaid(`${count(done)} of ${count(files.length)} ${does}.`);
      setFailures(
        failed.length > MOST_TOLD
          ? [...failed.slice(0, MOST_TOLD), `${count(failed.length - MOST_TOLD)} more failed.`]
          : failed,
      );
      setBusy(false);
      onChanged?.();
    })();
  };
  const stop = (): void => {
    isStopped.current = true;
  };
  return { said, failures, isBusy, run, stop };
}
