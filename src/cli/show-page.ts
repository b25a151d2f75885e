import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from './server.js';

/** How the address of the page is told. */
export interface ShownPage {
  /** The address that is printed. */
  readonly shown: string;
  /** Where the address with the key is, when it is not printed. */
  readonly keyFile?: string;
  /** What is printed after the address. */
  readonly note: string;
  /** Removes the file. */
  end(): Promise<void>;
}

/**
 * Tells the address of the page to the person who starts the server, and to nobody else: with the key on a terminal.
 * What is printed elsewhere usually ends in a log, so there the address with the key goes into a file that the owner of
 * this process alone can read, for as long as the server runs.
 */
export async function showPage(
  { pageUrl, keyed }: RunningServer,
  { isTerminal }: { readonly isTerminal: boolean },
): Promise<ShownPage> {
  const nothing = async (): Promise<void> => undefined;
  if (!keyed || isTerminal) return { shown: pageUrl, note: '', end: nothing };
  const parent = process.env['XDG_RUNTIME_DIR'] ?? tmpdir();
  await removeLeftOvers(parent);
  // Made for its owner alone (0700), under a name that nobody can guess or make before.
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  const keyFile = join(folder, 'page');
  await writeFile(keyFile, `${pageUrl}\n`, { mode: 0o600, flag: 'wx' });
  return {
    shown: pageUrl.replace(/#.*/, ''),
    keyFile,
    note: `\nThe address with a key that needs no sign-in is in ${keyFile}, which you alone can read.`,
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Of the folders of this machine: containers that share a folder for temporary files have names of their own. */
const PREFIX = `shapedex-page-${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`;

/**
 * Removes the folders of processes of this user that were killed. Their keys are good for nothing, because a key ends
 * with its process.
 */
async function removeLeftOvers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []); // A folder that cannot be listed has nothing to be removed.
  for (const name of names) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = /^(\d{1,10})-\w+$/.exec(name.slice(PREFIX.length))?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(parent, name);
    const facts = await lstat(folder).catch(() => undefined); // Another process removed it.
    if (facts?.isDirectory() !== true || facts.uid !== (process.getuid?.() ?? facts.uid)) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
