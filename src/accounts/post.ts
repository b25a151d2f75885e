import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { HostAddress } from '../options.js';
import { checkAddresses, normalHost } from './addresses.js';

/** Something to be sent. */
export interface Post {
  readonly url: URL;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Host names, addresses and networks that may be reached although they are private. */
  readonly allow: readonly string[];
  /** Absent: the system's resolver. */
  readonly resolve: ((hostName: string) => Promise<readonly HostAddress[]>) | undefined;
  /** For all of it: resolving, connecting, sending and the head of the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The head of what came back. */
export interface Answer {
  readonly status: number;
  /** How long the receiver asks to be left alone, when it says so in seconds. */
  readonly retryAfterS: number | undefined;
}

/** Most bytes read of an answer's body, which nobody wants, so that the receiver can end in peace. */
const DISCARDED_BYTES = 64 * 1024;
const HEAD_BYTES_LIMIT = 16 * 1024;

/**
 * Posts a text to an address that somebody else chose. Its host name is resolved once; the addresses are checked, and
 * the connection goes to these and to no others, whatever the name leads to by then. Redirects are not followed and no
 * connection is used twice.
 * @throws EngineError `ADDRESS_REFUSED`; an Error that says in its message what went wrong with the connection.
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
    // An aborted request says only that it was aborted.
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
  response.on('error', () => undefined); // What matters has been read.
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
