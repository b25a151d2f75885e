import type { Because, CountedFeature } from './because.js';
import { MILLIMETRES } from '../../content/units.js';

type Of<Code extends Because['code']> = Extract<Because, { readonly code: Code }>;

const LARGER = { length: 'longer', width: 'wider', height: 'thicker' } as const;
const SMALLER = { length: 'shorter', width: 'narrower', height: 'thinner' } as const;
const SIDES = ['length', 'width', 'height'] as const;
/** What is at most so long, as a share of its diameter, has a thickness: washers, flanges, most gears; no bushes. */
const FLAT = 0.6;
/** Of sides that are as much longer nothing is said beside others that differ more. */
const UNSAID = 0.01;
/** Sides whose factor is nearer to 1 are called the same; as where reasons are chosen (`hits/reasons.ts`). */
export const SAME_SIDE = 0.004;
const PLURALS: Readonly<Record<CountedFeature, string>> = {
  boss: 'bosses',
  rib: 'ribs',
  bend: 'bends',
  pocket: 'pockets',
  slot: 'slots',
  passage: 'passages with flat walls',
};

const SINGULARS: Readonly<Record<CountedFeature, string>> = {
  boss: 'boss',
  rib: 'rib',
  bend: 'bend',
  pocket: 'pocket',
  slot: 'slot',
  passage: 'passage with flat walls',
};

/** Of a size on a drawing, which may be of inches. */
const DECIMALS = 6;

const KIND_PLURALS: Readonly<Record<Of<'other-stated-sizes'>['kind'], string>> = {
  length: 'lengths',
  diameter: 'diameters',
  radius: 'radii',
  thread: 'threads',
};

