import { createRequire } from 'node:module';
import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { Access, BodyKind, Endpoint } from './endpoint.js';
import { JSON_TYPES, PLAIN_TYPES } from './negotiate.js';
import type { HttpOptions } from './http-options.js';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** Version of the interface and of the engine: that of the package. */
export const API_VERSION = version;

const ProblemDetails = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    traceId: z.string().openapi({ description: 'The request id, as in the header X-Request-Id.' }),
    freeAt: z.string().optional().openapi({
      format: 'date-time',
      description: 'When a bound of search inputs has room by itself: the first one expires.',
    }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .openapi({ description: 'What is wrong, by parameter; `body` is the body.' }),
    code: z.string().optional().openapi({ description: "The engine's stable code of the failure." }),
  })
  .openapi('ProblemDetails', { description: 'RFC 9457' });

const JSON_BODIES = ['application/json', 'text/json', 'application/json-patch+json', 'application/*+json'] as const;
const Base64 = z.string().openapi({ format: 'byte', description: 'base64 of the bytes of a file' });

const Sha1 = z.string().openapi({ pattern: '^[0-9a-fA-F]{40}$' });

// Not a literal in the call: the library passes on keywords of JSON Schema that its types for metadata do not list.
const JSON_IN_STRING = { contentMediaType: 'application/json' };

const BODIES: Readonly<Record<BodyKind, { types: readonly string[]; schema: z.ZodType; about: string }>> = {
  file: { types: JSON_BODIES, schema: Base64, about: 'A JSON string of the base64 of the bytes of a file.' },
  bytes: {
    types: ['application/octet-stream'],
    schema: z.string().openapi({ format: 'binary' }),
    about: 'The bytes of a file.',
  },
  files: {
    types: JSON_BODIES,
    schema: z.string().openapi(JSON_IN_STRING),
    about: 'A JSON array of base64 strings, serialized into a string, serialized again.',
  },
  strings: {
    types: JSON_BODIES,
    schema: z.union([z.array(z.string()), z.string()]),
    about: 'A JSON array of strings, serialized once or twice.',
  },
  text: { types: JSON_BODIES, schema: z.string(), about: 'A JSON string.' },
  message: {
    types: ['application/json'],
    schema: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string() }),
    about: 'A message of JSON-RPC 2.0.',
  },
  form: {
    types: ['application/x-www-form-urlencoded'],
    schema: z
      .object({
        grant_type: z.string(),
        client_id: z.string(),
        username: z.string(),
        password: z.string(),
        refresh_token: z.string(),
      })
      .partial(),
    about: 'The same fields as the query; these win.',
  },
  passwords: {
    types: ['application/x-www-form-urlencoded'],
    schema: z.object({ current: Sha1, next: Sha1 }),
    about: 'Both passwords as SHA-1 in hexadecimal.',
  },
  signIns: {
    types: ['application/x-www-form-urlencoded'],
    schema: z.object({ current: Sha1.optional(), id: z.string().optional() }),
    about: 'The password as SHA-1 in hexadecimal, and which sign-in ends.',
  },
  key: {
    types: ['application/x-www-form-urlencoded'],
    schema: z.object({ current: Sha1.optional(), name: z.string(), days: z.string().optional() }),
    about: 'The password as SHA-1 in hexadecimal, what the key is for, and in how many days it ends (1 to 1100).',
  },
  openId: {
    types: ['application/x-www-form-urlencoded'],
    schema: z.object({ answer: z.string(), state: z.string(), nonce: z.string(), verifier: z.string() }),
    about: 'The query of the address that the browser came back with, and what it kept.',
  },
  logout: {
    types: ['application/x-www-form-urlencoded'],
    schema: z.object({ logout_token: z.string() }),
    about: 'The logout token of the provider.',
  },
};

const ACCESS: Readonly<Record<Access, string>> = {
  none: '',
  app: 'Any token.',
  user: "A user's token.",
  admin: 'A token of an admin of the company, or of an operator.',
  operator: "A user's token, and special access: the role operator.",
  public: "A user's token, or none when accountName is a company that is publicly accessible.",
  image: "A user's token, or none with an image token in `token`.",
};

