import type { DuplicateClass, DuplicateDecision, DuplicateGroup, DuplicatesProgress } from '../../index.js';
import { save } from './downloads.js';
import { sendForJson, type Query } from './request.js';
import type { Wire } from './wire.js';

export type WireGroup = Wire<DuplicateGroup>;
export type WireMember = WireGroup['members'][number];
export type WireDecision = Wire<DuplicateDecision>;

/** Options of a search for duplicates. */
export interface DuplicatesQuery {
  /** Score up to which parts count as near duplicates; undefined: near duplicates are not searched. */
  readonly near: number | undefined;
}

/** Groups, or the progress of finding them. */
export interface FoundDuplicates {
  /** Null: finished, `groups` holds all groups. */
  readonly progress: Pick<DuplicatesProgress, 'phase' | 'done' | 'total'> | null;
  readonly groups: readonly WireGroup[];
  readonly files: number;
  readonly parts: number;
}

/** Time limit of the first request, ms; if it ends before the search, the answer is the progress. */
const STEP_MS = 2_000;

/**
 * Groups of duplicate files. Repeats the request with growing time limits until all files are compared. onProgress:
 * called after each unfinished request.
 */
export async function findDuplicates(
  query: DuplicatesQuery,
  onProgress: (progress: NonNullable<FoundDuplicates['progress']>) => void,
  signal: AbortSignal,
): Promise<FoundDuplicates> {
  for (let withinMs = STEP_MS; ; withinMs = Math.min(2 * withinMs, 30_000)) {
    const found = await sendForJson<FoundDuplicates>('Duplicates', { query: { near: query.near, withinMs }, signal });
    if (found.progress === null) return found;
    onProgress(found.progress);
  }
}

/** Downloads the groups as a file. */
export function saveDuplicates({ near }: DuplicatesQuery, format: 'csv' | 'json'): Promise<void> {
  return save('DuplicatesFile', { near, format });
}

export function listDecisions(signal?: AbortSignal): Promise<readonly WireDecision[]> {
  return sendForJson<readonly WireDecision[]>('DuplicateDecisions', { signal });
}

/** Records that files are different: each from every other, or with `from` that one from each of the others. */
export function markDifferent(uids: readonly string[], from?: string): Promise<readonly WireDecision[]> {
  return decide({ kind: 'different', uids: uids.join(), from });
}

/** Records which file of a group to keep. of: class of the group. */
export function keepDuplicate(uid: string, of: DuplicateClass): Promise<readonly WireDecision[]> {
  return decide({ kind: 'keep', uids: uid, of });
}

/** Deletes decisions. Returns how many there were. */
export function undoDecisions(ids: readonly number[]): Promise<number> {
  return sendForJson<number>('DuplicateDecisions', { method: 'DELETE', query: { ids: ids.join() } });
}

function decide(query: Query): Promise<readonly WireDecision[]> {
  return sendForJson<readonly WireDecision[]>('DuplicateDecisions', { method: 'PUT', query });
}
