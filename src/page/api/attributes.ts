import { sendForJson } from './request.js';

/** An attribute that files of the company have. */
export interface KnownAttribute {
  readonly Name: string;
  readonly Unit: string;
  readonly Count: number;
}

/** The attributes that files of the company have, for suggestions. */
export function listAttributes(signal?: AbortSignal): Promise<readonly KnownAttribute[]> {
  return sendForJson<readonly KnownAttribute[]>('FileAttributes', { signal });
}

/** The values of an attribute, the most frequent first. name: `Length` or `Length(mm)`. */
export async function listValues(name: string, signal?: AbortSignal): Promise<readonly string[]> {
  const counts = await sendForJson<readonly { readonly name: string | null }[]>('AttributeValues', {
    query: { attribute: name },
    signal,
  });
  return counts.flatMap((count) => (count.name === null ? [] : [count.name]));
}

/** Replaces all attributes of a file. @throws ApiError 400 that names the invalid one. */
export function setAttributes(uid: string, attributes: readonly string[]): Promise<boolean> {
  return sendForJson<boolean>('FileAttributes', { method: 'PUT', query: { fileUID: uid }, json: attributes });
}
