import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';
import { guid } from '../wire/parameters.js';

export const RETRY = [
  endpoint({
    method: 'post',
    path: '/Retry',
    tag: 'Additions',
    summary: 'Reads failed files once more',
    access: 'user',
    answer: z.int().openapi({ description: 'How many were queued; 0 where nothing has failed.' }),
    query: z.object({ fileUID: guid({ about: 'This file alone.' }), accountName }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => (await call.company()).retry(call.query.fileUID),
  }),
];
