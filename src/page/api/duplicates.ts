import type { DuplicateClass, DuplicateDecision, DuplicateGroup, DuplicatesProgress } from '../../index.js';
import { save } from './downloads.js';
import { sendForJson, type Query } from './request.js';
import type { Wire } from './wire.js';

export type WireGroup = Wire<DuplicateGroup>;
export type WireMember = WireGroup['members'][number];
export type WireDecision = Wire<DuplicateDecision>;

/** Which groups are wanted. */
export interface DuplicatesQuery {
  /** Score up to which parts are near; undefined: near ones are not looked for. */
  readonly near: number | undefined;
}

/** Groups, or how far the work is that finds them. */
export interface FoundDuplicates {
  /** Null: these are all groups. */
  readonly progress: Pick<DuplicatesProgress, 'phase' | 'done' | 'total'> | null;
  readonly groups: readonly WireGroup[];
  readonly files: number;
  readonly parts: number;
}

/** Time of one answer, ms: after it the progress is shown. */
const STEP_MS = 2_000;

/** Groups of files that are the same; told the progress until all is compared. */
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

/** Saves the groups as a file. */
export function saveDuplicates({ near }: DuplicatesQuery, format: 'csv' | 'json'): Promise<void> {
  return save('DuplicatesFile', { near, format });
}

export function listDecisions(signal?: AbortSignal): Promise<readonly WireDecision[]> {
  return sendForJson<readonly WireDecision[]>('DuplicateDecisions', { signal });
}

/** Says that files are different, every one from every other; with `from`, that one from each of the others. */
export function markDifferent(uids: readonly string[], from?: string): Promise<readonly WireDecision[]> {
  return decide({ kind: 'different', uids: uids.join(), from });
}

/** Says which file of a group of this class is to be kept. */
export function keepDuplicate(uid: string, of: DuplicateClass): Promise<readonly WireDecision[]> {
  return decide({ kind: 'keep', uids: uid, of });
}

/** Takes decisions back. */
export function undoDecisions(ids: readonly number[]): Promise<number> {
  return sendForJson<number>('DuplicateDecisions', { method: 'DELETE', query: { ids: ids.join() } });
}

function decide(query: Query): Promise<readonly WireDecision[]> {
  return sendForJson<readonly WireDecision[]>('DuplicateDecisions', { method: 'PUT', query });
}
