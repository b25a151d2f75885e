import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../errors.js';
import { Slots } from './slots.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** Source of a file's bytes: memory, a stream (also a web stream), or the path or `file:` URL of a file on disk. */
export type ByteSource = Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | string | URL;

/** Whether the source is a stream. */
export function isStream(source: unknown): source is AsyncIterable<Uint8Array> {
  return typeof source === 'object' && source !== null && Symbol.asyncIterator in source;
}

/** Bytes in a temporary file on disk that is not renamed to their hash yet. */
export interface BlobDraft {
  readonly temporary: string;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
  /**
   * Modification time of the source file, ms since 1970; absent for bytes in memory, and when the file changed while it
   * was read.
   */
  readonly sourceMtimeMs?: number;
}

/** Wraps an error that a stream threw, to tell it from errors of the disk. */
class StreamFailure {
  constructor(readonly reason: unknown) {}
}

/** Drafts written at a time: each keeps files open, and a process may open few. */
const DRAFTS_LIMIT = 32;

/** Bytes read, hashed and written at a time. */
const CHUNK_BYTES = 1 << 20;

/**
 * Immutable byte strings under the SHA-256 of their content: `ab/cdef…`. A blob appears under its name by a rename
 * after its bytes are on disk, so a name that exists has all its bytes, whenever the process or the machine stops.
 */
export class BlobStore {
  readonly folder: string;
  readonly #fileBytesLimit: number;
  readonly #drafts = new Slots(DRAFTS_LIMIT);
  /** Folders `ab` that are known to be on disk. */
  readonly #folders = new Set<string>();

  constructor(folder: string, options: { fileBytesLimit: number }) {
    this.folder = folder;
    this.#fileBytesLimit = options.fileBytesLimit;
  }

  /**
   * Writes a source to a temporary file on disk and hashes exactly the written bytes, even if the caller changes the
   * source meanwhile.
   * @throws EngineError `LIMIT_EXCEEDED`, `ABORTED`, `STORAGE_FAILED` (with `details.source` when the source cannot be
   * read).
   */
  draft(source: ByteSource, signal?: AbortSignal): Promise<BlobDraft> {
    return isStream(source) ? this.#draft(source, signal) : this.#drafts.run(() => this.#draft(source, signal));
  }

