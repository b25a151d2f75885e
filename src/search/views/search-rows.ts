import type { FileViewRow } from '../../store/catalog/shapelet.js';

/** Reads the rows of those of some files that have views, in the order of the files. */
export type ReadRows = (fileIds: readonly number[]) => Promise<readonly FileViewRow[]>;

/**
 * Reads each row once: a search by a sketch compares the views of one file by their descriptors, in other proportions
 * and by their lines. It is for one search: a file that changes meanwhile is ranked by what was read first.
 */
export function readOnce(read: ReadRows): ReadRows {
  const known = new Map<number, FileViewRow | undefined>();
  return async (fileIds) => {
    const unknown = fileIds.filter((fileId) => !known.has(fileId));
    if (unknown.length > 0) {
      const rows = new Map((await read(unknown)).map((row) => [row.fileId, row]));
      for (const fileId of unknown) known.set(fileId, rows.get(fileId));
    }
    return fileIds.flatMap((fileId) => known.get(fileId) ?? []);
  };
}
