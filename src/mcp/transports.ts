import type { Readable, Writable } from 'node:stream';
import { EngineError } from '../index.js';
import type { Agent } from './agent.js';
import { MOST_UPLOAD_BYTES } from './named-part.js';
import { loadSdk, openMcpServer } from './server.js';

/** Largest message, bytes: an upload as base64 and the words around it. */
export const MOST_MESSAGE_BYTES = 2 * MOST_UPLOAD_BYTES;

/** Where messages come from and go to, a line of JSON each. */
export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal?: AbortSignal;
}

/**
 * Serves one agent over a pair of streams: standard input and output, or a socket. Resolves when the input ends or
 * closes, when the signal aborts, and after a message above {@link MOST_MESSAGE_BYTES}.
 * @throws EngineError `PACKAGE_MISSING`
 */
export async function serveStreams(agent: Agent, { input, output, signal }: McpStreams): Promise<void> {
  const server = await openMcpServer(agent);
  const { StdioServerTransport } = await loadSdk(() => import('@modelcontextprotocol/sdk/server/stdio.js'));
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MOST_MESSAGE_BYTES });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const end = (): void => void server.close();
  const ends = ['end', 'close'] as const;
  for (const name of ends) input.once(name, end);
  signal?.addEventListener('abort', end, { once: true });
  try {
    await server.connect(transport);
    if (signal?.aborted || input.readableEnded) end();
    await closed;
  } finally {
    for (const name of ends) input.off(name, end);
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
