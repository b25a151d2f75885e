import type { QuerySchema } from './endpoint.js';
import { badField, Problem } from './problem.js';

/**
 * The parameters of a request, checked by the schema that documents them.
 * @throws Problem 400 that names the wrong ones.
 */
export function readQuery(schema: QuerySchema, { search, searchParams }: URL): Record<string, unknown> {
  checkEncoding(search);
  const query: Record<string, string> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, value] of searchParams) {
    // Unknown parameters are ignored: clients of older hosts send them.
    if (!Object.hasOwn(schema.shape, name)) continue;
    if (Object.hasOwn(query, name)) errors[name] = ['must be given once'];
    query[name] = value;
  }
  const result = schema.safeParse(query);
  if (!result.success)
    for (const { path, message } of result.error.issues) (errors[String(path[0])] ??= []).push(message);
  const wrong = Object.entries(errors);
  if (result.success && wrong.length === 0) return result.data;
  const [[field, [message]]] = wrong;
  const detail =
    wrong.length > 1
      ? 'The request has wrong parameters; see errors.'
      : message.startsWith(field)
        ? message
        : `${field} ${message}`;
  throw new Problem(400, detail, { errors });
}

/** @throws Problem 400 that names the parameter that is not percent-encoded UTF-8. */
function checkEncoding(search: string): void {
  if (!search.includes('%')) return;
  for (const pair of search.slice(1).split('&')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    try {
      decodeURIComponent(pair);
    } catch (cause) {
      if (!(cause instanceof URIError)) throw cause;
      const field = /^\w+$/.test(name) ? name : 'query';
      throw badField(field, `${field} must be percent-encoded UTF-8`);
    }
  }
}
