import { randomUUID } from 'node:crypto';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Engine } from '../../index.js';
import { admit, Unauthorized, type Caller } from './access.js';
import { RequestBody } from './body.js';
import { Call, type ClientFacts } from './call.js';
import { docsPage } from './docs-page.js';
import { Answer, type Endpoint, type QuerySchema } from './endpoint.js';
import { ENDPOINTS } from '../resources/endpoints.js';
import { checkHttpOptions, type HttpOptions, type LogEntry } from './http-options.js';
import { Metrics } from './metrics.js';
import { JSON_TYPES, PLAIN_TYPES, preferredType } from './negotiate.js';
import { openApiDocument, routeOf } from './openapi.js';
import { pageResponse } from './page.js';
import { badField, Problem, problemDetails, problemOf } from './problem.js';
import { sendCallbacks } from './callbacks.js';
import { wholeResponse } from './whole-body.js';

/** Answers a request. Never rejects and never throws. */
export type Handler = (request: Request, client?: ClientFacts) => Promise<Response>;

/** State of one request. */
interface Exchange {
  readonly requestId: string;
  readonly client: ClientFacts;
  readonly body: RequestBody;
  readonly url: URL;
  endpoint?: Endpoint;
  caller?: Caller;
  problem?: Problem;
}

type Env = { Bindings: Exchange };

