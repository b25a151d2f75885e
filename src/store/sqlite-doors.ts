import type { Categories } from './catalog/categories.js';
import type { Duplicates } from './catalog/duplicate-records.js';
import type { Files } from './catalog/files.js';
import type { SearchInputs } from './catalog/search-inputs.js';
import type {
  CategoryDoor,
  ChangeDoor,
  DuplicateDoor,
  FileDoor,
  HitRecord,
  SearchInputDoor,
  WatchedFileDoor,
} from './catalogue.js';
import type { Writes } from './database/writes.js';
import type { OpenCatalog } from './rooms.js';
import type { WatchedFiles } from './catalog/watched-files.js';

/**
 * Implements doors of `catalogue.ts` with tables whose methods run inside a transaction: reads use the one connection
 * at once, and writes go through the group commit.
 */

export function fileDoor(files: Files, changes: ChangeDoor): FileDoor {
  return {
    companies: async () => files.companies(),
    row: async (companyId, uid) => files.row(companyId, uid),
    rowAt: async (companyId, path) => files.rowAt(companyId, path),
    rowById: async (fileId) => files.rowById(fileId),
    idsOf: async (companyId, uids) => files.idsOf(companyId, uids),
    record: async (row) => files.record(row),
    recordById: async (fileId) => files.recordById(fileId),
    hits: async (fileIds, since) => {
      const records = new Map<number, HitRecord>();
      for (const fileId of fileIds) {
        const hit = files.hitById(fileId);
        if (hit?.state === 'indexed') records.set(fileId, hit);
      }
      // In the same turn of the event loop, so that both are one state of the catalogue.
      const { mark, fileIds: changed } = await changes.since(since);
      const ids = changed && new Set(changed);
      return { records, mark, changed: fileIds.filter((fileId) => ids === undefined || ids.has(fileId)) };
    },
    list: async (options) => files.list(options),
    counts: async (companyId) => files.counts(companyId),
    summary: async (companyId) => files.summary(companyId),
    folders: async (companyId, prefix) => files.folders(companyId, prefix),
    failures: async (companyId) => files.failures(companyId),
  };
}

export function searchInputDoor(inputs: SearchInputs): SearchInputDoor {
  return {
    row: async (companyId, uid, seen) => inputs.row(companyId, uid, seen),
    facts: async (fileId) => inputs.facts(fileId),
    ownerOf: async (companyId) => inputs.ownerOf(companyId),
    usage: async (companyId, owner) => inputs.usage(companyId, owner),
  };
}

export function categoryDoor(
  categories: Categories,
  files: Files,
  { writes, changes }: Pick<OpenCatalog, 'writes' | 'changes'>,
): CategoryDoor {
  return {
    list: async (companyId) => categories.list(companyId),
    add: (category) => writes.run(() => categories.add(category)),
    remove: (companyId, id) =>
      writes.run(() => {
        categories.remove(companyId, id);
        changes.forget(); // Its files have another category.
      }),
    assign: (companyId, uid, id) =>
      writes.run(() => {
        const row = files.row(companyId, uid);
        categories.assign(companyId, row.id, id);
        changes.note(row.id);
        return files.record({ ...row, category_id: id });
      }),
  };
}

export function duplicateDoor(duplicates: Duplicates, files: Files, writes: Writes): DuplicateDoor {
  return {
    files: async (companyId) => [...duplicates.files(companyId)],
    pair: async (pair) => duplicates.pair(pair),
    putPairs: (pairs) => writes.run(() => duplicates.putPairs(pairs)),
    decisions: async (companyId) => duplicates.decisions(companyId),
    decide: (companyId, decisions) =>
      writes.run(() => {
        for (const uid of new Set(decisions.flatMap(({ uids }) => uids))) files.row(companyId, uid);
        return duplicates.decide(companyId, decisions, Date.now());
      }),
    undo: (companyId, ids) => writes.run(() => duplicates.undo(companyId, ids)),
  };
}

export function watchedFileDoor(watched: WatchedFiles, writes: Writes): WatchedFileDoor {
  return {
    list: async (companyId, folder, options) => watched.list(companyId, folder, options),
    put: (companyId, folder, file) => writes.run(() => watched.put(companyId, folder, file)),
    remove: (companyId, folder, path) => writes.run(() => watched.remove(companyId, folder, path)),
  };
}
