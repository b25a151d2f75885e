import { z } from '@hono/zod-openapi';
import { becauseText, type SearchQuery, type SearchResult } from '../../index.js';
import { endpointsOf } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { badField, given } from '../server/problem.js';
import { flag, guidOf, oneOf, requiredText } from '../server/parameters.js';
import { readText } from '../wire/json-body.js';
import { SHEET_TYPES, tableAnswer } from '../wire/table-answer.js';

const endpoint = endpointsOf('Additions');

const Found = z
  .looseObject({
    total: z.int(),
    elapsedMs: z.number(),
    hits: z.array(
      z.looseObject({
        uid: z.string(),
        path: z.string(),
        score: z.number(),
        similarity: z.number().nullable(),
        matchClass: z.string().nullable(),
        because: z.array(z.looseObject({ code: z.string(), text: z.string() })),
      }),
    ),
    inputs: z.array(z.looseObject({ kind: z.string() })),
  })
  .openapi('Found', { description: "The engine's SearchResult; see its declarations for what else is in it." });

export const ENGINE_SEARCH = [
  endpoint('GET /Find', {
    summary: "Searches with a query in the engine's own names",
    answer: Found,
    query: z.object({
      query: requiredText({
        about:
          'JSON of the engine\'s SearchQuery. `like`: `{"uid": …}` of a file or a search input, or a list of these. ' +
          '`contains`: `{"uid": …, "faces": [3, 4]}`, a shape to look for inside others.',
      }),
      accountName,
    }),
    statuses: { 404: 'An input is unknown.', 409: 'An input is not indexed.', 422: 'An input has no shape.' },
    respond: async (call) => {
      const query = readQuery(call.query.query);
      const served = await call.served();
      const result = await given('query', served.rawSearch({ ...query, signal: call.signal }).catch(ofUnknownOption));
      return plain(result);
    },
  }),
  endpoint('POST /FindFile', {
    summary: 'The hits of such a search as a file',
    about: 'The body is the JSON of the query, as a JSON string. `within` of the query restricts it to chosen files.',
    media: SHEET_TYPES,
    body: 'text',
    answer: z.string().openapi({ format: 'binary' }),
    query: z.object({
      format: oneOf(['csv', 'xlsx', 'pdf'], { about: 'xlsx: a workbook; pdf: pages to be printed.' }),
      pictures: flag({ about: 'With pictures of the first 500 hits, in a workbook or on pages.', byDefault: false }),
      accountName,
    }),
    statuses: { 404: 'An input is unknown.', 409: 'An input is not indexed.', 422: 'An input has no shape.' },
    respond: async (call) => {
      const { format, pictures } = call.query;
      const query = readQuery(await readText(call.request, call.body, call.options.textBytes));
      const served = await call.served();
      const asked = served.searchFile({ ...query, signal: call.signal }, { format, pictures });
      return tableAnswer(await given('query', asked.catch(ofUnknownOption)), { name: 'files', format });
    },
  }),
];

/** Checks what the engine does not: JSON, and inputs by UID only. @throws Problem 400. */
function readQuery(text: string): SearchQuery {
  let query: unknown;
  try {
    query = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw badField('query', `must be JSON: ${cause.message.slice(0, 200)}`);
  }
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw badField('query', 'must be a JSON object');
  const { like, contains } = query as { like?: unknown; contains?: unknown };
  if ('signal' in query) throw badField('query', 'query must not hold a signal');
  for (const input of [like, contains].flat().filter((one) => one !== undefined)) {
    const uid: unknown = (input as { uid?: unknown } | null)?.uid;
    if (typeof uid !== 'string' || guidOf(uid) === undefined)
      throw badField(
        'query',
        'query.like must be {"uid": …} or a list of these, query.contains one: files are put first, with PUT /Input',
      );
  }
  return query as SearchQuery;
}

/** An unknown option of the query is a 400 that names it. */
function ofUnknownOption(cause: unknown): never {
  throw cause instanceof TypeError && cause.message.startsWith('query.') ? badField('query', cause.message) : cause;
}

/** Typed arrays become arrays: JSON would write them as objects. Reasons come with their phrases. */
function plain({ hits, ...rest }: SearchResult): object {
  return {
    ...rest,
    hits: hits.map(({ transform, because, ...hit }) => ({
      ...hit,
      because: because.map((reason) => ({ ...reason, text: becauseText(reason) })),
      ...(transform === undefined ? {} : { transform: [...transform] }),
    })),
  };
}
