import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { checkInteger, LONGEST_TIMEOUT_MS, withDefaults } from '../options.js';
import type { Handler } from './handler.js';
import { wholeBodyOf } from './server/whole-body.js';

/** A listener for `http.createServer`, also usable as an Express middleware. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Bounds of a {@link NodeListener}. */
export interface ListenerOptions {
  /**
   * Requests of one connection that wait for the answer of one before them; browsers and our programs have none.
   * Default 16.
   */
  readonly waiting: number;
  /**
   * Time in which a client that has an answer to read takes nothing of it, ms; then its connection ends. Default 60 s.
   */
  readonly stalledMs: number;
}

const DEFAULTS: ListenerOptions = Object.freeze({ waiting: 16, stalledMs: 60_000 });

/** The requests of a connection. */
interface Line {
  waiting: number;
  /** Resolves when the last answer has left. */
  last: Promise<void>;
}

/**
 * Adapts a handler to Node's HTTP server. Request bodies are streamed; when the client disconnects, the request's
 * signal is aborted. In a framework, no middleware may have read the body before.
 *
 * Requests that a client sends without waiting for answers (RFC 9112, 9.3.2) are handled one after the other, and a
 * connection with more than 16 that wait is closed: 100 kB hold thousands of them, each with an answer to be kept.
 * @throws TypeError or RangeError that names a wrong option.
 */
export function toNodeListener(handler: Handler, options?: Partial<ListenerOptions>): NodeListener {
  const { waiting, stalledMs } = withDefaults('listener options', options, DEFAULTS);
  checkInteger('listener options.waiting', waiting, 1);
  checkInteger('listener options.stalledMs', stalledMs, 1, LONGEST_TIMEOUT_MS);
  const lines = new WeakMap<object, Line>();
  return (incoming, outgoing) => {
    const handled = (): Promise<void> =>
      answer(handler, incoming, outgoing, stalledMs).catch(() => {
        // The client disconnected, or did not send an HTTP request.
        outgoing.destroy();
      });
    const { socket } = incoming;
    // The requests of one HTTP/2 connection are independent of each other.
    if (incoming.httpVersionMajor > 1) return void handled();
    const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    lines.set(socket, line);
    if (socket.destroyed) return;
    if (line.waiting > waiting) {
      socket.destroy();
      return;
    }
    const wasLast = line.last;
    const isFirst = line.waiting === 0;
    line.waiting++;
    line.last = (isFirst ? handled() : wasLast.then(() => (socket.destroyed ? undefined : handled())))
      .then(() => leftOf(outgoing, socket))
      .finally(() => line.waiting--);
  };
}

/** Resolves when an answer has left, or its connection is gone. */
function leftOf(outgoing: ServerResponse, socket: IncomingMessage['socket']): Promise<void> | undefined {
  if (outgoing.writableFinished || outgoing.destroyed || socket.destroyed) return undefined;
  return new Promise((resolve) => {
    outgoing.once('finish', resolve).once('close', resolve);
  });
}

async function answer(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stalledMs: number,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('the client went away', 'AbortError'));
  });
  incoming.on('error', () => undefined); // A reader of the body gets the error; without a reader it has no effect.
  const request = requestOf(incoming, gone.signal);
  if (request === undefined) {
    outgoing.writeHead(400, { Connection: 'close' }).end();
    return;
  }
  const response = await handler(request, { address: incoming.socket.remoteAddress });
  outgoing.statusCode = response.status;
  response.headers.forEach((value, name) => outgoing.setHeader(name, value));
  outgoing.setTimeout(stalledMs);
  if (response.body !== null && response.headers.has('content-length')) await sendStream(response.body, outgoing);
  else await sendWhole(response, incoming, outgoing);
  // The rest of the body is read and dropped for a moment, so that the client can read the answer; then the connection
  // is closed.
  if (!incoming.complete && response.headers.get('connection') === 'close') {
    incoming.resume();
    outgoing.once('finish', () => setTimeout(() => incoming.destroy(), LINGER_MS).unref());
  }
}

/** Answers in memory as a whole, written at once, have a Content-Length. */
async function sendWhole(response: Response, { method }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body =
    wholeBodyOf(response) ?? (response.body === null ? undefined : Buffer.from(await response.arrayBuffer()));
  if (body !== undefined) outgoing.setHeader('Content-Length', Buffer.byteLength(body));
  outgoing.end(method === 'HEAD' ? undefined : body);
}

/** A stream that fails ends the connection before its Content-Length is reached, so that the client knows. */
async function sendStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  await pipeline(Readable.fromWeb(body as WebStream<Uint8Array>), outgoing);
}

/**
 * The body as a web stream. `Readable.toWeb` is not used: once its stream is cancelled, it throws an uncaught error
 * when the rest of the body is dropped.
 */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let end = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onData = (chunk: Buffer): void => {
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      };
      const onEnd = (): void => {
        end();
        controller.close();
      };
      const onGone = (): void => {
        end();
        controller.error(new Error('the client went away'));
      };
      end = () => {
        incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      };
      incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).pause();
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      end();
    },
  });
}

/** Time in which a client whose body was refused can read the answer, ms. */
const LINGER_MS = 1_000;

/** A host with or without a port, and nothing that could be read as a path or a user. */
const HOST = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

/**
 * With what the links in the answer begin: the address that the client says it asked, which the answer alone tells
 * back. What is no host is `localhost`.
 */
function originOf({ headers, socket }: IncomingMessage): string {
  const { host = '' } = headers;
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${HOST.test(host) ? host : 'localhost'}`;
  return URL.canParse(origin) ? origin : 'http://localhost';
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const method = incoming.method ?? 'GET';
  const headers: [string, string][] = [];
  // Two hosts: what stands before this server may have gone by the other one (RFC 9112, 3.2).
  if ((incoming.headersDistinct['host']?.length ?? 0) > 1) return undefined;
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    const name = incoming.rawHeaders[i];
    if (!name.startsWith(':')) headers.push([name, incoming.rawHeaders[i + 1]]);
  }
  try {
    const url = new URL(incoming.url ?? '/', originOf(incoming));
    const { 'transfer-encoding': encoding, 'content-length': length } = incoming.headers;
    const hasBody = method !== 'GET' && method !== 'HEAD' && (encoding !== undefined || Number(length ?? 0) > 0);
    if (!hasBody) return new Request(url, { method, headers, signal });
    return new Request(url, { method, headers, signal, body: streamOf(incoming), duplex: 'half' } as RequestInit);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    return undefined; // A method, header or URL that is not allowed in a request.
  }
}
