import { z } from '@hono/zod-openapi';
import { endpoint } from '../server/endpoint.js';
import { cachedPicture, pictureTag } from '../server/cached-answer.js';
import { integer, maybeInteger, requiredGuid } from '../wire/parameters.js';

export const PAGE_IMAGE = [
  endpoint({
    method: 'get',
    path: '/PageImage',
    tag: 'Additions',
    summary: 'A page of a file at a wanted width',
    access: 'user',
    media: ['image/png'],
    answer: z.string().openapi({ format: 'binary' }),
    about:
      'A PNG. Of a model it is its thumbnail. Drawn anew at most widths, so ask with If-None-Match for what you have.',
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      page: maybeInteger({
        about: 'From 1. Absent: the first, of a CAD drawing the fullest.',
        least: 1,
        most: 1_000_000,
      }),
      width: integer({
        about: 'Pixels. Where the height would pass 8 192, the picture becomes narrower.',
        byDefault: 1_024,
        least: 16,
        most: 4_096,
      }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one without this page.',
      422: 'The file cannot be read.',
    },
    respond: async (call) => {
      const { fileUID, page, width } = call.query;
      const company = await call.company();
      const { sha256 } = await company.get(fileUID);
      return cachedPicture(call, pictureTag(sha256, String(page), String(width)), () =>
        company.pageImage(fileUID, { page, width }),
      );
    },
  }),
];
