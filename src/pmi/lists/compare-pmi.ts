import {
  comparedItems,
  type ComparedAnnotation,
  type ComparedItem,
  type ComparedSide,
  type SizeItem,
} from './compared-items.js';
import {
  areLike,
  areSameInPlain,
  areSameSizes,
  differencesOf,
  frameDifferences,
  isToleranced,
  sameNominal,
  sameTolerance,
  sameWidth,
  type PmiDifference,
} from './differences.js';
import type { IsPair } from './moved-places.js';
import { measuredHole } from './measured-holes.js';
import { Pairing, type PairingStep } from './pairing.js';

/** A line of a comparison. */
export interface ComparedPmi {
  /**
   * `first`, `second`: only that file says it. `unsure`: both say it, alike or not, but one of them was read with a
   * confidence below .7, or not understood, so that a person should look.
   */
  readonly status: 'agrees' | 'contradicts' | 'first' | 'second' | 'unsure';
  readonly first?: ComparedAnnotation;
  readonly second?: ComparedAnnotation;
  /** Empty where the two say the same. */
  readonly differences: readonly PmiDifference[];
  /**
   * Where the two differ: how many annotations of one file it may be as well, because they say the same and neither
   * their places nor what stands about them tells which one is meant. Absent where it is this one.
   */
  readonly oneOf?: number;
}

/** What two files say about the same part. */
export interface PmiComparison {
  readonly counts: Readonly<Record<ComparedPmi['status'], number>>;
  /** Contradictions first, then what is unsure, in the first file alone, in the second alone, and what agrees. */
  readonly rows: readonly ComparedPmi[];
  /**
   * Of two drawings whether their pages have the same lines, wherever and in whatever size they stand; null: one of
   * them is none, or too little is known of its lines. Dimensions may all agree while a hole was moved.
   */
  readonly lines: 'same' | 'differ' | null;
  /** What was compared, in words, see {@link comparedText}. */
  readonly note: string;
}

/** Says that dimensions and texts alone were compared, and of two drawings whether their lines are the same. */
export function comparedText(lines: PmiComparison['lines']): string {
  if (lines === null) return 'only dimensions and texts were compared';
  return `only dimensions and texts were compared; their lines ${lines === 'same' ? 'are the same' : 'differ'}`;
}

/** Sizes that are the same but for a change of the part differ by less, as a share. */
const CHANGED = 0.05;
/** What was read with less confidence is not said to agree or to contradict. */
const LEAST_SURE = 0.7;
/** Most annotations of a file that are compared: every one may be compared with every other. */
const MOST = 4_000;

/**
 * Compares the annotations of two files of the same part: a drawing and the model that carries its own (AP242), two
 * drawings, two revisions. Sizes are paired by kind, nominal size, count and tolerance, control frames by symbol, zone,
 * value and datums, others by what they say; never by their texts. Inches and millimetres compare; fits and general
 * tolerances are resolved. Pairs are sought in this order: the same size on the same place of the page, whatever its
 * tolerance; the same; the same in another number; the same, stated plainly (a depth as a length); the same size with
 * another tolerance; the same size of another kind; another size on the same place, or with the same tolerance and
 * within 5 %. What a drawing alone says of the mouth or the depth of a hole is compared with the holes of the model
 * ({@link ComparedSide.holes}). Of several equal ones those belong together that stand on the same place, have the same
 * about them or the same count ({@link Pairing}). A field of a title block that one file alone has
 * is told where the other one has fields as well: a model often has none at all. Notes and names of views are compared
 * line by line, where both files have text.
 * @param lines whether those of the two are the same, which is passed on.
 */
