import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';

/** Options, of all commands, that name a file to be written after the work. */
const OUTPUTS = Object.freeze(['csv', 'export', 'overlay', 'picture', 'sheet', 'xlsx'] as const);

/**
 * Tries to open the files that a command is to write once its work is done, so that it does not fail then. What is in
 * one stays; one that is made for this is removed.
 * @throws the error of the system.
 */
export async function checkOutputs(options: Readonly<Record<string, unknown>>): Promise<void> {
  for (const name of OUTPUTS) {
    const file = options[name];
    if (typeof file === 'string') await checkWritable(file);
  }
}

async function checkWritable(file: string): Promise<void> {
  try {
    // A pipe that nobody reads yet is not waited for.
    await (await open(file, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))).close();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENXIO') return;
    if (code !== 'ENOENT') throw cause;
    await (await open(file, 'wx')).close();
    await rm(file);
  }
}
