import type { Database } from 'better-sqlite3';
import { EngineError } from '../errors.js';
import type { Files } from './catalog/files.js';
import type { StaleFile } from './catalog/record.js';
import type { BlobStore } from './disk/blobs.js';
import type { OpenCatalog, RoomTables, Rooms } from './rooms.js';
import type { VerifyOptions, VerifyProblem, VerifyReport } from './verify-report.js';
import type { DescriptorRules } from './catalog/indexed-file.js';

/** The parts of the store that a check uses. */
interface CheckedStore {
  readonly rooms: Rooms;
  readonly blobs: BlobStore;
  staleFiles(rules: DescriptorRules): StaleFile[];
  outdatedFiles(rules: DescriptorRules): StaleFile[];
  reindexStale(rules: DescriptorRules): Promise<StaleFile[]>;
  sweep(options: { readonly remove: boolean }): Promise<number>;
}

/**
 * Reads the whole library once and checks it. Original data are never changed, only data derived from them.
 * @internal
 */
export async function verifyLibrary(
  { catalog, files, store, rules }: { catalog: OpenCatalog; files: Files; store: CheckedStore; rules: DescriptorRules },
  { repair, onProgress, signal }: VerifyOptions,
): Promise<VerifyReport> {
  const { database } = catalog;
  const rooms: readonly RoomTables[] = [store.rooms.words, store.rooms.attributes, store.rooms.accounts];
  const problems: VerifyProblem[] = [];
  for (const { integrity_check: found } of database.pragma('integrity_check') as { integrity_check: string }[]) {
    if (found !== 'ok' && !rooms.some((room) => room.reports?.(found)))
      problems.push({ code: 'CATALOG_DAMAGED', message: found, repaired: false });
  }
  for (const row of database.pragma('foreign_key_check') as { table: string; rowid: number }[]) {
    if (rooms.some((room) => room.reports?.(row.table))) continue;
    problems.push({
      code: 'CATALOG_DAMAGED',
      message: `row ${row.rowid} of ${row.table} belongs to nothing`,
      repaired: false,
    });
  }

  for (const room of rooms) {
    for (const { companyId, ...problem } of (await room.verify?.(catalog, { repair, ...(signal && { signal }) })) ??
      []) {
      const company = companyId === undefined ? undefined : companyName(database, companyId);
      problems.push({ ...problem, ...(company === undefined ? {} : { company }), repaired: repair });
    }
  }

  const blobs = files.blobs();
  let bytesChecked = 0;
  for (const [position, { hash, byteLength }] of blobs.entries()) {
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    const found = await store.blobs.check(hash, byteLength);
    // The files may have been deleted meanwhile: then the blob has no owner, and nothing is wrong.
    for (const { uid, path, company } of found === undefined ? [] : files.owners(hash)) {
      const message = `the bytes of ${path} are ${found === 'missing' ? 'missing' : 'not those that were put'}`;
      problems.push({
        code: found === 'missing' ? 'BLOB_MISSING' : 'BLOB_CHANGED',
        message,
        company,
        uid,
        path,
        repaired: false,
      });
    }
    bytesChecked += byteLength;
    onProgress?.({ done: position + 1, total: blobs.length });
  }

  const stale = store.staleFiles(rules);
  for (const { path, uid, company } of stale) {
    problems.push({
      code: 'DESCRIPTOR_STALE',
      message: `the descriptors of ${path} are missing or unfit`,
      company,
      uid,
      path,
      repaired: repair,
    });
  }
  const unfit = new Set(stale.map(({ fileId }) => fileId));
  const outdated = store.outdatedFiles(rules).filter(({ fileId }) => !unfit.has(fileId));
  for (const { path, uid, company } of outdated) {
    problems.push({
      code: 'CONTENT_STALE',
      message: `the texts or shapelets of ${path} are of another version or missing`,
      company,
      uid,
      path,
      repaired: repair,
    });
  }
  const requeued = repair && stale.length + outdated.length > 0 ? await store.reindexStale(rules) : [];

  const unowned = await store.sweep({ remove: repair });
  if (unowned > 0)
    problems.push({
      code: 'BLOB_UNOWNED',
      message: `${unowned} stored byte strings belong to no file`,
      repaired: repair,
    });
  return { blobsChecked: blobs.length, bytesChecked, problems, requeued };
}

/** Name of a company; for one that holds search inputs, the name of the company that they belong to. */
function companyName(database: Database, companyId: number): string | undefined {
  return database
    .prepare<[number], string>(
      'SELECT name FROM company WHERE id = (SELECT coalesce(inputs_of, id) FROM company WHERE id = ?)',
    )
    .pluck()
    .get(companyId);
}
