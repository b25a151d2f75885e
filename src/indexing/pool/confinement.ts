import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/**
 * What holds a reading process, from most to least:
 * - `namespaces`: no network, a read-only file system, no capabilities, and `limits`;
 * - `offline`: no network, no capabilities, and `limits`;
 * - `limits`: bounds of the kernel on memory, open files and core dumps; it ends with its host;
 * - `bounds`: the same, but it may outlive a host that is killed until it has read its file;
 * - `none`: what the pool measures and ends is all.
 */
export type Confinement = 'namespaces' | 'offline' | 'limits' | 'bounds' | 'none';

/** What holds the reading processes of a pool, for people. */
export interface Held {
  readonly confinement: Confinement;
  /** Each a few words, such as `no network`. */
  readonly holds: readonly string[];
}

/** What a reading process may have. */
export interface ConfinementOptions {
  /** Resident memory at which the pool ends the process, MiB. */
  readonly memoryMiB: number;
  /** Most files and pipes that it may have open at the same time. */
  readonly openFiles: number;
  /** Folders that it must be able to read. */
  readonly folders: readonly string[];
}

/** A command that is put before another one to confine it. */
export interface Confined {
  readonly kind: Confinement;
  readonly prefix: readonly string[];
}

/** What a confinement of this kind amounts to; what the pool measures holds in any case. */
export function heldBy(kind: Confinement, { memoryMiB, openFiles }: ConfinementOptions): Held {
  const bounds = [`at most ${openFiles} open files`, 'no core dumps'];
  const privileges: Readonly<Record<Confinement, readonly string[]>> = {
    namespaces: ['no network', 'read-only file system', 'no capabilities', 'ends with its host', ...bounds],
    offline: ['no network', 'no capabilities', 'ends with its host', ...bounds],
    limits: ['no new privileges', 'ends with its host', ...bounds],
    bounds,
    none: [],
  };
  return { confinement: kind, holds: [...privileges[kind], `${memoryMiB} MiB of memory`, 'processor time'] };
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

// Pairs of mount point and flags up to `--`. A mount point that cannot be reached from here cannot be by a reader.
const READ_ONLY = `
while [ "$1" != -- ]; do
  mount -n -o "remount,bind,ro$2" "$1" 2>/dev/null || [ ! -x "$1" ] || exit 1
  shift 2
done
shift; exec "$@"`;

// The folders to read up to `--`, then a command that has to work.
const PROBE = `
while [ "$1" != -- ]; do [ -r "$1" ] && [ -x "$1" ] || exit 1; shift; done
shift; exec "$@"`;

/** File systems of the kernel: they hold no files of anybody. */
const KERNEL_FILE_SYSTEMS = new Set(
  (
    'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts efivarfs fusectl hugetlbfs mqueue nsfs proc ' +
    'pstore rpc_pipefs securityfs selinuxfs sysfs tracefs'
  ).split(' '),
);
/** Flags that a remount in another user namespace has to repeat. */
const KEPT_FLAGS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime', 'strictatime']);

/** Codes with which the system refuses a process for now. */
const SCARCE: ReadonlySet<unknown> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * The strictest confinement that this system lets this user have. On Linux it is built from `unshare`, `mount` and
 * `setpriv` of util-linux, without privileges, and tried before it is used; elsewhere there is none.
 * @throws the error of the system when it has no room for another process now.
 */
export async function confinement(options: ConfinementOptions): Promise<Confined> {
  if (process.platform === 'win32') return { kind: 'none', prefix: [] };
  for (const candidate of await candidates(options)) if (await works(candidate, options)) return candidate;
  return { kind: 'none', prefix: [] };
}

async function candidates({ memoryMiB, openFiles }: ConfinementOptions): Promise<Confined[]> {
  const dataKiB = (memoryMiB + RESERVED_MIB) * 1_024;
  const bounds = ['/bin/sh', '-c', BOUND, 'sh', String(openFiles), String(dataKiB)];
  if (process.platform !== 'linux') return [{ kind: 'bounds', prefix: bounds }];
  const endsWithHost = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'];
  const noCapabilities = [...endsWithHost, '--inh-caps=-all', '--bounding-set=-all'];
  const unshare = ['unshare', '--user', '--map-root-user', '--net'];
  const mounts = await writableMounts();
  const readOnly = ['/bin/sh', '-c', READ_ONLY, 'sh', ...(mounts ?? []), '--'];
  const namespaces = [...bounds, ...unshare, '--mount', ...readOnly, ...noCapabilities];
  return [
    // Without the list of mounts nothing would be read-only.
    ...(mounts === undefined ? [] : [{ kind: 'namespaces', prefix: namespaces } as const]),
    { kind: 'offline', prefix: [...bounds, ...unshare, ...noCapabilities] },
    { kind: 'limits', prefix: [...bounds, ...noCapabilities] },
    { kind: 'limits', prefix: [...bounds, ...endsWithHost] },
    { kind: 'bounds', prefix: bounds },
  ];
}

/**
 * Mount points of file systems that can be written, each followed by the flags to keep; undefined: the system does not
 * tell them. See proc_pid_mountinfo(5).
 */
async function writableMounts(): Promise<string[] | undefined> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (SCARCE.has(cause.code)) throw cause;
    return undefined;
  });
  return mounts
    ?.trim()
    .split('\n')
    .flatMap((line) => {
      const [mount, source] = line.split(' - ').map((half) => half.split(' '));
      if (source === undefined || KERNEL_FILE_SYSTEMS.has(source[0])) return [];
      const flags = mount[5].split(',');
      if (!flags.includes('rw') || source[2]?.split(',').includes('ro')) return [];
      const point = mount[4].replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
      return [
        point,
        flags
          .filter((flag) => KEPT_FLAGS.has(flag))
          .map((flag) => `,${flag}`)
          .join(''),
      ];
    });
}

/**
 * Whether Node starts under the prefix; in namespaces, where rights are fewer, also whether the folders can be read.
 */
function works({ kind, prefix }: Confined, options: ConfinementOptions): Promise<boolean> {
  const folders = kind === 'namespaces' || kind === 'offline' ? options.folders : [];
  const [file, ...args] = [...prefix, '/bin/sh', '-c', PROBE, 'sh', ...folders, '--', process.execPath, '--version'];
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return new Promise((resolve, reject) => {
    execFile(file, args, { env, timeout: PROBE_TIMEOUT_MS }, (error) => {
      // Nothing was tried: a process that is started later must not be confined less for that.
      if (SCARCE.has(error?.code)) reject(error!);
      else resolve(error === null);
    });
  });
}
