import type { FileHandle } from 'node:fs/promises';
import type { EngineError } from '../../errors.js';
import { openStored } from '../../store/disk/blob-file.js';
import { storageError } from '../../store/database/storage-errors.js';
import { StreamedBytes } from '../channel/encode.js';
import type { FileSource, WorkerRequest } from '../worker/messages.js';

/** A request as it is sent: with the bytes of stored files, which a reading process cannot see. */
export interface SentRequest {
  readonly request: WorkerRequest;
  /** Why stored bytes could not be read to their end; undefined: they could. The process was sent zeros for them. */
  readonly failure: EngineError | undefined;
  /** Closes the files. */
  end(): Promise<void>;
}

/** Files up to this length are read before they are sent, longer ones meanwhile, in pieces. */
const AT_ONCE_BYTES = 1 << 18;

/**
 * Opens the stored files that a request names. The host only copies their bytes into the pipe; the process checks them
 * against their hash.
 * @throws EngineError `LIBRARY_DAMAGED`, `STORAGE_FAILED`.
 */
export async function withStoredBytes(request: WorkerRequest): Promise<SentRequest> {
  const opened = new OpenedFiles();
  try {
    const fields: [string, unknown][] = [];
    for (const [name, value] of Object.entries(request) as [string, unknown][])
      fields.push([name, isStored(value) ? await opened.sourceOf(value) : value]);
    return {
      request: Object.fromEntries(fields) as unknown as WorkerRequest,
      get failure() {
        return opened.failure;
      },
      end: () => opened.close(),
    };
  } catch (cause) {
    await opened.close();
    throw cause;
  }
}

type StoredSource = FileSource & { readonly kind: 'stored' };

function isStored(value: unknown): value is StoredSource {
  return typeof value === 'object' && value !== null && (value as { readonly kind?: unknown }).kind === 'stored';
}

class OpenedFiles {
  failure: EngineError | undefined;
  readonly #handles: FileHandle[] = [];

  async sourceOf({ blobFolder, ...rest }: StoredSource): Promise<FileSource> {
    const handle = await openStored(blobFolder, rest.hash);
    this.#handles.push(handle);
    let byteLength: number;
    try {
      byteLength = (await handle.stat()).size;
    } catch (cause) {
      throw storageError('read the bytes of a file', cause);
    }
    const next = (atMost: number): Promise<Uint8Array> => this.#next(handle, atMost);
    // The channel sends it as the bytes that it reads.
    const streamed = (): Uint8Array => new StreamedBytes({ byteLength, next }) as unknown as Uint8Array;
    return {
      ...rest,
      kind: 'bytes',
      bytes: byteLength > AT_ONCE_BYTES ? streamed() : await this.#whole(handle, byteLength),
    };
  }

  async close(): Promise<void> {
    // A file that was only read has nothing to lose when it cannot be closed.
    await Promise.allSettled(this.#handles.splice(0).map((handle) => handle.close()));
  }

  async #whole(handle: FileHandle, byteLength: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(byteLength);
    for (let at = 0; at < byteLength; ) {
      const read = await this.#next(handle, byteLength - at);
      if (this.failure !== undefined) throw this.failure;
      if (read.length === 0) return bytes.subarray(0, at);
      bytes.set(read, at);
      at += read.length;
    }
    return bytes;
  }

  async #next(handle: FileHandle, atMost: number): Promise<Uint8Array> {
    try {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(atMost), 0, atMost);
      return buffer.subarray(0, bytesRead);
    } catch (cause) {
      this.failure ??= storageError('read the bytes of a file', cause);
      return new Uint8Array();
    }
  }
}