const TEXTS: { readonly [Code in Because['code']]: (reason: Of<Code>) => string } = {
  'same-bytes': () => 'the same file, byte for byte',
  'same-drawing': ({ factor }) =>
    'the same drawing, saved anew' +
    (factor === undefined ? '' : `, drawn ${times(factor, ['larger', 'smaller'])}${unitMixUp(factor)}`),
  'same-part': ({ maxDeviationMm }) =>
    maxDeviationMm === null || maxDeviationMm === 0
      ? 'same shape and size'
      : `same shape and size, surfaces within ${figure(maxDeviationMm)} mm`,
  mirrored: () => 'its mirror image, same size',
  'same-shape': ({ factor, isMirrored }) =>
    `${isMirrored ? 'its mirror image' : 'same shape'}, ${times(factor, ['larger', 'smaller'])}${unitMixUp(factor)}`,
  'same-size': ({ sizeMm }) => `same size, ${sizeMm.map(figure).join(' × ')} mm`,
  'other-side': ({ side, factor, sideMm, querySideMm, areFlat }) =>
    `${sideTimes(side, factor, areFlat)} (${figure(sideMm)} instead of ${figure(querySideMm)} mm), ` +
    'else the same size',
  'round-size': roundText,
  'same-proportions': ({ factor }) => `same proportions, ${times(factor, ['larger', 'smaller'])}`,
  'same-side': ({ side, sideMm }) => `same ${side}, ${figure(sideMm)} mm`,
  'near-size': ({ sizeMm, querySizeMm }) =>
    `nearly the same size, ${sizeMm.map(figure).join(' × ')} instead of ${querySizeMm.map(figure).join(' × ')} mm`,
  'near-proportions': ({ factor }) => `nearly the same proportions, ${times(factor, ['larger', 'smaller'])}`,
  'other-sizes': ({ factors, areFlat }) => listed(SIDES.flatMap((side, k) => sideText(side, factors[k], areFlat))),
  'same-holes': ({ holes }) =>
    `both have ${listed(holes.map(({ count, diameterMm }) => holesText(count, diameterMm)))}`,
  'other-hole-size': ({ count, diameterMm, queryDiameterMm }) =>
    `${holesOf(count, diameterMm)} instead of ⌀${figure(queryDiameterMm)}`,
  'other-hole-count': ({ diameterMm, count, queryCount }) =>
    `${count} instead of ${queryCount} ${count === 1 && queryCount === 1 ? 'hole' : 'holes'} of ⌀${figure(diameterMm)}`,
  'other-holes': ({ count, diameterMm, queryCount, queryDiameterMm }) =>
    `${holesText(count, diameterMm)} instead of ${holesText(queryCount, queryDiameterMm)}`,
  'more-holes': ({ of, holes }) =>
    `${of === 'hit' ? 'has' : 'lacks'} ${listed(holes.map(({ count, diameterMm }) => holesText(count, diameterMm)))}` +
    (of === 'hit' ? ' besides' : ''),
  'other-hole-depth': ({ count, diameterMm, ...depths }) => `${holesOf(count, diameterMm)}, ${depthText(depths)}`,
  'other-through-holes': ({ count, diameterMm, throughCount, queryThroughCount }) =>
    `${holesOf(count, diameterMm)}, ${throughText(throughCount, count)} instead of ${queryThroughCount || 'none'}`,
  'other-hole-mouth': ({ count, diameterMm, mouth, queryMouth }) =>
    `${holesOf(count, diameterMm)}, ${mouthText(mouth, queryMouth)} instead of ${mouthText(queryMouth, mouth)}`,
  'other-hole-pitch': ({ count, diameterMm, pitchMm, queryPitchMm }) =>
    `${holesOf(count, diameterMm)}, ${pitchMm.map(figure).join(' × ')} instead of ` +
    `${queryPitchMm.map(figure).join(' × ')} mm apart`,
  'same-bolt-circle': ({ count, diameterMm }) => `both have ${count} holes on a bolt circle of ⌀${figure(diameterMm)}`,
  'other-bolt-circle': ({ count, diameterMm, queryDiameterMm }) =>
    `${count} holes on a bolt circle of ⌀${figure(diameterMm)} instead of ⌀${figure(queryDiameterMm)}`,
  'same-teeth': ({ count, ...modules }) => `both have ${count} teeth${moduleText(modules)}`,
  'other-teeth': ({ count, queryCount, ...modules }) => `${count} instead of ${queryCount} teeth${moduleText(modules)}`,
  'same-thread': ({ diameterMm, pitchMm, isInternal }) =>
    `both have ${isInternal ? 'an internal' : 'a'} thread of ⌀${figure(diameterMm)}, pitch ${figure(pitchMm)} mm`,
  'other-thread': ({ diameterMm, pitchMm, queryDiameterMm, queryPitchMm, isInternal }) => {
    const thread = `${isInternal ? 'an internal' : 'a'} thread of ⌀${figure(diameterMm)}`;
    const isSame = figure(diameterMm) === figure(queryDiameterMm);
    const other = isSame ? figure(queryPitchMm) : `⌀${figure(queryDiameterMm)}, pitch ${figure(queryPitchMm)}`;
    return `${thread}, pitch ${figure(pitchMm)} instead of ${other} mm`;
  },
  'other-wall': ({ shape, wallMm, queryWallMm }) =>
    `both are ${shape === 'tube' ? 'tubes, the wall' : 'sheet metal,'} ${figure(wallMm)} instead of ` +
    `${figure(queryWallMm)} mm`,
  'same-wall': ({ shape, wallMm }) =>
    shape === 'tube'
      ? `both are tubes with a wall of ${figure(wallMm)} mm`
      : `both are sheet metal of ${figure(wallMm)} mm`,
  'both-turned': () => 'both are turned parts',
  'both-flat-faced': () => 'both have mostly flat faces',
  'same-count': ({ feature, count }) => `both have ${count} ${PLURALS[feature]}`,
  'other-keyway-size': (own) => {
    const pairs = [
      ['wide', own.widthMm, own.queryWidthMm],
      ['deep', own.depthMm, own.queryDepthMm],
      ['long', own.lengthMm ?? 0, own.queryLengthMm ?? own.lengthMm ?? 0],
    ] as const;
    const others = pairs.filter(([, size, other]) => !isSame(size, other));
    const sizes = others.map(([word, size, other]) => `${figure(size)} instead of ${figure(other)} mm ${word}`);
    return `${counted(own.count, 'keyway')}, ${listed(sizes)}`;
  },
  'other-count': ({ feature, count, queryCount, widthMm }) => {
    const named = (many: number): string => `${many} ${many === 1 ? SINGULARS[feature] : PLURALS[feature]}`;
    const wide = widthMm === null ? '' : `, ${figure(widthMm)} mm ${feature === 'rib' ? 'thick' : 'wide'}`;
    if (count === 0) return `lacks ${named(queryCount)}${wide}`;
    return queryCount === 0 ? `has ${named(count)}${wide}, besides` : `${count} instead of ${named(queryCount)}`;
  },
  'other-bends': ({ count, queryCount }) =>
    `${count} instead of ${queryCount} ${count === 1 && queryCount === 1 ? 'bend' : 'bends'}`,
  'other-keyways': ({ count, queryCount, widthMm }) =>
    `${count === 0 ? 'no keyway' : counted(count, 'keyway')}` +
    (widthMm === null ? '' : ` of ${figure(widthMm)} mm`) +
    ` instead of ${queryCount === 0 ? 'none' : count === 0 ? counted(queryCount, 'keyway') : queryCount}`,
  'same-volume': ({ volumeMm3 }) => `same volume, ${figure(volumeMm3)} mm³`,
  'same-thickness': ({ thicknessMm }) => `same thickness, ${figure(thicknessMm)} mm`,
  'other-stated-sizes': ({ kind, sizes, querySizes, count = 1 }) => {
    const [own, other] = [sizes, querySizes].map((all) => listed(all.map((size) => sizeText(kind, size))));
    // The count of a length is not taken for one.
    if (kind === 'length') return `states ${own} instead of ${other} mm${count === 1 ? '' : ` (${count} ×)`}`;
    const times = count === 1 ? '' : `${count} × `;
    return `states ${times}${own} instead of ${times}${other}`;
  },
  'many-stated-sizes': ({ kind, count, of }) =>
    `${count} of the ${of} ${KIND_PLURALS[kind]} it states ${count === 1 ? 'differs' : 'differ'}`,
  'other-stated-count': ({ kind, count, queryCount, ...size }) => {
    const named = sizeText(kind, { ...size, isAnother: false });
    if (kind === 'length') return `states ${named} mm for ${count} instead of ${queryCount} features`;
    return `states ${count} × ${named} instead of ${queryCount} × ${named}`;
  },
  'all-stated-sizes': ({ factor }) => `all sizes it states are ${times(factor, ['larger', 'smaller'])}`,
  'same-stated-sizes': ({ count }) => `states the same ${count} sizes`,
  'stated-sizes': ({ sizesMm }) => `the drawing states the model's sizes ${listed(sizesMm.map(figure))} mm`,
  'unstated-size': ({ sizeMm }) => `the drawing does not state the model's ${figure(sizeMm)} mm`,
  'other-drawn-holes': ({ count, diameterMm, statedCount, statedMm }) =>
    `the drawing states ${statedCount} × ⌀${written(statedMm)}, the model has ${count} × ⌀${figure(diameterMm)}`,
  'like-view': ({ page }) =>
    page === null ? 'a view of it is like the query' : `a view on page ${page} is like the query`,
  words: ({ field, words }) =>
    `${field === 'name' ? 'its name has' : 'its text has'} ${listed(words.map((word) => `“${word}”`))}`,
  attributes: ({ attributes }) => listed(attributes),
};

