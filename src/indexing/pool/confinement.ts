import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mountOf, mountsHere, SCARCE, type Mount } from './mounts.js';
import { readingEnvironment } from './reading-environment.js';
import { isBelow, seenFiles, type SeenFiles } from './seen-files.js';

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

/** A command that is put before another one to confine it. */
export interface Confined {
  readonly kind: Confinement;
  /** Whether it runs as a user that has no files, because its host is root. */
  readonly isOwnUser: boolean;
  readonly prefix: readonly string[];
}

/** What a confinement amounts to; what the pool measures holds in any case. */
export function heldBy(
  { kind, isOwnUser }: Omit<Confined, 'prefix'>,
  { memoryMiB, openFiles }: Pick<ConfinementOptions, 'memoryMiB' | 'openFiles'>,
): Held {
  const bounds = [`at most ${openFiles} open files`, 'no core dumps'];
  const apart = ['no network', 'no capabilities', 'ends with its host', ...bounds];
  const privileges: Readonly<Record<Confinement, readonly string[]>> = {
    namespaces: ['no files but those of Node, its modules and the system, read-only', ...apart],
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

/** Ids that systemd gives to services for as long as they run: nobody's files have them. First and one past the last. */
const OWN_USERS = [61_184, 65_520] as const;

/** Where sockets and files of anybody are, hidden where the file system as a whole is seen. */
const SHARED_FOLDERS = ['run', 'var/run', 'tmp', 'var/tmp', 'dev/shm'].map((path) => `/${path}`);

/**
 * The strictest confinement that this system lets this user have. On Linux it is built from `unshare`, `mount` and
 * `setpriv` of util-linux, without privileges or, where the host is root, with what of them it has; it is tried before it
 * is used. Elsewhere there is none but bounds.
 * @throws the error of the system when it has no room for another process now.
 */
export async function confinement(options: ConfinementOptions): Promise<Confined> {
  const none: Confined = { kind: 'none', isOwnUser: false, prefix: [] };
  if (process.platform === 'win32') return none;
  const seen = process.platform === 'linux' ? seenHere(options) : undefined;
  for (const candidate of await candidates(options, seen)) if (await works(candidate, options, seen)) return candidate;
  return none;
}

const CAP_KILL = 5n;

/** Whether this process may end those of other users: root in a container may have lost that right. */
function canEndOthers(): boolean {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${held}`) >> CAP_KILL) & 1n) === 1n;
}

/** Programs that confine: they are started from within. */
const PROGRAMS = ['setpriv'];

function seenHere({ entry, folders }: ConfinementOptions): SeenFiles {
  return seenFiles(entry, PROGRAMS.flatMap(programOf), folders);
}

async function candidates(
  { memoryMiB, openFiles, hidden }: ConfinementOptions,
  seen: SeenFiles | undefined,
): Promise<Confined[]> {
  const dataKiB = (memoryMiB + RESERVED_MIB) * 1_024;
  const bounds = ['/bin/sh', '-c', BOUND, 'sh', String(openFiles), String(dataKiB)];
  if (seen === undefined) return [{ kind: 'bounds', isOwnUser: false, prefix: bounds }];
  const mayBeOwnUser = process.getuid?.() === 0 && canEndOthers();
  const user = String(randomInt(...OWN_USERS));
  const ownUser = ['--reuid', user, '--regid', user, '--clear-groups'];
  const endsWithHost = ['--no-new-privs', '--pdeathsig', 'KILL'];
  const noCapabilities = [...endsWithHost, '--inh-caps=-all', '--bounding-set=-all'];
  const newUsers = ['--user', '--map-root-user'];

  const plain = (kind: Confinement, command: readonly string[]): Confined => ({
    kind,
    isOwnUser: false,
    prefix: [...bounds, ...command],
  });
  const own = (kind: Confinement, command: readonly string[]): Confined[] =>
    mayBeOwnUser ? [{ ...plain(kind, command), isOwnUser: true }] : [];
  /** In namespaces: made as root, then as a user of its own; as that user; or as this one. */
  const apart = (kind: Confinement, namespaces: readonly string[], script?: string): Confined[] => {
    const mounting = script === undefined ? [] : ['/bin/sh', '-c', script, 'sh'];
    const made = [...namespaces, ...mounting, 'setpriv'];
    const unprivileged = ['unshare', ...newUsers, ...made, ...noCapabilities];
    return [
      ...own(kind, ['unshare', ...made, ...ownUser, ...noCapabilities]),
      ...own(kind, ['setpriv', ...ownUser, ...unprivileged]),
      plain(kind, unprivileged),
    ];
  };
  const mounts = await mountsHere();
  // Without the list of mounts nothing would be read-only.
  const files =
    mounts === undefined
      ? []
      : [
          ...apart('namespaces', ['--net', '--mount'], newRoot(seen, mounts, hidden)),
          ...apart('readonly', ['--net', '--mount'], readOnly(seen, mounts, hidden)),
        ];
  return [
    ...files,
    ...apart('offline', ['--net']),
    ...own('limits', ['setpriv', ...ownUser, ...noCapabilities]),
    plain('limits', ['setpriv', ...noCapabilities]),
    plain('limits', ['setpriv', ...endsWithHost]),
    plain('bounds', []),
  ];
}

/**
 * A script that makes an empty file system, puts what is seen into it, makes it the root and lets go of all the rest. A
 * namespace of mounts that is made in it cannot take away what covers a folder: the kernel locks it.
 */
function newRoot({ paths, links }: SeenFiles, mounts: readonly Mount[], hidden: readonly string[]): string {
  const all = [...paths, '/proc'];
  const place = ['/sys', '/mnt', '/media', '/srv'].find(
    (folder) =>
      existsSync(folder) && !all.some((path) => path === folder || isBelow(path, [folder]) || isBelow(folder, [path])),
  );
  if (place === undefined) return 'exit 1';
  const here = (path: string): string => quoted(`.${path}`);
  const files = all.filter((path) => !lstatSync(path).isDirectory());
  const folders = [
    ...all.filter((path) => !files.includes(path)),
    ...[...files, ...links.keys()].map(dirname),
    '/.old',
  ];
  const within = mounts.filter(({ point }) => isBelow(point, all));
  const covered = [...realPaths(hidden).filter((path) => isBelow(path, paths) || paths.includes(path)), '/proc/sys'];
  const table = [
    ...all.map((path) => row(path, `${place}${path}`, 'none', options('rbind', path, mounts))),
    ...covered.map((path) => row('tmpfs', `${place}${path}`, 'tmpfs', COVER)),
  ];
  return lines([
    `mount -n -t tmpfs -o mode=755,size=1m,nosuid,nodev tmpfs ${quoted(place)} && cd ${quoted(place)}`,
    `mkdir -p ${folders.map(here).join(' ')}`,
    ...files.map((path) => `: >${here(path)}`),
    ...[...links].map(([at, says]) => `ln -s ${quoted(says)} ${here(at)}`),
    // One call for all: a start of a program takes a millisecond.
    `printf '%s\\n' ${table.map(quoted).join(' ')} >.table && mount -n -a -T .table && : >.table`,
    ...within.filter(({ isOfKernel }) => !isOfKernel).map(({ point }) => remount(here(point), point, mounts)),
    'mount -n -o remount,bind,ro,nosuid,nodev . && pivot_root . .old && cd /',
    `PATH=$PATH:${['/.old/usr/bin', '/.old/bin', '/.old/usr/sbin', '/.old/sbin'].join(':')} umount -n -l /.old`,
  ]);
}

/** A script that makes all mounts read-only and covers what is hidden. */
function readOnly({ paths }: SeenFiles, mounts: readonly Mount[], hidden: readonly string[]): string {
  const isNeeded = (folder: string): boolean => paths.includes(folder) || paths.some((path) => isBelow(path, [folder]));
  const shared = [...SHARED_FOLDERS, tmpdir(), homedir()].filter((folder) => !isNeeded(folder));
  const covered = realPaths([...shared, ...hidden, '/proc/sys']);
  return lines([
    ...mounts
      .filter(({ isOfKernel, isWritable }) => isWritable && !isOfKernel)
      .map(({ point }) => remount(quoted(point), point, mounts)),
    ...covered.map((path) => cover(quoted(path))),
  ]);
}

/** Flags of a mount that shows a path and cannot be written to. */
function options(how: string, path: string, mounts: readonly Mount[]): string {
  const kept = mountOf(path, mounts)?.flags ?? [];
  const isDevice = path.startsWith('/dev/');
  return [...new Set([how, 'ro', 'nosuid', ...(isDevice ? [] : ['nodev']), ...kept])].join(',');
}

/** A mount point that cannot be reached from here cannot be by a reader. */
function remount(at: string, point: string, mounts: readonly Mount[]): string {
  return `mount -n -o ${options('remount,bind', point, mounts)} ${at} || [ ! -x ${at} ]`;
}

function cover(at: string): string {
  return `mount -n -t tmpfs -o ${COVER} tmpfs ${at}`;
}

/** Options of the empty file system that covers what is not to be seen. */
const COVER = 'ro,mode=755,size=4k,nosuid,nodev';

/** A row of a table of mounts, see fstab(5). */
function row(source: string, at: string, type: string, options: string): string {
  return `${[source, at].map(escaped).join(' ')} ${type} ${options} 0 0`;
}

function escaped(path: string): string {
  return path.replace(/[\s\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function lines(steps: readonly string[]): string {
  return `{ ${steps.map((step) => `{ ${step}; } || exit 1`).join('\n')}\n} 2>/dev/null\nexec "$@"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Those that are there, without links, each once. */
function realPaths(folders: readonly string[]): string[] {
  return [...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)))];
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
  { kind, prefix, isOwnUser }: Confined,
  { folders, hidden, entry }: ConfinementOptions,
  seen: SeenFiles | undefined,
): Promise<boolean> {
  const hides = kind === 'namespaces' || kind === 'readonly';
  const hasFewerRights = hides || kind === 'offline' || isOwnUser;
  // The number of the user differs from pool to pool.
  const key = JSON.stringify([prefix.join(' ').replaceAll(/--re[ug]id \d+/g, ''), folders, hidden]);
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
  const isWorking = await run([...prefix, process.execPath, ...args]);
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
