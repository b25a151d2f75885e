import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../errors.js';
import type { Rooms } from '../rooms.js';
import { Store, type StoreOptions } from '../store.js';
import type { SharedOptions } from './shared-library.js';

/** Most replicas of one library in the folder for temporary files: each process needs its own. */
const REPLICAS = 64;

/** Where a library in PostgreSQL has its other parts. */
export interface SharedPlace extends Omit<SharedOptions, 'url'> {
  /** The folder of the blobs, which every process sees. */
  readonly blobs: string;
  /** The folder of the replica; undefined: one below the folder for temporary files. */
  readonly replica: string | undefined;
}

/**
 * Opens a library in PostgreSQL with the replica in the given folder, or in the first one below the folder for temporary
 * files that no other process uses; what an earlier process left there is brought up to date.
 * @throws EngineError as {@link Store.openShared}.
 */
export async function openInReplica<R extends Rooms>(
  url: string,
  options: StoreOptions<R>,
  { replica, ...place }: SharedPlace,
): Promise<Store<R>> {
  if (replica !== undefined) return Store.openShared(replica, options, { url, ...place });
  const { host, pathname } = new URL(url);
  const name = createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 16);
  for (let number = 0; ; number++) {
    try {
      return await Store.openShared(join(tmpdir(), `shapedex-${name}`, `${number}`), options, { url, ...place });
    } catch (cause) {
      if (!(cause instanceof EngineError && cause.code === 'LIBRARY_LOCKED') || number === REPLICAS - 1) throw cause;
    }
  }
}