/** A reason in English, as a phrase without capital and full stop: `4 holes of ⌀6.5 instead of ⌀8`. */
export function becauseText(reason: Because): string {
  return (TEXTS[reason.code] as (reason: Because) => string)(reason);
}

/** `⌀12`, `another ⌀12`, `R3`, `M8x1.25`, `80`. */
function sizeText(
  kind: Of<'other-stated-sizes'>['kind'],
  { sizeMm, thread, isAnother }: Of<'other-stated-sizes'>['sizes'][number],
): string {
  const signs = { length: '', diameter: '⌀', radius: 'R', thread: 'M' };
  return `${isAnother ? 'another ' : ''}${thread ?? `${signs[kind]}${written(sizeMm)}`}`;
}

/** Of a flat part its thickness is told, of others their length. */
function roundText({ diameterMm, queryDiameterMm, lengthMm, queryLengthMm }: Of<'round-size'>): string {
  const isFlat = lengthMm <= FLAT * diameterMm && queryLengthMm <= FLAT * queryDiameterMm;
  const length = `${figure(lengthMm)} instead of ${figure(queryLengthMm)} mm`;
  const diameter = `⌀${figure(diameterMm)} instead of ⌀${figure(queryDiameterMm)}`;
  if (isSame(diameterMm, queryDiameterMm)) {
    const side = isFlat ? 'height' : 'length';
    const longer = times(lengthMm / queryLengthMm, [LARGER[side], SMALLER[side]]);
    return `${longer} (${length}), same ⌀${figure(diameterMm)}`;
  }
  return isSame(lengthMm, queryLengthMm)
    ? `${diameter}, same ${isFlat ? 'thickness' : 'length'}, ${figure(lengthMm)} mm`
    : `${diameter}, ${length} ${isFlat ? 'thick' : 'long'}`;
}

