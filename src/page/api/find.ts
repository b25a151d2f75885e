import { sendForJson } from './request.js';
import type { WireQuery, WireResult } from './wire.js';

/** Searches; the query is the engine's own. @throws ApiError. */
export function find(query: WireQuery, signal?: AbortSignal): Promise<WireResult> {
  return sendForJson<WireResult>('Find', { query: { query: JSON.stringify(query) }, signal });
}
