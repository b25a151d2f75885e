/**
 * What holds a reading process, from most to least:
 * - `namespaces`: no network, of the file system only Node, its modules and the system's libraries, read-only, no
 *   capabilities, and `limits`;
 * - `readonly`: no network, a read-only file system without the library and the folders of sockets and temporary files,
 *   no capabilities, and `limits`;
 * - `offline`: no network, no capabilities, and `limits`; sockets of the file system can be reached;
 * - `limits`: bounds of the kernel on memory, open files and core dumps; it ends with its host;
 * - `bounds`: the same, but it may outlive a host that is killed until it has read its file;
 * - `none`: what the pool measures and ends is all.
 */
export type Confinement = 'namespaces' | 'readonly' | 'offline' | 'limits' | 'bounds' | 'none';

/** What holds the reading processes of a pool, for people. */
export interface Held {
  readonly confinement: Confinement;
  /** Each a few words, such as `no network`. */
  readonly holds: readonly string[];
}

/** What a reading process may have. */
export interface ConfinementOptions {
  /** The script that it runs. */
  readonly entry: URL;
  /** Resident memory at which the pool ends the process, MiB. */
  readonly memoryMiB: number;
  /** Most files and pipes that it may have open at the same time. */
  readonly openFiles: number;
  /** Folders that it must be able to read, besides those of its script. */
  readonly folders: readonly string[];
  /** Folders that it must not see, wherever they are. */
  readonly hidden: readonly string[];
}

/** How processes are confined. */
export interface Confined {
  readonly kind: Confinement;
  /** Whether each runs as a user that has no files and is no other reader's, because the host is root. */
  readonly isOwnUser: boolean;
  /** Files and folders that a process sees besides those of `kind`, because the environment names them. */
  readonly seenBesides: readonly string[];
  /**
   * What confines one process, as the system is mounted now.
   * @throws the error of the system when it has no room to tell its mounts, or an error when all users are taken.
   */
  readonly next: () => Prefix;
}

/** What confines one process. */
export interface Prefix {
  /** A command that is put before its own. */
  readonly words: readonly string[];
  /** The user that it is, when it is one of its own: to be released when nothing runs as it. */
  readonly user: number | undefined;
}

/** No confinement. */
export const UNCONFINED: Confined = Object.freeze({
  kind: 'none',
  isOwnUser: false,
  seenBesides: [],
  next: () => ({ words: [], user: undefined }),
});

/** What a confinement amounts to; what the pool measures holds in any case. */
export function heldBy(
  { kind, isOwnUser, seenBesides }: Omit<Confined, 'next'>,
  { memoryMiB, openFiles }: Pick<ConfinementOptions, 'memoryMiB' | 'openFiles'>,
): Held {
  const bounds = [`at most ${openFiles} open files`, 'no core dumps'];
  const apart = ['no network', 'no capabilities', 'ends with its host', ...bounds];
  const besides = seenBesides.length === 0 ? '' : `; as the environment asks also ${seenBesides.join(' and ')}`;
  const privileges: Readonly<Record<Confinement, readonly string[]>> = {
    namespaces: [`no files but those of Node, its modules and the system${besides}, read-only`, ...apart],
    readonly: ['read-only file system, without the library', ...apart],
    offline: apart,
    limits: ['no new privileges', 'ends with its host', ...bounds],
    bounds,
    none: [],
  };
  const user = isOwnUser ? ['a user of its own'] : [];
  return { confinement: kind, holds: [...user, ...privileges[kind], `${memoryMiB} MiB of memory`, 'processor time'] };
}
