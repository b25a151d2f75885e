import type { CommitCount } from './database/commit-count.js';
import type { Settings } from './database/settings.js';
import type { LostAndFound } from './disk/lost-and-found.js';
import { isOfOlder, olderWarning, type LibraryWarning } from './library-warning.js';

/** Since when the catalogue is known to be older than its blobs, ISO 8601. */
const SINCE = 'older';
/** Present: bytes went to `lost+found` for it. */
const LOST = 'older lost';
const DAY_MS = 86_400_000;

interface OlderCatalogueParts {
  readonly settings: Settings;
  readonly lost: LostAndFound;
  readonly commits: CommitCount;
}

/**
 * Whether it must be told that the catalogue is older than its blobs. It is, from the opening that found it on, for as
 * long as something of what it did not name is in `lost+found`: until that was put again, taken back or removed. Where
 * nothing went there (renamed files, attributes), until `verify({ purge: true })` or for `lostFoundDays`. The newer
 * catalogue, put back in its turn, lacks what was done meanwhile: it is told of where bytes went to `lost+found` for
 * it.
 *
 * Call what writes within a transaction.
 */
export class OlderCatalogue {
  readonly #parts: OlderCatalogueParts;

  constructor(parts: OlderCatalogueParts) {
    this.#parts = parts;
  }

  /** The warning, or nothing. */
  get warnings(): readonly LibraryWarning[] {
    const { settings, lost } = this.#parts;
    const since = settings.get(SINCE);
    if (since === undefined || (settings.get(LOST) !== undefined && !this.#isSomeLost())) return [];
    return [olderWarning(since, lost.size)];
  }

  /** Whether something is noted, which may have to be told no more. */
  get isNoted(): boolean {
    return this.#parts.settings.get(SINCE) !== undefined;
  }

  /** Notes what the number of commits says at opening; forgets what was found `days` ago. */
  opened(days: number): void {
    const { settings, commits } = this.#parts;
    const since = settings.get(SINCE);
    if (commits.isOlder) settings.set(SINCE, new Date().toISOString());
    else if (since !== undefined && Date.parse(since) <= Date.now() - days * DAY_MS) this.forget();
  }

  /** Notes what is in `lost+found` once the opening has moved there what the catalogue does not name. */
  recovered(): void {
    const { settings, commits } = this.#parts;
    if (this.#isSomeLost()) settings.set(LOST, 'yes');
    else if (commits.isBack || settings.get(LOST) !== undefined) this.forget();
  }

  forget(): void {
    for (const name of [SINCE, LOST]) this.#parts.settings.remove(name);
  }

  #isSomeLost(): boolean {
    return this.#parts.lost.entries().some(isOfOlder);
  }
}
