import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Engine, type EngineOptions } from '../../dist/index.js';
import {
  createHandler,
  type ClientFacts,
  type Handler,
  type HttpOptions,
  type LogEntry,
} from '../../dist/http/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

let libraries = 0;
const folder = temporaryFolder();

/** SHA-1 of a password as the interface sends it. */
export const sha1 = (password: string): Buffer => createHash('sha1').update(password).digest();

export interface Host {
  readonly engine: Engine;
  /** The folder of its library. */
  readonly library: string;
  readonly handler: Handler;
  /** Sends a request and gives the answer with its body read. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  readonly tokens: Readonly<Record<Who, string>>;
  /** Ids of the companies acme and other. */
  readonly companies: { readonly acme: string; readonly other: string };
  close(): Promise<void>;
}

/** Who sends: a member and another, an admin, an operator, an app, a member of another company, nobody any more. */
export type Who = 'ada' | 'bob' | 'admin' | 'operator' | 'app' | 'stranger' | 'spent';

export interface SendOptions {
  readonly as?: Who;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Written as JSON. */
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: ClientFacts;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: any;
}

/** An engine with two companies and all kinds of callers, and a handler over it. */
export async function openHost(
  options: Partial<HttpOptions> = {},
  engineOptions: Partial<EngineOptions> = {},
): Promise<Host> {
  const library = join(folder, `library-${libraries++}`);
  const engine = await Engine.open(library, {
    workers: 1,
    ...engineOptions,
    accounts: { scryptCost: 1024, ...engineOptions.accounts },
  });
  const { accounts } = engine;
  const acme = await accounts.addCompany('acme');
  const other = await accounts.addCompany('other');
  const tokenOf = async (
    email: string,
    company: string | undefined,
    role: 'member' | 'admin' | 'operator',
  ): Promise<string> => {
    await accounts.addUser({
      email,
      firstName: 'First',
      lastName: 'Last',
      passwordDigest: sha1('secret'),
      company,
      role,
    });
    return (await accounts.grantPassword({ email, passwordDigest: sha1('secret') })).accessToken;
  };
  const client = await accounts.addClient({ company: 'acme' });
  const spent = (await accounts.grantClient({ clientId: client.id, clientSecret: client.secret })).accessToken;
  await accounts.revoke(spent);
  const tokens: Record<Who, string> = {
    ada: await tokenOf('ada@acme.example', 'acme', 'member'),
    bob: await tokenOf('bob@acme.example', 'acme', 'member'),
    admin: await tokenOf('admin@acme.example', 'acme', 'admin'),
    operator: await tokenOf('operator@acme.example', 'acme', 'operator'),
    stranger: await tokenOf('eve@other.example', 'other', 'member'),
    app: (await accounts.grantClient({ clientId: client.id, clientSecret: client.secret })).accessToken,
    spent,
  };
  // What fails on our side is a defect: it is shown.
  const log = (entry: LogEntry): void => {
    options.log?.(entry);
    if (entry.status === 500) console.error(entry.method, entry.path, entry.error);
  };
  const handler = createHandler(engine, { ...options, log });
  return {
    engine,
    library,
    handler,
    tokens,
    companies: { acme: acme.uid, other: other.uid },
    close: () => engine.close(),
    send: async (method, path, given = {}) =>
      answerOf(await handler(requestOf(method, path, given, tokens), given.client)),
  };
}

export function requestOf(
  method: string,
  path: string,
  { as, query = {}, json, bytes, form, headers = {} }: SendOptions,
  tokens: Readonly<Record<Who, string>>,
  base = 'http://localhost',
): Request {
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();
  const body =
    json !== undefined ? JSON.stringify(json) : form !== undefined ? new URLSearchParams(form).toString() : bytes;
  const type =
    json !== undefined
      ? 'application/json'
      : form !== undefined
        ? 'application/x-www-form-urlencoded'
        : bytes !== undefined
          ? 'application/octet-stream'
          : undefined;
  // Links of answers are whole.
  const address = path.startsWith('http') ? path : `${base}${path}`;
  return new Request(`${address}${search === '' ? '' : `?${search}`}`, {
    method,
    body: body as BodyInit | undefined,
    headers: {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(as === undefined ? {} : { Authorization: `Bearer ${tokens[as]}` }),
      ...headers,
    },
  });
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // Plain text.
  }
}

/** A small model of more than 1 024 bytes: a box with a long header is none, so a box of boxes. */
export function partStl(x: number, y: number, z: number): Uint8Array {
  const [first, second] = [boxStl(x, y, z), boxStl(x / 2, y / 2, z / 2)];
  const bytes = new Uint8Array(84 + 50 * 24);
  bytes.set(first);
  bytes.set(second.subarray(84), 84 + 50 * 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, 24, true);
  // The second box stands beside the first.
  for (let triangle = 12; triangle < 24; triangle++) {
    for (let corner = 0; corner < 3; corner++) {
      const at = 84 + 50 * triangle + 12 + 12 * corner;
      view.setFloat32(at, view.getFloat32(at, true) + 2 * x, true);
    }
  }
  return bytes;
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
export const NOWHERE = '00000000-0000-4000-8000-000000000000';
