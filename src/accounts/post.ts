import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { HostAddress } from '../options.js';
import { checkAddresses, normalHost } from './addresses.js';

/** A request to send. */
export interface Post {
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Host names, addresses and networks that may be reached although they are private. */
  readonly allow: readonly string[];
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve: ((hostName: string) => Promise<readonly HostAddress[]>) | undefined;
  /** Time limit for the whole request, ms: resolving, connecting, sending, and reading the head of the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The head of the response. */
export interface Answer {
  readonly status: number;
  /** The delay that the receiver asks for in `Retry-After`, s; only the form in seconds is read. */
  readonly retryAfterS: number | undefined;
}

/** Most bytes read of the response body. The body is not used; reading it lets the receiver finish its response. */
const DISCARDED_BYTES = 64 * 1024;
const HEAD_BYTES_LIMIT = 16 * 1024;

/**
 * Posts a text to an address that comes from an untrusted source. The host name is resolved once and its addresses are
 * checked; the connection goes to exactly these addresses, even if the name resolves differently later. Redirects are
 * not followed and connections are not reused.
 * @throws EngineError `ADDRESS_REFUSED`; an Error whose message says what went wrong with the connection.
 */
export async function post({ url, body, headers, allow, resolve, timeoutMs, signal }: Post): Promise<Answer> {
  const ended = new AbortController();
  const end = (): void => ended.abort(signal.reason);
  const timer = setTimeout(() => ended.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) end();
    const host = normalHost(url.hostname);
    const addresses = await orAborted(addressesOf(host, resolve), ended.signal);
    if (addresses.length === 0) throw new Error(`${host} has no address`);
    checkAddresses(host, addresses, allow);
    const pinned: LookupFunction = (_hostName, options, answer) => {
      if (options.all === true) answer(null, [...addresses]);
      else answer(null, addresses[0].address, addresses[0].family);
    };
    return await send(url, { body, headers, lookup: pinned, signal: ended.signal });
  } catch (cause) {
    // An aborted request throws a generic error; the abort reason says why.
    throw ended.signal.aborted ? ended.signal.reason : cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function addressesOf(host: string, resolve: Post['resolve']): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family as 4 | 6 }];
  if (resolve !== undefined) return resolve(host);
  return (await lookup(host, { all: true })).map(({ address, family: of }) => ({ address, family: of as 4 | 6 }));
}

function send(
  url: URL,
  {
    body,
    headers,
    lookup: pinned,
    signal,
  }: { body: string; headers: Post['headers']; lookup: LookupFunction; signal: AbortSignal },
): Promise<Answer> {
  const bytes = Buffer.from(body, 'utf8');
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      lookup: pinned,
      signal,
      maxHeaderSize: HEAD_BYTES_LIMIT,
      headers: { ...headers, 'content-length': String(bytes.length) },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      resolve(answerOf(response));
      discard(response);
    });
    sent.end(bytes);
  });
}

function answerOf({ statusCode, headers }: IncomingMessage): Answer {
  const wait = headers['retry-after'];
  return {
    status: statusCode ?? 0,
    retryAfterS: wait !== undefined && /^\d{1,9}$/.test(wait) ? Number(wait) : undefined,
  };
}

function discard(response: IncomingMessage): void {
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > DISCARDED_BYTES) response.destroy();
  });
  response.on('error', () => undefined); // The head of the response was read already, so later errors do not matter.
  response.setTimeout(1_000, () => response.destroy());
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
