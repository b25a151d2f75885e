import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { LogEntry, OpenIdOptions } from '../http/index.js';
import type { Engine } from '../index.js';
import { isDatabase } from './named.js';
import type { Output } from './output.js';
import { makePageKey } from './page-key.js';
import { boundConnections, CONNECTIONS } from './connections.js';
import { listenToCommands } from './service/listen.js';

/** How a library is served. */
export interface ServerOptions {
  readonly host: string;
  /** Undefined: 8080, or the next free port. 0: any free port. */
  readonly port: number | undefined;
  /** The company that the page's key is good for. */
  readonly companyName: string;
  readonly publicUrl?: string;
  /** Proxies whose `X-Forwarded-For` says who the client is. */
  readonly trustProxy?: readonly string[];
  /**
   * Whether a key is made. Undefined: where only this machine reaches the server and no proxy is to be expected, that
   * is, without a public URL; the key is then refused where a proxy has passed the request on.
   */
  readonly key?: boolean;
  /** Tools for agents at `/mcp`. Default 'read'. */
  readonly mcp?: 'read' | 'write' | 'off';
  /** The identity provider that people sign in by. */
  readonly openId?: OpenIdOptions;
  /** False: nobody signs in with a password. Default true. */
  readonly passwords?: boolean;
  /** A line of JSON for every request. */
  readonly log?: boolean;
  /** Its folder: commands of this user on it are carried out by this process. */
  readonly library: string;
  readonly output: Output;
}

/** A running server. */
export interface RunningServer {
  readonly url: string;
  /** Under which it can be reached as well: where it listens at all addresses of the machine, those; else none. */
  readonly others: readonly string[];
  /** Where a browser finds the page, below the public URL where there is one; with the key, if one was made. */
  readonly pageUrl: string;
  /** Whether {@link pageUrl} holds a key. */
  readonly keyed: boolean;
  /** Refuses new requests, lets running ones end, then cuts the connections that are left. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 8080;
/** Addresses of the machine that are told: one with containers has many. */
const MOST_OTHERS = 8;
/** Ports tried from {@link DEFAULT_PORT} on. */
const PORTS_TRIED = 20;
/** Time that running requests get to end, ms; then their connections are cut. */
const GRACE_MS = 10_000;
/** A client that sends its headers this slowly is dropped, ms. */
const HEADERS_MS = 30_000;

/** Serves the documented endpoints and the page. @throws what listening throws: `EADDRINUSE`, `EACCES`. */
export async function startServer(
  engine: Engine,
  {
    host,
    port,
    companyName,
    publicUrl = '',
    trustProxy = [],
    key,
    log,
    mcp,
    openId,
    passwords = true,
    library,
    output,
  }: ServerOptions,
): Promise<RunningServer> {
  const note = (entry: LogEntry): void =>
    output.note(JSON.stringify({ ...entry, error: entry.error === undefined ? undefined : String(entry.error) }));
  const pageKey =
    (key ?? (isLoopback(host) && publicUrl === ''))
      ? await makePageKey(engine, companyName, { throughProxies: key === true })
      : undefined;
  // Loaded only here: it would add a third to the start of every other command.
  const { createHandler, toNodeListener } = await import('../http/index.js');
  const handler = createHandler(engine, {
    publicUrl,
    trustProxy,
    mcp,
    openId,
    passwordGrant: passwords,
    log: log === true ? note : undefined,
    authenticate: pageKey?.authenticate,
  });
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: 0 }, toNodeListener(handler));
  boundConnections(server, { ...CONNECTIONS, ...(trustProxy.length === 0 ? {} : { perNetwork: undefined }) });
  const { address, port: taken } =
    port === undefined ? await listenAtFirstFree(server, host) : await listen(server, host, port);
  // Commands open a library in a database themselves.
  const service = isDatabase(library)
    ? undefined
    : await listenToCommands(engine, library).catch((cause: unknown) => {
        output.note(`warning: commands on this library do not reach this server: ${(cause as Error).message}`);
        return undefined;
      });
  const { url, others } = urlsOf(address, taken);
  return {
    url,
    others,
    pageUrl: `${publicUrl === '' ? url : publicUrl.replace(/\/+$/, '')}/${pageKey === undefined ? '' : `#key=${pageKey.key}`}`,
    keyed: pageKey !== undefined,
    close: async () => {
      await service?.close();
      await close(server);
    },
  };
}

/**
 * The address under which this machine reaches a server, and others do: one that stands for all addresses of the
 * machine is none that a browser can open.
 */
function urlsOf(address: string, port: number): { readonly url: string; readonly others: readonly string[] } {
  const urlOf = (one: string): string => `http://${one.includes(':') ? `[${one}]` : one}:${port}`;
  if (address !== '0.0.0.0' && address !== '::') return { url: urlOf(address), others: [] };
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    // A link-local address (fe80::) needs the name of the link, which differs from machine to machine.
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || (address === '::' && !scopeid)));
  return {
    url: urlOf(address === '::' ? '::1' : '127.0.0.1'),
    others: outside.slice(0, MOST_OTHERS).map((one) => urlOf(one.address)),
  };
}

/** Waits for the signal. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

async function listenAtFirstFree(server: Server, host: string): Promise<AddressInfo> {
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      return await listen(server, host, port);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port + 1 === DEFAULT_PORT + PORTS_TRIED)
        throw cause;
    }
  }
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
