import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../errors.js';
import { storageError } from '../database/storage-errors.js';
import type { CommitMark } from '../database/commit-count.js';

/**
 * `shapedex commits 000000000000042`: one line of a fixed length, so that it is overwritten in place; a second one,
 * `instead of 000000000000040`, where an older catalogue took the place of one with so many commits.
 */
const LINE = /^shapedex commits (\d{15})\n/;
const REPLACED = /^instead of (\d{15})\n/m;
const DIGITS = 15;
const LONGEST = 64;

/**
 * `catalog.mark` beside the catalogue: the number of the last durable commit, which the catalogue itself holds as well.
 * It is written after each commit without waiting for the disk (3 µs), so it may lag behind the catalogue and is never
 * ahead of it. A catalogue that counts fewer commits than its mark is therefore an older one: a copy that was put back,
 * or one whose write-ahead log was lost. A mark that is missing or cannot be read says nothing.
 */
export class ChangeMark implements CommitMark {
  /** What the mark said when it was opened; undefined: nothing. */
  readonly found: number | undefined;
  /** Commits of the catalogue that an older one took the place of; undefined: none did. */
  readonly replaced: number | undefined;
  readonly #file: number;

  /**
   * Opens the mark of a library, and makes it where it is missing.
   * @throws EngineError `LIBRARY_DAMAGED` for what is no file, which a mark of nothing would hide; `STORAGE_FAILED`.
   */
  constructor(folder: string) {
    this.#file = openMark(join(folder, 'catalog.mark'));
    const bytes = Buffer.alloc(LONGEST);
    let length: number;
    try {
      length = readSync(this.#file, bytes, 0, LONGEST, 0);
    } catch (cause) {
      closeSync(this.#file);
      throw cause;
    }
    const text = bytes.toString('latin1', 0, length);
    this.found = numberIn(LINE.exec(text));
    this.replaced = this.found === undefined ? undefined : numberIn(REPLACED.exec(text));
  }

  /** Says that the catalogue holds this many durable commits. A mark that the disk refuses lags behind. */
  write(commits: number): void {
    try {
      writeSync(this.#file, lineOf(commits), 0, 'latin1');
    } catch {
      // The next commit writes it again.
    }
  }

  /** Notes that the catalogue took the place of one with this many commits; undefined: it is the newest again. */
  replace(commits: number | undefined): void {
    try {
      const end = lineOf(0).length;
      if (commits === undefined) ftruncateSync(this.#file, end);
      else writeSync(this.#file, `instead of ${padded(commits)}\n`, end, 'latin1');
    } catch {
      // Then the newer catalogue, put back, is told as an older one.
    }
  }

  /** Waits until the mark is on disk, and closes it. */
  close(): void {
    try {
      fsyncSync(this.#file);
    } catch {
      // It lags behind then.
    } finally {
      closeSync(this.#file);
    }
  }
}

function openMark(file: string): number {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== false)
      return openSync(file, constants.O_RDWR | constants.O_CREAT, 0o666);
  } catch (cause) {
    throw storageError(`open ${file}`, cause);
  }
  throw new EngineError(
    'LIBRARY_DAMAGED',
    `${file} is no file; remove it: the next opening makes it, and then cannot tell whether the catalogue is an older one`,
    { details: { file } },
  );
}

function lineOf(commits: number): string {
  return `shapedex commits ${padded(commits)}\n`;
}

function padded(commits: number): string {
  return String(commits).padStart(DIGITS, '0');
}

function numberIn(found: RegExpExecArray | null): number | undefined {
  return found === null ? undefined : Number(found[1]);
}