/** The module of gears, if both have one. */
function moduleText({ moduleMm, queryModuleMm }: Pick<Of<'same-teeth'>, 'moduleMm' | 'queryModuleMm'>): string {
  if (moduleMm === null || queryModuleMm === null) return '';
  return moduleMm === queryModuleMm
    ? ` of module ${figure(moduleMm)}`
    : `, of module ${figure(moduleMm)} instead of ${figure(queryModuleMm)}`;
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_SIDE * Math.max(a, b);
}

/** `4 holes of ⌀6`, of which something follows. */
function holesOf(count: number, diameterMm: number): string {
  return `${count} ${count === 1 ? 'hole' : 'holes'} of ⌀${figure(diameterMm)}`;
}

function depthText(depths: Pick<Of<'other-hole-depth'>, 'isThrough' | 'depthMm' | 'queryDepthMm'>): string {
  const { isThrough, depthMm, queryDepthMm } = depths;
  if (isThrough) return `through instead of ${figure(queryDepthMm ?? 0)} mm deep`;
  if (queryDepthMm === null) return `${figure(depthMm ?? 0)} mm deep instead of through`;
  return `${figure(depthMm ?? 0)} instead of ${figure(queryDepthMm)} mm deep`;
}

/** `2 through`, `none through`. */
function throughText(through: number, count: number): string {
  if (through === 0) return 'none through';
  return through === count ? 'all through' : `${through} through`;
}

/** The depth of a mouth is said where the other one is as wide. */
function mouthText(mouth: Of<'other-hole-mouth'>['mouth'], other: Of<'other-hole-mouth'>['mouth']): string {
  if (mouth === null) return 'plain';
  const said = `${mouth.sunk} to ⌀${figure(mouth.diameterMm)}`;
  const isAsWide = mouth.sunk === other?.sunk && figure(mouth.diameterMm) === figure(other.diameterMm);
  return isAsWide && mouth.depthMm !== null ? `${said}, ${figure(mouth.depthMm)} mm deep` : said;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function holesText(count: number, diameterMm: number): string {
  return count === 1 ? `1 hole of ⌀${figure(diameterMm)}` : `${count} holes of ⌀${figure(diameterMm)} each`;
}

/** `×1.3 longer`; nothing of a side that is equal. */
function sideText(side: keyof typeof LARGER, factor: number, areFlat: boolean): string[] {
  return Math.abs(factor - 1) <= UNSAID ? [] : [sideTimes(side, factor, areFlat)];
}

/** `×1.3 longer`; only what is flat has a thickness. */
function sideTimes(side: keyof typeof LARGER, factor: number, areFlat: boolean): string {
  if (side === 'height' && !areFlat) return `${times(factor, ['larger', 'smaller'])} in its smallest side`;
  return times(factor, [LARGER[side], SMALLER[side]]);
}

/** `×1.3 longer`, `×1.3 shorter`. */
export function times(factor: number, [more, less]: readonly [string, string]): string {
  return factor >= 1 ? `×${ratio(factor)} ${more}` : `×${ratio(1 / factor)} ${less}`;
}

/** Enough digits to tell it from 1: `1.3`, `1.04`, `1.0023`. */
function ratio(factor: number): string {
  if (factor >= 1.1) return String(Number(factor.toPrecision(factor < 100 ? 3 : 4)));
  return factor >= 1.01 ? factor.toFixed(2) : String(Number((1 + Number((factor - 1).toPrecision(2))).toPrecision(9)));
}

/** Sizes that three decimals do not tell apart, and what is smaller than any of them. */
const SMALL = 0.01;
const NOISE = 1e-6;

function unitMixUp(factor: number): string {
  const isInch = (value: number): boolean => Math.abs(value / MILLIMETRES.in - 1) < 1e-3;
  return isInch(factor) || isInch(1 / factor) ? ', as if inches were millimetres' : '';
}

/**
 * A length or volume: three digits behind the point at most, four digits in all or as many as stand before it; three
 * digits of what is smaller than a hundredth, so that sizes that differ are not written alike.
 */
function figure(value: number): string {
  if (value >= 1_000) return String(Math.round(value));
  if (value < SMALL && value >= NOISE) return String(Number(value.toPrecision(3)));
  return String(Number(Number(value.toPrecision(4)).toFixed(3)) || Number(value.toPrecision(1)));
}

/** A size that a drawing states, with all of its digits: sizes that differ are not written alike. */
function written(sizeMm: number): string {
  return String(Number(sizeMm.toFixed(DECIMALS)));
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
