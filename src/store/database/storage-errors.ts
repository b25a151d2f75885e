import { EngineError } from '../../errors.js';

/**
 * What a failure of the disk or the database means to a caller: `STORAGE_FAILED` with the system's own code in
 * `details.errno` when the disk refused, `LIBRARY_DAMAGED` when what it holds makes no sense. An EngineError passes
 * through.
 * `doing` completes "could not …".
 */
export function storageError(doing: string, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const code = codeOf(cause);
  // SQLITE_ERROR: our SQL met a catalogue that lacks its tables.
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR' || code.startsWith('SQLITE_CORRUPT')) {
    return new EngineError('LIBRARY_DAMAGED', `could not ${doing}: the catalogue is damaged (${code})`, {
      details: { errno: code },
      cause,
    });
  }
  if (code === '') throw cause; // No error of disk or database: a programming error must stay visible as what it is.
  const errno = ERRNO_OF_SQLITE[code] ?? code;
  return new EngineError('STORAGE_FAILED', `could not ${doing}: ${errno}${messageOf(cause)}`, {
    details: { errno },
    cause,
  });
}

/** The `code` of a system or SQLite error; '' when there is none. */
export function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** The system's codes, which callers know, for SQLite's own. */
const ERRNO_OF_SQLITE: Readonly<Record<string, string>> = { SQLITE_FULL: 'ENOSPC', SQLITE_READONLY: 'EROFS' };

function messageOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
}
