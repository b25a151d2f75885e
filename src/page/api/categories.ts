import type { Category } from '../../index.js';
import { sendForJson } from './request.js';

/** The product categories of the company, by name. */
export function listCategories(signal?: AbortSignal): Promise<readonly Category[]> {
  return sendForJson<readonly Category[]>('Categories', { signal });
}
