import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { cachedPicture, pictureTag } from '../server/cached-answer.js';
import { integer, requiredGuid } from '../wire/parameters.js';

export const OVERLAY = [
  endpoint({
    method: 'get',
    path: '/Overlay',
    tag: 'Additions',
    summary: 'A view of one file laid over one of another',
    access: 'user',
    media: ['image/png'],
    answer: z.string().openapi({ format: 'binary' }),
    about:
      "A PNG: the view of the query red, that of the file blue. The numbers are those of a found file's shape match.",
    query: z.object({
      queryUID: requiredGuid({ about: 'UID of what was searched for.' }),
      queryShapelet: integer({ about: 'Index of its view.', byDefault: 0, least: 0 }),
      fileUID: requiredGuid({ about: 'UID of what was found.' }),
      shapelet: integer({ about: 'Index of its view.', byDefault: 0, least: 0 }),
      size: integer({ about: 'Pixels a side.', byDefault: 512, least: 16, most: 1_024 }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one without this view.',
      422: 'A file cannot be read.',
    },
    respond: async (call) => {
      const { queryUID, queryShapelet, fileUID, shapelet, size } = call.query;
      const company = await call.company();
      const [query, file] = await Promise.all([company.get(queryUID), company.get(fileUID)]);
      const tag = pictureTag(query.sha256, file.sha256, String(queryShapelet), String(shapelet), String(size));
      return cachedPicture(call, tag, () =>
        company.pictures.overlay(
          queryUID,
          { uid: fileUID, shapeMatch: { input: 0, queryShapelet, shapelet, page: null } },
          { size },
        ),
      );
    },
  }),
];
