/** Codes of failures that may not come again: the others say something about the bytes, which stay as they are. */
const PASSING = new Set(['TIMEOUT', 'WORKER_FAILED', 'STORAGE_FAILED', 'PACKAGE_MISSING', 'REFERENCE_MISSING']);

/** Whether reading the file again may help. A limit may have been raised since. */
export function isWorthRetrying(error: { readonly code: string } | null): boolean {
  return error === null || PASSING.has(error.code) || error.code === 'LIMIT_EXCEEDED';
}

/** Reasons of failures in words, by code. */
export const FAILURE_NAMES: Readonly<Record<string, string>> = {
  FORMAT_UNSUPPORTED: 'Format not supported',
  FILE_MALFORMED: 'Damaged or cut off',
  NO_GEOMETRY: 'No geometry in it',
  REFERENCE_MISSING: 'Other files are missing',
  LIMIT_EXCEEDED: 'Beyond a limit',
  TIMEOUT: 'Took too long',
  PACKAGE_MISSING: 'A package is missing',
  WORKER_FAILED: 'Reading stopped',
  STORAGE_FAILED: 'The disk refused',
};
