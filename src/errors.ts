/**
 * Every failure that is not a programming mistake is an {@link EngineError} with a stable `code`. Misuse of the API
 * (a wrong type, an unknown option, a value out of range) is a `TypeError` or `RangeError` that names the option.
 */

/** Stable, machine-readable reasons. Codes are added, never renamed. */
export type ErrorCode =
  /** Another process, or another Engine in this one, has the library open. `details.holder` names it. */
  | 'LIBRARY_LOCKED'
  /** The folder holds something that is not a library, or one written by a newer version. */
  | 'LIBRARY_UNREADABLE'
  /** Stored data does not match its checksum and cannot be rebuilt. */
  | 'LIBRARY_DAMAGED'
  /** The engine or the company was used after `close()`. */
  | 'ENGINE_CLOSED'
  /** No file with this UID in this company. */
  | 'FILE_UNKNOWN'
  /** The file is known but is not indexed (yet, or it failed), so it cannot be searched with. */
  | 'FILE_NOT_INDEXED'
  /** The UID belongs to another file, which this call may not replace. */
  | 'UID_TAKEN'
  /** No category with this id in this company. */
  | 'CATEGORY_UNKNOWN'
  /** The bytes are of no kind that the engine reads. */
  | 'FORMAT_UNSUPPORTED'
  /** The bytes are of a known kind but break its rules. */
  | 'FILE_MALFORMED'
  /** The file is sound but holds no shape that can be described (no triangles, only points, zero area). */
  | 'NO_GEOMETRY'
  /** The file cannot be read without other files, which were not given: `details.references` names them. */
  | 'REFERENCE_MISSING'
  /** A named limit was passed: `details.limit`, `details.allowed`, `details.found`. */
  | 'LIMIT_EXCEEDED'
  /** The name of a file on disk cannot be a path of the library: it is too long, or holds control characters. */
  | 'PATH_INVALID'
  /**
   * Reading or describing took more processor time than `limits.timeoutMs`, slept longer than `limits.sleepTimeoutMs`,
   * or took more time by the clock than `limits.wallTimeoutMs`: `details.limit`, `details.allowed`.
   */
  | 'TIMEOUT'
  /** The process that read the file ended unexpectedly. */
  | 'WORKER_FAILED'
  /** A package is not installed, or its native module was not built: `details.package` names it. */
  | 'PACKAGE_MISSING'
  /** The caller's AbortSignal ended the work. */
  | 'ABORTED'
  /** The disk refused a write (full, read-only, I/O error). */
  | 'STORAGE_FAILED'
  /** A size tolerance, filter or other query text that cannot be parsed. */
  | 'QUERY_INVALID'
  /** There is a company, user or client of this name already; `details.what` says which. */
  | 'ACCOUNT_EXISTS'
  /** No company, user or client of this name; `details.what` says which. */
  | 'ACCOUNT_UNKNOWN'
  /**
   * A password, secret or token is not right; `details.what`: 'user', 'client' or 'token'. Which part of a pair is
   * wrong is not reported.
   */
  | 'CREDENTIALS_INVALID'
  /** The host's options or the caller's role forbid it. */
  | 'NOT_ALLOWED'
  /** Too many attempts; `details.retryAfterS` says when the next one is accepted. */
  | 'RATE_LIMITED'
  /** No saved search, quote request or delivery of this id; `details.what` says which. */
  | 'RECORD_UNKNOWN'
  /**
   * What is stored contradicts the call (a chunk of a request that is complete, another total of chunks), or two files
   * of one folder have the same path in the library.
   */
  | 'CONFLICT'
  /**
   * A callback address leads into a private network and is not on the company's allow-list; `details.address` names it.
   */
  | 'ADDRESS_REFUSED'
  /** The WebAssembly core is missing, of another version, or trapped. */
  | 'CORE_FAILED';

/** Facts about a failure for a program to read; what is there depends on the code. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The one error class of the engine. `message` says what was found and what was expected. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** What an error about an option carries in `details`: the option's own name, and what else its message says. */
export type OptionDetails = ErrorDetails & { readonly option: string };

/**
 * A TypeError or RangeError about an option, so that a caller can say in its own names what was wrong with what.
 * @param what its name in the message, such as `put options.wait` or `attributes[2]`; `details.option` is `wait`,
 * `attributes`.
 */
export function optionError(
  Kind: typeof TypeError | typeof RangeError,
  what: string,
  wrong: string,
  details: ErrorDetails = {},
): Error {
  const option = /(\w+)(?:\[\d+\])?$/.exec(what)?.[1] ?? what;
  const value: OptionDetails = { ...details, option };
  // Not enumerable: printed, the error looks like any other.
  return Object.defineProperty(new Kind(`${what} ${wrong}`), 'details', { value });
}

/** The details of an {@link optionError}. */
export function optionDetailsOf(cause: unknown): OptionDetails | undefined {
  if (!(cause instanceof TypeError || cause instanceof RangeError)) return undefined;
  return (cause as { readonly details?: OptionDetails }).details;
}

