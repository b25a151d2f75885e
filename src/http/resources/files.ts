import { z } from '@hono/zod-openapi';
import { EngineError, FILE_EXTENSIONS, type Company, type FileRecord } from '../../index.js';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { FileMap, fileMapOf } from '../wire/file-map.js';
import { given, Problem } from '../server/problem.js';
import { flag, guid, requiredGuid, text } from '../server/parameters.js';

const endpoint = endpointsOf('Files');

/** `accountName`, on file and search endpoints. */
export const accountName = text({ about: 'Account to act for. For operators only; ignored for others.', most: 200 });

/** The parameters that select the pages and views of a file. */
export const shapeletQuery = {
  includeShapelets: flag({ about: 'Adds detail of shapes, pages and images where there is some.', byDefault: false }),
  lgFileNumber: text({
    about: 'With includeShapelets: only the shapes of this page; of a model only the view of this number, from 1.',
    most: 100,
  }),
  includeShapes: flag({ about: 'Internal; accepted, no effect.', byDefault: false }),
};

/** The record that a request names by UID or, without one, by path. @throws Problem 400, 404. */
export async function fileAt(
  company: Company,
  { fileUID, fileName }: { readonly fileUID?: string; readonly fileName?: string },
): Promise<FileRecord> {
  if (fileUID !== undefined) return company.get(fileUID);
  if (fileName === undefined) {
    throw new Problem(400, 'fileUID or fileName is required.', {
      errors: { fileUID: ['fileUID or fileName is required'], fileName: ['fileUID or fileName is required'] },
    });
  }
  const record = await given('fileName', () => company.find(fileName));
  if (record === undefined) throw new EngineError('FILE_UNKNOWN', 'no file has this name', { details: { fileName } });
  return record;
}

export const FILES = [
  endpoint('GET /File', {
    summary: 'The record of a file',
    access: 'public',
    answer: FileMap,
    query: z.object({
      fileUID: guid({ about: 'UID of the file; wins over fileName.' }),
      fileName: text({ about: 'Full stored path.' }),
      ...shapeletQuery,
      accountName,
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => fileMapOf(call, await fileAt(await call.company(), call.query), call.query),
  }),

  endpoint('DELETE /File', {
    summary: 'Deletes a file',
    answer: z.boolean(),
    about: 'Members delete search inputs that they uploaded; admins delete those of others and files of the company.',
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }), accountName }),
    statuses: { 404: 'Unknown file, or deleted already.', 500: 'Unexpected failure.' },
    failureBodies: { 403: false, 500: false },
    respond: async (call) => {
      // Who may not delete an input of somebody else is told so (403), as the interface has it; hence all inputs.
      await (await call.engine.served(call.companyName)).delete(call.query.fileUID, call.principal);
      return true;
    },
  }),

  endpoint('GET /FileStatus', {
    summary: 'Whether a file is indexed',
    plain: true,
    answer: z.string().openapi({ format: 'date-time', description: 'When it was indexed, ISO 8601.' }),
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: {
      204: 'Still being indexed: ask again in some seconds.',
      404: 'Unknown file.',
      422: 'Indexing failed for good.',
    },
    failureBodies: { 422: 'failed' },
    respond: async (call) => {
      const { state, indexedAt } = await (await call.company()).status(call.query.fileUID);
      if (state === 'queued') return new Answer(204, undefined);
      if (state === 'failed') throw new Problem(422, 'Indexing failed for good.');
      return indexedAt?.toISOString() ?? '';
    },
  }),

  endpoint('GET /ValidUploadFileTypes', {
    summary: 'Extensions of the files that are read',
    access: 'app',
    answer: z.array(z.string()),
    respond: async () => FILE_EXTENSIONS,
  }),
];
