import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UNCONFINED, type Confined, type Confinement, type ConfinementOptions } from './confined.js';
import { works } from './confinement-probe.js';
import { newRoot, readOnly } from './mount-scripts.js';
import { mountsHere, type Mount } from './mounts.js';
import { canHaveUsers, releaseUser, takeUser } from './own-users.js';
import { seenFiles, type SeenFiles } from './seen-files.js';

/**
 * Writable memory that the kernel allows beside `memoryMiB`, MiB: stacks of threads and what allocators hold back count
 * although they are not resident. The pool ends a process by its resident memory; this bound holds when a process grows
 * faster than it is measured.
 */
const RESERVED_MIB = 1_024;

// An `exec` keeps the process, so that the pool measures and ends the reader itself. Lowering a bound that is lower
// already may fail: then the lower one holds. The kernel, when it runs out of memory, ends a reader before its host.
const BOUND = `
{ ulimit -c 0; ulimit -n "$1"; ulimit -d "$2"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
shift 2; exec "$@"`;

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
  const bounded: Confined = { ...UNCONFINED, kind: 'bounds', next: () => ({ words: bounds, user: undefined }) };
  if (seen === undefined) return [bounded];
  const mayBeOwnUser = canHaveUsers();
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
      try {
        return { words: [...bounds, ...words(String(user), mounts)], user };
      } catch (cause) {
        if (user !== undefined) releaseUser(user); // What was to be seen is gone.
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
