import type { Category } from '../../index.js';
import { sendForJson } from './request.js';

/** The product categories of the company, by name. */
export function listCategories(signal?: AbortSignal): Promise<readonly Category[]> {
  return sendForJson<readonly Category[]>('Categories', { signal });
}

/** Sets the category of a file; null: none. */
export function setCategory(uid: string, id: number | null): Promise<boolean> {
  return sendForJson<boolean>('FileCategory', { method: 'PUT', query: { fileUID: uid, categoryId: id ?? -1 } });
}

/** Adds a category and returns its id; an existing category of this name is reused. */
export async function addCategory(name: string): Promise<number> {
  return (await sendForJson<{ ID: number }>('CustomProductCategory', { query: { name } })).ID;
}
