import { rm } from 'node:fs/promises';
import { EngineError } from '../errors.js';
import type { Files } from './catalog/files.js';
import { isOutcomeUnknown } from './database/write-batch.js';
import type { Writes } from './database/writes.js';
import { KeyedLock } from './database/keyed-lock.js';
import { storageError } from './database/storage-errors.js';
import { syncFolder, type BlobStore, type BlobDraft } from './disk/blobs.js';
import type { LostAndFound } from './disk/lost-and-found.js';
import type { Pictures } from './disk/pictures.js';
import type { Unowned } from './shared/unowned.js';

/** What {@link OwnedBlobs} works with. */
interface OwnedBlobsParts {
  readonly blobs: BlobStore;
  readonly pictures: Pictures;
  readonly files: Files;
  readonly writes: Writes;
  readonly lost: LostAndFound;
  /** Of a library that processes share: notes bytes that may have no owner, which are removed after a grace time. */
  readonly unowned?: Pick<Unowned, 'note' | 'noteOnce' | 'end'> | undefined;
  /** Whether the catalogue is known to be older than the blobs: a newer one may name what this one removes. */
  readonly isOlder?: () => boolean;
}

/** What a sweep found. */
interface Swept {
  /** Blobs without owner. */
  readonly unowned: number;
  /** Those of them that were moved to `lost+found`. */
  readonly moved: number;
}

/** The lock of all that reads and writes the list of `lost+found`. */
const LIST = 'lost+found';

/**
 * Blobs and the rows that refer to them: a row never names bytes that are not on disk. The bytes of a file that was
 * deleted are removed, but for those of an older catalogue; other bytes that no row names are moved to `lost+found`,
 * because a newer catalogue may name them. One writer at a time per blob, so that none is removed while it is put.
 */
export class OwnedBlobs {
  readonly #parts: OwnedBlobsParts;
  readonly #turns = new KeyedLock();
  /** False: blobs without owner may be on disk, so the next opening looks for them. */
  #isTidy = true;

  constructor(parts: OwnedBlobsParts) {
    this.#parts = parts;
  }

  /**
   * Keeps bytes that were written, then runs `enter` in a transaction, which gives them an owner.
   * @throws EngineError `ABORTED`.
   */
  async keep<T>(draft: BlobDraft, enter: (draft: BlobDraft) => T, signal?: AbortSignal): Promise<T> {
    const { hash } = draft;
    const { blobs, lost, writes, unowned } = this.#parts;
    return this.#turns.run(`blob ${hash}`, async () => {
      if (signal?.aborted) {
        await blobs.drop(draft);
        throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
      }
      // Bytes that were there before are not this put's to remove: a newer catalogue may name them.
      const wasThere = unowned === undefined && (await blobs.isThere(hash));
      let entered: T;
      try {
        await unowned?.note(hash);
        await blobs.keep(draft);
        entered = await writes.run(() => enter(draft));
      } catch (cause) {
        if (unowned !== undefined) await blobs.drop(draft);
        else if (!wasThere && (!isOutcomeUnknown(cause) || (await this.#isDecided())))
          await this.#removeIfUnowned(hash);
        else this.#isTidy = false;
        throw cause;
      }
      // They have an owner now, so those in `lost+found` are spare; the next sweep tries again.
      if (lost.has(hash)) await lost.remove(hash).catch(() => undefined);
      return entered;
    });
  }

  /** {@link keep} for bytes that belong to no file. */
  async put<T>(bytes: Uint8Array, enter: (blob: { hash: string; byteLength: number }) => T): Promise<T> {
    return this.keep(await this.#parts.blobs.draft(bytes), enter);
  }

  /** Removes the given blobs that have no owner any more. */
  async removeUnowned(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) await this.#turns.run(`blob ${hash}`, () => this.#removeIfUnowned(hash));
  }

  /**
   * Counts blobs without owner; with `move` they are moved to `lost+found`, listed with the reason `why`. Those of a
   * library that processes share may just have been put by another: their grace time begins.
   */
  async sweep({ move, why }: { move: boolean; why: string }): Promise<Swept> {
    const { blobs, pictures, files, lost, unowned: grace } = this.#parts;
    return this.#turns.run(LIST, async () => {
      if (move) await pictures.sweep((hash) => files.refers(hash)).catch((cause: unknown) => this.#leave(cause));
      const unnamed = (await blobs.list()).hashes.filter((hash) => !files.refers(hash));
      const named = files.named(unnamed);
      const candidates = unnamed.filter((hash) => !named.has(hash));
      if (grace !== undefined) {
        if (move) for (const hash of candidates) await grace.noteOnce(hash);
        return { unowned: 0, moved: 0 };
      }
      if (move && candidates.length > 0)
        await lost.list(candidates, (hash) => blobs.fileOf(hash), { now: Date.now(), why });
      let unowned = 0;
      let moved = 0;
      for (const hash of candidates) {
        // A put may have stored its blob but not its row yet; under the blob's lock it has both or neither.
        await this.#turns.run(`blob ${hash}`, async () => {
          if (files.refers(hash)) return;
          unowned++;
          if (move && (await this.#moveAway(hash))) moved++;
        });
      }
      // The list first: a blob that came back by a power cut is still listed, and is moved again.
      if (move && candidates.length > 0) await lost.settle();
      return { unowned, moved };
    });
  }

