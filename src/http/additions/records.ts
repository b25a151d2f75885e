import { z } from '@hono/zod-openapi';
import type { CompanyListOptions } from '../../index.js';
import { endpointsOf } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { checkBinaryType } from '../wire/json-body.js';
import { given } from '../server/problem.js';
import { integer, maybeInteger, requiredGuid, requiredText, text, guid } from '../server/parameters.js';

const endpoint = endpointsOf('Additions');

/** A record as the engine has it, dates as ISO 8601. */
const Record = z
  .looseObject({
    uid: z.string(),
    path: z.string(),
    displayName: z.string(),
    extension: z.string(),
    kind: z.enum(['Text', 'Image', 'TwoD', 'ThreeD']),
    state: z.enum(['queued', 'indexed', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    byteLength: z.int(),
    sha256: z.string(),
    attributes: z.array(z.string()),
    addedAt: z.string().openapi({ format: 'date-time' }),
    arrival: z.int(),
  })
  .openapi('Record', { description: "The engine's FileRecord; see its declarations for what else is in it." });

/** Largest number of records in one answer. */
const MOST_RECORDS = 1_000;

export const RECORDS = [
  endpoint('GET /Record', {
    summary: "A file's record in the engine's own names",
    answer: Record,
    query: z.object({ fileUID: requiredGuid({ about: 'UID of a file or a search input.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const company = await call.company();
      const { fileUID } = call.query;
      return (await company.input(fileUID)) ?? company.get(fileUID);
    },
  }),
  endpoint('PUT /Record', {
    summary: 'Stores a file under a path, whatever its size',
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
  endpoint('GET /Records', {
    summary: 'Records in an order, page by page',
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
        (option) => option ?? 'order',
        () => company.list(options),
      );
    },
  }),
  endpoint('PUT /Input', {
    summary: 'Stores a file to search with, whatever its size',
    body: 'bytes',
    answer: Record,
    about: 'Answers when the file is read; its `state` is then `indexed`, or `failed` with an `error`.',
    query: z.object({
      name: requiredText({ about: 'Name of the file; its extension counts.', most: 1_000 }),
      accountName,
    }),
    respond: async (call) => {
      checkBinaryType(call.request);
      const served = await call.served();
      return given(
        'name',
        served.putInput(call.body.stream(call.options.uploadBytes), {
          extension: '',
          name: call.query.name.replace(/^.*[/\\]/s, ''),
          owner: call.principal?.userUid,
          signal: call.signal,
        }),
      );
    },
  }),
];

const states = z.object({ queued: z.int(), indexed: z.int(), failed: z.int() });
const Summary = z
  .object({
    files: z.int(),
    counts: z.object({ Text: states, Image: states, TwoD: states, ThreeD: states }),
    describedAgain: z.int().openapi({
      description: 'Files that wait to be described again, as after an update; they are found meanwhile.',
    }),
  })
  .openapi('Summary');

export const FILE_COUNTS = [
  endpoint('GET /Status', {
    summary: 'How many files there are, by kind and state',
    answer: Summary,
    query: z.object({ accountName }),
    respond: async (call) => (await call.company()).summary(),
  }),
  endpoint('POST /Retry', {
    summary: 'Reads failed files again',
    answer: z.int().openapi({ description: 'How many were queued; 0 where nothing has failed.' }),
    query: z.object({ fileUID: guid({ about: 'This file alone.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await call.company()).retry(call.query.fileUID),
  }),
];

const Category = z
  .object({
    id: z.int(),
    name: z.string(),
    parentId: z.int().nullable(),
    imageUrl: z.string().nullable(),
    count: z.int(),
  })
  .openapi('Category');

export const FILE_CATEGORIES = [
  endpoint('GET /Categories', {
    summary: 'The product categories of the company',
    answer: z.array(Category),
    respond: async (call) => (await call.company()).categories.list(),
  }),

  endpoint('PUT /FileCategory', {
    summary: 'Gives a file a product category',
    answer: z.boolean(),
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      categoryId: integer({ about: 'Id of the category; -1: none.', byDefault: -1, least: -1 }),
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { fileUID, categoryId } = call.query;
      await given('categoryId', (await call.company()).categories.assign(fileUID, categoryId));
      return true;
    },
  }),
];