/**
 * What was thrown, so that it can stand within a sentence of ours: the first line, at most 200 characters, without the
 * asterisks and codes in which libraries wrap what they say.
 */
export function messageOf(cause: unknown): string {
  return plainReason(cause instanceof Error ? cause.message : String(cause));
}

/** {@link messageOf} of a text. */
export function plainReason(text: string): string {
  const [line] = text.trim().split('\n');
  return line
    .replace(/^[*\s]+|[*\s.:]+$/g, '')
    .replace(/^(?:(?:Error|[A-Z]\w*Error|E[A-Z]{2,}|ERR(?:_\w+)?|\w+load(?:_\w+)?|Vips\w+|Magick)\b *:? *)+/, '')
    .replace(/: (?:Vips\w+|\w+load(?:_\w+)?): */g, ': ')
    .slice(0, 200);
}

/** What the system says by its codes, in words. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not do that',
  EADDRINUSE: 'another program has this address and port',
  EADDRNOTAVAIL: 'this machine has no such address',
  EBUSY: 'it is in use',
  EEXIST: 'it is there already',
  EINVAL: 'the system does not take that',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'the machine has too many files open',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'there is no such device',
  EPERM: 'this user may not do that',
  EROFS: 'the disk can only be read',
  ETXTBSY: 'it is being run',
  EXDEV: 'it is on another disk',
};

/** What the system's code of an error says, in words; undefined for what is no error of the system. */
export function systemWords(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? SYSTEM_WORDS[code] : undefined;
}

/** The error of a file of a known kind that breaks its rules. */
export function fileMalformed(message: string, options?: { details?: ErrorDetails; cause?: unknown }): EngineError {
  return new EngineError('FILE_MALFORMED', message, options);
}

/**
 * The error of `what` (such as "the PDF"), which a library could not read.
 * @param reader who says why, such as "its decoder".
 */
export function fileDamaged(what: string, reader: string, cause: unknown): EngineError {
  const said = messageOf(cause);
  return fileMalformed(
    `${what} is damaged or cut off: expected a whole one that keeps to its format${said === '' ? '' : `; ${reader} says "${said}"`}`,
    { cause },
  );
}

/**
 * The error of `what` (such as "the AMF file"), which passes a limit.
 * @param limit `limits.triangles`, or the name of a fixed limit; `details.limit` is the name alone.
 * @param found absent when counting stops at the limit.
 */
export function limitExceeded(what: string, limit: string, allowed: number, found?: number | string): EngineError {
  const count = found === undefined ? '' : `: found ${found}`;
  return new EngineError('LIMIT_EXCEEDED', `${what} passes ${limit}, ${allowed}${count}`, {
    details: { limit: limit.replace('limits.', ''), allowed, ...(found !== undefined && { found }) },
  });
}

/**
 * Counts `found` against `limits`.
 * @throws EngineError {@link limitExceeded} when it is more than `limits[limit]`.
 */
export function checkLimit<Limit extends string>(
  what: string,
  limits: Readonly<Record<Limit, number>>,
  limit: Limit,
  found: number,
): void {
  if (found > limits[limit]) throw limitExceeded(what, `limits.${limit}`, limits[limit], found);
}

/** A tolerable defect of a file, kept on its record: what is missing or was repaired, and why. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

/** Stable reasons of warnings. Codes are added, never renamed. */
export type WarningCode =
  /** Edges with one triangle: the mesh does not enclose a volume, so the volume is the absolute signed sum. */
  | 'MESH_OPEN'
  /** Edges with more than two triangles, or triangles that disagree about which side is out. */
  | 'MESH_NOT_MANIFOLD'
  /** The signed volume is negative: faces point inwards. Its absolute value is stored. */
  | 'MESH_INSIDE_OUT'
  /** Triangles of no area, or with a vertex that is not a number, were left out. */
  | 'TRIANGLES_DROPPED'
  /** The format has no unit; the default unit was assumed. */
  | 'UNIT_ASSUMED'
  /** Entities that the reader does not support were passed over. */
  | 'CONTENT_SKIPPED'
  /** The name's extension does not match the content; the content was believed. */
  | 'EXTENSION_MISMATCH'
  /** The file refers to another file that was not given. */
  | 'REFERENCE_MISSING'
  /** The file ends too early; what could be read was kept. */
  | 'FILE_TRUNCATED'
  /**
   * No view of a part was found on a drawing's pages or in an image: the file is not found by shape, and cannot be
   * searched with.
   */
  | 'VIEWS_MISSING'
  /** The model is larger than any machine: its unit may be wrong, or the file damaged. */
  | 'SIZE_UNLIKELY'
  /** A count in the file does not match what it holds; what it holds was read. */
  | 'COUNT_MISMATCH';

/** A {@link Warning} of this code. */
export function warning(code: WarningCode, message: string): Warning {
  return { code, message };
}
