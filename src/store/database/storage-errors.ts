import { EngineError, systemWords } from '../../errors.js';

/** What a person can do about a library whose catalogue is too damaged to be opened. */
export const OPENING_REMEDY =
  'restore catalog.sqlite from a copy; without one, `shapedex verify --rescue <folder>` copies all whole files, ' +
  'to be put into a new library';

/** What a person can do about a damaged catalogue. */
export const REMEDY =
  'restore catalog.sqlite from a copy; `shapedex verify` lists what is damaged, ' +
  '`shapedex verify --rescue <folder>` copies all whole files';

/** An error of the catalogue with another remedy, or with none, where the usual one leads nowhere. */
export function withRemedy(cause: unknown, remedy: string | undefined): unknown {
  if (!(cause instanceof EngineError && cause.message.endsWith(`; ${REMEDY}`))) return cause;
  const { code, message, details } = cause;
  const said = message.slice(0, -REMEDY.length - 2);
  return new EngineError(code, remedy === undefined ? said : `${said}; ${remedy}`, { details, cause });
}

/**
 * What a failure of the disk or the database means to a caller: `STORAGE_FAILED` with the system's own code in
 * `details.errno` when the disk refused, `LIBRARY_DAMAGED` when what it holds makes no sense. An EngineError passes
 * through.
 * `doing` completes "could not …".
 */
export function storageError(doing: string, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const code = codeOf(cause);
  if (isDamage(code)) {
    return new EngineError(
      'LIBRARY_DAMAGED',
      `could not ${doing}: the catalogue is damaged: ${code}${messageOf(cause)}; ${REMEDY}`,
      {
        details: { errno: code },
        cause,
      },
    );
  }
  if (code === '') throw cause; // No error of disk or database: a programming error must stay visible as what it is.
  const errno = code.startsWith('SQLITE_READONLY') ? 'EROFS' : code === 'SQLITE_FULL' ? 'ENOSPC' : code;
  return new EngineError('STORAGE_FAILED', `could not ${doing}: ${errno}${messageOf(cause)}`, {
    details: { errno },
    cause,
  });
}

/** {@link storageError} of a check: what the disk refused is thrown, because it says nothing about what is stored. */
export function damageOf(doing: string, cause: unknown): EngineError {
  const found = storageError(doing, cause);
  if (found.code === 'STORAGE_FAILED') throw found;
  return found;
}

/** SQLITE_ERROR: our SQL met a catalogue that lacks its tables. Short read: the file ends before its last page. */
function isDamage(code: string): boolean {
  return (
    code === 'SQLITE_NOTADB' ||
    code === 'SQLITE_ERROR' ||
    code === 'SQLITE_IOERR_SHORT_READ' ||
    code.startsWith('SQLITE_CORRUPT')
  );
}

/** The `code` of a system or SQLite error; '' when there is none. */
export function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

function messageOf(cause: unknown): string {
  const words = systemWords(cause);
  if (words !== undefined) return ` (${words})`;
  return cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
}
