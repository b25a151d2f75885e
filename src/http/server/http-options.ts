import type { Principal } from '../../accounts/index.js';
import { checkOpenId, type OpenIdOptions } from '../openid/open-id-options.js';
import { senders } from './sender.js';
import { checkInteger, withDefaults } from '../../options.js';

/** What the log hook gets for every answered request. */
export interface LogEntry {
  readonly time: Date;
  /** Same value as the `X-Request-Id` of the answer and the `traceId` of problem details. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /**
   * The query without its question mark; secrets are replaced by `***`. Absent for User, Token and Password,
   * which are about passwords.
   */
  readonly query?: string;
  readonly status: number;
  readonly durationMs: number;
  /** Number of body bytes that were read. */
  readonly requestBytes: number;
  readonly company?: string;
  /** Network address of the sender, by which failed sign-ins are counted. */
  readonly address?: string;
  /** UID of the user, or id of the client program. */
  readonly principal?: string;
  /** Mail address of the user who is signed in; absent for programs. */
  readonly user?: string;
  /** Mail address or client id that a sign-in named, whether or not there is such an account. */
  readonly account?: string;
  /** Why the request failed or was refused. */
  readonly error?: unknown;
}

/** Options of a handler; all have defaults. */
export interface HttpOptions {
  /** Path below which the handler is mounted, unless the host strips it: `/cad`. Default ''. */
  readonly basePath: string;
  /**
   * Prefix of the links in answers: `https://cad.example.com`; a slash at its end has no meaning. Default '': links
   * begin with the address that a request was sent to and `basePath`; those of callbacks, which answer no request, with
   * `basePath`.
   */
  readonly publicUrl: string;
  /** Largest body of an upload, bytes as they are sent. Default 1.5 GiB. */
  readonly uploadBytes: number;
  /**
   * Largest body that is held in memory (inputs of a search, files to convert, a logo, a chunk of an RFQ), bytes.
   * Default 256 MiB.
   */
  readonly bodyBytes: number;
  /** Largest body of other requests, bytes. Default 1 MiB. */
  readonly textBytes: number;
  /** Longest pause while a body is sent, ms. Default 30 000. */
  readonly bodyIdleMs: number;
  /** Lowest speed of a body after the first `bodyIdleMs`, bytes per second; slower ones get 408. Default 4 096. */
  readonly bodyRate: number;
  /** Bodies of users read at a time; further requests with one get 503. Default 64. */
  readonly concurrentBodies: number;
  /** The same for one network address; of IPv6 its first 64 bits. Default 32. */
  readonly bodiesPerAddress: number;
  /** The same for one user. Default 16. */
  readonly bodiesPerUser: number;
  /** Requests without a body that are answered at a time for one user; the others wait. Default 16. */
  readonly requestsPerUser: number;
  /** Bytes of bodies of users held in memory at a time, `bodyBytes` at least; further ones get 503. Default 1 GiB. */
  readonly heldBodyBytes: number;
  /** The same for one user. Default 512 MiB. */
  readonly heldBodyBytesPerUser: number;
  /**
   * Bytes of answers above 1 MiB (converted files, models, pictures, texts) that are held until clients have taken
   * them; further ones get 503, but a single one never does. Default 1 GiB.
   */
  readonly heldAnswerBytes: number;
  /** The same for one user. Default 512 MiB. */
  readonly heldAnswerBytesPerUser: number;
  /**
   * Bodies of senders who have not signed in, which are forms of at most 64 KiB, read at a time. When there are more,
   * the one that has been silent longest gives way and gets 503. Default 256.
   */
  readonly unauthenticatedBodies: number;
  /** The same for one network address. Default 64. */
  readonly unauthenticatedBodiesPerAddress: number;
  /** Longest pause in such a body, ms. Default 5 000. */
  readonly unauthenticatedIdleMs: number;
  /**
   * Proxies before this server: addresses and networks, such as `10.0.0.0/8`. The sender's address is then the last one
   * in `X-Forwarded-For` that is no proxy; from anybody else the header is ignored. Default: none.
   */
  readonly trustProxy: readonly string[];
  /** False: no tokens are issued for passwords; set it if the host has its own sign-in. Default true. */
  readonly passwordGrant: boolean;
  /** Identifies the sender before the engine's own tokens are looked at. Default: none. */
  readonly authenticate: ((request: Request) => Promise<Principal | undefined>) | undefined;
  /** The identity provider that people sign in by on the page: OpenID Connect. Default: none. */
  readonly openId: OpenIdOptions | undefined;
  /** Called once per request, after the answer was made. Default: none. */
  readonly log: ((entry: LogEntry) => void) | undefined;
  /** False: `/metrics` is not served. Default true. */
  readonly metrics: boolean;
  /** False: `/openapi.json` and `/docs` are not served. Default true. */
  readonly docs: boolean;
  /**
   * What agents are offered at `/mcp` (Model Context Protocol), with the rights of their token: tools that `read`; with
   * `write` also those that add files and set attributes; `off`: none. Default 'read'.
   */
  readonly mcp: 'read' | 'write' | 'off';
  /** False: the page at `/` and its files under `/assets/` are not served. Default true. */
  readonly page: boolean;
}

