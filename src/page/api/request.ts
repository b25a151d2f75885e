import { accessToken, replaceRefusedToken } from '../app/session.js';

/** Parameters of a request; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A failed request, with the message of the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0: the server could not be reached. */
  readonly status: number;
  /** Error code of the engine, such as FILE_MALFORMED; '' if there is none. */
  readonly code: string;

  constructor(status: number, message: string, code = '') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Method, parameters and body of a request. */
export interface SendOptions {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Query;
  readonly json?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Options of an upload. */
export interface SendBytesOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes sent so far. */
  readonly onProgress?: (bytesSent: number) => void;
}

const UNREACHABLE = 'The server cannot be reached. Is it still running?';

/** The URL of an endpoint, relative to the page, so that it is right under any mount path. */
export function addressOf(name: string, query: Query = {}): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) pairs.set(key, String(value));
  const text = pairs.toString();
  return `api/${name}${text === '' ? '' : `?${text}`}`;
}

/**
 * Sends a request with the token, and repeats it with a new token if the old one was refused.
 * @throws ApiError; AbortError when aborted.
 */
export async function send(
  name: string,
  { method = 'GET', query, json, accept, signal }: SendOptions = {},
): Promise<Response> {
  let token = await accessToken();
  for (;;) {
    const response = await fetch(addressOf(name, query), {
      method,
      signal,
      body: json === undefined ? undefined : JSON.stringify(json),
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(accept === undefined ? {} : { Accept: accept }),
      },
    }).catch((cause: unknown) => {
      throw cause instanceof TypeError ? new ApiError(0, UNREACHABLE) : cause;
    });
    if (response.ok) return response;
    if (response.status !== 401 || token === undefined) throw refusalOf(response.status, await response.text());
    token = await replaceRefusedToken(token);
    if (token === undefined) throw new ApiError(401, 'You are signed out.');
  }
}

/** Sends a request and parses the JSON of the answer; undefined for an answer without a body. */
export async function sendForJson<T>(name: string, options?: SendOptions): Promise<T> {
  const response = await send(name, { accept: 'application/json', ...options });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/**
 * Sends a file as raw bytes with PUT and returns the JSON of the answer. Uses XMLHttpRequest, because fetch reports no
 * upload progress.
 * @throws as {@link send}.
 */
export async function sendBytes<T>(name: string, bytes: Blob, options: SendBytesOptions = {}): Promise<T> {
  let token = await accessToken();
  for (;;) {
    const { status, text } = await put(addressOf(name, options.query), bytes, token, options);
    if (status >= 200 && status < 300) return JSON.parse(text) as T;
    if (status !== 401 || token === undefined) throw refusalOf(status, text);
    token = await replaceRefusedToken(token);
    if (token === undefined) throw new ApiError(401, 'You are signed out.');
  }
}

function put(
  url: string,
  bytes: Blob,
  token: string | undefined,
  { signal, onProgress }: SendBytesOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Accept', 'application/json');
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`);
    if (onProgress !== undefined) request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }));
    request.addEventListener('error', () => reject(new ApiError(0, UNREACHABLE)));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) reject(new DOMException('aborted', 'AbortError'));
    else request.send(bytes);
  });
}

/** The error of a failed request; the body is a problem details object (RFC 9457) or something else. */
function refusalOf(status: number, text: string): ApiError {
  try {
    const { detail, code } = JSON.parse(text) as { detail?: string; code?: string };
    return new ApiError(status, detail ?? `The server answered ${status}.`, code);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return new ApiError(
      status,
      status === 413 ? 'The file is larger than the server accepts.' : `The server answered ${status}.`,
    );
  }
}

/** The message to show for a failure; undefined for an aborted request. */
export function messageOf(cause: unknown): string | undefined {
  if (cause instanceof DOMException && cause.name === 'AbortError') return undefined;
  return cause instanceof Error ? cause.message : String(cause);
}
