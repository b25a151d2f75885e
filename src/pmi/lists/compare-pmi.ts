import {
  comparedItems,
  type ComparedAnnotation,
  type ComparedItem,
  type ComparedSide,
  type FrameItem,
  type SizeItem,
} from './compared-items.js';

/** What two annotations say differently about the same thing. */
export interface PmiDifference {
  readonly what: 'kind' | 'nominal' | 'count' | 'tolerance' | 'thread' | 'value' | 'modifiers' | 'datums' | 'text';
  readonly first: string;
  readonly second: string;
}

/** A line of a comparison. */
export interface ComparedPmi {
  /** `first`, `second`: only that file says it. */
  readonly status: 'agrees' | 'contradicts' | 'first' | 'second';
  readonly first?: ComparedAnnotation;
  readonly second?: ComparedAnnotation;
  /** Empty unless the two contradict each other. */
  readonly differences: readonly PmiDifference[];
}

/** What two files say about the same part. */
export interface PmiComparison {
  readonly counts: Readonly<Record<ComparedPmi['status'], number>>;
  /** Contradictions first, then what is in the first file alone, in the second alone, and what agrees. */
  readonly rows: readonly ComparedPmi[];
}

/** Annotations on one place of two drawings are nearer than this, as a share of the page's longer side. */
const SAME_PLACE = 0.012;
/** Sizes that are the same but for a change of the part differ by less, as a share. */
const CHANGED = 0.05;
/** Equal numbers differ by less, relative. */
const SAME = 1e-6;
/** Tolerances agree when their limits differ by less, mm or degrees, beyond the digits of another unit. */
const SAME_LIMIT = 5e-5;
/** Most annotations of a file that are compared: every one may be compared with every other. */
const MOST = 4_000;

/**
 * Compares the annotations of two files of the same part: a drawing and the model that carries its own (AP242), two drawings,
 * two revisions. Sizes are paired by kind, nominal size, count and tolerance, control frames by symbol, zone, value and
 * datums, others by what they say; never by their texts. Inches and millimetres compare; fits and general tolerances are
 * resolved. Pairs are sought in this order: the same; the same in another number; the same size with another tolerance;
 * the same size of another kind; another size on the same place of the page, or with the same tolerance and within 5 %.
 * Only fields of title blocks that both files have are compared.
 */
export function comparePmi(first: ComparedSide, second: ComparedSide): PmiComparison {
  const left = comparedItems(first.pmi, first.attributes).slice(0, MOST);
  const right = comparedItems(second.pmi, second.attributes).slice(0, MOST);
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
      const status = differences.length === 0 ? 'agrees' : 'contradicts';
      paired.push({ status, first: item.said, second: partner.said, differences });
    }
    if (isPair === areSame) paired.push(...inOtherNumbers(open));
  }
  const isAlone = ({ family }: ComparedItem): boolean => family !== 'fact';
  const rows = [
    ...paired.filter(({ status }) => status === 'contradicts'),
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
    },
    rows,
  };
}

interface Open {
  readonly first: Set<ComparedItem>;
  readonly second: Set<ComparedItem>;
}

/**
 * What both files say, but one with a count and the other several times, or with another count: `4x ⌀6` and four times ⌀6
 * agree. Without a count a size may stand on a drawing more often than in a model; then the rest is left.
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
    found.push({
      status: own === other ? 'agrees' : 'contradicts',
      first: ours[0].said,
      second: theirs[0].said,
      differences,
    });
  }
  return found;
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
  ofSizes((a, b) => a.kind === b.kind && sameNominal(a, b)),
  ofFrames(['value', 'modifiers']),
  ofFrames(['datums', 'modifiers']),
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

function isToleranced({ state }: SizeItem): boolean {
  return state === 'toleranced';
}

/** A diameter may be drawn as a length, or its sign may have been missed. */
function areLike(a: SizeItem, b: SizeItem): boolean {
  const isAcross = ({ kind }: SizeItem): boolean => kind === 'length' || kind === 'diameter' || kind === 'square';
  return a.kind === b.kind || (isAcross(a) && isAcross(b));
}

/** How far numbers may be apart that are the same: as written; in two units as far as their digits tell. */
function slackOf(a: SizeItem, b: SizeItem): number {
  return a.unit === b.unit ? 0 : Math.max(a.slack, b.slack);
}

function sameNominal(a: SizeItem, b: SizeItem): boolean {
  return Math.abs(a.nominal - b.nominal) <= SAME * Math.max(a.nominal, b.nominal) + slackOf(a, b);
}

function sameLimits(a: SizeItem, b: SizeItem): boolean {
  if (a.limits === undefined || b.limits === undefined) return false;
  const slack = SAME_LIMIT + slackOf(a, b);
  return Math.abs(a.limits.most - b.limits.most) <= slack && Math.abs(a.limits.least - b.limits.least) <= slack;
}

