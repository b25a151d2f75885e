import { randomUUID } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { networkOf, type Principal } from '../accounts/index.js';
import type { Engine } from '../index.js';
import { admit, principalOf, Unauthorized, type Caller } from './server/access.js';
import { RequestBody } from './server/body.js';
import { BodyRoom } from './server/body-room.js';
import { RequestRoom } from './server/request-room.js';
import { senders } from './server/sender.js';
import { Health, HEALTH_ROUTE } from './server/health.js';
import { Call, type ClientFacts } from './server/call.js';
import { docsPage } from './server/docs-page.js';
import { AnswerRoom, type Holder } from './server/answer-room.js';
import { Answer, type Endpoint } from './server/endpoint.js';
import { ENDPOINTS } from './endpoints.js';
import { checkHttpOptions, type HttpOptions, type LogEntry } from './server/http-options.js';
import { noteChange } from './server/audit.js';
import { Metrics } from './server/metrics.js';
import { JSON_TYPES, PLAIN_TYPES, preferredType } from './server/negotiate.js';
import { openApiDocument, routeOf } from './server/openapi.js';
import { pageResponse } from './server/page.js';
import { Problem, problemDetails, problemOf } from './server/problem.js';
import { readQuery } from './server/query.js';
import { OpenIdProvider } from './openid/provider.js';
import { sendCallbacks } from './callbacks.js';
import { wholeResponse } from './server/whole-body.js';

/** Answers a request. Never rejects and never throws. */
export type Handler = (request: Request, client?: ClientFacts) => Promise<Response>;

/** State of one request. */
interface Exchange {
  readonly requestId: string;
  readonly client: ClientFacts;
  /** Address that the request was sent to, as its sender wrote it: `https://host:port`. */
  readonly origin: string;
  readonly body: RequestBody;
  readonly url: URL;
  endpoint?: Endpoint;
  principal?: Principal;
  caller?: Caller;
  /** Why an answer of its own form refuses. */
  reason?: unknown;
  /** Who tried to sign in. */
  account?: string;
  problem?: Problem;
}

type Env = { Bindings: Exchange };

/** Parameters whose values are never logged. */
const SECRETS = /^(token|key|password|refresh_token|access_token|client_secret)$/i;
/** Methods with a metric of their own; all others count as 'other', because clients may invent any number. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']);
const REQUEST_ID = /^[\w.-]{8,64}$/;

/**
 * The documented endpoints over an engine, as a function from request to answer; the README of this folder shows how to
 * mount it. Several handlers may live in one process; they share nothing.
 * @throws TypeError or RangeError that names a wrong option.
 */
export function createHandler(engine: Engine, options?: Partial<HttpOptions>): Handler {
  const checked = checkHttpOptions(options);
  const metrics = new Metrics();
  const room = new BodyRoom(checked);
  const senderOf = senders(checked.trustProxy);
  const app = buildApp(engine, checked, metrics, room);
  sendCallbacks(engine, checked);
  return async (request, client = {}) => {
    const startedAt = performance.now();
    metrics.started();
    const sent = request.headers.get('x-request-id') ?? '';
    const url = new URL(request.url);
    const { address, protocol } = senderOf(request, client.address);
    const exchange: Exchange = {
      requestId: REQUEST_ID.test(sent) ? sent : randomUUID(),
      client: { ...client, address },
      origin: protocol === undefined ? url.origin : `${protocol}://${url.host}`,
      body: new RequestBody(request, checked),
      url,
    };
    let response: Response;
    try {
      response = await app.fetch(request, exchange);
    } catch (cause) {
      response = failed(exchange, cause);
    }
    try {
      await noteChange(engine, noted(exchange), response.status);
    } catch (cause) {
      // What is not noted is not told as done: the log is to be relied on.
      await response.body?.cancel();
      response = failed(exchange, cause);
    }
    response = finished(response, exchange);
    const durationMs = performance.now() - startedAt;
    metrics.ended(
      METHODS.has(request.method) ? request.method : 'other',
      exchange.endpoint?.path ?? 'other',
      response.status,
      durationMs,
      exchange.body.bytesRead,
    );
    if (checked.log !== undefined) tell(checked.log, request, exchange, response.status, durationMs);
    return response;
  };
}

