import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../database/storage-errors.js';

/** SHA-256 of what stands before it. */
const DIGEST_BYTES = 32;

/** Which picture of which file. */
export interface PictureKey {
  /** Of the file's bytes. */
  readonly hash: string;
  /** Of letters, digits and hyphens. */
  readonly name: string;
}

/**
 * Pictures of files, by the hash of the files' bytes: equal files have them once. They are derived: what is missing, of another version,
 * torn or changed on disk counts as not there, and a disk that refuses to keep one loses nothing. Removed with the bytes they show.
 */
export class Pictures {
  readonly #folder: string;
  readonly #version: number;

  constructor(folder: string, version: number) {
    this.#folder = folder;
    this.#version = version;
  }

  /** Undefined when it has to be drawn. */
  async read(key: PictureKey): Promise<Uint8Array | undefined> {
    const path = this.#path(key);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch {
      return undefined; // Whatever the reason, it can be drawn again.
    }
    const end = bytes.length - DIGEST_BYTES;
    if (end <= 0 || !digest(bytes.subarray(0, end)).equals(bytes.subarray(end))) return undefined;
    return new Uint8Array(bytes.buffer, bytes.byteOffset, end);
  }

  /** Keeps a picture if the disk lets it. */
  async put(key: PictureKey, png: Uint8Array): Promise<void> {
    const path = this.#path(key);
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(this.#folderOf(key.hash), { recursive: true });
      // Without waiting for the disk: a picture that a power cut tears is known by its digest.
      await writeFile(draft, Buffer.concat([png, digest(png)]));
      await rename(draft, path);
    } catch {
      await rm(draft, { force: true }).catch(() => undefined); // A later call may have more luck.
    }
  }

  /** Removes all pictures of a file's bytes. */
  async remove(hash: string): Promise<void> {
    await rm(this.#folderOf(hash), { recursive: true, force: true }).catch(() => undefined); // The next sweep tries again.
  }

  /** Removes those that nobody reads any more. */
  async removeOtherVersions(): Promise<void> {
    for (const version of await entries(this.#folder)) {
      if (version !== `v${this.#version}`)
        await rm(join(this.#folder, version), { recursive: true, force: true }).catch(() => undefined); // Next time.
    }
  }

  /** Removes pictures of bytes that nobody has. */
  async sweep(isOwned: (hash: string) => boolean): Promise<void> {
    const own = join(this.#folder, `v${this.#version}`);
    for (const start of await entries(own)) {
      for (const rest of await entries(join(own, start))) if (!isOwned(start + rest)) await this.remove(start + rest);
    }
  }

  #folderOf(hash: string): string {
    return join(this.#folder, `v${this.#version}`, hash.slice(0, 2), hash.slice(2));
  }

  #path({ hash, name }: PictureKey): string {
    if (!/^[\da-f]{64}$/.test(hash) || !/^[\w-]{1,80}$/.test(name))
      throw new TypeError(`a picture must have a hash and a plain name, received ${hash} ${name}`);
    return join(this.#folderOf(hash), name);
  }
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return [];
    throw cause;
  }
}
