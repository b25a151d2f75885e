import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { EngineError } from '../../errors.js';
import type { BlobFault } from './blob-file.js';
import { BlobStore, type BlobDraft } from './blobs.js';
import { bucketPlace, S3Bucket, type Patience } from './s3-bucket.js';

/** Time for which bytes that were asked for stay on this machine, ms: a reading process may need them. */
const IN_USE_MS = 10 * 60_000;

/** How bytes in S3 are kept. */
export interface S3BlobsOptions extends Patience {
  readonly fileBytesLimit: number;
  /** Most bytes that stay on this machine; 0: none does. */
  readonly cacheBytes: number;
}

/**
 * Byte strings in a bucket of S3, under the names that they have in a folder (`ab/cdef…`), so that the one can be
 * copied to the other. A folder of this machine holds what was put or read last, for the processes that read files; it
 * is derived. A put resolves when the bucket has the bytes and has compared them with their SHA-256.
 */
export class S3Blobs extends BlobStore {
  readonly #bucket: S3Bucket;
  readonly #cacheBytes: number;
  /** What this machine holds, by the time of its last use: lengths and times. */
  readonly #held = new Map<string, { readonly byteLength: number; readonly usedAt: number }>();
  readonly #bringing = new Map<string, Promise<void>>();
  #heldBytes = 0;

  /** @throws TypeError for a URL that names no bucket. */
  constructor(url: string, folder: string, { fileBytesLimit, cacheBytes, ...patience }: S3BlobsOptions) {
    super(folder, { fileBytesLimit });
    this.#bucket = new S3Bucket(bucketPlace(url), patience);
    this.#cacheBytes = cacheBytes;
  }

  /** Checks that the bucket can be used. @throws EngineError `STORAGE_FAILED` within `connectMs`. */
  override async make(): Promise<void> {
    await super.make();
    await this.removeDrafts();
    for (const hash of (await super.list()).hashes) {
      const { size, mtimeMs } = await stat(this.fileOf(hash));
      this.#hold(hash, size, mtimeMs);
    }
    await this.#bucket.check();
  }

  override async keep(draft: BlobDraft): Promise<void> {
    const { hash, byteLength, temporary } = draft;
    try {
      // Bytes under their hash never differ: the bucket compared them when they came.
      if ((await this.#bucket.size(keyOf(hash))) !== byteLength)
        await this.#bucket.put(keyOf(hash), { path: temporary, hash, byteLength });
    } catch (cause) {
      await this.drop(draft);
      throw cause;
    }
    if (this.#cacheBytes === 0) return this.drop(draft);
    await super.keep(draft);
    this.#hold(hash, byteLength, Date.now());
    await this.#shrink();
  }

  override async remove(hash: string): Promise<void> {
    await this.#bucket.remove(keyOf(hash));
    await super.remove(hash);
    this.#forget(hash);
  }

  override async bring(hash: string): Promise<void> {
    let bringing = this.#bringing.get(hash);
    if (bringing === undefined) {
      bringing = this.#bring(hash).finally(() => this.#bringing.delete(hash));
      this.#bringing.set(hash, bringing);
    }
    await bringing;
  }

  override async read(hash: string): Promise<Uint8Array> {
    if (await this.#isHere(hash)) return super.read(hash);
    const chunks: Uint8Array[] = [];
    const found = createHash('sha256');
    for await (const chunk of await this.#get(hash)) {
      found.update(chunk);
      chunks.push(chunk);
    }
    if (found.digest('hex') !== hash) throw damaged(hash, 'do not match their hash any more');
    return Buffer.concat(chunks);
  }

  override async *stream(hash: string, byteLength: number): AsyncGenerator<Uint8Array> {
    if (await this.#isHere(hash)) {
      yield* super.stream(hash, byteLength);
      return;
    }
    const found = createHash('sha256');
    let length = 0;
    let last: Uint8Array | undefined;
    for await (const chunk of await this.#get(hash)) {
      length += chunk.length;
      if (length > byteLength) break;
      found.update(chunk);
      if (last !== undefined) yield last;
      last = chunk;
    }
    if (length !== byteLength || found.digest('hex') !== hash) throw damaged(hash, 'do not match their hash any more');
    if (last !== undefined) yield last;
  }

  override async list(): Promise<{ hashes: string[]; drafts: string[] }> {
    const hashes: string[] = [];
    for await (const keys of this.#bucket.keys())
      for (const key of keys) if (/^[0-9a-f]{2}\/[0-9a-f]{62}$/.test(key)) hashes.push(key.replace('/', ''));
    return { hashes: hashes.sort(), drafts: (await super.list()).drafts };
  }

  /** @throws EngineError `STORAGE_FAILED` when the bucket cannot be asked. */
  override async check(hash: string, byteLength?: number, file?: string): Promise<BlobFault | undefined> {
    if (file !== undefined) return super.check(hash, byteLength, file);
    const found = createHash('sha256');
    let length = 0;
    const chunks = await this.#bucket.get(keyOf(hash));
    if (chunks === undefined) return 'missing';
    for await (const chunk of chunks) {
      found.update(chunk);
      length += chunk.length;
    }
    return length === (byteLength ?? length) && found.digest('hex') === hash ? undefined : 'changed';
  }

  override close(): void {
    this.#bucket.close();
  }

  async #bring(hash: string): Promise<void> {
    if (!(await this.#isHere(hash))) {
      const draft = await this.draft(await this.#get(hash));
      if (draft.hash !== hash) {
        await this.drop(draft);
        throw damaged(hash, 'do not match their hash any more');
      }
      await super.keep(draft);
      this.#hold(hash, draft.byteLength, Date.now());
      await this.#shrink();
    }
  }

  async #get(hash: string): Promise<AsyncIterable<Uint8Array>> {
    const chunks = await this.#bucket.get(keyOf(hash));
    if (chunks === undefined) throw damaged(hash, 'are missing');
    return withOutage(chunks);
  }

  /** Whether this machine holds the bytes; from then on they are in use. */
  async #isHere(hash: string): Promise<boolean> {
    const held = this.#held.get(hash);
    if (held === undefined) return false;
    this.#hold(hash, held.byteLength, Date.now());
    const found = await stat(this.fileOf(hash)).catch(() => undefined);
    if (found?.size === held.byteLength) return true;
    this.#forget(hash);
    return false;
  }

  #hold(hash: string, byteLength: number, usedAt: number): void {
    this.#forget(hash);
    this.#held.set(hash, { byteLength, usedAt });
    this.#heldBytes += byteLength;
  }

  #forget(hash: string): void {
    this.#heldBytes -= this.#held.get(hash)?.byteLength ?? 0;
    this.#held.delete(hash);
  }

  /** Removes from this machine what was used longest ago, until it holds no more than it may. */
  async #shrink(): Promise<void> {
    for (const [hash, { usedAt }] of this.#held) {
      if (this.#heldBytes <= this.#cacheBytes || usedAt > Date.now() - IN_USE_MS) return;
      this.#forget(hash);
      await rm(this.fileOf(hash), { force: true }).catch(() => undefined); // The next opening finds it.
    }
  }
}

/** An answer that breaks off is an outage. */
async function* withOutage(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    throw new EngineError('STORAGE_FAILED', 'the bucket of the bytes ended its answer before its end', {
      details: { outage: true },
      cause,
    });
  }
}

function keyOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash.slice(2)}`;
}

function damaged(hash: string, found: string): EngineError {
  return new EngineError('LIBRARY_DAMAGED', `the stored bytes ${hash} ${found}; put the file again`, {
    details: { hash },
  });
}
