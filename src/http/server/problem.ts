import { STATUS_CODES } from 'node:http';
import { optionDetailsOf, type OptionDetails } from '../../errors.js';
import { EngineError, type ErrorCode, type FileRecord } from '../../index.js';

/** The errors of a request by parameter or field; `body` stands for the body. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Members of an error answer in addition to its status and sentence. */
export interface ProblemOptions {
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem details. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * An error answer; thrown by endpoints, written as problem details (RFC 9457). It has no engine `code`: the request
 * itself is wrong.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, detail: string, { errors, headers = {}, more = {}, cause }: ProblemOptions = {}) {
    super(detail, cause === undefined ? undefined : { cause });
    this.status = status;
    this.errors = errors;
    this.headers = headers;
    this.more = more;
  }
}

/** 400 about one parameter or the body. A message that begins with a verb (`must …`) gets the field as its subject. */
export function badField(field: string, message: string): Problem {
  return new Problem(400, /^(must|is) /.test(message) ? `${field} ${message}` : message, {
    errors: { [field]: [message] },
  });
}

/** Seconds after which a client may try again when the engine cannot serve now. */
const RETRY_AFTER_S = 5;

/** HTTP status of each error code of the engine. */
const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  LIBRARY_LOCKED: 503,
  LIBRARY_UNREADABLE: 500,
  LIBRARY_DAMAGED: 500,
  ENGINE_CLOSED: 503,
  FILE_UNKNOWN: 404,
  FILE_NOT_INDEXED: 409,
  CATEGORY_UNKNOWN: 400,
  UID_TAKEN: 409,
  FORMAT_UNSUPPORTED: 415,
  FILE_MALFORMED: 422,
  NO_GEOMETRY: 422,
  REFERENCE_MISSING: 422,
  LIMIT_EXCEEDED: 413,
  TIMEOUT: 422,
  PATH_INVALID: 422,
  WORKER_FAILED: 422,
  PACKAGE_MISSING: 501,
  ABORTED: 400,
  STORAGE_FAILED: 503,
  QUERY_INVALID: 400,
  ACCOUNT_EXISTS: 409,
  ACCOUNT_UNKNOWN: 404,
  CREDENTIALS_INVALID: 401,
  NOT_ALLOWED: 403,
  RATE_LIMITED: 429,
  RECORD_UNKNOWN: 404,
  CONFLICT: 409,
  ADDRESS_REFUSED: 400,
  CORE_FAILED: 500,
};

/** The answer to an error. Errors that are not the client's (5xx) do not tell their cause. */
export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  if (!(cause instanceof EngineError)) return new Problem(500, 'The request failed unexpectedly.', { cause });
  // No reading process could be started: that is not for the client to mend.
  const status = cause.details['started'] === false ? 503 : STATUS_OF[cause.code];
  if (status === 500)
    return new Problem(500, 'The request failed unexpectedly.', { more: { code: cause.code }, cause });
  if (status === 503)
    return new Problem(503, 'The service cannot answer now.', {
      headers: { 'Retry-After': String(RETRY_AFTER_S) },
      more: { code: cause.code },
      cause,
    });
  const retryAfterS = cause.details['retryAfterS'];
  const field = cause.details['name'];
  const freeAt = cause.details['freeAt'];
  return new Problem(status, cause.message, {
    more: { code: cause.code, ...(typeof freeAt === 'string' ? { freeAt } : {}) },
    errors: status === 400 && typeof field === 'string' ? { [field]: [cause.message] } : undefined,
    headers: typeof retryAfterS === 'number' ? { 'Retry-After': String(Math.ceil(retryAfterS)) } : undefined,
    cause,
  });
}

/** The record, unless the file was stored but could not be indexed. @throws Problem that says why. */
export function readable<Stored extends Pick<FileRecord, 'uid' | 'state' | 'error'>>(record: Stored): Stored {
  if (record.state !== 'failed' || record.error === null) return record;
  const { code, message } = record.error;
  const status = STATUS_OF[code];
  throw new Problem(status < 500 ? status : 422, message, { more: { code, fileUID: record.uid } });
}

/**
 * Awaits a call of the engine whose arguments come from the request. A TypeError or RangeError that says what an
 * argument must be becomes a 400 about this field, or about the one that `field` derives from the engine's option;
 * other errors are rethrown. `worded`: what to say in the names of the interface; undefined: the engine's message.
 */
export async function given<T>(
  field: string | ((option: string | undefined) => string),
  call: Promise<T> | (() => Promise<T>),
  worded: (details: OptionDetails) => string | undefined = () => undefined,
): Promise<T> {
  try {
    return await (typeof call === 'function' ? call() : call);
  } catch (cause) {
    if (!((cause instanceof RangeError || cause instanceof TypeError) && / must /.test(cause.message))) throw cause;
    const details = optionDetailsOf(cause);
    const name = typeof field === 'string' ? field : field(details?.option);
    // The engine's name of an argument that is one parameter here.
    const message = (details && worded(details)) ?? cause.message.replace(ARGUMENT, name);
    throw badField(name, message);
  }
}

/** How the engine names arguments of its own at the beginning of a message. */
const ARGUMENT = /^(?:(?:user|client|audit query)\.\w+|email|uid|userUid|companyUid|domain)(?= must )/;

/** Names of statuses by RFC 9110, where those of Node are older. */
const TITLES: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The body of problem details. `instance` is the path without the query, which may hold secrets. */
export function problemDetails(
  { status, message, errors, more }: Problem,
  instance: string,
  traceId: string,
): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: TITLES[status] ?? STATUS_CODES[status],
    status,
    detail: message,
    instance,
    traceId,
    ...(errors === undefined ? {} : { errors }),
    ...more,
  };
}
