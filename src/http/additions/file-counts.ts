import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { accountName } from '../resources/files.js';

const states = z.object({ queued: z.int(), indexed: z.int(), failed: z.int() });
const Summary = z
  .object({
    files: z.int(),
    counts: z.object({ Text: states, Image: states, TwoD: states, ThreeD: states }),
  })
  .openapi('Summary');

export const FILE_COUNTS = [
  endpoint({
    method: 'get',
    path: '/Status',
    tag: 'Additions',
    summary: 'How many files there are, by kind and state',
    access: 'user',
    answer: Summary,
    query: z.object({ accountName }),
    respond: async (call) => (await call.company()).summary(),
  }),
];
