import { mkdir, open, readdir, rename, rm, rmdir, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, LOST } from './blob-file.js';
import { syncFolder } from './blobs.js';
import { codeOf } from '../database/storage-errors.js';

/** One line of the list of `lost+found`: JSON. */
export interface LostEntry {
  /** When it was moved, ISO 8601. */
  readonly at: string;
  readonly what: 'blob';
  /** SHA-256 of its bytes, hex: its name in `blobs/` and in `lost+found`. */
  readonly hash: string;
  readonly byteLength: number;
  readonly why: string;
}

/** The list in `lost+found`. */
export const LOST_LIST = 'list.jsonl';
const DAY_MS = 86_400_000;
/** Codes of the system for a folder that a rename cannot replace, or that cannot replace a file. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM']);
const NAME = /^[0-9a-f]{64}$/;

/**
 * `lost+found` in the library: bytes that no row of the catalogue names. A newer catalogue, or one of a copy, may name
 * them, so they are moved and not deleted. `list.jsonl` says of each what it is, since when it is here and why; it is
 * replaced whole. Bytes are listed before they are moved, and the list forgets them after they left: a crash between
 * any two steps leaves them in one of the two places and listed, or in `blobs/` as before.
 *
 * Moving is a rename within the library. Call the methods that move a blob under a lock of its hash.
 */
export class LostAndFound {
  readonly folder: string;
  readonly #entries = new Map<string, LostEntry>();
  /** What is on disk, by hash. */
  readonly #here = new Set<string>();

  constructor(library: string) {
    this.folder = join(library, LOST);
  }

  /** Reads what is there; what the list lacks is listed as found now. */
  async load(now: number): Promise<void> {
    this.#entries.clear();
    this.#here.clear();
    for (const hash of await this.names()) this.#here.add(hash);
    if (this.#here.size === 0) return;
    for (const entry of await this.#readList()) if (this.#here.has(entry.hash)) this.#entries.set(entry.hash, entry);
    const unlisted = [...this.#here].filter((hash) => !this.#entries.has(hash));
    for (const hash of unlisted) await this.#enter(hash, join(this.folder, hash), { now, why: 'it was not listed' });
    if (unlisted.length > 0) await this.#writeList();
  }

  /** Hashes of what is on disk now. */
  async names(): Promise<string[]> {
    return (await namesIn(this.folder)).filter((name) => NAME.test(name));
  }

  /** How many byte strings are here. */
  get size(): number {
    return this.#here.size;
  }

  /** What is here, oldest first. */
  entries(): LostEntry[] {
    return [...this.#entries.values()]
      .filter(({ hash }) => this.#here.has(hash))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  }

  has(hash: string): boolean {
    return this.#here.has(hash);
  }

  /** The file of a hash that is here. */
  fileOf(hash: string): string {
    return join(this.folder, hash);
  }

  /** Lists blobs durably, before they are moved. `from`: the file of a hash. */
  async list(hashes: readonly string[], from: (hash: string) => string, { now, why }: ListedAs): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const hash of hashes) await this.#enter(hash, from(hash), { now, why });
    await this.#writeList();
  }

  /** Moves a listed blob here, in place of what is here under its hash. {@link settle} makes it durable. */
  async move(hash: string, from: string): Promise<void> {
    try {
      await rename(from, this.fileOf(hash));
    } catch (cause) {
      // A folder in place of a blob cannot replace what is here already, nor be replaced.
      if (!this.#here.has(hash) || !IN_THE_WAY.has(codeOf(cause))) throw cause;
      await rm(this.fileOf(hash), { recursive: true, force: true });
      await rename(from, this.fileOf(hash));
    }
    this.#here.add(hash);
  }

  /** Moves what is here back to the place of a blob. The caller syncs that folder, then calls {@link settle}. */
  async moveBack(hash: string, to: string): Promise<void> {
    await rename(this.fileOf(hash), to);
    this.#here.delete(hash);
  }

  /** Removes for good what is here; {@link settle} removes it from the list. */
  async remove(hash: string): Promise<void> {
    await rm(this.fileOf(hash), { recursive: true, force: true });
    this.#here.delete(hash);
  }

  /** Makes moves and removals durable, and the list true. An empty folder is removed. */
  async settle(): Promise<void> {
    for (const hash of this.#entries.keys()) if (!this.#here.has(hash)) this.#entries.delete(hash);
    if (this.#here.size > 0) {
      await syncFolder(this.folder);
      await this.#writeList();
      return;
    }
    if ((await namesIn(this.folder)).length === 0) return;
    await rm(join(this.folder, LOST_LIST), { force: true });
    await rmdir(this.folder).catch(() => undefined); // Somebody else put something there: it stays.
  }

  /** What has been here for this many days. */
  olderThan(days: number, now: number): string[] {
    return this.entries()
      .filter(({ at }) => Date.parse(at) <= now - days * DAY_MS)
      .map(({ hash }) => hash);
  }

  async #enter(hash: string, file: string, { now, why }: ListedAs): Promise<void> {
    let byteLength = 0;
    try {
      byteLength = (await lstat(file)).size;
    } catch (cause) {
      if (codeOf(cause) === '') throw cause;
    }
    this.#entries.set(hash, { at: new Date(now).toISOString(), what: 'blob', hash, byteLength, why });
  }

  /** Lines that cannot be read are passed over: what they named is listed again. */
  async #readList(): Promise<LostEntry[]> {
    let text: string;
    try {
      text = (await bytesOf(join(this.folder, LOST_LIST))).toString();
    } catch (cause) {
      if (codeOf(cause) === '') throw cause;
      return [];
    }
    return text.split('\n').flatMap((line) => entryOf(line) ?? []);
  }

  async #writeList(): Promise<void> {
    const draft = join(this.folder, `${LOST_LIST}.draft`);
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile([...this.#entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, join(this.folder, LOST_LIST));
    await syncFolder(this.folder);
  }
}

interface ListedAs {
  /** ms since 1970. */
  readonly now: number;
  readonly why: string;
}

function entryOf(line: string): LostEntry | undefined {
  try {
    const entry = JSON.parse(line) as LostEntry;
    return NAME.test(entry.hash) && !Number.isNaN(Date.parse(entry.at)) ? entry : undefined;
  } catch {
    return undefined; // Empty or torn.
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    // Not there; or the file system's own folder of this name, which only its administrator may read.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(codeOf(cause))) return [];
    throw cause;
  }
}
