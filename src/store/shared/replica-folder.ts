import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';
import type { Rooms } from '../rooms.js';
import { Store, type BlobPlace, type StoreOptions } from '../store.js';
import type { SharedOptions } from './shared-library.js';

/** Most replicas of one library in the folder for temporary files: each process needs its own. */
const REPLICAS = 64;

/** Where a library in PostgreSQL has its other parts. */
export interface SharedPlace extends Omit<SharedOptions, 'url'>, BlobPlace {
  /** The folder of the replica; undefined: one below the folder for temporary files. */
  readonly replica: string | undefined;
}

/**
 * Opens a library in PostgreSQL with the replica in the given folder, or in the first one below the folder for
 * temporary files that no other process uses; what an earlier process left there is brought up to date.
 * @throws EngineError as {@link Store.openShared}.
 */
export async function openInReplica<R extends Rooms>(
  url: string,
  options: StoreOptions<R>,
  { replica, ...place }: SharedPlace,
): Promise<Store<R>> {
  if (replica !== undefined) return Store.openShared(replica, options, { url, ...place });
  const folder = ownFolder(url);
  for (let number = 0; ; number++) {
    try {
      return await Store.openShared(join(folder, `${number}`), options, { url, ...place });
    } catch (cause) {
      if (!(cause instanceof EngineError && cause.code === 'LIBRARY_LOCKED') || number === REPLICAS - 1) throw cause;
    }
  }
}

/**
 * The folder of this user's replicas of a library, made where it is missing. They hold what signs people in, so nobody
 * else may read them, nor make the folder first.
 */
function ownFolder(url: string): string {
  const user = process.getuid?.();
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null)
    throw new EngineError(
      'STORAGE_FAILED',
      'the URL of the library cannot be read; a password is percent-encoded in it',
    );
  const name = createHash('sha256').update(`${parsed.host}${parsed.pathname} ${user}`).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `shapedex-${name}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw storageError(`make the folder ${folder}`, cause);
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || (user !== undefined && (found.uid !== user || (found.mode & 0o077) !== 0)))
    throw new EngineError(
      'STORAGE_FAILED',
      `${folder} is not a folder of this user alone, so no replica is made there; name one with the option \`replica\``,
      { details: { folder } },
    );
  return folder;
}
