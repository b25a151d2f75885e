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
}

/** What two files say about the same part. */
export interface PmiComparison {
  readonly counts: Readonly<Record<ComparedPmi['status'], number>>;
  /** Contradictions first, then what is unsure, in the first file alone, in the second alone, and what agrees. */
  readonly rows: readonly ComparedPmi[];
}

/** Annotations on one place of two drawings are nearer than this, as a share of the page's longer side. */
const SAME_PLACE = 0.012;
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
 * tolerances are resolved. Pairs are sought in this order: the same; the same in another number; the same, stated
 * plainly (a depth as a length); the same size with another tolerance; the same size of another kind; another size on
 * the same place of the page, or with the same tolerance and within 5 %. Only fields of title blocks that both files
 * have are compared.
 */
export function comparePmi(first: ComparedSide, second: ComparedSide): PmiComparison {
  const left = comparedItems(first).slice(0, MOST);
  const right = comparedItems(second).slice(0, MOST);
  const open = { first: new Set(left), second: new Set(right) };
  const paired: ComparedPmi[] = [];
  for (const isPair of STEPS) {
    for (const item of [...open.first]) {
      const partner = nearest(
        item,
        [...open.second].filter((other) => other.family === item.family && isPair(item, other)),
      );
      if (partner === undefined) continue;
      open.first.delete(item);
      open.second.delete(partner);
      const differences = differencesOf(item, partner);
      paired.push(pairOf(item, partner, differences));
    }
    if (isPair === areSame) paired.push(...inOtherNumbers(open));
  }
  const isAlone = ({ family }: ComparedItem): boolean => family !== 'fact';
  const rows = [
    ...paired.filter(({ status }) => status === 'contradicts'),
    ...paired.filter(({ status }) => status === 'unsure'),
    ...[...open.first]
      .filter(isAlone)
      .map(({ said }): ComparedPmi => ({ status: 'first', first: said, differences: [] })),
    ...[...open.second]
      .filter(isAlone)
      .map(({ said }): ComparedPmi => ({ status: 'second', second: said, differences: [] })),
    ...paired.filter(({ status }) => status === 'agrees'),
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
    rows,
  };
}

function pairOf(a: ComparedItem, b: ComparedItem, differences: readonly PmiDifference[]): ComparedPmi {
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
function inOtherNumbers(open: Open): ComparedPmi[] {
  const found: ComparedPmi[] = [];
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
    found.push(pairOf(leastSure(ours), leastSure(theirs), differences));
  }
  return found;
}

/** Of annotations that say the same, the one that was read with the least confidence. */
function leastSure<Item extends ComparedItem>(items: readonly Item[]): Item {
  return items.reduce((least, item) => ((item.said.confidence ?? 1) < (least.said.confidence ?? 1) ? item : least));
}

/** The partner on the nearest place, where both have one; else the first. */
function nearest(item: ComparedItem, partners: readonly ComparedItem[]): ComparedItem | undefined {
  const distance = (other: ComparedItem): number => farFrom(item, other) ?? Infinity;
  return partners.reduce<ComparedItem | undefined>(
    (best, other) => (best === undefined || distance(other) < distance(best) ? other : best),
    undefined,
  );
}

/** How far two annotations are from each other on one page, as a share of its longer side. */
function farFrom({ place: a }: ComparedItem, { place: b }: ComparedItem): number | undefined {
  return a === undefined || b === undefined || a.page !== b.page ? undefined : Math.hypot(a.x - b.x, a.y - b.y);
}

type IsPair = (a: ComparedItem, b: ComparedItem) => boolean;

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

const STEPS: readonly IsPair[] = [
  areSame,
  ofSizes(areSameInPlain),
  ofSizes((a, b) => a.kind === b.kind && sameNominal(a, b)),
  ofFrames(['value', 'modifiers']),
  ofFrames(['datums', 'modifiers']),
  ofFrames(['rows', 'text']),
  (a, b) => a.family === 'datum' && b.family === 'datum' && a.key === b.key,
  ofSizes((a, b) => areLike(a, b) && sameNominal(a, b) && sameTolerance(a, b) && isToleranced(a) && isToleranced(b)),
  (a, b) => a.family === 'fact' && a.said.kind === b.said.kind,
  (a, b) =>
    (farFrom(a, b) ?? Infinity) < SAME_PLACE &&
    (a.family !== 'size' || b.family !== 'size' || a.kind === b.kind || areLike(a, b)),
  ofSizes(
    (a, b) =>
      a.kind === b.kind &&
      a.count === b.count &&
      isToleranced(a) &&
      isToleranced(b) &&
      Math.abs(a.nominal - b.nominal) <= CHANGED * Math.max(a.nominal, b.nominal) &&
      sameWidth(a, b),
  ),
];
