import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the side that sent it. */
  readonly localAddress: string;
}

/** A receiver of callbacks on loopback. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly got: Received[];
  close(): Promise<void>;
}

/** Answers with 200, or as `answer` does. */
export async function receive(
  answer: (request: Received, response: ServerResponse) => void = (_request, response) => void response.end(),
): Promise<Receiver> {
  const got: Received[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        localAddress: request.socket.localAddress ?? '',
      };
      got.push(received);
      answer(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    got,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Runs `body` with a receiver, which is closed whatever happens. */
export async function withReceiver<T>(
  body: (receiver: Receiver) => Promise<T>,
  answer?: (request: Received, response: ServerResponse) => void,
): Promise<T> {
  const receiver = await receive(answer);
  try {
    return await body(receiver);
  } finally {
    await receiver.close();
  }
}