/** The route of an endpoint: it checks requests and is the source of the documentation. */
export function routeOf(row: Endpoint): RouteConfig & { getRoutingPath(): string } {
  const {
    method,
    path,
    tag,
    summary,
    about,
    access,
    query,
    body,
    answer,
    plain,
    media,
    statuses = {},
    failureBodies = {},
    failure,
  } = row;
  const refused = (status: number, description: string) => ({
    description,
    content:
      status in failureBodies
        ? contentOf(failureBodies[status])
        : {
            ...(failure === undefined ? {} : { 'application/json': { schema: failure } }),
            'application/problem+json': { schema: ProblemDetails },
          },
  });
  const declared = Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      status,
      Number(status) < 400 ? { description } : refused(Number(status), description),
    ]),
  );
  const types = media ?? (plain === true ? PLAIN_TYPES : JSON_TYPES);
  const kind = body === undefined ? undefined : BODIES[body];
  return createRoute({
    method,
    path,
    tags: [tag],
    summary,
    description: [about, ACCESS[access]].filter(Boolean).join('\n\n') || undefined,
    operationId: `${method}${path.slice(1)}`,
    ...(access === 'none'
      ? { security: [] }
      : { security: access === 'image' || access === 'public' ? [{ bearer: [] }, {}] : [{ bearer: [] }] }),
    request: {
      query,
      // For the documentation only: bodies are checked while they are read.
      ...(kind === undefined
        ? {}
        : {
            body: {
              description: kind.about,
              content: Object.fromEntries(kind.types.map((type) => [`${type}`, { schema: kind.schema }])),
            },
          }),
    },
    responses: {
      200: { description: 'Done.', content: Object.fromEntries(types.map((type) => [type, { schema: answer }])) },
      400: refused(400, 'Malformed; `errors` names what.'),
      ...(access === 'none'
        ? {}
        : { 401: { description: 'No valid token; the body is empty.' }, 403: refused(403, 'Not allowed.') }),
      ...('accountName' in query.shape && access !== 'operator'
        ? { 404: refused(404, 'There is no such account.') }
        : {}),
      ...(kind === undefined
        ? {}
        : {
            408: refused(408, 'The body came too slowly.'),
            413: refused(413, 'Too large.'),
            415: refused(415, 'Another media type, or a kind of file that is not read.'),
          }),
      503: refused(503, 'Busy or closing; Retry-After says when to try again.'),
      ...declared,
    },
  });
}

/** Documents a body that is always the same. */
function contentOf(body: string | boolean) {
  return { [typeof body === 'string' ? 'text/plain' : 'application/json']: { schema: z.literal(body) } };
}

/** The whole OpenAPI 3.1 document. */
export function openApiDocument(
  app:
    | OpenAPIHono<never>
    | { getOpenAPI31Document: OpenAPIHono['getOpenAPI31Document']; openAPIRegistry: OpenAPIHono['openAPIRegistry'] },
  { basePath, publicUrl }: HttpOptions,
): OpenApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  const base = publicUrl === '' ? basePath : publicUrl;
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'shapedex',
      version,
      description:
        'Indexes files and finds them by shape, text and attributes. Every path answers with and without the prefix ' +
        '`/api`. Most want the header `Authorization: Bearer <token>`; `POST /api/Token` issues one.',
    },
    servers: [{ url: `${base}/api` }, { url: base === '' ? '/' : base }],
  });
  return document as unknown as OpenApiDocument;
}

/** The parts of an OpenAPI document that the docs page and tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

/** One endpoint in the document. */
export interface OpenApiOperation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly deprecated?: boolean;
    readonly description?: string;
    readonly schema: OpenApiSchema;
  }[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, { readonly schema: OpenApiSchema }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: OpenApiSchema }>> }
    >
  >;
}

/** A schema in the document. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly anyOf?: readonly OpenApiSchema[];
}
