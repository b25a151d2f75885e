import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.js';
import { requiredGuid } from './query.js';

const PMIData = z
  .object({
    ExtractedAttributes: z.array(z.string()),
    PMI: z.string().openapi({ description: 'JSON, to be parsed once more; empty where nothing was extracted.' }),
  })
  .openapi('PMIData');

export const PMI_DATA = [
  endpoint({
    method: 'get',
    path: '/PMIData',
    tag: 'Files',
    summary: 'Dimensions, tolerances and annotations of a drawing',
    access: 'user',
    answer: PMIData,
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const company = await call.company();
      const { extractedAttributes } = await company.get(call.query.fileUID);
      const pmi = await company.pmi(call.query.fileUID);
      if (pmi !== undefined) void call.engine.accounts.count(call.companyName, 'pmi2d');
      return { ExtractedAttributes: extractedAttributes, PMI: pmi === undefined ? '' : JSON.stringify(pmi) };
    },
  }),
];
