import { readFileSync } from 'node:fs';

/** A place at which a file system is mounted. */
export interface Mount {
  readonly point: string;
  /** What a mount of it in another user namespace has to repeat, such as `nodev`. */
  readonly flags: readonly string[];
  readonly isWritable: boolean;
  /** One of the kernel: it holds no files of anybody. */
  readonly isOfKernel: boolean;
}

const KERNEL_FILE_SYSTEMS = new Set(
  (
    'autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts efivarfs fusectl hugetlbfs mqueue nsfs proc ' +
    'pstore rpc_pipefs securityfs selinuxfs sysfs tracefs'
  ).split(' '),
);
const KEPT_FLAGS = new Set(['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime', 'strictatime']);

/** Codes with which the system refuses a process, or a file, for now. */
export const SCARCE: ReadonlySet<unknown> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Mounts of this process, in the order in which they were made; undefined: the system does not tell them. See
 * proc_pid_mountinfo(5). @throws the error of the system when it has no room to tell them now.
 */
export function mountsHere(): Mount[] | undefined {
  return told()
    ?.trim()
    .split('\n')
    .flatMap((line) => {
      const [mount, source] = line.split(' - ').map((half) => half.split(' '));
      if (source === undefined) return [];
      const flags = mount[5].split(',');
      const point = mount[4].replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
      return [
        {
          point,
          flags: flags.filter((flag) => KEPT_FLAGS.has(flag)),
          isWritable: flags.includes('rw') && !source[2]?.split(',').includes('ro'),
          isOfKernel: KERNEL_FILE_SYSTEMS.has(source[0]),
        },
      ];
    });
}

function told(): string | undefined {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch (cause) {
    if (SCARCE.has((cause as NodeJS.ErrnoException).code)) throw cause;
    return undefined;
  }
}

/** The mount that a path is on. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter(({ point }) => path === point || path.startsWith(point === '/' ? '/' : `${point}/`))
    .reduce<Mount | undefined>(
      (last, one) => (last === undefined || one.point.length >= last.point.length ? one : last),
      undefined,
    );
}
