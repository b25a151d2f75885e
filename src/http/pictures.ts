import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { EngineError } from '../index.js';
import type { Call } from './call.js';
import { Answer, endpoint } from './endpoint.js';
import { JSON_TYPES, wantsPicture } from './negotiate.js';
import { API_VERSION } from './openapi.js';
import { Problem } from './problem.js';
import { integer, maybeInteger, requiredGuid, requiredText } from './query.js';

/** Edge lengths of small and large pictures, pixels. */
const SIZES = [256, 1024] as const;

export const PICTURES = [
  endpoint({
    method: 'get',
    path: '/Image',
    tag: 'Files',
    summary: 'A picture of a file',
    access: 'image',
    media: [...JSON_TYPES, 'image/png'],
    about:
      'The base64 of a PNG, or the PNG itself when the header Accept asks for image/*. The links in records carry a token of some minutes for this one picture.',
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
          ? company.shapeletPicture(fid, shapeIndex, { size: SIZES[0] })
          : company.thumbnail(fid, { size: SIZES[type], page });
      const picture = await drawing.catch((cause: unknown) =>
        noPicture(
          cause,
          type === 2 ? 'The file has no extracted shape with this number.' : 'The file has no picture of this page.',
        ),
      );
      if (!wantsPicture(call.request.headers.get('accept'))) return Buffer.from(picture).toString('base64');
      const tag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
      return drawn(call, tag, async () => picture);
    },
  }),
];

/** The tag of a picture that is made of nothing but this; another version of the package may draw otherwise. */
export function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256')
    .update([API_VERSION, ...parts].join('\n'))
    .digest('base64url')
    .slice(0, 22)}"`;
}

/** A PNG that browsers keep for some minutes and then ask about; it is not drawn for who has it. @throws Problem 404 where there is nothing to draw. */
export async function drawn<Query>(call: Call<Query>, tag: string, draw: () => Promise<Uint8Array>): Promise<Answer> {
  // The same address answers base64 to who accepts no pictures, and nothing of it to who may not.
  const caching = { ETag: tag, 'Cache-Control': 'private, max-age=300', Vary: 'Accept, Authorization' };
  const known =
    call.request.headers
      .get('if-none-match')
      ?.split(',')
      .some((other) => other.trim().replace(/^W\//, '') === tag) === true;
  if (known) return new Answer(304, undefined, caching);
  const picture = await draw().catch((cause: unknown) => noPicture(cause, 'The file has no such page or view.'));
  return new Answer(200, picture, { 'Content-Type': 'image/png', ...caching });
}

function noPicture(cause: unknown, sentence: string): never {
  if (!(cause instanceof EngineError) || cause.code !== 'NO_GEOMETRY') throw cause;
  throw new Problem(404, sentence, { cause });
}
