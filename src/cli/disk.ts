import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Whether a path is a folder that exists. */
export async function isFolder(path: string): Promise<boolean> {
  return (await look(path))?.isDirectory() ?? false;
}

/** Whether a path is a file that exists. */
export async function isFile(path: string): Promise<boolean> {
  return (await look(path))?.isFile() ?? false;
}

async function look(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
