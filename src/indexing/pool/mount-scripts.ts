import { existsSync, lstatSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { mountOf, type Mount } from './mounts.js';
import { isBelow, realPaths, SHARED_FOLDERS, type SeenFiles } from './seen-files.js';

// Scripts of a shell that runs in a namespace of mounts of its own and then becomes the reading process.

/**
 * A script that makes an empty file system, puts what is seen into it, makes it the root and lets go of all the rest. A
 * namespace of mounts that is made in it cannot take away what covers a folder: the kernel locks it.
 */
export function newRoot({ paths, links }: SeenFiles, mounts: readonly Mount[], hidden: readonly string[]): string {
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
export function readOnly({ paths }: SeenFiles, mounts: readonly Mount[], hidden: readonly string[]): string {
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

/** Other spaces than these stand as they are: the escape is of one byte. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\r\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function lines(steps: readonly string[]): string {
  return `{ ${steps.map((step) => `{ ${step}; } || exit 1`).join('\n')}\n} 2>/dev/null\nexec "$@"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
