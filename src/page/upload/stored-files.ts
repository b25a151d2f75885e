import { listRecords } from '../api/endpoints.js';
import type { WireRecord } from '../api/endpoints.js';

const PAGE_RECORDS = 1_000;
/** Larger files are sent again without a comparison, which would read them into memory. */
const COMPARED_BYTES = 512 * 1024 * 1024;

/** Stored files by path. */
export type StoredFiles = ReadonlyMap<string, Pick<WireRecord, 'byteLength' | 'sha256' | 'state'>>;

/** The stored files below the top folders of these paths. */
export async function storedBelow(paths: readonly string[], signal: AbortSignal): Promise<StoredFiles> {
  const stored = new Map<string, Pick<WireRecord, 'byteLength' | 'sha256' | 'state'>>();
  const folders = new Set(paths.map((path) => path.slice(0, path.indexOf('/') + 1) || path));
  for (const prefix of folders) {
    for (let after: string | undefined; ; ) {
      const records = await listRecords({ prefix, limit: PAGE_RECORDS, after }, signal);
      for (const { path, byteLength, sha256, state } of records) stored.set(path, { byteLength, sha256, state });
      if (records.length < PAGE_RECORDS) break;
      after = records[records.length - 1].path;
    }
  }
  return stored;
}

/**
 * Whether the file is already stored under the path with the same length and SHA-256. Browsers have no SHA-256 on
 * origins without https; there the answer is false, the file is sent, and the engine finds that nothing has changed.
 */
export async function isStored(stored: StoredFiles, path: string, file: File): Promise<boolean> {
  const known = stored.get(path.normalize('NFC'));
  if (known === undefined || known.byteLength !== file.size || known.state === 'failed') return false;
  if (globalThis.crypto.subtle === undefined || file.size > COMPARED_BYTES) return false;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') === known.sha256;
}