/** What the log of changes says of a request. */
function noted({ endpoint, principal, caller, client, url }: Exchange): Parameters<typeof noteChange>[1] {
  return { endpoint, principal, companyName: caller?.companyName, address: client.address, url };
}

function buildApp(engine: Engine, options: HttpOptions, metrics: Metrics, room: BodyRoom): OpenAPIHono<Env> {
  const requests = new RequestRoom(options);
  const answers = new AnswerRoom(options);
  const health = new Health(engine, { bodies: room, answers });
  const provider = options.openId === undefined ? undefined : new OpenIdProvider(options.openId);
  const paths = new Map<string, string>(
    [...ENDPOINTS.map(({ path }) => path), '/health'].map((path) => [path.toLowerCase(), path]),
  );
  const app = new OpenAPIHono<Env>({
    // One route for a path with and without `/api`, in any letter case.
    getPath: (request) => {
      const path = pathOf(request.url, options.basePath);
      return paths.get(path.toLowerCase().replace(/^\/api(?=\/)/, '')) ?? path;
    },
  });
  for (const row of ENDPOINTS) {
    app.openAPIRegistry.registerPath(routeOf(row));
    app.on(row.method.toUpperCase(), row.path, async (context) => {
      const exchange = context.env;
      const { url, client, body, origin } = exchange;
      const request = context.req.raw;
      exchange.endpoint = row;
      // Kept by itself, so that the log names who is refused.
      exchange.principal = row.access === 'none' ? undefined : await principalOf(engine, options, request);
      exchange.caller = await admit(engine, request, exchange.principal, row.access, url.searchParams);
      const call = new Call({
        engine,
        options,
        request,
        client,
        body,
        origin,
        provider,
        query: readQuery(row.query, url),
        ...exchange.caller,
      });
      if (row.body !== undefined && body.present) {
        const { principal } = exchange.caller;
        const user = principal?.userUid ?? principal?.tokenId;
        const seat = room.enter({ address: exchange.client.address, user });
        body.sit(seat);
        try {
          return answered(context, row, await row.respond(call), answers);
        } finally {
          seat.leave();
        }
      }
      const { principal } = exchange.caller;
      const sender = principal?.userUid ?? principal?.tokenId ?? networkOf(exchange.client.address);
      if (row.access === 'none' || sender === undefined)
        return answered(context, row, await row.respond(call), answers);
      const leave = await requests.enter(sender, request.signal);
      try {
        return answered(context, row, await row.respond(call), answers);
      } finally {
        leave();
      }
    });
  }
  app.openAPIRegistry.registerPath(HEALTH_ROUTE);
  if (options.docs) {
    const document = openApiDocument(app, options);
    const page = docsPage(document);
    // Written once: anybody may ask for it, and it is large.
    const written = new TextEncoder().encode(JSON.stringify(document));
    app.get('/openapi.json', () =>
      wholeResponse(written, { status: 200, headers: { 'Content-Type': 'application/json' } }),
    );
    app.get('/docs', (context) =>
      context.html(page, 200, { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" }),
    );
  }
  app.on('GET', '/health', async (context) => {
    return context.json(await health.check());
  });
  if (options.metrics) {
    app.get('/metrics', async (context) =>
      context.body(await metrics.text(engine), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }),
    );
  }
  app.notFound((context) => {
    const page = options.page
      ? pageResponse(context.req.raw, pathOf(context.req.url, options.basePath), context.env.url.pathname)
      : undefined;
    if (page !== undefined) return page;
    const allowed = ENDPOINTS.filter(({ path }) => path === context.req.path).map(({ method }) => method.toUpperCase());
    const problem =
      allowed.length === 0
        ? new Problem(404, 'There is no such endpoint.')
        : new Problem(405, `The endpoint takes ${allowed.join(', ')}, received ${context.req.method}.`, {
            headers: { Allow: allowed.join(', ') },
          });
    return failed(context.env, problem);
  });
  app.onError((cause, context) => {
    const response = failed(context.env, cause);
    if (context.env.problem !== undefined) health.failed(context.env.problem);
    return response;
  });
  return app;
}

function pathOf(url: string, basePath: string): string {
  const { pathname } = new URL(url);
  const path =
    basePath !== '' && (pathname === basePath || pathname.startsWith(`${basePath}/`))
      ? pathname.slice(basePath.length)
      : pathname;
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path === '' ? '/' : path;
}

function answered(context: Context<Env>, row: Endpoint, result: unknown, room: AnswerRoom): Response {
  const { status, value, headers, about } = result instanceof Answer ? result : new Answer(200, result);
  context.env.reason = about.reason;
  context.env.account = about.account;
  if (value === undefined) return new Response(null, { status, headers });
  if (value instanceof ReadableStream) return new Response(value, { status, headers });
  if (value instanceof Uint8Array) return room.response(value, { status, headers }, holderOf(context));
  const type = preferredType(context.req.header('accept') ?? null, row.plain === true ? PLAIN_TYPES : JSON_TYPES);
  const text = typeof value === 'string' && type === 'text/plain' ? value : JSON.stringify(value);
  const whole = { status, headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers } };
  return room.response(text, whole, holderOf(context));
}

