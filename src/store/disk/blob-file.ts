import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** What is wrong with a blob. `unreadable`: the system refuses to read it. */
export type BlobFault = 'missing' | 'changed' | 'unreadable';

/** Codes of the system for something that stands in place of a blob and is no file. */
export const NO_FILE: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO']);

/** The folder beside that of the blobs with those that no row names. */
export const LOST = 'lost+found';

/** Bytes read, hashed and written at a time. */
export const CHUNK_BYTES = 1 << 20;

/** Of a file that is read from its beginning, first; most files are shorter, and a buffer is filled with zeros. */
const FIRST_CHUNK_BYTES = 1 << 16;

const HASH = /^[0-9a-f]{64}$/;

/**
 * The file of a blob in the folder of all blobs. What is no hash, in a catalogue that was damaged, leads to a file that
 * never is, and not out of the folder.
 */
export function blobFile(folder: string, hash: string): string {
  if (!HASH.test(hash)) return join(folder, 'no-hash');
  return join(folder, hash.slice(0, 2), hash.slice(2));
}

/** The same in a folder where all lie together, such as {@link LOST}. */
export function lostFile(folder: string, hash: string): string {
  return join(folder, HASH.test(hash) ? hash : 'no-hash');
}

/**
 * Reads a blob and checks it against its name. One that is missing is looked for in `lost+found` beside the folder.
 * @throws EngineError `LIBRARY_DAMAGED` when it is missing or its bytes have changed.
 */
export async function readBlob(folder: string, hash: string): Promise<Uint8Array> {
  const bytes = await inBlob(folder, hash, bytesOf);
  checkBlob(bytes, hash);
  return bytes;
}

/** Opens a blob as {@link readBlob} finds it; its bytes are not checked. @throws EngineError as it does. */
export function openStored(folder: string, hash: string): Promise<FileHandle> {
  return inBlob(folder, hash, openBlob);
}

/** @throws EngineError `LIBRARY_DAMAGED` when the bytes are not those of the hash. */
export function checkBlob(bytes: Uint8Array, hash: string): void {
  if (createHash('sha256').update(bytes).digest('hex') !== hash) throw changed(hash);
}

/**
 * The same in pieces of at most 1 MiB. The last one comes when all of them are known to be what was put: who counts
 * `byteLength` bytes has read no others.
 * @throws EngineError as {@link readBlob}.
 */
export async function* streamBlob(folder: string, hash: string, byteLength: number): AsyncGenerator<Uint8Array> {
  const handle = await openStored(folder, hash);
  const found = createHash('sha256');
  let length = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of chunksOf('', () => Promise.resolve(handle))) {
    length += chunk.length;
    if (length > byteLength) throw changed(hash);
    found.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  if (length !== byteLength || found.digest('hex') !== hash) throw changed(hash);
  if (last !== undefined) yield last;
}

/** Does `work` on the file of a blob, or on the one in `lost+found` where that is missing. */
async function inBlob<T>(folder: string, hash: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(blobFile(folder, hash));
  } catch (cause) {
    const code = codeOf(cause);
    const lost =
      code === 'ENOENT' ? await work(lostFile(join(dirname(folder), LOST), hash)).catch(() => undefined) : undefined;
    if (lost !== undefined) return lost;
    if (code !== 'ENOENT' && !NO_FILE.has(code)) throw storageError('read the bytes of a file', cause);
    const found = code === 'ENOENT' ? 'are missing' : `cannot be read: no file is in their place (${code})`;
    throw new EngineError('LIBRARY_DAMAGED', `the stored bytes ${hash} ${found}; put the file again`, {
      details: { hash },
      cause,
    });
  }
}

function changed(hash: string): EngineError {
  return new EngineError(
    'LIBRARY_DAMAGED',
    `the stored bytes ${hash} do not match their hash any more; put the file again`,
    { details: { hash } },
  );
}

/** Opens the file of a blob. What stands in its place and is no file (a folder, a pipe) is an error with a code. */
export async function openBlob(file: string | URL): Promise<FileHandle> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has neither.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw Object.assign(new Error('it is no file'), { code: 'EISDIR' });
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

/** The bytes of a file. What stands in its place and is no file is an error with a code, however much it would give. */
export async function bytesOf(file: string): Promise<Buffer> {
  const handle = await openBlob(file);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The bytes of a file in chunks, each in a new buffer. */
export async function* chunksOf(
  file: string | URL,
  opened: (file: string | URL) => Promise<FileHandle> = open,
): AsyncGenerator<Uint8Array> {
  const handle = await opened(file);
  try {
    for (let length = FIRST_CHUNK_BYTES; ; ) {
      const chunk = new Uint8Array(length);
      const { bytesRead } = await handle.read(chunk, 0, length);
      if (bytesRead === 0) return;
      if (bytesRead === length) length = CHUNK_BYTES;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
