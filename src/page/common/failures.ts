import type { WireRecord } from '../api/endpoints.js';

/** Codes of failures that may not come again: the others say something about the bytes, which stay as they are. */
const PASSING = new Set(['TIMEOUT', 'WORKER_FAILED', 'STORAGE_FAILED', 'PACKAGE_MISSING', 'REFERENCE_MISSING']);

/** Whether reading the file again may help. A limit may have been raised since. */
export function isWorthRetrying(error: WireRecord['error']): boolean {
  return error === null || PASSING.has(error.code) || error.code === 'LIMIT_EXCEEDED';
}
