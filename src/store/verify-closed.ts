import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EngineError } from '../errors.js';
import { codeOf, storageError } from './database/storage-errors.js';
import { LOST } from './disk/blob-file.js';
import { lockToRead, Rescue, type DamagedBytes } from './rescue.js';
import type { VerifyProblem, VerifyReport } from './verify-report.js';

/** One of these is in every library that ever held a file. */
const MARKS = ['catalog.sqlite', 'blobs', LOST];

/**
 * Checks the bytes of a library that does not open as `rescueFiles` does, and copies none. It ends with a report
 * however damaged the library is: what cannot be read is a problem in it.
 * @param cause why it does not open: the first problem of the report. Thrown when the folder is no library.
 * @throws EngineError `LIBRARY_LOCKED`.
 */
export async function verifyClosed(library: string, cause: EngineError): Promise<VerifyReport> {
  const folder = resolve(library);
  const isRefused = cause.code === 'STORAGE_FAILED';
  const problems: VerifyProblem[] = [
    { code: isRefused ? 'CHECK_FAILED' : 'CATALOG_DAMAGED', message: cause.message, repaired: false },
  ];
  const none = { count: 0, byteLength: 0 };
  if (!isLibrary(folder, cause)) return reportOf({ problems, whole: none, lost: none, blobsChecked: 0 });
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

/** False: the system refuses to look into the folder. @throws what was given when it is no library. */
function isLibrary(folder: string, cause: EngineError): boolean {
  try {
    const names = readdirSync(folder);
    if (MARKS.some((mark) => names.includes(mark))) return true;
  } catch (refusal) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(refusal))) return false;
  }
  throw cause;
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
