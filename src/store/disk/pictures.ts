import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../database/storage-errors.js';
import { bytesOf } from './blob-file.js';

/** Each file ends with the SHA-256 of the bytes before it. */
const DIGEST_BYTES = 32;

/** Identifies a picture of a file. */
export interface PictureKey {
  /** SHA-256 of the file's bytes, hex. */
  readonly hash: string;
  /** Letters, digits and hyphens only. */
  readonly name: string;
}

/** Most pictures of faces that are kept of a file: anybody may ask for any set of faces. With more, all are removed. */
const MOST_OF_FACES = 200;
const OF_FACES = /(^|-)faces-\d+-/;

/**
 * Pictures of files, by the hash of the files' bytes, so equal files share them. They are derived data: a picture that
 * is of another version, torn or changed on disk reads as missing, and one that the disk refuses is drawn again next
 * time.
 * Pictures are removed with the bytes that they show.
 */
export class Pictures {
  readonly #folder: string;
  readonly #version: number;

  constructor(folder: string, version: number) {
    this.#folder = folder;
    this.#version = version;
  }

  /** The picture as PNG; undefined when it must be drawn. */
  async read(key: PictureKey): Promise<Uint8Array | undefined> {
    const path = this.#path(key);
    let bytes: Buffer;
    try {
      bytes = await bytesOf(path);
    } catch {
      return undefined; // Any error: the picture can be drawn again.
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
      // Not synced: the digest reveals a picture that a power cut tore.
      await writeFile(draft, Buffer.concat([png, digest(png)]));
      if (OF_FACES.test(key.name)) await this.#makeRoom(key.hash);
      await rename(draft, path);
    } catch {
      await rm(draft, { force: true }).catch(() => undefined); // A later call tries again.
    }
  }

  /** Removes all pictures of a file's bytes. */
  async remove(hash: string): Promise<void> {
    // The next sweep tries again.
    await rm(this.#folderOf(hash), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Removes the pictures of other versions. */
  async removeOtherVersions(): Promise<void> {
    for (const version of await entries(this.#folder)) {
      if (version !== `v${this.#version}`)
        await rm(join(this.#folder, version), { recursive: true, force: true }).catch(() => undefined); // Next time.
    }
  }

  /** Removes the pictures of blobs without owner. */
  async sweep(isOwned: (hash: string) => boolean): Promise<void> {
    const own = join(this.#folder, `v${this.#version}`);
    for (const start of await entries(own)) {
      for (const rest of await entries(join(own, start))) if (!isOwned(start + rest)) await this.remove(start + rest);
    }
  }

  async #makeRoom(hash: string): Promise<void> {
    const folder = this.#folderOf(hash);
    const ofFaces = (await entries(folder)).filter((name) => OF_FACES.test(name) && !name.includes('.'));
    if (ofFaces.length < MOST_OF_FACES) return;
    await Promise.all(ofFaces.map((name) => rm(join(folder, name), { force: true })));
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
