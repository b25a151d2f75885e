import { accessToken, replaceRefusedToken } from './session.js';

/** Parameters of a request; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A failed request, with the message of the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0: the server could not be reached. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Method, parameters and body of a request. */
interface SendOptions {
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Query;
  readonly json?: unknown;
  /** Sent instead of `json`. */
  readonly form?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** Options of an upload. */
export interface SendBytesOptions {
  readonly signal?: AbortSignal;
  /** Called with the number of bytes sent so far. */
  readonly onProgress?: (bytesSent: number) => void;
}

const UNREACHABLE = 'The server cannot be reached. Is it still running?';

/**
 * Sends a request with the token, and repeats it with a new token if the old one was refused. URLs are relative to the
 * page, so that they are right under any mount path.
 * @throws ApiError; AbortError when aborted.
 */
export function send(
  name: string,
  { method = 'GET', query, json, form, accept, signal }: SendOptions = {},
): Promise<Response> {
  return authorized((token) =>
    fetch(addressOf(name, query), {
      method,
      signal,
      // The browser says by itself that it is a form.
      body: form !== undefined ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json),
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(accept === undefined ? {} : { Accept: accept }),
      },
    }).catch((cause: unknown) => {
      throw cause instanceof TypeError ? new ApiError(0, UNREACHABLE) : cause;
    }),
  );
}

/** Sends a request and parses the JSON of the answer; undefined for an answer without a body. */
export async function ask<T>(name: string, query: Query, options?: Omit<SendOptions, 'query'>): Promise<T> {
  const text = await (await send(name, { accept: 'application/json', query, ...options })).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/**
 * Sends a file as raw bytes with PUT and returns the JSON of the answer. Uses XMLHttpRequest, because fetch reports no
 * upload progress.
 * @throws as {@link send}.
 */
export async function sendBytes<T>(
  name: string,
  query: Query,
  bytes: Blob,
  options: SendBytesOptions = {},
): Promise<T> {
  return (await authorized((token) => put(addressOf(name, query), bytes, token, options))).json() as Promise<T>;
}

async function authorized(attempt: (token: string | undefined) => Promise<Response>): Promise<Response> {
  let token = await accessToken();
  for (;;) {
    const response = await attempt(token);
    if (response.ok) return response;
    if (response.status !== 401 || token === undefined) throw refusalOf(response.status, await response.text());
    token = await replaceRefusedToken(token);
    if (token === undefined) throw new ApiError(401, 'You are signed out.');
  }
}

function addressOf(name: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? `api/${name}` : `api/${name}?${new URLSearchParams(given)}`;
}

function put(
  url: string,
  bytes: Blob,
  token: string | undefined,
  { signal, onProgress }: SendBytesOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.setRequestHeader('Accept', 'application/json');
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`);
    if (onProgress !== undefined) request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
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
    const { detail } = JSON.parse(text) as { detail?: string };
    return new ApiError(status, detail ?? `The server answered ${status}.`);
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
