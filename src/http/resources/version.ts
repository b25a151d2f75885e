import { z } from '@hono/zod-openapi';
import { Answer, endpointsOf } from '../server/endpoint.js';
import { JSON_TYPES, preferredType } from '../server/negotiate.js';
import { API_VERSION } from '../server/openapi.js';

const endpoint = endpointsOf('Utilities');

const Version = z.object({ apiVersion: z.string(), engineVersion: z.string() }).openapi('Version');

export const VERSION = [
  endpoint('GET /Version', {
    summary: 'Versions',
    about: 'As text/plain the constant 1, for checks of the connection.',
    access: 'none',
    answer: Version,
    respond: async (call) => {
      const plain = preferredType(call.request.headers.get('accept'), JSON_TYPES) === 'text/plain';
      return plain ? new Answer(200, '1') : { apiVersion: API_VERSION, engineVersion: API_VERSION };
    },
  }),
];
