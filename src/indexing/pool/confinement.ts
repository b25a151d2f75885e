import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newRoot, readOnly } from './mount-scripts.js';
import { mountsHere, SCARCE, type Mount } from './mounts.js';
import { readingEnvironment } from './reading-environment.js';
import { isBelow, seenFiles, SHARED_FOLDERS, type SeenFiles } from './seen-files.js';

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
  /** To be called once, when the process has ended: another one may have its user then. */
  readonly release: () => void;
}

/** No confinement. */
export const UNCONFINED: Confined = Object.freeze({
  kind: 'none',
  isOwnUser: false,
  seenBesides: [],
  next: () => ({ words: [], release: () => undefined }),
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

/**
 * Writable memory that the kernel allows beside `memoryMiB`, MiB: stacks of threads and what allocators hold back count
 * although they are not resident. The pool ends a process by its resident memory; this bound holds when a process grows
 * faster than it is measured.
 */
const RESERVED_MIB = 1_024;
const PROBE_TIMEOUT_MS = 10_000;

// An `exec` keeps the process, so that the pool measures and ends the reader itself. Lowering a bound that is lower
// already may fail: then the lower one holds. The kernel, when it runs out of memory, ends a reader before its host.
const BOUND = `
{ ulimit -c 0; ulimit -n "$1"; ulimit -d "$2"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
shift 2; exec "$@"`;

/**
 * Ids that systemd gives to services for as long as they run: nobody's files have them. First and one past the last.
 */
const OWN_USERS = [61_184, 65_520] as const;
/**
 * Users of processes that live, of all pools here: two of one user could read each other's memory and end each other.
 */
const usersTaken = new Set<number>();

/** One that no other reader of this host has. */
function takeUser(): number {
  const [first, end] = OWN_USERS;
  if (usersTaken.size >= (end - first) / 2) throw new Error(`${usersTaken.size} reading processes have a user each`);
  for (;;) {
    const user = randomInt(first, end);
    if (usersTaken.has(user)) continue;
    usersTaken.add(user);
    return user;
  }
}

/**
 * The strictest confinement that this system lets this user have. On Linux it is built from `unshare`, `mount` and
 * `setpriv` of util-linux, without privileges or, where the host is root, with what of them it has; it is tried before
 * it is used. Elsewhere there is none but bounds.
 * @throws the error of the system when it has no room for another process now.
 */
export async function confinement(options: ConfinementOptions): Promise<Confined> {
  if (process.platform === 'win32') return UNCONFINED;
  const seen = process.platform === 'linux' ? seenHere(options) : undefined;
  for (const candidate of candidates(options, seen)) if (await works(candidate, options, seen)) return candidate;
  return UNCONFINED;
}

const CAP_KILL = 5n;

/** Whether this process may end those of other users: root in a container may have lost that right. */
function canEndOthers(): boolean {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${held}`) >> CAP_KILL) & 1n) === 1n;
}

/** Programs that confine: they are started from within. */
const PROGRAMS = ['setpriv'];

function seenHere({ entry, folders, hidden }: ConfinementOptions): SeenFiles {
  return seenFiles({ entry, programs: PROGRAMS.flatMap(programOf), folders, hidden });
}

/** Words before a command, for a process that has a user, and mounts as they are. */
type Words = (user: string, mounts: readonly Mount[]) => readonly string[];

function candidates(
  { memoryMiB, openFiles, hidden }: ConfinementOptions,
  seen: SeenFiles | undefined,
): readonly Confined[] {
  const dataKiB = (memoryMiB + RESERVED_MIB) * 1_024;
  const bounds = ['/bin/sh', '-c', BOUND, 'sh', String(openFiles), String(dataKiB)];
  const bounded: Confined = { ...UNCONFINED, kind: 'bounds', next: () => ({ ...UNCONFINED.next(), words: bounds }) };
  if (seen === undefined) return [bounded];
  const mayBeOwnUser = process.getuid?.() === 0 && canEndOthers();
  const ownUser = (user: string): string[] => ['--reuid', user, '--regid', user, '--clear-groups'];
  const endsWithHost = ['--no-new-privs', '--pdeathsig', 'KILL'];
  const noCapabilities = [...endsWithHost, '--inh-caps=-all', '--bounding-set=-all'];
  const newUsers = ['--user', '--map-root-user'];

  const confined = ({ kind, isOwnUser }: Pick<Confined, 'kind' | 'isOwnUser'>, words: Words): Confined => ({
    kind,
    isOwnUser,
    seenBesides: seen.besides,
    next: () => {
      // Without the list of mounts nothing would be read-only.
      const mounts = kind === 'namespaces' || kind === 'readonly' ? mountsHere() : [];
      if (mounts === undefined) throw new Error('the system does not tell its mounts');
      const user = isOwnUser ? takeUser() : undefined;
      const release = (): void => {
        if (user !== undefined) usersTaken.delete(user);
      };
      try {
        return { words: [...bounds, ...words(String(user), mounts)], release };
      } catch (cause) {
        release(); // What was to be seen is gone.
        throw cause;
      }
    },
  });
  const plain = (kind: Confinement, words: Words): Confined => confined({ kind, isOwnUser: false }, words);
  const own = (kind: Confinement, words: Words): Confined[] =>
    mayBeOwnUser ? [confined({ kind, isOwnUser: true }, words)] : [];
  /** In namespaces: made as root, then as a user of its own; as that user; or as this one. */
  const apart = (
    kind: Confinement,
    namespaces: readonly string[],
    script?: (mounts: readonly Mount[]) => string,
  ): Confined[] => {
    const made = (mounts: readonly Mount[]): string[] => {
      const mounting = script === undefined ? [] : ['/bin/sh', '-c', script(mounts), 'sh'];
      return [...namespaces, ...mounting, 'setpriv'];
    };
    const unprivileged = (mounts: readonly Mount[]): string[] => [
      'unshare',
      ...newUsers,
      ...made(mounts),
      ...noCapabilities,
    ];
    return [
      ...own(kind, (user, mounts) => ['unshare', ...made(mounts), ...ownUser(user), ...noCapabilities]),
      ...own(kind, (user, mounts) => ['setpriv', ...ownUser(user), ...unprivileged(mounts)]),
      plain(kind, (_, mounts) => unprivileged(mounts)),
    ];
  };
  const files =
    mountsHere() === undefined
      ? []
      : [
          ...apart('namespaces', ['--net', '--mount'], (mounts) => newRoot(seen, mounts, hidden)),
          ...apart('readonly', ['--net', '--mount'], (mounts) => readOnly(seen, mounts, hidden)),
        ];
  return [
    ...files,
    ...apart('offline', ['--net']),
    ...own('limits', (user) => ['setpriv', ...ownUser(user), ...noCapabilities]),
    plain('limits', () => ['setpriv', ...noCapabilities]),
    plain('limits', () => ['setpriv', ...endsWithHost]),
    bounded,
  ];
}

/** Where a program is; none: nowhere. */
function programOf(name: string): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .map((folder) => join(folder, name))
    .filter(isExecutable)
    .slice(0, 1);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Ends well if what must be read can be, what must not cannot, and modules with code of the machine can be loaded.
const PROBE = `
const { accessSync, constants: { R_OK, W_OK }, readdirSync } = require('node:fs');
const { needed, hidden, unwritten, natives } = JSON.parse(process.argv[1]);
const can = (act) => { try { return act(); } catch { return false; } };
for (const path of needed) accessSync(path, R_OK);
for (const path of hidden) if (can(() => readdirSync(path).length > 0)) process.exit(1);
for (const path of unwritten) if (can(() => accessSync(path, W_OK) === undefined)) process.exit(1);
for (const path of natives) require(path);`;

/** Prefixes in which modules could be loaded; for them it is enough that Node starts. */
const loaded = new Set<string>();

/** Whether Node starts under the prefix and, where rights are fewer, whether it can do and see what it has to. */
async function works(
  { kind, next, isOwnUser }: Confined,
  { folders, hidden, entry }: ConfinementOptions,
  seen: SeenFiles | undefined,
): Promise<boolean> {
  const hides = kind === 'namespaces' || kind === 'readonly';
  const hasFewerRights = hides || kind === 'offline' || isOwnUser;
  const { words, release } = next();
  // The number of the user differs from process to process.
  const key = JSON.stringify([words.join(' ').replaceAll(/--re[ug]id \d+/g, ''), folders, hidden]);
  let args = ['--version'];
  if (hasFewerRights && !loaded.has(key)) {
    const asked = {
      needed: [...folders, ...(isOwnUser || hides ? [fileURLToPath(entry)] : [])],
      hidden: hides ? [...hidden, ...SHARED_FOLDERS].filter((path) => !isSeen(path, seen!.paths)) : [],
      unwritten: hides ? ['/', ...seen!.paths.filter((path) => !path.startsWith('/dev/'))] : [],
      natives: seen?.natives ?? [],
    };
    args = ['-e', PROBE, JSON.stringify(asked)];
  }
  const isWorking = await run([...words, process.execPath, ...args]).finally(release);
  if (isWorking && hasFewerRights) loaded.add(key);
  return isWorking;
}

/** Whether a folder has something in it that is seen, or is in what is. */
function isSeen(folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === folder || isBelow(path, [folder]) || isBelow(folder, [path]));
}

/** @throws the error of the system where nothing was tried: a later process must not be confined less for that. */
function run([file, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { env: readingEnvironment(), timeout: PROBE_TIMEOUT_MS }, (error) => {
      if (SCARCE.has(error?.code)) reject(error!);
      else resolve(error === null);
    });
  });
}
