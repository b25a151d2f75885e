import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Confined, ConfinementOptions } from './confined.js';
import { SCARCE } from './mounts.js';
import { releaseUser } from './own-users.js';
import { readingEnvironment } from './reading-environment.js';
import { isBelow, SHARED_FOLDERS, type SeenFiles } from './seen-files.js';

const PROBE_TIMEOUT_MS = 10_000;

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
export async function works(
  { kind, next, isOwnUser }: Confined,
  { folders, hidden, entry }: ConfinementOptions,
  seen: SeenFiles | undefined,
): Promise<boolean> {
  const hides = kind === 'namespaces' || kind === 'readonly';
  const hasFewerRights = hides || kind === 'offline' || isOwnUser;
  const { words, user } = next();
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
  const isWorking = await run([...words, process.execPath, ...args]).finally(
    () => user !== undefined && releaseUser(user),
  );
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
