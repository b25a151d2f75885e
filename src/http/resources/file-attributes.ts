import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { fileAt } from './files.js';
import { readStrings } from '../wire/json-body.js';
import { badField, given } from '../server/problem.js';
import { flag, guid, requiredGuid, requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('Attributes');

/** Most values listed with an attribute; `Count` is exact. */
const VALUES_SHOWN = 100;

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
  endpoint('GET /FileAttributes', {
    summary: "The attributes of the company's files",
    answer: z.array(FileAttribute),
    respond: async (call) => {
      const attributes = await (await call.served()).attributes({ values: VALUES_SHOWN });
      return attributes.map(({ name, unit, type, count, values }) => ({
        Name: name,
        Unit: unit,
        Type: type,
        Count: count,
        Values: values,
      }));
    },
  }),

  endpoint('PUT /FileAttributes', {
    summary: 'Sets or adds attributes of a file',
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

  endpoint('DELETE /FileAttributes', {
    summary: 'Removes all attributes of a file',
    answer: z.boolean(),
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      await (await call.company()).setAttributes(call.query.fileUID, []);
      return true;
    },
  }),

  endpoint('GET /AttributeValues', {
    summary: 'The values of an attribute with their counts',
    answer: z.array(AttributeCount),
    query: z.object({ attribute: requiredText({ about: 'Name of the attribute.', most: 10_000 }) }),
    respond: async (call) => {
      const values = await (await call.served()).attributeValues(call.query.attribute);
      return values.map(({ value, count }) => ({ name: value, count }));
    },
  }),
];
