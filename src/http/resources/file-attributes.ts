import { z } from '@hono/zod-openapi';
import { endpoint, NO_QUERY } from '../server/endpoint.js';
import { fileAt } from './files.js';
import { readStrings } from '../wire/json-body.js';
import { badField, given } from '../server/problem.js';
import { flag, guid, requiredGuid, requiredText, text } from '../wire/parameters.js';

/** Most values listed with an attribute; `Count` is exact. */
const VALUES_SHOWN = 100;
/** The interface wants every value of an attribute in one answer. */
const ALL = Number.MAX_SAFE_INTEGER;

const FileAttribute = z
  .object({
    Name: z.string(),
    Unit: z.string(),
    Type: z.enum(['text', 'number', 'date']),
    Count: z.int().openapi({ description: 'Files that have it.' }),
    Values: z.array(z.string()).openapi({ description: `The first ${VALUES_SHOWN}.` }),
  })
  .openapi('FileAttribute');

const AttributeCount = z.object({ name: z.string().nullable(), count: z.int() }).openapi('AttributeCount');

export const FILE_ATTRIBUTES = [
  endpoint({
    method: 'get',
    path: '/FileAttributes',
    tag: 'Attributes',
    summary: "The attributes of the company's files",
    access: 'user',
    answer: z.array(FileAttribute),
    query: NO_QUERY,
    respond: async (call) => {
      const company = await call.company();
      const attributes = await company.attributes();
      return Promise.all(
        attributes.map(async ({ name, unit, type, count }) => {
          const values = await company.attributeValues(name, { limit: VALUES_SHOWN, unit });
          return { Name: name, Unit: unit, Type: type, Count: count, Values: values.map(({ value }) => value) };
        }),
      );
    },
  }),

  endpoint({
    method: 'put',
    path: '/FileAttributes',
    tag: 'Attributes',
    summary: 'Sets or adds attributes of a file',
    access: 'user',
    body: 'strings',
    answer: z.boolean(),
    query: z.object({
      fileUID: guid({ about: 'UID of the file; wins over fileName.' }),
      fileName: text({ about: 'Full stored path.' }),
      deleteExisting: flag({ about: 'Removes all attributes before adding.', byDefault: true }),
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const company = await call.company();
      const { uid } = await fileAt(company, call.query);
      const attributes = await readStrings(call.request, call.body, call.options.textBytes);
      if (attributes === undefined) throw badField('body', 'must be a JSON array of name=value strings');
      await given('body', company.setAttributes(uid, attributes, { replace: call.query.deleteExisting }));
      return true;
    },
  }),

  endpoint({
    method: 'delete',
    path: '/FileAttributes',
    tag: 'Attributes',
    summary: 'Removes all attributes of a file',
    access: 'user',
    answer: z.boolean(),
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      await (await call.company()).setAttributes(call.query.fileUID, []);
      return true;
    },
  }),

  endpoint({
    method: 'get',
    path: '/AttributeValues',
    tag: 'Attributes',
    summary: 'The values of an attribute with their counts',
    access: 'user',
    answer: z.array(AttributeCount),
    query: z.object({ attribute: requiredText({ about: 'Name of the attribute.', most: 10_000 }) }),
    respond: async (call) => {
      const company = await call.company();
      const { attribute } = call.query;
      const values = await company.attributeValues(attribute, { limit: ALL });
      if (values.length === 0) {
        // As records write it: `Length(mm)`.
        const [, name, unit] = /^(.+)\(([^()]*)\)\s*$/.exec(attribute) ?? [];
        if (name !== undefined)
          values.push(...(await company.attributeValues(name, { limit: ALL, unit: unit.trim() })));
      }
      // A value in two units is two values to the engine and one to the interface.
      const counts = new Map<string, number>();
      for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count);
      return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
    },
  }),
];
