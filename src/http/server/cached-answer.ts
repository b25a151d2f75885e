import { createHash } from 'node:crypto';
import { EngineError } from '../../index.js';
import type { Call } from './call.js';
import { Answer } from './endpoint.js';
import { API_VERSION } from './openapi.js';
import { Problem } from './problem.js';

/** Strong entity tag of a body, with its quotes: the first 132 bits of its SHA-256. */
export function tagOf(body: Uint8Array | string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Tag of a picture that is determined by `parts` and the version of this package, which may draw differently. */
export function pictureTag(...parts: readonly string[]): string {
  return tagOf([API_VERSION, ...parts].join('\n'));
}

/** Whether `If-None-Match` names the tag: the client has the body already. */
export function clientHas({ headers }: Request, tag: string): boolean {
  return (
    headers
      .get('if-none-match')
      ?.split(',')
      .some((known) => known.trim().replace(/^W\//, '') === tag) === true
  );
}

/**
 * A PNG that browsers keep for five minutes and then ask about; `draw` is not called for a client that has it.
 * @throws Problem 404 where there is nothing to draw.
 */
export async function cachedPicture<Query>(
  { request }: Call<Query>,
  tag: string,
  draw: () => Promise<Uint8Array>,
): Promise<Answer> {
  // The same URL answers base64 to clients that accept no pictures, and 401 to those without a token.
  const caching = { ETag: tag, 'Cache-Control': 'private, max-age=300', Vary: 'Accept, Authorization' };
  if (clientHas(request, tag)) return new Answer(304, undefined, caching);
  const picture = await draw().catch((cause: unknown) => noPicture(cause, 'The file has no such page or view.'));
  return new Answer(200, picture, { 'Content-Type': 'image/png', ...caching });
}

/** Answers 404 with this sentence when the engine found nothing to draw; rethrows everything else. */
export function noPicture(cause: unknown, sentence: string): never {
  if (!(cause instanceof EngineError) || cause.code !== 'NO_GEOMETRY') throw cause;
  throw new Problem(404, sentence, { cause });
}
