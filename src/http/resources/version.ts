import { z } from '@hono/zod-openapi';
import { Answer, endpoint, NO_QUERY } from '../server/endpoint.js';
import { JSON_TYPES, preferredType } from '../server/negotiate.js';
import { API_VERSION } from '../server/openapi.js';

const Version = z.object({ apiVersion: z.string(), engineVersion: z.string() }).openapi('Version');

export const VERSION = [
  endpoint({
    method: 'get',
    path: '/Version',
    tag: 'Utilities',
    summary: 'Versions',
    about: 'As text/plain the constant 1, for checks of the connection.',
    access: 'none',
    answer: Version,
    query: NO_QUERY,
    respond: async (call) => {
      const plain = preferredType(call.request.headers.get('accept'), JSON_TYPES) === 'text/plain';
      return plain ? new Answer(200, '1') : { apiVersion: API_VERSION, engineVersion: API_VERSION };
    },
  }),
];