  /** Renames a draft to its hash, durably, or drops it when the blob exists. Call under a lock of its hash. */
  async keep(draft: BlobDraft): Promise<void> {
    const { hash } = draft;
    try {
      if ((await sizeOf(this.#fileOf(hash))) === draft.byteLength) {
        await rm(draft.temporary);
        return;
      }
      const folder = await this.#folderOf(hash);
      await rename(draft.temporary, this.#fileOf(hash));
      await syncFolder(folder);
    } catch (cause) {
      await this.drop(draft);
      throw storageError('store the bytes', cause);
    }
  }

  /** Removes a draft that will not be kept. */
  async drop(draft: BlobDraft): Promise<void> {
    await rm(draft.temporary, { force: true });
  }

  /** Removes a blob; one that is not there is no error. Call under a lock of its hash. */
  async remove(hash: string): Promise<void> {
    try {
      await rm(this.#fileOf(hash), { force: true });
    } catch (cause) {
      throw storageError('remove the bytes of a file', cause);
    }
  }

  /** @throws EngineError `LIBRARY_DAMAGED` when the blob is missing or its bytes have changed. */
  read(hash: string): Promise<Uint8Array> {
    return readBlob(this.folder, hash);
  }

  /** Makes the folder of the blobs where it is missing. */
  async make(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** Removes the drafts that a dead process left. */
  async removeDrafts(): Promise<void> {
    for (const draft of (await this.list()).drafts) await rm(draft, { force: true });
  }

  /** Hashes of all blobs on disk and the drafts that a dead process left. */
  async list(): Promise<{ hashes: string[]; drafts: string[] }> {
    const hashes: string[] = [];
    const drafts: string[] = [];
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.startsWith('draft-')) drafts.push(join(this.folder, entry.name));
      if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
      for (const rest of await readdir(join(this.folder, entry.name))) {
        if (/^[0-9a-f]{62}$/.test(rest)) hashes.push(entry.name + rest);
      }
    }
    return { hashes: hashes.sort(), drafts };
  }

  /** Hashes a blob piece by piece. Returns what is wrong with it, or undefined. */
  async check(hash: string, byteLength: number, signal?: AbortSignal): Promise<'missing' | 'changed' | undefined> {
    try {
      const found = createHash('sha256');
      let length = 0;
      for await (const chunk of chunksOf(this.#fileOf(hash))) {
        signal?.throwIfAborted();
        found.update(chunk);
        length += chunk.length;
      }
      return length === byteLength && found.digest('hex') === hash ? undefined : 'changed';
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return 'missing';
      throw cause;
    }
  }

  async #draft(source: ByteSource, signal: AbortSignal | undefined): Promise<BlobDraft> {
    const temporary = join(this.folder, `draft-${randomBytes(12).toString('hex')}`);
    let written: FileHandle | undefined;
    try {
      written = await open(temporary, 'wx');
      const facts =
        typeof source === 'string' || source instanceof URL
          ? await this.#copyFile(source, written, signal)
          : isStream(source)
            ? await this.#copyStream(source, written, signal)
            : await this.#copyBytes(source, written, signal);
      await written.sync();
      await written.close();
      return { temporary, ...facts };
    } catch (cause) {
      await written?.close();
      await rm(temporary, { force: true });
      if (cause instanceof StreamFailure) throw cause.reason;
      throw storageError('store the bytes', cause);
    }
  }

  async #copyBytes(
    source: Uint8Array | ArrayBuffer,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<{ hash: string; byteLength: number }> {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
    this.#checkLength(bytes.length);
    const hash = createHash('sha256');
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      throwIfAborted(signal);
      // A copy, so that the hashed bytes are the written ones even if the caller reuses the array.
      const chunk = new Uint8Array(bytes.subarray(start, start + CHUNK_BYTES));
      hash.update(chunk);
      await to.writeFile(chunk);
    }
    return { hash: hash.digest('hex'), byteLength: bytes.length };
  }

  /** Errors of the stream itself pass through unchanged. */
  async #copyStream(
    source: AsyncIterable<Uint8Array>,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<{ hash: string; byteLength: number }> {
    const hash = createHash('sha256');
    let byteLength = 0;
    const chunks = source[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<Uint8Array>> =>
      chunks.next().catch((cause: unknown) => {
        throw new StreamFailure(cause);
      });
    try {
      for (let read = await next(); !read.done; read = await next()) {
        const chunk = read.value;
        throwIfAborted(signal);
        byteLength += chunk.length;
        this.#checkLength(byteLength);
        hash.update(chunk);
        await to.writeFile(chunk);
      }
    } catch (cause) {
      // Tells the stream that no more is read; an error of its own in answer is ignored.
      if (!(cause instanceof StreamFailure)) await chunks.return?.().catch(() => undefined);
      throw cause;
    }
    throwIfAborted(signal);
    return { hash: hash.digest('hex'), byteLength };
  }

  async #copyFile(
    source: string | URL,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<Omit<BlobDraft, 'temporary'>> {
    const hash = createHash('sha256');
    let byteLength = 0;
    const before = await ofSource(source, stat(source));
    this.#checkLength(before.size);
    const chunks = chunksOf(source);
    try {
      for (let next = await ofSource(source, chunks.next()); !next.done; next = await ofSource(source, chunks.next())) {
        throwIfAborted(signal);
        byteLength += next.value.length;
        this.#checkLength(byteLength);
        hash.update(next.value);
        await to.writeFile(next.value);
      }
    } finally {
      await chunks.return(undefined);
    }
    const unchanged = (await ofSource(source, stat(source))).mtimeMs === before.mtimeMs && before.size === byteLength;
    return { hash: hash.digest('hex'), byteLength, ...(unchanged ? { sourceMtimeMs: before.mtimeMs } : {}) };
  }

  #checkLength(found: number): void {
    const allowed = this.#fileBytesLimit;
    if (found <= allowed) return;
    throw new EngineError('LIMIT_EXCEEDED', `the file has ${found} bytes, allowed are ${allowed} (limits.fileBytes)`, {
      details: { limit: 'fileBytes', allowed, found },
    });
  }

  #fileOf(hash: string): string {
    return blobFile(this.folder, hash);
  }

  /** The folder of a hash, made durably on first use. */
  async #folderOf(hash: string): Promise<string> {
    const name = hash.slice(0, 2);
    const folder = join(this.folder, name);
    if (!this.#folders.has(name)) {
      await mkdir(folder, { recursive: true });
      await syncFolder(this.folder);
      this.#folders.add(name);
    }
    return folder;
  }
}

/**
 * Reads a blob and checks it against its name. A function of its own, so that a worker can read without a store.
 * @throws EngineError `LIBRARY_DAMAGED` when it is missing or its bytes have changed.
 */
export async function readBlob(folder: string, hash: string): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(blobFile(folder, hash));
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw storageError('read the bytes of a file', cause);
    throw new EngineError('LIBRARY_DAMAGED', `the stored bytes ${hash} are missing`, { details: { hash }, cause });
  }
  if (createHash('sha256').update(bytes).digest('hex') !== hash) {
    throw new EngineError('LIBRARY_DAMAGED', `the stored bytes ${hash} do not match their hash any more`, {
      details: { hash },
    });
  }
  return bytes;
}

/** Makes renames and new entries of a folder durable. Windows cannot open folders and journals such changes itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (cause) {
    // Some file systems cannot sync a folder and report these codes; nothing more can be done there.
    if (codeOf(cause) !== 'EINVAL' && codeOf(cause) !== 'ENOTSUP') throw cause;
  } finally {
    await handle.close();
  }
}

/** Reports a source that cannot be read with `details.source`, unlike a library that cannot be written. */
async function ofSource<T>(source: string | URL, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    const errno = codeOf(cause);
    throw new EngineError('STORAGE_FAILED', `could not read ${String(source)}: ${errno}`, {
      details: { errno, source: String(source) },
      cause,
    });
  }
}

function blobFile(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash.slice(2));
}

/** The bytes of a file in chunks, each in a new buffer. */
async function* chunksOf(file: string | URL): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}