export function comparePmi(
  first: ComparedSide,
  second: ComparedSide,
  lines: PmiComparison['lines'] = null,
): PmiComparison {
  const left = comparedItems(first).slice(0, MOST);
  const right = comparedItems(second).slice(0, MOST);
  const open = { first: new Set(left), second: new Set(right) };
  const pairing = new Pairing(left, right, mayBeSame);
  const found: Pair[] = [];
  for (const step of STEPS) {
    for (const [item, other] of pairing.pairs(open, step)) {
      open.first.delete(item);
      open.second.delete(other);
      found.push({ item, other, differences: differencesOf(item, other) });
    }
    if (step.mayBe === areSame) found.push(...inOtherNumbers(open));
  }
  const measured = [
    ...measuredRows(open.first, left, second.holes).map(({ own, ...row }): ComparedPmi => ({ ...row, first: own })),
    ...measuredRows(open.second, right, first.holes).map(
      ({ own, second: other, differences, status }): ComparedPmi => ({
        status,
        first: other,
        second: own,
        differences: differences.map(({ what, first: said, second: shown }) => ({ what, first: shown, second: said })),
      }),
    ),
  ];
  const agreed = new Set(
    found.flatMap(({ item, other, differences }) => (differences.length === 0 ? [item, other] : [])),
  );
  // What agrees elsewhere is not meant, unless it says the same.
  const mayBe: IsPair = (a, b) => mayBeSame(a, b) && (!agreed.has(b) || areSame(a, b));
  const orderOf = new Map(left.map((item, i) => [item, i]));
  const paired = found
    .toSorted((a, b) => orderOf.get(a.item)! - orderOf.get(b.item)!)
    .map((pair): ComparedPmi => {
      const both = [pair.item, pair.other] as const;
      const oneOf =
        pair.differences.length === 0 ? 1 : Math.max(...[left, right].map((own) => pairing.alike(both, own, mayBe)));
      return { ...rowOf(pair), ...(oneOf > 1 && { oneOf }) };
    });
  const compared = [...paired, ...measured];
  const isTold = ({ pmi }: ComparedSide, others: readonly ComparedItem[]): ((item: ComparedItem) => boolean) => {
    const hasFields = others.some(({ family }) => family === 'fact');
    const hasNotes = pmi.pages.some(({ notes }) => notes !== undefined);
    return ({ family }) => (hasFields || family !== 'fact') && (hasNotes || family !== 'note');
  };
  const rows = [
    ...compared.filter(({ status }) => status === 'contradicts'),
    ...compared.filter(({ status }) => status === 'unsure'),
    ...[...open.first]
      .filter(isTold(second, right))
      .map(({ said }): ComparedPmi => ({ status: 'first', first: said, differences: [] })),
    ...[...open.second]
      .filter(isTold(first, left))
      .map(({ said }): ComparedPmi => ({ status: 'second', second: said, differences: [] })),
    ...compared.filter(({ status }) => status === 'agrees'),
  ];
  const countOf = (status: ComparedPmi['status']): number => rows.filter((row) => row.status === status).length;
  return {
    counts: {
      agrees: countOf('agrees'),
      contradicts: countOf('contradicts'),
      first: countOf('first'),
      second: countOf('second'),
      unsure: countOf('unsure'),
    },
    lines,
    note: comparedText(lines),
    rows,
  };
}

/** Sizes of holes that one file alone states, and what the holes of the other one, a model, measure; they are taken. */
function measuredRows(
  open: Set<ComparedItem>,
  items: readonly ComparedItem[],
  holes: ComparedSide['holes'] = [],
): (Pick<ComparedPmi, 'status' | 'differences'> &
  Required<Pick<ComparedPmi, 'second'>> & { own: ComparedAnnotation })[] {
  if (holes.length === 0) return [];
  return [...open].flatMap((item) => {
    const found = measuredHole(item, items, holes);
    if (found === undefined) return [];
    open.delete(item);
    const isRead = (item.said.confidence ?? 1) >= LEAST_SURE;
    const status = !isRead ? 'unsure' : found.differences.length === 0 ? 'agrees' : 'contradicts';
    return [{ status, own: item.said, second: found.said, differences: found.differences }];
  });
}

/** An annotation of each file. */
interface Pair {
  readonly item: ComparedItem;
  readonly other: ComparedItem;
  readonly differences: readonly PmiDifference[];
}

function rowOf({ item: a, other: b, differences }: Pair): ComparedPmi {
  const isRead = [a, b].every(({ said }) => (said.confidence ?? 1) >= LEAST_SURE);
  const isUnderstood = [a, b].every(
    (item) => item.family !== 'unread' && (item.family !== 'frame' || item.unread === ''),
  );
  const isSame = differences.length === 0;
  const status = !isRead || (isSame && !isUnderstood) ? 'unsure' : isSame ? 'agrees' : 'contradicts';
  return { status, first: a.said, second: b.said, differences };
}

interface Open {
  readonly first: Set<ComparedItem>;
  readonly second: Set<ComparedItem>;
}

/**
 * What both files say, but one with a count and the other several times, or with another count: `4x ⌀6` and four
 * times ⌀6 agree. Without a count a size may stand on a drawing more often than in a model; then the rest is left.
 */
