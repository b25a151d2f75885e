import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf } from './blob-file.js';
import { syncFolder } from './blobs.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** Increased when the layout of the head changes; caches of another version are refused and rebuilt by their owner. */
const FORMAT_VERSION = 1;
const MAGIC = 'shapedex-cache';
const HEAD = 'head';
const DIGEST_BYTES = 32;

/** What is stored besides the body: a few facts, and bytes that would be clumsy as JSON. */
export interface CacheHead {
  /** Plain JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly attachment: Uint8Array;
}

/** A cache that passed all checks. */
export interface CacheContent extends CacheHead {
  /** The body's file, for code that reads by path. It stays until the next write or removal. */
  readonly bodyPath: string;
}

/**
 * Derived data that other code writes and reads by path, kept so that a damaged byte is found before that code sees it.
 * A cache has a folder to itself:
 *   `body-<SHA-256 of the body>`, written by the owner to a path given to it;
 *   `head`: one line of JSON (magic, version, length and SHA-256 of the body, facts), the
 *   attachment, then the SHA-256 of all that.
 * The head is renamed into place after its body is on disk and names it by content, so a crash leaves the old pair or
 * the new one. A cache is derived data: one that fails a check reads as absent.
 */
export class CacheFile {
  readonly folder: string;

  /** folder: made on the first write; other files in it are removed then. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Replaces the cache. writeBody: writes the body to the path that it is given.
   * @throws EngineError `STORAGE_FAILED`; errors of writeBody pass through. The old cache then stays.
   */
  async write(head: CacheHead, writeBody: (path: string) => Promise<void>): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true });
      const draft = join(this.folder, `draft-${randomUUID()}`);
      try {
        await this.#replace(draft, head, writeBody);
      } finally {
        await rm(draft, { force: true });
      }
    } catch (cause) {
      throw storageError(`write the cache ${this.folder}`, cause);
    }
  }

  /** The cache if it exists, is undamaged and of this version; else undefined. */
  async read(): Promise<CacheContent | undefined> {
    const head = await this.#head();
    if (head === undefined) return undefined;
    try {
      const bodyPath = join(this.folder, `body-${head.sha256}`);
      const found = await digestOf(bodyPath);
      if (found.sha256 !== head.sha256 || found.byteLength !== head.byteLength) return undefined;
      return { facts: head.facts, attachment: head.attachment, bodyPath };
    } catch (cause) {
      if (codeOf(cause) !== '') return undefined;
      throw cause;
    }
  }

  /** Replaces the cache by bytes. @throws EngineError `STORAGE_FAILED`; the old cache then stays. */
  async writeBytes(facts: CacheHead['facts'], body: Uint8Array): Promise<void> {
    await this.write({ facts, attachment: new Uint8Array(0) }, (path) => writeFile(path, body));
  }

  /**
   * Replaces the cache by bytes that are made while they are written, so that they need not be held at once.
   * @throws EngineError `STORAGE_FAILED`; errors of `pages` pass through. The old cache then stays.
   */
  async writePages(facts: CacheHead['facts'], pages: AsyncIterable<Uint8Array>): Promise<void> {
    await this.write({ facts, attachment: new Uint8Array(0) }, (path) => writeFile(path, pages));
  }

  /** The facts and the bytes of the body, under the conditions of {@link read}; read once. */
  async readBytes(): Promise<{ readonly facts: CacheHead['facts']; readonly body: Uint8Array } | undefined> {
    const head = await this.#head();
    if (head === undefined) return undefined;
    try {
      const body = await bytesOf(join(this.folder, `body-${head.sha256}`));
      if (body.length !== head.byteLength || createHash('sha256').update(body).digest('hex') !== head.sha256)
        return undefined;
      return { facts: head.facts, body };
    } catch (cause) {
      if (codeOf(cause) !== '') return undefined;
      throw cause;
    }
  }

  /**
   * Replaces the facts of a cache whose body stays and is not read: who reads it next finds damage to it. False: there
   * is none, or its facts are not those that are meant.
   * @throws EngineError `STORAGE_FAILED`; the old cache then stays.
   */
  async relabel(
    isMeant: (facts: CacheHead['facts']) => boolean,
    factsOf: (facts: CacheHead['facts']) => CacheHead['facts'],
  ): Promise<boolean> {
    const head = await this.#head();
    if (head === undefined || !isMeant(head.facts)) return false;
    const draft = join(this.folder, `draft-${randomUUID()}`);
    try {
      await this.#replaceHead(draft, { ...head, facts: factsOf(head.facts) });
      return true;
    } catch (cause) {
      throw storageError(`write the cache ${this.folder}`, cause);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Removes the cache; does nothing when there is none. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #replace(
    draft: string,
    { facts, attachment }: CacheHead,
    writeBody: (path: string) => Promise<void>,
  ): Promise<void> {
    await writeBody(draft);
    const { sha256, byteLength } = await digestOf(draft);
    await syncFile(draft);
    const body = `body-${sha256}`;
    await rename(draft, join(this.folder, body));
    // The body's rename must be on disk before the head that names it: renames may reach the disk in another order.
    await syncFolder(this.folder);
    await this.#replaceHead(draft, { facts, attachment, sha256, byteLength });
    await this.#removeAllBut([HEAD, body]);
  }

  async #replaceHead(draft: string, { facts, attachment, sha256, byteLength }: ParsedHead): Promise<void> {
    const line = JSON.stringify({ magic: MAGIC, version: FORMAT_VERSION, sha256, byteLength, facts });
    const head = Buffer.concat([Buffer.from(`${line}\n`), attachment]);
    await writeSynced(draft, Buffer.concat([head, createHash('sha256').update(head).digest()]));
    await rename(draft, join(this.folder, HEAD));
    await syncFolder(this.folder);
  }

  /** The head; undefined: there is none, or it is damaged, or of another version. */
  async #head(): Promise<ParsedHead | undefined> {
    try {
      return parseHead(await bytesOf(join(this.folder, HEAD)));
    } catch (cause) {
      // Missing, unreadable or of an unknown layout: the owner rebuilds it. Any other error is a bug.
      if (codeOf(cause) !== '' || cause instanceof SyntaxError) return undefined;
      throw cause;
    }
  }

  async #removeAllBut(kept: readonly string[]): Promise<void> {
    for (const name of await readdir(this.folder)) {
      if (!kept.includes(name)) await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }
}

interface ParsedHead extends CacheHead {
  readonly sha256: string;
  readonly byteLength: number;
}

/** Checks the digest first: what matches it was written by this class, perhaps by another version of it. */
function parseHead(bytes: Buffer): ParsedHead | undefined {
  const signed = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
  if (!createHash('sha256').update(signed).digest().equals(bytes.subarray(signed.length))) return undefined;
  const lineEnd = signed.indexOf('\n');
  if (lineEnd < 0) return undefined;
  const head = JSON.parse(signed.toString('utf8', 0, lineEnd)) as Record<string, unknown>;
  if (head.magic !== MAGIC || head.version !== FORMAT_VERSION) return undefined;
  return {
    sha256: String(head.sha256),
    byteLength: Number(head.byteLength),
    facts: head.facts as CacheHead['facts'],
    // A copy, so that its start is aligned for typed arrays of wider elements.
    attachment: new Uint8Array(signed.subarray(lineEnd + 1)),
  };
}

async function digestOf(path: string): Promise<{ sha256: string; byteLength: number }> {
  const hash = createHash('sha256');
  let byteLength = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    byteLength += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), byteLength };
}

async function syncFile(path: string): Promise<void> {
  // Opened for writing: Windows refuses to sync a file that is open for reading only.
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
