import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EngineError } from '../errors.js';
import { codeOf, storageError } from './database/storage-errors.js';
import { LOST } from './disk/blob-file.js';
import { writeRefusal } from './disk/library-folder.js';
import { LOST_LIST } from './disk/lost-and-found.js';
import { lockToRead, Rescue, type DamagedBytes } from './rescue.js';
import type { VerifyProblem, VerifyReport } from './verify-report.js';

/**
 * Checks the bytes of a library that does not open as `rescueFiles` does, and copies none. It ends with a report
 * however damaged the library is: what cannot be read is a problem in it. Of a library that a newer version wrote this
 * version knows neither the rows nor where the bytes lie, so that it checks nothing.
 * @param cause why it does not open: the first problem of the report. Thrown when the folder is no library.
 * @throws EngineError `LIBRARY_LOCKED`.
 */
export async function verifyClosed(library: string, cause: EngineError): Promise<VerifyReport> {
  const folder = resolve(library);
  const isListed = isLibrary(folder, cause);
  const problems: VerifyProblem[] = [problemOf(folder, cause, { isListed })];
  const none = { count: 0, byteLength: 0 };
  if (!isListed || isOfNewer(cause)) return reportOf({ problems, whole: none, lost: none, blobsChecked: 0 });
  const lock = lockToRead(folder);
  try {
    const rescue = new Rescue(folder, { extensionOf: () => undefined });
    const { damaged, unreadable } = await rescue.run();
    for (const { hash, fault, files } of damaged)
      for (const { company, path } of files.length === 0 ? [{ company: undefined, path: undefined }] : files) {
        const message = `the bytes of ${path ?? hash} ${FAULTS[fault].says}`;
        problems.push({ code: FAULTS[fault].code, message, company, path, repaired: false });
      }
    for (const { folder: unlisted, errno } of unreadable)
      problems.push({ code: 'CHECK_FAILED', message: `${unlisted} cannot be listed: ${errno}`, repaired: false });
    const { whole, lost } = rescue;
    const blobsChecked = whole.count + damaged.filter(({ file }) => file !== undefined).length;
    return reportOf({ problems, whole, lost, blobsChecked });
  } catch (failure) {
    // Something went while it was read.
    const { message } = storageError(`check the files of ${folder}`, failure);
    problems.push({ code: 'CHECK_FAILED', message, repaired: false });
    return reportOf({ problems, whole: none, lost: none, blobsChecked: 0 });
  } finally {
    lock?.release();
  }
}

/** Why the library does not open, as a problem of its report. */
function problemOf(folder: string, cause: EngineError, { isListed }: { readonly isListed: boolean }): VerifyProblem {
  const { code, message } = cause;
  if (isOfNewer(cause)) return { code: 'LIBRARY_UNREADABLE', message, repaired: false };
  if (code !== 'STORAGE_FAILED') return { code: 'CATALOG_DAMAGED', message, repaired: false };
  const errno = isListed ? writeRefusal(folder) : undefined;
  if (errno === undefined) return { code: 'CHECK_FAILED', message, repaired: false };
  const readOnly =
    `${folder} can only be read (${errno}), and a library is checked in full only where it can be written to; ` +
    'its catalogue was not checked, the bytes of its files were';
  return { code: 'CHECK_FAILED', message: readOnly, repaired: false };
}

/** Whether an error of opening says that a newer version wrote the library. */
function isOfNewer({ code, details }: EngineError): boolean {
  return code === 'LIBRARY_UNREADABLE' && details['known'] !== undefined;
}

/** False: the system refuses to look into the folder. @throws what was given when it is no library. */
function isLibrary(folder: string, cause: EngineError): boolean {
  try {
    if (readdirSync(folder).includes('catalog.sqlite') || hasBytes(folder)) return true;
  } catch (refusal) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(refusal))) return false;
  }
  throw cause;
}

/** Whether bytes of files lie there, or may lie where the system refuses to look. Other programs have a `blobs` too. */
function hasBytes(folder: string): boolean {
  const inLost = namesIn(join(folder, LOST)) ?? []; // The top of a disk has one, which is not for everybody.
  if (inLost.some((name) => name === LOST_LIST || /^[0-9a-f]{64}$/.test(name))) return true;
  return namesIn(join(folder, 'blobs'))?.some((name) => /^[0-9a-f]{2}$/.test(name)) ?? true;
}

/** The names in a folder, none of one that is missing; undefined: the system refuses to list it. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (refusal) {
    if (codeOf(refusal) === '') throw refusal;
    return codeOf(refusal) === 'ENOENT' ? [] : undefined;
  }
}

interface Counts {
  readonly count: number;
  readonly byteLength: number;
}

function reportOf({
  problems,
  whole,
  lost,
  blobsChecked,
}: {
  readonly problems: readonly VerifyProblem[];
  readonly whole: Counts;
  readonly lost: Counts;
  readonly blobsChecked: number;
}): VerifyReport {
  return {
    blobsChecked,
    bytesChecked: whole.byteLength,
    problems,
    catalogueIsOlder: false,
    lostAndFound: { ...lost, moved: 0, takenBack: 0, removed: 0 },
    requeued: [],
  };
}

const FAULTS: Readonly<Record<DamagedBytes['fault'], { code: VerifyProblem['code']; says: string }>> = {
  missing: { code: 'BLOB_MISSING', says: 'are missing' },
  changed: { code: 'BLOB_CHANGED', says: 'are not those that were put' },
  unreadable: { code: 'BLOB_UNREADABLE', says: 'cannot be read' },
};
