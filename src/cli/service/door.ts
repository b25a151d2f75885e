import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/**
 * The folder of a library in which the process that serves it listens for commands: `service/`, of the owner alone. It
 * holds the socket (on Windows a pipe of a random name stands elsewhere) and `door.json`, which says where to connect
 * and has the key that both sides prove to know.
 */
export interface Door {
  readonly address: string;
  /** Random, new at every start. */
  readonly key: Buffer;
  /** Removes what {@link openDoor} made and frees the name. */
  readonly close: () => Promise<void>;
}

const FOLDER = 'service';
const FACTS = 'door.json';
const SOCKET = 'socket';
const KEY_BYTES = 32;
/** Bytes of a socket's path that every system takes. */
const PATH_BYTES = 100;
/** Whoever can read the folder knows the key; so nobody but its owner may. */
const OTHERS = 0o077;

/**
 * Makes the folder, the key and the address to listen at. Call it with the library open: what a dead process left is
 * removed.
 */
export async function openDoor(library: string): Promise<Door> {
  const folder = join(resolve(library), FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (!(await isPrivate(folder))) throw new Error(`${folder} must be a folder of this user alone`);
  await rm(join(folder, SOCKET), { force: true });
  const key = randomBytes(KEY_BYTES);
  const pipe = process.platform === 'win32' ? `\\\\.\\pipe\\shapedex-${randomBytes(16).toString('hex')}` : undefined;
  const draft = join(folder, `${FACTS}.${process.pid}`);
  await writeFile(draft, JSON.stringify({ pipe, key: key.toString('hex') }), { mode: 0o600 });
  await rename(draft, join(folder, FACTS));
  const { address, release } = addressIn(folder, pipe);
  return {
    address,
    key,
    close: async () => {
      release();
      for (const name of [FACTS, SOCKET]) await rm(join(folder, name), { force: true });
    },
  };
}

/** Where to connect and with what key; undefined when nobody serves the library, or another user does. */
export async function findDoor(library: string): Promise<Door | undefined> {
  const folder = join(resolve(library), FOLDER);
  try {
    if (!(await isPrivate(folder))) return undefined;
    const { pipe, key } = JSON.parse(await readFile(join(folder, FACTS), 'utf8')) as { pipe?: string; key?: string };
    if (typeof key !== 'string') return undefined;
    const { address, release } = addressIn(folder, pipe);
    return { address, key: Buffer.from(key, 'hex'), close: async () => release() };
  } catch {
    return undefined; // Nothing there, another user's, or just being replaced: the library is then told as locked.
  }
}

/** Proof that its maker knows the key; `side` keeps one side's from being sent back as the other's. */
export function proofOf(key: Buffer, side: 'caller' | 'server', ...nonces: readonly Buffer[]): Buffer {
  return createHmac('sha256', key).update(side).update(Buffer.concat(nonces)).digest();
}

/** Whether it is the expected proof. */
export function isProof(given: unknown, expected: Buffer): boolean {
  return given instanceof Uint8Array && given.length === expected.length && timingSafeEqual(given, expected);
}

async function isPrivate(folder: string): Promise<boolean> {
  const facts = await lstat(folder);
  if (!facts.isDirectory()) return false;
  // Windows has neither: the folder has the rights of the library.
  const uid = process.getuid?.();
  return uid === undefined || ((facts.mode & OTHERS) === 0 && (facts.uid === uid || uid === 0));
}

/** A path that is too long for a socket is reached by way of a descriptor of its folder, where the system has that. */
function addressIn(folder: string, pipe: string | undefined): { address: string; release: () => void } {
  const path = pipe ?? join(folder, SOCKET);
  if (pipe !== undefined || Buffer.byteLength(path) <= PATH_BYTES) return { address: path, release: () => undefined };
  if (process.platform !== 'linux') throw new Error(`the path ${path} is too long for a socket`);
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  let isOpen = true;
  return {
    address: `/proc/self/fd/${descriptor}/${SOCKET}`,
    release: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