function sameTolerance(a: SizeItem, b: SizeItem): boolean {
  const states = new Set([a.state, b.state]);
  // What has no tolerance of its own has the general one, whether the file states that or not.
  if (!isToleranced(a) && !isToleranced(b)) return a.state === b.state || (states.has('general') && states.has('none'));
  if (a.limits !== undefined && b.limits !== undefined) return sameLimits(a, b);
  return a.state === b.state && a.fit === b.fit && a.limits === b.limits;
}

/** Whether two tolerances are as wide and lie as far from the nominal size. */
function sameWidth(a: SizeItem, b: SizeItem): boolean {
  if (a.fit !== undefined || b.fit !== undefined) return a.fit === b.fit;
  if (a.limits === undefined || b.limits === undefined) return false;
  const apart = (side: 'most' | 'least'): number => a.limits![side] - a.nominal - (b.limits![side] - b.nominal);
  return Math.max(Math.abs(apart('most')), Math.abs(apart('least'))) <= SAME_LIMIT + slackOf(a, b);
}

/** One may state more of a thread than the other: `M8` and `M8x1.25` are no contradiction. */
function sameThread(a: SizeItem, b: SizeItem): boolean {
  const [one, other] = [a.thread ?? '', b.thread ?? ''];
  const isPart = (long: string, short: string): boolean =>
    long.startsWith(short) && !/^[\d.]/.test(long.slice(short.length));
  return isPart(one, other) || isPart(other, one);
}

function areSameSizes(a: SizeItem, b: SizeItem): boolean {
  if (a.kind !== b.kind || !sameThread(a, b)) return false;
  return (sameNominal(a, b) && sameTolerance(a, b)) || (a.state === b.state && sameLimits(a, b));
}

function differencesOf(a: ComparedItem, b: ComparedItem): PmiDifference[] {
  if (a.family === 'size' && b.family === 'size') return sizeDifferences(a, b);
  if (a.family === 'frame' && b.family === 'frame') return frameDifferences(a, b);
  if ('key' in a && 'key' in b && a.said.kind === b.said.kind && a.key === b.key) return [];
  // Two kinds of marks may state the same finish.
  if ('key' in a && 'key' in b && a.family === b.family && a.family !== 'fact' && a.key === b.key) return [];
  return [{ what: 'text', first: a.said.reading, second: b.said.reading }];
}

function sizeDifferences(a: SizeItem, b: SizeItem): PmiDifference[] {
  if (areSameSizes(a, b) && a.count === b.count) return [];
  const found: PmiDifference[] = [];
  const put = (what: PmiDifference['what'], isSame: boolean, said: (item: SizeItem) => string): void => {
    if (!isSame) found.push({ what, first: said(a), second: said(b) });
  };
  put('kind', a.kind === b.kind, ({ kind }) => kind);
  put('nominal', sameNominal(a, b), ({ nominal, kind }) => `${shown(nominal)}${kind === 'angle' ? '°' : ' mm'}`);
  put('thread', sameThread(a, b), ({ thread = '' }) => thread);
  put('tolerance', sameNominal(a, b) ? sameTolerance(a, b) : sameWidth(a, b) || sameTolerance(a, b), toleranceText);
  put('count', a.count === b.count, ({ count }) => String(count));
  return found;
}

function toleranceText({ state, fit, limits, nominal }: SizeItem): string {
  if (limits === undefined) return fit ?? state;
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${shown(value)}`;
  const [upper, lower] = [limits.most - nominal, limits.least - nominal];
  const said = Math.abs(upper + lower) < SAME_LIMIT ? `±${shown(upper)}` : `${signed(upper)} ${signed(lower)}`;
  return `${fit === undefined ? '' : `${fit} `}${said}${state === 'general' ? ' general' : ''}`;
}

function frameDifferences(a: FrameItem, b: FrameItem): PmiDifference[] {
  const said = (of: 'sign' | 'modifiers' | 'datums') => (item: FrameItem) =>
    item.rows.map((row) => row[of]).join(' / ');
  const widths = (item: FrameItem): string => item.rows.map(({ zone, width }) => `${zone}${shown(width)}`).join(' / ');
  const parts: readonly (readonly [PmiDifference['what'], (item: FrameItem) => string])[] = [
    ['kind', said('sign')],
    ['value', widths],
    ['modifiers', said('modifiers')],
    ['datums', said('datums')],
  ];
  return parts.flatMap(([what, of]) => (of(a) === of(b) ? [] : [{ what, first: of(a), second: of(b) }]));
}

/** Without the noise of binary fractions. */
function shown(value: number): string {
  return String(Math.round(value * 1e5) / 1e5);
}
