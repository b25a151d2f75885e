import { metricThread } from '../../content/metric-threads.js';
import type { ComparedItem, FrameItem, SizeItem, ZoneRow } from './compared-items.js';

/** What two annotations say differently about the same thing. */
export interface PmiDifference {
  readonly what:
    | 'kind'
    | 'nominal'
    | 'count'
    | 'tolerance'
    | 'thread'
    | 'value'
    | 'modifiers'
    | 'datums'
    | 'rows'
    | 'text';
  readonly first: string;
  readonly second: string;
}

/** Equal numbers differ by less, relative. */
const SAME = 1e-6;
/** Tolerances agree when their limits differ by less, mm or degrees, beyond the digits of another unit. */
const SAME_LIMIT = 5e-5;

/** Whether a size has a tolerance of its own. */
export function isToleranced({ state }: SizeItem): boolean {
  return state === 'toleranced';
}

/** A diameter may be drawn as a length, or its sign may have been missed. */
export function areLike(a: SizeItem, b: SizeItem): boolean {
  const isAcross = ({ kind }: SizeItem): boolean => kind === 'length' || kind === 'diameter' || kind === 'square';
  return a.kind === b.kind || (isAcross(a) && isAcross(b));
}

/** How far numbers may be apart that are the same: as written; in two units as far as their digits tell. */
function slackOf(a: SizeItem, b: SizeItem): number {
  return a.unit === b.unit ? 0 : Math.max(a.slack, b.slack);
}

/** Whether two sizes are the same number, in whatever unit. */
export function sameNominal(a: SizeItem, b: SizeItem): boolean {
  return Math.abs(a.nominal - b.nominal) <= SAME * Math.max(a.nominal, b.nominal) + slackOf(a, b);
}

function sameLimits(a: SizeItem, b: SizeItem): boolean {
  if (a.limits === undefined || b.limits === undefined) return false;
  const slack = SAME_LIMIT + slackOf(a, b);
  return Math.abs(a.limits.most - b.limits.most) <= slack && Math.abs(a.limits.least - b.limits.least) <= slack;
}

/** Whether two sizes have the same tolerance. */
export function sameTolerance(a: SizeItem, b: SizeItem): boolean {
  const states = new Set([a.state, b.state]);
  // What has no tolerance of its own has the general one, whether the file states that or not.
  if (!isToleranced(a) && !isToleranced(b)) return a.state === b.state || (states.has('general') && states.has('none'));
  if (a.limits !== undefined && b.limits !== undefined) return sameLimits(a, b);
  return a.state === b.state && a.fit === b.fit && a.limits === b.limits;
}

/** Whether two tolerances are as wide and lie as far from the nominal size. */
export function sameWidth(a: SizeItem, b: SizeItem): boolean {
  if (a.fit !== undefined || b.fit !== undefined) return a.fit === b.fit;
  if (a.limits === undefined || b.limits === undefined) return false;
  const apart = (side: 'most' | 'least'): number => a.limits![side] - a.nominal - (b.limits![side] - b.nominal);
  return Math.max(Math.abs(apart('most')), Math.abs(apart('least'))) <= SAME_LIMIT + slackOf(a, b);
}

/**
 * One may state more of a thread than the other: `M8`, `M8-6H` and `M8x1.25`, the coarse pitch, are no contradiction.
 * Another pitch, a left hand and the class of a pipe's outer thread (ISO 228-1: `G 1/2 A`) are one.
 */
function sameThread(a: SizeItem, b: SizeItem): boolean {
  const [one, other] = [coarseAlone(a.thread ?? ''), coarseAlone(b.thread ?? '')];
  const isPart = (long: string, short: string): boolean => {
    const more = long.startsWith(short) ? long.slice(short.length) : undefined;
    return more !== undefined && !/^[\d.]|^x[\d.]|^-\d+(?:\.\d+)?$|lh|left/.test(more) && !/^g.*[ab]$/.test(long);
  };
  return one === other || isPart(one, other) || isPart(other, one);
}

/** A thread without its coarse pitch and its right hand, which need not be stated: `m8-6H` of `m8x1.25-6H`. */
function coarseAlone(thread: string): string {
  const { diameterMm, isCoarse = false, behind = '' } = metricThread(thread) ?? {};
  return (isCoarse ? `m${diameterMm}${behind}` : thread).replace(/-?rh$/, '');
}

/** Whether two sizes are the same beside their numbers; models tell no spheres and no angles of chamfers. */
function sameForm(a: SizeItem, b: SizeItem): boolean {
  return a.form === b.form || a.place === undefined || b.place === undefined;
}

