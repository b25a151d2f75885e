import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command, InvalidArgumentError } from 'commander';
import { createHandler, toNodeListener, type LogEntry } from '../../http/index.js';
import { Engine } from '../../index.js';
import { EXIT } from '../exit.js';
import { interruptible } from '../interrupt.js';
import { jsonOption } from '../library.js';
import { openOutput } from '../output.js';
import type { Finish } from '../program.js';
import { engineOptions, withReadingOptions, type ReadingOptions } from '../reading-options.js';

interface ServeOptions extends ReadingOptions {
  readonly library: string;
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly log?: boolean;
  readonly json?: boolean;
}

/** Time that running requests get to end, ms; then their connections are cut. */
const GRACE_MS = 10_000;
/** A client that sends its headers this slowly is dropped, ms. */
const HEADERS_MS = 30_000;

/** `shapedex serve`: the documented endpoints over HTTP, until a signal comes. */
export function serveCommand(finish: Finish): Command {
  return withReadingOptions(new Command('serve'))
    .description('serve a library over HTTP until Ctrl-C')
    .option('--library <dir>', 'folder of the library; made when it is missing', './library')
    .option('--port <n>', 'port; 0 takes a free one', readPort, 8080)
    .option('--host <address>', 'address to listen at; only this machine reaches 127.0.0.1', '127.0.0.1')
    .option('--public-url <url>', 'put before the links in answers, such as https://cad.example.com')
    .option('--log', 'write a line of JSON to stderr for every request')
    .addOption(jsonOption())
    .action(async (options: ServeOptions) => {
      const output = openOutput(options);
      await interruptible(output, async (signal) => {
        const engine = await Engine.open(options.library, engineOptions(options));
        try {
          const log = options.log === true ? (entry: LogEntry): void => output.note(JSON.stringify({ ...entry, error: entry.error === undefined ? undefined : String(entry.error) })) : undefined;
          const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: 0 }, toNodeListener(createHandler(engine, { publicUrl: options.publicUrl ?? '', log })));
          const { address, port } = await listen(server, options);
          const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
          output.emit({ url, docs: `${url}/docs` });
          output.say(`Serving ${options.library} at ${url}; documentation at ${url}/docs. Ctrl-C stops.`);
          if ((await engine.accounts.clients()).length === 0 && !options.json) {
            output.note('No client program is known yet: "shapedex company add", "user add" and "client add" make what a token needs (stop the server first).');
          }
          await stopped(signal);
          await close(server);
        } finally {
          await engine.close();
        }
      });
      finish(EXIT.ok);
    });
}

function listen(server: Server, { port, host }: ServeOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Takes nothing new, lets what runs end, then cuts what is left. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}
