import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  // Made for its owner alone (0700), under a name that nobody can guess or make before.
  const folder = await mkdtemp(join(process.env['XDG_RUNTIME_DIR'] ?? tmpdir(), 'shapedex-'));
  const keyFile = join(folder, 'page');
  await writeFile(keyFile, `${pageUrl}\n`, { mode: 0o600, flag: 'wx' });
  return {
    shown: pageUrl.replace(/#.*/, ''),
    keyFile,
    note: `\nThe address with a key that needs no sign-in is in ${keyFile}, which you alone can read.`,
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