  /** Brings back from `lost+found` what a row names. Returns how many byte strings. */
  async takeBack(): Promise<number> {
    const { files, lost } = this.#parts;
    return this.#turns.run(LIST, async () => {
      const hashes = lost.entries().map(({ hash }) => hash);
      const named = [...files.named(hashes)].filter((hash) => lost.has(hash));
      let count = 0;
      for (const hash of named) if (await this.#turns.run(`blob ${hash}`, () => this.#takeBack(hash))) count++;
      if (named.length > 0) await lost.settle();
      return count;
    });
  }

  /**
   * Removes from `lost+found` for good, unless a row names it: all, or what has been there for `days`.
   * @throws EngineError `STORAGE_FAILED` while the disk refuses what the catalogue says.
   */
  async removeLost({ days, now }: { days?: number; now: number }): Promise<number> {
    const { files, lost, writes } = this.#parts;
    return this.#turns.run(LIST, async () => {
      const hashes = days === undefined ? lost.entries().map(({ hash }) => hash) : lost.olderThan(days, now);
      const named = files.named(hashes);
      const unnamed = hashes.filter((hash) => !named.has(hash));
      // Of a row whose removal is not on disk, a power cut would bring back the row alone.
      if (unnamed.length > 0 && !(await writes.settled()))
        throw new EngineError(
          'STORAGE_FAILED',
          'nothing was removed from lost+found: the disk refused what was written to the catalogue before',
        );
      let count = 0;
      for (const hash of unnamed) {
        await this.#turns.run(`blob ${hash}`, async () => {
          if (!lost.has(hash) || files.refers(hash)) return;
          await lost.remove(hash);
          count++;
        });
      }
      if (count > 0) await lost.settle();
      return count;
    });
  }

  /**
   * At opening: brings back what a row names, removes what has been in `lost+found` for `days`, and unless the library
   * was left tidy moves there what no row names. What the disk refuses is left to the next opening.
   */
  async recover({ isTidy, days, why }: { isTidy: boolean; days: number; why: string }): Promise<void> {
    const { blobs, lost } = this.#parts;
    const now = Date.now();
    try {
      await lost.load(now);
      if (lost.size > 0) {
        await this.takeBack();
        await this.removeLost({ days, now });
      }
      if (isTidy) return;
      await blobs.removeDrafts();
      await this.sweep({ move: true, why });
    } catch (cause) {
      this.#leave(cause);
    }
  }

  /** The disk refused a commit that is visible: what it replaced may keep its bytes, and a power cut may undo it. */
  leave(): void {
    this.#isTidy = false;
  }

  /** The library is about to close: no put waits any more for a shared database that is away. */
  endWaits(): void {
    this.#parts.unowned?.end();
  }

  /** Call it last. Returns whether no bytes without owner are left, also after a power cut. */
  tidyUp(): boolean {
    const { blobs } = this.#parts;
    try {
      blobs.syncRemovals();
    } catch (cause) {
      this.#leave(cause);
    }
    return this.#isTidy && blobs.isTidy;
  }

  /**
   * Bytes that are in `lost+found` already are replaced only by sound ones, or when they are damaged. The damaged ones
   * of a blob that is sound there are removed; what the system does not read now is left in its place: it may be sound.
   */
  async #moveAway(hash: string): Promise<boolean> {
    const { blobs, pictures, lost } = this.#parts;
    try {
      await pictures.remove(hash);
      const file = blobs.fileOf(hash);
      const spare = lost.has(hash) ? await blobs.check(hash, undefined, lost.fileOf(hash)) : 'missing';
      const fault = spare === 'missing' ? undefined : await blobs.check(hash);
      if (fault === undefined || (spare === 'changed' && fault !== 'missing')) await lost.move(hash, file);
      else if (spare === undefined && fault === 'changed') await rm(file, { recursive: true, force: true });
      else {
        this.#isTidy = false;
        return false;
      }
      return true;
    } catch (cause) {
      this.#leave(cause);
      return false;
    }
  }

  /** Bytes that are damaged here and sound in `blobs/` are removed here; damaged in both places, they stay here. */
  async #takeBack(hash: string): Promise<boolean> {
    const { blobs, lost } = this.#parts;
    try {
      if ((await blobs.check(hash)) === undefined) await lost.remove(hash);
      else if ((await blobs.check(hash, undefined, lost.fileOf(hash))) === undefined) {
        const folder = await blobs.folderOf(hash);
        await lost.moveBack(hash, blobs.fileOf(hash));
        await syncFolder(folder);
        return true;
      }
    } catch (cause) {
      this.#leave(cause);
    }
    return false;
  }

  /** Call under the blob's lock. A blob that the system refuses to remove is left to the next sweep. */
  async #removeIfUnowned(hash: string): Promise<void> {
    const { blobs, pictures, files, unowned, writes, isOlder } = this.#parts;
    try {
      if (files.refers(hash)) return;
      // Of a removal that is not on disk, a power cut would bring back the row alone.
      const isOnDisk = await writes.settled();
      if (files.refers(hash)) return;
      if (!isOnDisk || isOlder?.() === true) {
        this.#isTidy = false; // The next opening moves it to `lost+found`.
        return;
      }
      await pictures.remove(hash);
      // Of a library that processes share the removal of the row noted it.
      if (unowned === undefined) await blobs.remove(hash);
    } catch (cause) {
      this.#leave(cause);
    }
  }

  /**
   * Whether it is known by now what became of a commit of unknown outcome, because a later one is on disk. It lies
   * behind it in the log where the tables show it, and has overwritten its bytes there where they do not.
   */
  async #isDecided(): Promise<boolean> {
    try {
      await this.#parts.writes.run(() => undefined);
      return true;
    } catch (cause) {
      this.#leave(cause);
      return false;
    }
  }

  /** Disk or catalogue refused: blobs without owner may be left. */
  #leave(cause: unknown): void {
    this.#isTidy = false;
    storageError('tidy up the stored bytes', cause); // Throws what is no error of disk or database.
  }
}
