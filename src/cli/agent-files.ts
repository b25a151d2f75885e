import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, extname, resolve, sep } from 'node:path';
import { FILE_EXTENSIONS } from '../index.js';
import { ToolFailure, type NamedFile } from '../mcp/index.js';

/** Largest file that an agent may name by its path, bytes. */
export const MOST_AGENT_FILE_BYTES = 256 * 1024 ** 2;

/**
 * Reads files for an agent, below the given folders alone: what an agent asks for may have been put into its head by a
 * text that it read. A path is relative to one of the folders, or absolute; links are followed before it is looked
 * where a file lies. Only files of known kinds are read.
 * @returns a function that rejects with ToolFailure for every other path; what lies outside is not even looked at.
 */
export function agentFiles(folders: readonly string[]): (path: string) => Promise<NamedFile> {
  const refused = (path: string, found: string): ToolFailure =>
    new ToolFailure(
      'NOT_ALLOWED',
      `${JSON.stringify(path.slice(0, 200))} ${found}.`,
      `Name a model, drawing or image below ${folders.join(' or ')}, or send its bytes as upload.`,
    );
  return async (path) => {
    if (path.includes('\0')) throw refused(path, 'is no path');
    if (!FILE_EXTENSIONS.includes(extname(path).toLowerCase()))
      throw refused(path, 'is no file of a kind that is read');
    for (const folder of folders) {
      const root = await realpath(folder);
      const wanted = resolve(root, path);
      const given = resolve(folder, path);
      const candidate = isBelow(wanted, root) ? wanted : isBelow(given, resolve(folder)) ? given : undefined;
      const place = candidate === undefined ? undefined : await placeOf(candidate);
      if (place !== undefined && isBelow(place, root)) return readWhole(place, path, refused);
    }
    throw refused(path, 'is no file below the folders that may be read');
  };
}

async function readWhole(
  place: string,
  path: string,
  refused: (path: string, found: string) => ToolFailure,
): Promise<NamedFile> {
  // A link that was put in its place since, or a pipe, is not opened.
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw refused(path, 'is no file');
    if (facts.size > MOST_AGENT_FILE_BYTES)
      throw refused(path, `has ${facts.size} bytes, allowed are ${MOST_AGENT_FILE_BYTES}`);
    return { name: basename(place), bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Where a path leads, links followed; undefined where nothing is. */
async function placeOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw cause;
  }
}
