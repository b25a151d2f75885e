import type { Core } from '../../core/core.js';
import { outlineOfFine, type Outline } from '../../descriptors/fine.js';
import type { DuplicateDecision } from '../../store/catalog/duplicate-decision.js';
import type { Store } from '../../store/store.js';
import type { ShapeSearch } from '../shapes/shape-search.js';
import type { DuplicateClass, DuplicatesOptions, DuplicatesProgress, DuplicatesReport } from './duplicates-report.js';
import type { WordDoor } from '../../words/word-door.js';
import { DrawingSets, type WrittenSigns } from './drawing-sets.js';
import { groupsOf, type NearMatch } from './groups.js';
import { PartMatcher } from './part-matcher.js';
import { PartSets, type PartSet, type SetFile } from './part-sets.js';
import type { Link } from './star-groups.js';

/** What the search for duplicates needs. */
export interface DuplicatesParts {
  readonly store: Store;
  readonly companyId: number;
  readonly core: Core;
  readonly shapes: ShapeSearch;
  readonly texts: Pick<WordDoor, 'pages'>;
  readonly written: WrittenSigns;
}

/** Options that were checked. */
export type CheckedDuplicatesOptions = Pick<DuplicatesOptions, 'signal' | 'onProgress'> & {
  readonly classes: readonly DuplicateClass[];
  readonly near: number;
  readonly settled: boolean;
};

/** Fine descriptors read at a time, 5 kB each. */
const READ_AT_A_TIME = 512;
/** Files between two turns of the event loop and reports of progress. */
const TURN_AFTER = 64;

/**
 * Finds all groups of duplicates of a company. The same library gives the same report.
 * @throws EngineError `ABORTED`, `ENGINE_CLOSED`.
 */
export async function findDuplicates(
  parts: DuplicatesParts,
  options: CheckedDuplicatesOptions,
): Promise<DuplicatesReport> {
  const { store, companyId, shapes } = parts;
  const { classes, near, settled, signal, onProgress } = options;
  const started = performance.now();
  const turn = (): Promise<void> => shapes.turn(signal);
  const matcher = classes.some((one) => one !== 'bytes') ? new PartMatcher({ ...parts, turn }) : undefined;
  const tell = (phase: DuplicatesProgress['phase'], done: number, total: number): void =>
    onProgress?.({ phase, done, total, compared: matcher?.compared ?? 0, remembered: matcher?.remembered ?? 0 });

  // Empty files have the same bytes but are not duplicates of each other.
  const files = (await store.duplicates.files(companyId)).filter(({ byteLength }) => byteLength > 0);
  const outlines = matcher === undefined ? new Map<number, Outline>() : await readOutlines(parts, turn);
  const decisions = await store.duplicates.decisions(companyId);
  const isDifferent = differenceCheck(decisions);
  const drawings = matcher && new DrawingSets<PartSet>({ ...parts, turn });
  const sets = new PartSets({ matcher, drawings, isDifferent });
  try {
    for (const [done, file] of files.entries()) {
      if (done % TURN_AFTER === 0) {
        await turn();
        tell('compare', done, files.length);
      }
      await sets.put({ ...file, outline: outlines.get(file.fileId) });
    }
  } finally {
    // Comparisons before an abort are stored as well; a closed library cannot store them.
    await matcher?.write().catch((cause: unknown) => {
      if (signal?.aborted !== true) throw cause;
    });
  }
  tell('compare', files.length, files.length);
  const alike = classes.includes('near') ? await findNear(sets, near, { shapes, turn, tell }) : [];
  return {
    groups: groupsOf(sets, alike, { decisions, isDifferent, classes }).filter((group) => settled || !group.settled),
    files: files.length,
    parts: outlines.size,
    compared: matcher?.compared ?? 0,
    remembered: matcher?.remembered ?? 0,
    elapsedMs: performance.now() - started,
  };
}

/** Outlines of all indexed models, by the ids of their files. */
async function readOutlines(
  { store, shapes }: DuplicatesParts,
  turn: () => Promise<void>,
): Promise<Map<number, Outline>> {
  const outlines = new Map<number, Outline>();
  const { ids } = shapes;
  for (let first = 0; first < ids.length; first += READ_AT_A_TIME) {
    await turn();
    const { fileIds, bytes } = await store.shapes.fine([...ids.subarray(first, first + READ_AT_A_TIME)]);
    const length = bytes.length / fileIds.length;
    fileIds.forEach((fileId, i) => outlines.set(fileId, outlineOfFine(bytes.subarray(length * i, length * (i + 1)))));
  }
  return outlines;
}

/** Links in both directions between parts with a score of at most `most`, one file of each set. */
async function findNear(
  { all }: PartSets,
  most: number,
  {
    shapes,
    turn,
    tell,
  }: { shapes: ShapeSearch; turn: () => Promise<void>; tell: (phase: 'near', done: number, total: number) => void },
): Promise<Link<NearMatch>[]> {
  const withPart = all.filter(({ part }) => part !== undefined);
  const setOf = new Map<number, PartSet>(withPart.map((set) => [set.part!.fileId, set]));
  const scores = new Map<PartSet, Map<PartSet, number>>();
  const note = (from: PartSet, to: PartSet, score: number): void => {
    const row = scores.get(from) ?? new Map<PartSet, number>();
    scores.set(from, row.set(to, Math.min(score, row.get(to) ?? Infinity)));
  };
  for (const [done, from] of withPart.entries()) {
    await turn();
    if (done % TURN_AFTER === 0) tell('near', done, withPart.length);
    const copies = new Set(from.members.map(({ file }) => file.fileId));
    for (const { fileId, score } of await shapes.alike(from.part!.fileId, { most, copies })) {
      const to = setOf.get(fileId);
      if (to === undefined || to === from) continue;
      // The two searches may give two scores; the lower one counts for both directions.
      note(from, to, score);
      note(to, from, score);
    }
  }
  tell('near', withPart.length, withPart.length);
  return [...scores]
    .flatMap(([from, row]) => [...row].map(([to, score]) => ({ from, to, match: { score } })))
    .sort((a, b) => a.from.number - b.from.number || a.to.number - b.to.number);
}

function differenceCheck(decisions: readonly DuplicateDecision[]): (a: SetFile, b: SetFile) => boolean {
  const pairs = new Set(decisions.filter(({ kind }) => kind === 'different').map(({ uids: [a, b] }) => `${a} ${b}`));
  return pairs.size === 0
    ? () => false
    : (a, b) => pairs.has(a.uid < b.uid ? `${a.uid} ${b.uid}` : `${b.uid} ${a.uid}`);
}
