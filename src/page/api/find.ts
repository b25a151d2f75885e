import { sendForJson } from './request.js';
import type { WireQuery, WireResult } from './wire.js';

/** Runs a search. query: as `company.search` takes it. @throws ApiError. */
export function find(query: WireQuery, signal?: AbortSignal): Promise<WireResult> {
  return sendForJson<WireResult>('Find', { query: { query: JSON.stringify(query) }, signal });
}