/** What a drawing's sign makes of a size that a model states as a plain one. */
const PLAIN: Readonly<Partial<Record<SizeItem['kind'], SizeItem['kind']>>> = Object.freeze({
  depth: 'length',
  counterbore: 'diameter',
  countersink: 'diameter',
});

/**
 * Whether one states as a plain size what the other has a sign for: `↧10` is a length of 10 in a model, `⌴⌀20` a
 * diameter. Lines of a note below the first have no count of their own.
 */
export function areSameInPlain(a: SizeItem, b: SizeItem): boolean {
  const isOfNote = ({ kind }: SizeItem): boolean => PLAIN[kind] !== undefined;
  if (isOfNote(a) === isOfNote(b) || (PLAIN[a.kind] ?? a.kind) !== (PLAIN[b.kind] ?? b.kind)) return false;
  const isModel = a.place === undefined || b.place === undefined;
  if (!isModel && !(isToleranced(a) && isToleranced(b))) return false;
  // The depth of several holes has their number on a drawing; in a model it may be stated once.
  const isOnce = (isOfNote(a) ? a : b).count === 1 || (isModel && Math.min(a.count, b.count) === 1);
  return sameNominal(a, b) && sameTolerance(a, b) && (a.count === b.count || isOnce);
}

/** Whether two sizes are the same but for their number. */
export function areSameSizes(a: SizeItem, b: SizeItem): boolean {
  if (a.kind !== b.kind || !sameThread(a, b) || !sameForm(a, b)) return false;
  return (sameNominal(a, b) && sameTolerance(a, b)) || (a.state === b.state && sameLimits(a, b));
}

/** What two annotations that belong together say differently; empty where they agree. */
export function differencesOf(a: ComparedItem, b: ComparedItem): PmiDifference[] {
  if (a.family === 'size' && b.family === 'size') return sizeDifferences(a, b);
  if (a.family === 'frame' && b.family === 'frame') return frameDifferences(a, b);
  const isTarget = a.family === 'datum' && b.family === 'datum' && a.key === b.key;
  if (isTarget && a.area !== b.area && a.area !== undefined && b.area !== undefined)
    return [{ what: 'value', first: a.area, second: b.area }];
  if ('key' in a && 'key' in b && a.said.kind === b.said.kind && a.key === b.key) return [];
  // Two kinds of marks may state the same finish.
  if ('key' in a && 'key' in b && a.family === b.family && a.family !== 'fact' && a.key === b.key) return [];
  return [{ what: 'text', first: a.said.reading, second: b.said.reading }];
}

function sizeDifferences(a: SizeItem, b: SizeItem): PmiDifference[] {
  if ((areSameSizes(a, b) && a.count === b.count) || areSameInPlain(a, b)) return [];
  const found: PmiDifference[] = [];
  const put = (what: PmiDifference['what'], isSame: boolean, said: (item: SizeItem) => string): void => {
    if (!isSame) found.push({ what, first: said(a), second: said(b) });
  };
  put('kind', a.kind === b.kind, ({ kind }) => kind);
  put('nominal', sameNominal(a, b), ({ nominal, kind }) => `${shown(nominal)}${kind === 'angle' ? '°' : ' mm'}`);
  put('thread', sameThread(a, b), ({ thread = '' }) => thread);
  put('text', a.kind !== b.kind || sameForm(a, b), ({ said: { reading } }) => reading);
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

/**
 * What the rows of two control frames say differently, cell by cell; what was not understood is compared as it stands.
 */
export function frameDifferences(a: FrameItem, b: FrameItem): PmiDifference[] {
  const count = Math.min(a.rows.length, b.rows.length);
  const said =
    (of: (row: ZoneRow) => string) =>
    ({ rows }: FrameItem): string =>
      rows.slice(0, count).map(of).join(' / ');
  const parts: readonly (readonly [PmiDifference['what'], (item: FrameItem) => string])[] = [
    ['kind', said(({ sign }) => sign)],
    ['value', said(({ zone, width }) => `${zone}${shown(width)}`)],
    ['modifiers', said(({ modifiers }) => modifiers)],
    ['datums', said(({ datums }) => datums)],
    ['rows', ({ rows }) => String(rows.length)],
    ['text', ({ unread }) => unread],
  ];
  return parts.flatMap(([what, of]) => (of(a) === of(b) ? [] : [{ what, first: of(a), second: of(b) }]));
}

/** Without the noise of binary fractions. */
function shown(value: number): string {
  return String(Math.round(value * 1e5) / 1e5);
}
