import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';

/** What was loaded, and why loading failed: at first neither, later one of them or, after another attempt, both. */
export interface Loaded<T> {
  readonly value?: T;
  readonly failure?: string;
}

interface LoadOptions<T> {
  /** Pause after a change of the keys before it is loaded again, ms. Default 0. */
  readonly patienceMs?: number;
  /** Frees a value that is not shown any more. It is hidden as soon as the keys change. */
  readonly release?: (value: T) => void;
  /** Precedes the reason of a failure. */
  readonly failing?: string;
}

/**
 * Loads something when the component is mounted and whenever a key changes; aborts when it is unmounted or a key
 * changes first. load: returns undefined where there is nothing to load.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T> | undefined,
  keys: readonly unknown[],
  { patienceMs = 0, release, failing }: LoadOptions<T> = {},
): Loaded<T> & {
  /** Loads again; resolves when that has ended. */
  readonly reload: () => Promise<void>;
  /** Replaces the value after a change by the user. */
  readonly replace: (value: T) => void;
} {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  const isFirst = useRef(true);
  const start = async (signal: AbortSignal): Promise<T | undefined> => {
    try {
      const value = await load(signal);
      if (value === undefined) return undefined;
      if (!signal.aborted) setLoaded({ value });
      else release?.(value);
      return value;
    } catch (cause) {
      const reason = messageOf(cause);
      if (!signal.aborted && reason !== undefined)
        setLoaded((before) => ({ ...before, failure: failing === undefined ? reason : `${failing}: ${reason}` }));
      return undefined;
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    if (release !== undefined) setLoaded({});
    let shown: T | undefined;
    const begin = (): void => void start(controller.signal).then((value) => (shown = value));
    const timer = isFirst.current || patienceMs === 0 ? void begin() : setTimeout(begin, patienceMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
      if (shown !== undefined) release?.(shown);
    };
  }, keys);
  const reload = async (): Promise<void> => void (await start(new AbortController().signal));
  return { ...loaded, reload, replace: (value) => setLoaded({ value }) };
}

/** Runs what the user asks for: whether it is running (`busy`, with a text of what), and why the last one failed. */
export function useAction() {
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const run = async (work: () => Promise<unknown>, what = 'busy'): Promise<void> => {
    setBusy(what);
    setFailure(undefined);
    try {
      await work();
    } catch (cause) {
      setFailure(messageOf(cause));
    } finally {
      setBusy('');
    }
  };
  return { busy, failure, run: (work: () => Promise<unknown>, what?: string): void => void run(work, what) };
}
