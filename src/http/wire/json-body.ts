import { bytesOfJson } from './base64.js';
import { filesOfJson } from './files-of-json.js';
import type { RequestBody } from '../server/body.js';
import { badField, Problem } from '../server/problem.js';

/** Request bodies of the interface are JSON under any of these media types; a request that names none means JSON. */
const JSON_TYPE =
  /^\s*(application\/json|text\/json|application\/json-patch\+json|application\/[\w.+-]+\+json)\s*(;|$)/i;

/** @throws Problem 415 for a body of another media type. */
export function checkJsonType(request: Request): void {
  const type = request.headers.get('content-type');
  if (type === null || type === '' || JSON_TYPE.test(type)) return;
  throw new Problem(415, `The body must be JSON (application/json), received ${type.slice(0, 100)}.`, {
    errors: { 'Content-Type': ['must be application/json'] },
  });
}

/** @throws Problem 415 for a media type other than raw bytes. */
export function checkBinaryType(request: Request): void {
  const type = request.headers.get('content-type');
  if (type === null || type === '' || /^\s*application\/octet-stream\s*(;|$)/i.test(type)) return;
  throw new Problem(415, `The body must be raw bytes (application/octet-stream), received ${type.slice(0, 100)}.`, {
    errors: { 'Content-Type': ['must be application/octet-stream'] },
  });
}

/** What `{`, `[`, `:` and `,` are as bytes: a text of JSON has no more values than these and one. */
const MARKS: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x3a, 0x2c]);

/**
 * The value of a JSON body; undefined when there is none.
 * @param mostMarks brackets, colons and commas that it may have: a megabyte of brackets takes some fifty when it is
 *   parsed.
 * @throws Problem 400, 413, 415.
 */
export async function readJson(
  request: Request,
  body: RequestBody,
  limit: number,
  mostMarks = Infinity,
): Promise<unknown> {
  const bytes = await body.bytes(limit);
  if (bytes.length === 0) return undefined;
  checkJsonType(request);
  if (hasMoreMarks(bytes, mostMarks))
    throw new Problem(413, 'The body has too many values.', {
      errors: { body: [`must have at most ${mostMarks} brackets, colons and commas`] },
    });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw badField('body', 'must be UTF-8');
  }
  return text.trim() === '' ? undefined : parsed(text, 'must be JSON');
}

/** A JSON string, as the interface wraps short texts; '' for an empty body or null. */
export async function readText(request: Request, body: RequestBody, limit: number): Promise<string> {
  const value = await readJson(request, body, limit);
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw badField('body', `must be a JSON string, received ${nameOf(value)}`);
  return value;
}

/** An array of strings, written as such or serialized into a JSON string once more. Undefined when there is no body. */
export async function readStrings(request: Request, body: RequestBody, limit: number): Promise<string[] | undefined> {
  let value = await readJson(request, body, limit);
  if (typeof value === 'string')
    value = value.trim() === '' ? undefined : parsed(value, 'must be a JSON string that holds a JSON array of strings');
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw badField('body', `must be a JSON array of strings, received ${nameOf(value)}`);
  return value.map((item: unknown, position) => {
    if (typeof item !== 'string')
      throw badField('body', `must be a JSON array of strings, received ${nameOf(item)} at position ${position}`);
    return item;
  });
}

/**
 * Files as an array of base64 strings, serialized twice or once. Undefined when there is no body.
 * @param most most files that are taken.
 * @throws Problem 400, 413, 415; 503 when too many bytes are held.
 */
export async function readFiles(
  request: Request,
  body: RequestBody,
  { limit, most }: { readonly limit: number; readonly most: number },
): Promise<Uint8Array[] | undefined> {
  if (body.present) checkJsonType(request);
  return filesOfJson(body.held(limit), most);
}

/** One file as base64 in a JSON string; none when there is no body. @throws as {@link readFiles}. */
export async function readFile(request: Request, body: RequestBody, limit: number): Promise<Uint8Array> {
  if (!body.present) return new Uint8Array(0);
  checkJsonType(request);
  return bytesOfJson(body.held(limit));
}

function hasMoreMarks(bytes: Uint8Array, most: number): boolean {
  if (bytes.length <= most) return false;
  let found = 0;
  for (const byte of bytes) if (MARKS.has(byte) && ++found > most) return true;
  return false;
}

function parsed(text: string, must: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw badField('body', `${must}: ${cause.message.slice(0, 200)}`);
  }
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
