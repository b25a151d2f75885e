import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { EngineError } from '../index.js';
import { Answer, endpoint } from './endpoint.js';
import { wantsPicture } from './negotiate.js';
import { Problem } from './problem.js';
import { integer, maybeInteger, requiredGuid, requiredText } from './query.js';

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
      lgFileNumber: maybeInteger({ about: 'Page of a file with several, from 1.', least: 1, most: 1_000_000 }),
    }),
    statuses: { 304: 'The picture is the one that If-None-Match names.', 404: 'Unknown file, or one that has no such picture.' },
    respond: async (call) => {
      const { fid, type, shapeIndex, lgFileNumber: page } = call.query;
      const company = await call.company();
      await company.get(fid);
      const drawing = type === 2 ? company.shapeletPicture(fid, shapeIndex, { size: SIZES[0] }) : company.thumbnail(fid, { size: SIZES[type], page });
      const picture = await drawing.catch((cause: unknown) => {
        if (!(cause instanceof EngineError) || cause.code !== 'NO_GEOMETRY') throw cause;
        throw new Problem(404, type === 2 ? 'The file has no extracted shape with this number.' : 'The file has no picture of this page.', { cause });
      });
      if (!wantsPicture(call.request.headers.get('accept'))) return Buffer.from(picture).toString('base64');
      const tag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
      const caching = { ETag: tag, 'Cache-Control': 'private, max-age=300' };
      const known = call.request.headers.get('if-none-match')?.split(',').some((other) => other.trim().replace(/^W\//, '') === tag) === true;
      return known ? new Answer(304, undefined, caching) : new Answer(200, picture, { 'Content-Type': 'image/png', ...caching });
    },
  }),
];
