import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { look } from './named.js';

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
  const found = await look(file);
  // Whoever reads a pipe would take the closing of a first writer for the end.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return;
  if (found !== undefined) return (await open(file, constants.O_WRONLY)).close();
  try {
    await (await open(file, 'wx')).close();
  } catch (cause) {
    // A link to what is not there yet: writing makes that.
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw cause;
  }
  await rm(file);
}