function inOtherNumbers(open: Open): Pair[] {
  const found: Pair[] = [];
  for (const item of [...open.first]) {
    if (!open.first.has(item) || item.family !== 'size') continue;
    const [ours, theirs] = [open.first, open.second].map((side) =>
      [...side].filter((other): other is SizeItem => other.family === 'size' && areSameSizes(item, other)),
    );
    if (theirs.length === 0 || [...ours, ...theirs].every(({ count }) => count === 1)) continue;
    const [own, other] = [ours, theirs].map((side) => side.reduce((sum, { count }) => sum + count, 0));
    for (const each of ours) open.first.delete(each);
    for (const each of theirs) open.second.delete(each);
    const differences: PmiDifference[] =
      own === other ? [] : [{ what: 'count', first: String(own), second: String(other) }];
    found.push({ item: leastSure(ours), other: leastSure(theirs), differences });
  }
  return found;
}

/** Of annotations that say the same, the one that was read with the least confidence. */
function leastSure<Item extends ComparedItem>(items: readonly Item[]): Item {
  return items.reduce((least, item) => ((item.said.confidence ?? 1) < (least.said.confidence ?? 1) ? item : least));
}

const ofSizes =
  (isPair: (a: SizeItem, b: SizeItem) => boolean): IsPair =>
  (a, b) =>
    a.family === 'size' && b.family === 'size' && isPair(a, b);

const ofFrames =
  (allowed: readonly PmiDifference['what'][]): IsPair =>
  (a, b) =>
    a.family === 'frame' &&
    b.family === 'frame' &&
    a.rows.length > 0 &&
    frameDifferences(a, b).every(({ what }) => allowed.includes(what));

const areSame: IsPair = (a, b) =>
  a.family === 'size' && b.family === 'size'
    ? areSameSizes(a, b) && a.count === b.count
    : differencesOf(a, b).length === 0;

/** The same size, or a frame of the same symbols: what it states beside that may have changed. Datums are the same. */
function mayBeSame(a: ComparedItem, b: ComparedItem): boolean {
  if (a.family === 'size' && b.family === 'size') return a.kind === b.kind && a.count === b.count && sameNominal(a, b);
  if (a.family === 'datum' && b.family === 'datum') return a.key === b.key;
  return (
    a.family === 'frame' &&
    b.family === 'frame' &&
    a.rows.length > 0 &&
    a.rows.map(({ sign }) => sign).join(' ') === b.rows.map(({ sign }) => sign).join(' ')
  );
}

/** What pairs say, the surest first; whatever their places. */
const SAYINGS: readonly IsPair[] = [
  areSame,
  ofSizes(areSameInPlain),
  ofSizes((a, b) => a.kind === b.kind && sameNominal(a, b)),
  ofFrames(['value', 'modifiers']),
  ofFrames(['datums', 'modifiers']),
  ofFrames(['rows', 'text']),
  (a, b) => a.family === 'datum' && b.family === 'datum' && a.key === b.key,
  ofSizes((a, b) => areLike(a, b) && sameNominal(a, b) && sameTolerance(a, b) && isToleranced(a) && isToleranced(b)),
  (a, b) => a.family === 'fact' && a.said.kind === b.said.kind,
  (a, b) => a.family === 'note' && b.family === 'note' && shareWords(a.said.reading, b.said.reading),
];

/** What is sought first, and where. */
const STEPS: readonly PairingStep[] = [
  { isNear: true, mayBe: mayBeSame },
  ...SAYINGS.map((mayBe) => ({ mayBe })),
  { isNear: true, mayBe: (a, b) => a.family !== 'size' || b.family !== 'size' || a.kind === b.kind || areLike(a, b) },
  { mayBe: ofSizes(isChanged) },
];

/** Notes of which another revision changed some words have this share of theirs in common. */
const SHARED_WORDS = 0.5;

function shareWords(first: string, second: string): boolean {
  const [ours, theirs] = [first, second].map((text) => new Set(text.toLowerCase().match(/[\p{L}\d.,]+/gu)));
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  return shared >= SHARED_WORDS * Math.max(ours.size, theirs.size);
}

/** Whether two sizes may be one that another revision made larger or smaller. */
function isChanged(a: SizeItem, b: SizeItem): boolean {
  return (
    a.kind === b.kind &&
    a.count === b.count &&
    isToleranced(a) &&
    isToleranced(b) &&
    Math.abs(a.nominal - b.nominal) <= CHANGED * Math.max(a.nominal, b.nominal) &&
    sameWidth(a, b)
  );
}