/** Who has to take an answer. */
function holderOf({ req, env: { principal, client } }: Context<Env>): Holder {
  const user = principal?.userUid ?? principal?.tokenId ?? client.address ?? '';
  return { user, request: req.raw };
}

function failed(exchange: Exchange, cause: unknown): Response {
  const problem = ofStored(problemOf(cause), exchange.endpoint);
  exchange.problem = problem;
  const { status, headers } = problem;
  if (problem instanceof Unauthorized) return new Response(null, { status, headers });
  const wanted = exchange.endpoint?.failureBodies ?? {};
  if (status in wanted) {
    const value = wanted[status];
    const [text, type] =
      typeof value === 'string' ? [value, 'text/plain'] : [JSON.stringify(value), 'application/json'];
    return new Response(text, { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } });
  }
  const details = problemDetails(problem, exchange.url.pathname, exchange.requestId);
  return new Response(JSON.stringify(details), {
    status,
    headers: { ...headers, 'Content-Type': 'application/problem+json; charset=utf-8' },
  });
}

/**
 * 413 and 415 are about the body that was sent. Where a stored file is too large or of an unsupported kind, the answer
 * is 422.
 */
function ofStored(problem: Problem, endpoint: Endpoint | undefined): Problem {
  const { status, message, errors, headers, more, cause } = problem;
  if (endpoint === undefined || endpoint.body !== undefined || (status !== 413 && status !== 415)) return problem;
  return new Problem(422, message, { errors, headers, more, cause });
}

/** Sets the headers of every answer. */
function finished(response: Response, { requestId, body }: Exchange): Response {
  const { headers } = response;
  headers.set('X-Request-Id', requestId);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  // The page has a policy of its own; nothing else that is answered is to be run or framed by a browser.
  if (!headers.has('Content-Security-Policy'))
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  // Answers depend on the sender.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  if (!body.ended) headers.set('Connection', 'close');
  return response;
}

function tell(
  log: (entry: LogEntry) => void,
  request: Request,
  { requestId, endpoint, url, principal, caller, client, body, problem, reason, account }: Exchange,
  status: number,
  durationMs: number,
): void {
  const { companyName } = caller ?? {};
  const error = problem === undefined ? reason : (problem.cause ?? problem.message);
  const entry: LogEntry = {
    time: new Date(),
    requestId,
    method: request.method,
    path: url.pathname,
    ...(endpoint === undefined || endpoint.secret === true ? {} : { query: redacted(url.search) }),
    status,
    durationMs,
    requestBytes: body.bytesRead,
    ...(client.address === undefined ? {} : { address: client.address }),
    ...(companyName === undefined ? {} : { company: companyName }),
    ...(principal === undefined ? {} : { principal: principal.userUid ?? principal.clientId }),
    ...(principal?.email === undefined ? {} : { user: principal.email }),
    ...(account === undefined ? {} : { account }),
    ...(error === undefined ? {} : { error }),
  };
  try {
    log(entry);
  } catch {
    // The answer is ready; a failure of the host's log does not withhold it.
  }
}

function redacted(search: string): string {
  return search
    .slice(1)
    .split('&')
    .map((pair) => {
      // Parsed as the parameters are, because a name may be percent-encoded as well.
      const [[name] = ['']] = new URLSearchParams(pair);
      return SECRETS.test(name) ? `${name}=***` : pair;
    })
    .join('&');
}
