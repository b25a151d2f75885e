import { join } from 'node:path';
import {
  Engine,
  EngineError,
  type Company,
  type EngineOptions,
  type FileRecord,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
} from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';

/** Libraries for tests of search. Call once a test file. */
export function libraries(): {
  fresh(): string;
  open(folder: string, options?: Partial<EngineOptions>): Promise<Engine>;
} {
  const folder = temporaryFolder();
  let count = 0;
  return {
    fresh: () => join(folder, `library-${count++}`),
    open: (library, options) => Engine.open(library, { workers: 2, ...options }),
  };
}

/** A UID that sorts as `number` does. */
export function uidOf(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

/** Puts all files under the UIDs of their places in the list, `order` says when. */
export async function fill(
  company: Company,
  files: readonly (readonly [path: string, bytes: Uint8Array])[],
  order: 'forwards' | 'backwards' = 'forwards',
): Promise<FileRecord[]> {
  const numbered = files.map(([path, bytes], i) => ({ path, bytes, uid: uidOf(i) }));
  if (order === 'backwards') numbered.reverse();
  const records = await Promise.all(numbered.map(({ path, bytes, uid }) => company.put(path, bytes, { uid })));
  for (const { path, state, error } of records)
    if (state !== 'indexed') throw new Error(`${path} ${state}: ${error?.message ?? ''}`);
  return records.sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

/** A result without what may differ from library to library. */
export async function answer(
  company: Company,
  query: SearchQuery,
): Promise<Pick<SearchResult, 'total' | 'inputs'> & { hits: Omit<SearchHit, 'addedAt'>[] }> {
  const { hits, total, inputs } = await company.search(query);
  return { hits: hits.map(({ addedAt: _, ...hit }) => hit), total, inputs };
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
  return 'resolved';
}