/** Parameters whose values are never logged. */
const SECRETS = /^(token|password|refresh_token|access_token|client_secret)$/i;
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
  const bodies = { open: 0 };
  const app = buildApp(engine, checked, metrics, bodies);
  sendCallbacks(engine, checked);
  return async (request, client = {}) => {
    const startedAt = performance.now();
    metrics.started();
    const sent = request.headers.get('x-request-id') ?? '';
    const url = new URL(request.url);
    const exchange: Exchange = {
      requestId: REQUEST_ID.test(sent) ? sent : randomUUID(),
      client,
      body: new RequestBody(request, checked),
      url,
    };
    let response: Response;
    try {
      response = await app.fetch(request, exchange);
    } catch (cause) {
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

function buildApp(engine: Engine, options: HttpOptions, metrics: Metrics, bodies: { open: number }): OpenAPIHono<Env> {
  const paths = new Map<string, string>(ENDPOINTS.map(({ path }) => [path.toLowerCase(), path]));
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
      const { url, client, body } = exchange;
      const request = context.req.raw;
      exchange.endpoint = row;
      exchange.caller = await admit(engine, options, request, row.access, url.searchParams);
      const call = new Call({
        engine,
        options,
        request,
        client,
        body,
        query: readQuery(row.query, url),
        ...exchange.caller,
      });
      if (row.body !== undefined && body.present) {
        if (bodies.open >= options.concurrentBodies)
          throw new Problem(503, 'Too many bodies are being read.', { headers: { 'Retry-After': '1' } });
        bodies.open++;
        try {
          return answered(context, row, await row.respond(call));
        } finally {
          bodies.open--;
        }
      }
      return answered(context, row, await row.respond(call));
    });
  }
  if (options.docs) {
    const document = openApiDocument(app, options);
    const page = docsPage(document);
    app.get('/openapi.json', (context) => context.json(document));
    app.get('/docs', (context) =>
      context.html(page, 200, { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" }),
    );
  }
  app.get('/health', async (context) => {
    await engine.companies(); // Throws when the engine is closed.
    return context.json({ status: 'ok' });
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
  app.onError((cause, context) => failed(context.env, cause));
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

/**
 * The parameters of a request, checked by the schema that documents them.
 * @throws Problem 400 that names the wrong ones.
 */
function readQuery(schema: QuerySchema, { search, searchParams }: URL): Record<string, unknown> {
  checkEncoding(search);
  const query: Record<string, string> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, value] of searchParams) {
    // Unknown parameters are ignored: clients of older hosts send them.
    if (!Object.hasOwn(schema.shape, name)) continue;
    if (Object.hasOwn(query, name)) errors[name] = ['must be given once'];
    query[name] = value;
  }
  const read = Object.keys(errors).length === 0 ? readFields(schema, query) : undefined;
  if (read !== undefined) return read;
  const result = schema.safeParse(query);
  if (!result.success)
    for (const { path, message } of result.error.issues) (errors[String(path[0])] ??= []).push(message);
  const wrong = Object.entries(errors);
  if (result.success && wrong.length === 0) return result.data;
  const [[field, [message]]] = wrong;
  const detail =
    wrong.length > 1
      ? 'The request has wrong parameters; see errors.'
      : message.startsWith(field)
        ? message
        : `${field} ${message}`;
  throw new Problem(400, detail, { errors });
}

/** Value of each parameter that is not given, by schema; undefined for a required parameter. */
const ABSENT = new WeakMap<QuerySchema, ReadonlyMap<string, { readonly value: unknown } | undefined>>();

/**
 * The result of the schema, computed parameter by parameter: most are absent, and their defaults are cached. Undefined
 * when one is wrong: the caller then runs the whole schema to find out which.
 */
function readFields(schema: QuerySchema, query: Readonly<Record<string, string>>): Record<string, unknown> | undefined {
  let absent = ABSENT.get(schema);
  if (absent === undefined) {
    absent = new Map(
      Object.entries(schema.shape).map(([name, field]) => {
        const { success, data } = z.safeParse(field, undefined);
        return [name, success ? { value: data } : undefined];
      }),
    );
    ABSENT.set(schema, absent);
  }
  const read: Record<string, unknown> = {};
  for (const [name, otherwise] of absent) {
    if (Object.hasOwn(query, name)) {
      const { success, data } = z.safeParse(schema.shape[name], query[name]);
      if (!success) return undefined;
      read[name] = data;
    } else if (otherwise === undefined) return undefined;
    else if (otherwise.value !== undefined) read[name] = otherwise.value;
  }
  return read;
}

/** @throws Problem 400 that names the parameter that is not percent-encoded UTF-8. */
function checkEncoding(search: string): void {
  if (!search.includes('%')) return;
  for (const pair of search.slice(1).split('&')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    try {
      decodeURIComponent(pair);
    } catch (cause) {
      if (!(cause instanceof URIError)) throw cause;
      const field = /^\w+$/.test(name) ? name : 'query';
      throw badField(field, `${field} must be percent-encoded UTF-8`);
    }
  }
}

function answered(context: Context<Env>, row: Endpoint, result: unknown): Response {
  const { status, value, headers } = result instanceof Answer ? result : new Answer(200, result);
  if (value === undefined) return new Response(null, { status, headers });
  if (value instanceof Uint8Array) return wholeResponse(value, { status, headers });
  const type = preferredType(context.req.header('accept') ?? null, row.plain === true ? PLAIN_TYPES : JSON_TYPES);
  const text = typeof value === 'string' && type === 'text/plain' ? value : JSON.stringify(value);
  return wholeResponse(text, { status, headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers } });
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
  // Answers depend on the sender.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  if (!body.ended) headers.set('Connection', 'close');
  return response;
}

function tell(
  log: (entry: LogEntry) => void,
  request: Request,
  { requestId, endpoint, url, caller, body, problem }: Exchange,
  status: number,
  durationMs: number,
): void {
  const { principal, companyName } = caller ?? {};
  const entry: LogEntry = {
    time: new Date(),
    requestId,
    method: request.method,
    path: url.pathname,
    ...(endpoint === undefined || endpoint.secret === true ? {} : { query: redacted(url.search) }),
    status,
    durationMs,
    requestBytes: body.bytesRead,
    ...(companyName === undefined ? {} : { company: companyName }),
    ...(principal === undefined ? {} : { principal: principal.userUid ?? principal.clientId }),
    ...(problem === undefined ? {} : { error: problem.cause ?? problem.message }),
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
