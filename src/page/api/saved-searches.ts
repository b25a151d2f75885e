import { sendForJson } from './request.js';

/** A search that a user saved under a name. */
export interface SavedSearch {
  readonly ID: string;
  readonly Name: string;
  /** The query part of the search screen's address. */
  readonly QueryStr: string;
  readonly DateAdded: string;
}

export function listSavedSearches(signal?: AbortSignal): Promise<readonly SavedSearch[]> {
  return sendForJson<readonly SavedSearch[]>('SavedSearches', { signal });
}

/** Saves a search, replacing one of the same name. Returns all saved searches. */
export function saveSearch(name: string, queryStr: string): Promise<readonly SavedSearch[]> {
  return sendForJson<readonly SavedSearch[]>('SavedSearches', { method: 'PUT', query: { name, queryStr } });
}

export function removeSavedSearch(id: string): Promise<boolean> {
  return sendForJson<boolean>('SavedSearches', { method: 'DELETE', query: { id } });
}