/** Defaults of {@link HttpOptions}. */
export const DEFAULT_HTTP_OPTIONS: HttpOptions = Object.freeze({
  basePath: '',
  publicUrl: '',
  uploadBytes: 1.5 * 1024 ** 3,
  bodyBytes: 256 * 1024 ** 2,
  textBytes: 1024 ** 2,
  bodyIdleMs: 30_000,
  bodyRate: 4_096,
  concurrentBodies: 64,
  bodiesPerAddress: 32,
  bodiesPerUser: 16,
  requestsPerUser: 16,
  heldBodyBytes: 1024 ** 3,
  heldBodyBytesPerUser: 512 * 1024 ** 2,
  heldAnswerBytes: 1024 ** 3,
  heldAnswerBytesPerUser: 512 * 1024 ** 2,
  unauthenticatedBodies: 256,
  unauthenticatedBodiesPerAddress: 64,
  unauthenticatedIdleMs: 5_000,
  trustProxy: Object.freeze([]),
  passwordGrant: true,
  authenticate: undefined,
  openId: undefined,
  log: undefined,
  metrics: true,
  docs: true,
  page: true,
  mcp: 'read',
});

const COUNTS = [
  'uploadBytes',
  'bodyBytes',
  'textBytes',
  'bodyIdleMs',
  'bodyRate',
  'concurrentBodies',
  'bodiesPerAddress',
  'bodiesPerUser',
  'requestsPerUser',
  'heldBodyBytes',
  'heldBodyBytesPerUser',
  'heldAnswerBytes',
  'heldAnswerBytesPerUser',
  'unauthenticatedBodies',
  'unauthenticatedBodiesPerAddress',
  'unauthenticatedIdleMs',
] as const;

/** Adds the defaults and checks all options. @throws TypeError or RangeError that names the option. */
export function checkHttpOptions(given: Partial<HttpOptions> | undefined): HttpOptions {
  const options = withDefaults('options', given, DEFAULT_HTTP_OPTIONS);
  for (const name of COUNTS) {
    checkInteger(`options.${name}`, options[name], 1);
  }
  for (const name of ['passwordGrant', 'metrics', 'docs', 'page'] as const) {
    if (typeof options[name] !== 'boolean')
      throw new TypeError(`options.${name} must be true or false, received ${String(options[name])}`);
  }
  if (!['read', 'write', 'off'].includes(options.mcp))
    throw new RangeError(`options.mcp must be 'read', 'write' or 'off', received ${JSON.stringify(options.mcp)}`);
  for (const name of ['authenticate', 'log'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw new TypeError(`options.${name} must be a function, received ${typeof options[name]}`);
  }
  if (!Array.isArray(options.trustProxy) || options.trustProxy.some((one) => typeof one !== 'string'))
    throw new TypeError(`options.trustProxy must be a list of addresses, received ${String(options.trustProxy)}`);
  if (options.openId !== undefined) checkOpenId(options.openId);
  senders(options.trustProxy); // Throws for one that is no address.
  if (typeof options.basePath !== 'string' || !/^(\/[^/?#]+)*$/.test(options.basePath)) {
    throw new RangeError(`options.basePath must be '' or like '/cad', received ${JSON.stringify(options.basePath)}`);
  }
  if (
    typeof options.publicUrl !== 'string' ||
    (options.publicUrl !== '' && !/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(options.publicUrl))
  ) {
    throw new RangeError(
      `options.publicUrl must be '' or like 'https://cad.example.com', received ${JSON.stringify(options.publicUrl)}`,
    );
  }
  return { ...options, publicUrl: options.publicUrl.replace(/\/+$/, '') };
}
