import type { Call } from './call.js';

/** Limit of form bodies, which are a few short fields. */
const FORM_BYTES = 65_536;

/**
 * The fields of an `application/x-www-form-urlencoded` body that have one of these names and are not empty. `refused`:
 * the error for a body that is none, or has a field twice.
 */
export async function formFields<Name extends string>(
  { body, request }: Pick<Call, 'body' | 'request'>,
  names: readonly Name[],
  refused: (message: string) => Error,
): Promise<{ [name in Name]?: string }> {
  const fields: { [name in Name]?: string } = {};
  if (!body.present) return fields;
  const bytes = await body.bytes(FORM_BYTES);
  if (bytes.length === 0) return fields;
  const type = request.headers.get('content-type') ?? '';
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw refused('the body must be application/x-www-form-urlencoded');
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  for (const name of names) {
    const values = form.getAll(name);
    if (values.length > 1) throw refused(`${name} must be given once`);
    if (values.length === 1 && values[0] !== '') fields[name] = values[0];
  }
  return fields;
}
