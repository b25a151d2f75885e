import { z } from '@hono/zod-openapi';
import type { Pmi, PmiObject } from '../../index.js';
import { endpointsOf } from '../server/endpoint.js';
import { requiredGuid } from '../server/parameters.js';

const endpoint = endpointsOf('Files');

const PMIData = z
  .object({
    ExtractedAttributes: z.array(z.string()),
    PMI: z.string().openapi({ description: 'JSON, to be parsed once more; empty where nothing was extracted.' }),
  })
  .openapi('PMIData');

export const PMI_DATA = [
  endpoint('GET /PMIData', {
    summary: 'Dimensions, tolerances and annotations of a drawing',
    answer: PMIData,
    query: z.object({ fileUID: requiredGuid({ about: 'UID of the file.' }) }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { attributes, pmi } = await (await call.served()).extracted(call.query.fileUID);
      return { ExtractedAttributes: attributes, PMI: pmi === undefined ? '' : JSON.stringify(wirePmi(pmi)) };
    },
  }),
];

/** PMI under the names of the interface. */
export function wirePmi({ version, pages, fields }: Pmi): object {
  return {
    BEVersion: String(version),
    pages: pages.map(({ page, widthPx, heightPx, objects }) => ({
      page,
      ImageSize: [widthPx, heightPx],
      objects: objects.map(wireObject),
    })),
    ...(fields !== undefined && { fields }),
  };
}

function wireObject({ typeId, id, group, box, orientedBox, parts, confidence, faces }: PmiObject): object {
  return {
    type_id: typeId,
    _id: id,
    group,
    box,
    ...(orientedBox !== undefined && { orientedBox }),
    ...wireText(parts),
    ...(confidence !== undefined && { confidence }),
    ...(faces !== undefined && { faces }),
  };
}

/**
 * The texts of an object: `text`, with `tol` if it has a tolerance; several texts as an array; `mtext` if one of
 * several has a tolerance.
 */
function wireText(parts: PmiObject['parts']): object {
  if (parts.length <= 1) return wirePart(parts[0] ?? { text: '' });
  return parts.some(({ tolerance }) => tolerance !== undefined)
    ? { mtext: parts.map(wirePart) }
    : { text: parts.map(({ text }) => text) };
}

function wirePart({ text, tolerance }: PmiObject['parts'][number]): object {
  return tolerance === undefined ? { text } : { text, tol: tolerance };
}
