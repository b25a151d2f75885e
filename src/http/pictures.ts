import { z } from '@hono/zod-openapi';
import { EngineError } from '../index.js';
import { Answer, endpoint } from './endpoint.js';
import { wantsPicture } from './negotiate.js';
import { Problem } from './problem.js';
import { integer, requiredGuid, requiredText } from './query.js';

/** Edge lengths of small and large pictures, pixels. */
const SIZES = [256, 1024] as const;

export const PICTURES = [
  endpoint({
    method: 'get', path: '/Image', tag: 'Files', summary: 'A picture of a file', access: 'image',
    about: 'The base64 of a PNG, or the PNG itself when the header Accept asks for image/*. The links in records carry a token of some minutes for this one picture.',
    answer: z.string().openapi({ format: 'byte' }),
    query: z.object({
      fid: requiredGuid({ about: 'UID of the file.' }),
      token: requiredText({ about: 'An image token; any text beside a bearer token.', most: 4_096 }),
      type: integer({ about: '0 small, 1 large, 2 an extracted shape.', byDefault: 0, least: 0, most: 2 }),
      shapeIndex: integer({ about: 'Which extracted shape.', byDefault: 0, least: 0 }),
    }),
    statuses: { 404: 'Unknown file, or one that has no such picture.' },
    respond: async (call) => {
      const { fid, type, shapeIndex } = call.query;
      const company = await call.company();
      await company.get(fid);
      const drawing = type === 2 ? company.shapeletPicture(fid, shapeIndex, { size: SIZES[0] }) : company.thumbnail(fid, { size: SIZES[type] });
      const picture = await drawing.catch((cause: unknown) => {
        if (!(cause instanceof EngineError) || cause.code !== 'NO_GEOMETRY') throw cause;
        throw new Problem(404, type === 2 ? 'The file has no extracted shape with this number.' : 'The file has no picture.', { cause });
      });
      if (wantsPicture(call.request.headers.get('accept'))) return new Answer(200, picture, { 'Content-Type': 'image/png', 'Cache-Control': 'private, max-age=300' });
      return Buffer.from(picture).toString('base64');
    },
  }),
];
