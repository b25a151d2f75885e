import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';
import { Settings } from './settings.js';

const COUNT = 'commits';
/** Names the opening that wrote last, so that a catalogue that was put back never comes to the state of another. */
const HISTORY = 'history';

/** Where the number of commits stands besides the catalogue: `disk/change-mark.ts`. */
export interface CommitMark {
  /** What it said at opening; undefined: nothing. */
  readonly found: number | undefined;
  /** Commits of the catalogue that an older one took the place of; undefined: none did. */
  readonly replaced: number | undefined;
  write(commits: number): void;
  replace(commits: number | undefined): void;
}

/** Counts the durable commits of a catalogue, in the catalogue and in the mark beside it. */
export class CommitCount {
  /** Whether the catalogue counted fewer commits than the mark when it was opened. */
  readonly isOlder: boolean;
  /**
   * Whether it is then the one that an older catalogue had taken the place of: it lacks only what was done meanwhile.
   */
  readonly isBack: boolean;
  readonly #database: Database;
  readonly #mark: CommitMark;
  readonly #history = randomUUID();
  #count: number;

  constructor(database: Database, mark: CommitMark) {
    this.#database = database;
    this.#mark = mark;
    const counted = Number(new Settings(database).get(COUNT) ?? 0);
    this.isOlder = mark.found !== undefined && mark.found > counted;
    this.isBack = this.isOlder && mark.replaced !== undefined && counted >= mark.replaced;
    // Higher than both, so that the next opening sees two equal numbers again.
    this.#count = Math.max(counted, mark.found ?? 0);
  }

  /** See `OpenCatalog.state`: any durable write makes another one, also of an engine of before. */
  get state(): string {
    const version = this.#database.pragma('user_version', { simple: true });
    const settings = new Settings(this.#database);
    return `catalogue ${version}, commit ${settings.get(COUNT) ?? 0} of ${settings.get(HISTORY) ?? 'none'}`;
  }

  /** Notes for later openings which catalogue is in its place. Call it once, before the first commit. */
  settle(): void {
    if (this.isBack) this.#mark.replace(undefined);
    else if (this.isOlder) this.#mark.replace(this.#mark.found);
  }

  /** Counts a commit in its transaction, before it ends. Returns its number. */
  count(): number {
    const number = this.#count + 1;
    const write = prepared<[string, string], unknown>(
      this.#database,
      'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    write.run(COUNT, String(number));
    write.run(HISTORY, this.#history);
    return number;
  }

  /** Call it after the commit with this number. */
  committed(number: number): void {
    this.#count = number;
  }

  /** Call it when the commit with this number, and so all before it, is on disk. */
  synced(number: number): void {
    this.#mark.write(number);
  }
}
