import { z } from '@hono/zod-openapi';
import type { CompanyListOptions } from '../../index.js';
import { endpoint } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { checkBinaryType } from '../wire/json-body.js';
import { given } from '../server/problem.js';
import { integer, maybeInteger, requiredGuid, requiredText, text } from '../wire/parameters.js';
import { Record } from '../wire/record.js';

/** Largest number of records in one answer. */
const MOST_RECORDS = 1_000;

export const RECORDS = [
  endpoint({
    method: 'get',
    path: '/Record',
    tag: 'Additions',
    summary: "A file's record in the engine's own words",
    access: 'user',
    answer: Record,
    query: z.object({ fileUID: requiredGuid({ about: 'UID of a file or a search input.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const company = await call.company();
      const { fileUID } = call.query;
      return (await company.input(fileUID)) ?? company.get(fileUID);
    },
  }),
  endpoint({
    method: 'put',
    path: '/Record',
    tag: 'Additions',
    summary: 'Stores a file under a path, whatever its size',
    access: 'user',
    body: 'bytes',
    answer: Record,
    about:
      'Answers when the file is stored; it is indexed afterwards. A file at the path is replaced; the same bytes ' +
      'are not read again.',
    query: z.object({ path: requiredText({ about: 'Full path to store it under.' }), accountName }),
    respond: async (call) => {
      checkBinaryType(call.request);
      const served = await call.served();
      return given(
        'path',
        served.put(call.query.path, call.body.stream(call.options.uploadBytes), {
          wait: false,
          overwrite: true,
          needsCategory: false,
          signal: call.signal,
        }),
      );
    },
  }),
  endpoint({
    method: 'get',
    path: '/Records',
    tag: 'Additions',
    summary: 'Records in an order, page by page',
    access: 'user',
    answer: z.array(Record),
    query: z.object({
      prefix: text({ about: 'Only paths that begin so.' }),
      kind: text({ about: 'Text, Image, TwoD or ThreeD.', most: 100 }),
      state: text({ about: 'queued, indexed or failed.', most: 100 }),
      category: maybeInteger({ about: 'Id of a category; -1: files without one.', least: -1 }),
      order: text({ about: 'path (default) or addedAt.', most: 100 }),
      direction: text({ about: 'rising (default) or falling.', most: 100 }),
      after: text({ about: 'What the page before ended with: the path, or with addedAt the arrival.' }),
      limit: integer({ about: 'Most records.', byDefault: 200, least: 1, most: MOST_RECORDS }),
      accountName,
    }),
    respond: async (call) => {
      const { prefix, kind, state, category, order, direction, after, limit } = call.query;
      // The engine checks these.
      const options = {
        prefix,
        kind,
        state,
        order,
        direction,
        limit,
        category: category === -1 ? null : category,
        after: after !== undefined && order === 'addedAt' ? Number(after) : after,
      } as CompanyListOptions;
      const company = await call.company();
      return given(
        (message) => /options\.(\w+)/.exec(message)?.[1] ?? 'order',
        () => company.list(options),
      );
    },
  }),
];
