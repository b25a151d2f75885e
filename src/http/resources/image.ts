import { z } from '@hono/zod-openapi';
import { cachedPicture, noPicture, tagOf } from '../server/cached-answer.js';
import { endpointsOf } from '../server/endpoint.js';
import { JSON_TYPES, wantsPicture } from '../server/negotiate.js';
import { integer, maybeInteger, requiredGuid, requiredText } from '../server/parameters.js';

const endpoint = endpointsOf('Files');

/** Edge lengths of small and large pictures, pixels. */
const SIZES = [256, 1024] as const;

export const IMAGE = [
  endpoint('GET /Image', {
    summary: 'A picture of a file',
    access: 'image',
    media: [...JSON_TYPES, 'image/png'],
    about:
      'The base64 of a PNG, or the PNG itself when the header Accept asks for image/*. The links in records carry a ' +
      'token of some minutes for this one picture.',
    answer: z.string().openapi({ format: 'byte' }),
    query: z.object({
      fid: requiredGuid({ about: 'UID of the file.' }),
      token: requiredText({ about: 'An image token; any text beside a bearer token.', most: 4_096 }),
      type: integer({ about: '0 small, 1 large, 2 an extracted shape.', byDefault: 0, least: 0, most: 2 }),
      shapeIndex: integer({ about: 'Which extracted shape.', byDefault: 0, least: 0 }),
      lgFileNumber: maybeInteger({ about: 'Page of a file with several, from 1.', least: 1, most: 1_000_000 }),
    }),
    statuses: {
      304: 'The picture is the one that If-None-Match names.',
      404: 'Unknown file, or one that has no such picture.',
      422: 'The file cannot be read.',
    },
    respond: async (call) => {
      const { fid, type, shapeIndex, lgFileNumber: page } = call.query;
      const company = await call.company();
      const drawing =
        type === 2
          ? company.pictures.shapelet(fid, shapeIndex, { size: SIZES[0] })
          : company.thumbnail(fid, { size: SIZES[type], page });
      const picture = await drawing.catch((cause: unknown) =>
        noPicture(
          cause,
          type === 2 ? 'The file has no extracted shape with this number.' : 'The file has no picture of this page.',
        ),
      );
      if (!wantsPicture(call.request.headers.get('accept'))) return Buffer.from(picture).toString('base64');
      return cachedPicture(call, tagOf(picture), async () => picture);
    },
  }),
];
