import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { EngineError } from '../index.js';
import type { Agent } from './agent.js';
import { LineTransport } from './line-transport.js';
import { MOST_UPLOAD_BYTES } from './named-part.js';
import { loadSdk, openMcpServer } from './server.js';

/** Largest message, bytes: an upload as base64 and the words around it. */
export const MOST_MESSAGE_BYTES = 2 * MOST_UPLOAD_BYTES;

/** Where messages come from and go to, a line of JSON each. */
export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal?: AbortSignal;
  /** Told in a sentence of each line that is no message, or one above {@link MOST_MESSAGE_BYTES}. */
  readonly report?: (what: string) => void;
}

/**
 * Serves one agent over a pair of streams: standard input and output, or a socket. Resolves when the input ends or
 * closes and what was asked is answered, and when the signal aborts. A line that is no message is answered with an
 * error of JSON-RPC: -32700 for what is no JSON, -32600 for any other and for one above {@link MOST_MESSAGE_BYTES}.
 * @throws EngineError `PACKAGE_MISSING`
 */
export async function serveStreams(agent: Agent, { input, output, signal, report }: McpStreams): Promise<void> {
  const server = await openMcpServer(agent);
  const { JSONRPCMessageSchema } = await loadSdk(() => import('@modelcontextprotocol/sdk/types.js'));
  const isMessage = (value: unknown): value is JSONRPCMessage => JSONRPCMessageSchema.safeParse(value).success;
  const transport = new LineTransport(input, output, { mostBytes: MOST_MESSAGE_BYTES, isMessage, report });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const end = (): void => void server.close();
  const endAnswered = (): void => void transport.answered().then(end);
  const ends = ['end', 'close'] as const;
  signal?.addEventListener('abort', end, { once: true });
  try {
    await server.connect(transport);
    // Behind the transport's own listener, which reads a last line without its end.
    for (const name of ends) input.once(name, endAnswered);
    if (signal?.aborted) end();
    if (input.readableEnded || input.destroyed) endAnswered();
    await closed;
  } finally {
    for (const name of ends) input.off(name, endAnswered);
    signal?.removeEventListener('abort', end);
  }
}

/**
 * Answers one request of the Streamable HTTP transport. Nothing is remembered between requests: each is answered by a
 * server of its own, as JSON.
 * @param message the body, parsed.
 * @throws EngineError `PACKAGE_MISSING`
 */
export async function answerRequest(agent: Agent, request: Request, message: unknown): Promise<Response> {
  const server = await openMcpServer(agent);
  const { WebStandardStreamableHTTPServerTransport } = await loadSdk(
    () => import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  let end = (): void => undefined;
  // The transport answers nobody when it is closed early.
  const gone = new Promise<never>((_, reject) => {
    end = () => reject(new EngineError('ABORTED', 'the sender went away'));
  });
  request.signal.addEventListener('abort', end, { once: true });
  try {
    await server.connect(transport);
    const answered = transport.handleRequest(request, { parsedBody: message });
    if (request.signal.aborted) end();
    const response = await Promise.race([answered, gone]);
    // The body is read while the transport is open.
    const body = await response.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, { status: response.status, headers: response.headers });
  } finally {
    request.signal.removeEventListener('abort', end);
    await server.close();
  }
}
