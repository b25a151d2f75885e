import { setMaxListeners } from 'node:events';
import { resolve } from 'node:path';
import { EngineError } from '../../errors.js';
import { ATTRIBUTE_FORMS } from '../../words/attribute-forms.js';
import { LONGEST_TIMEOUT_MS, checkInteger, withDefaults } from '../../options.js';
import { parseAttributes } from '../../attributes/attribute.js';
import { FolderFollower } from './folder-follower.js';
import { WATCH_DEFAULTS, type CheckedWatchOptions, type WatchEvent, type WatchFolderOptions } from './watch-options.js';
import type { WatchTarget } from './watched-records.js';

/** See `Company.watchFolder`. */
export async function* watchFolder(
  folder: string,
  options: WatchFolderOptions | undefined,
  target: WatchTarget,
): AsyncGenerator<WatchEvent, void, void> {
  const given = checkOptions(options);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // One for each file on its way.
  const onAbort = (): void => stop.abort(given.signal?.reason);
  if (given.signal?.aborted) onAbort();
  given.signal?.addEventListener('abort', onAbort, { once: true });
  const follower = new FolderFollower(resolve(folder), { ...given, signal: stop.signal }, target);
  try {
    yield* follower.events();
  } catch (cause) {
    // The end that was asked for.
    if (!stop.signal.aborted || !(cause instanceof EngineError) || cause.code !== 'ABORTED') throw cause;
  } finally {
    // Also when the caller leaves the loop: nothing goes on in the background.
    given.signal?.removeEventListener('abort', onAbort);
    stop.abort();
    await follower.end();
  }
}

function checkOptions(options: WatchFolderOptions | undefined): CheckedWatchOptions {
  const given = withDefaults('watchFolder options', options, WATCH_DEFAULTS);
  for (const name of ['pollMs', 'rescanMs', 'retryMs', 'retryMostMs'] as const)
    checkInteger(`watchFolder options.${name}`, given[name], 1, LONGEST_TIMEOUT_MS);
  checkInteger('watchFolder options.settleMs', given.settleMs, 0, LONGEST_TIMEOUT_MS);
  checkInteger('watchFolder options.inFlight', given.inFlight, 1);
  for (const name of ['delete', 'poll', 'followLinks'] as const) {
    if (typeof given[name] !== 'boolean')
      throw new TypeError(`watchFolder options.${name} must be true or false, received ${String(given[name])}`);
  }
  if (given.attributes !== undefined) parseAttributes(given.attributes, ATTRIBUTE_FORMS.key);
  return given;
}
