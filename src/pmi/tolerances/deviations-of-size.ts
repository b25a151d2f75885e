import type { DimensionReading } from '../dimension-text.js';
import { MILLIMETRES } from '../../content/units.js';
import { inStatedUnit } from '../stated-unit.js';
import { LIMIT_ABOVE, LIMIT_BELOW } from '../sizes/limit-words.js';
import { placesOf } from '../sizes/numbers.js';
import { hasThreadClass } from '../sizes/threads.js';
import { whyNoRules, type GeneralRules } from './general-tolerance.js';
import { deviationsOfFit } from './iso-286.js';
import { FRACTIONS } from './stated-tolerance.js';

const UNKNOWN_UNIT = 'unknown';

/** A size of an inspector's list. */
interface StatedSize {
  /** In its unit. */
  readonly nominal: number;
  readonly count: number;
  /** `mm`, `in`, `°`, or `unknown`. */
  readonly unit: string;
}

/** Its deviations, signed and in its unit, where they come from, and why there are none. */
interface SizeDeviations {
  readonly upper?: number;
  readonly lower?: number;
  readonly from: string;
  readonly why?: string;
}

/** What a drawing says about all of its sizes. */
export interface SizeContext {
  readonly isInch: boolean;
  /** Whether nothing says what sizes without a unit of their own are in. */
  readonly isUnknown: boolean;
  readonly general: GeneralRules | undefined;
  /** As it is written; undefined where none is. */
  readonly stated: string | undefined;
  /** Said where nothing is stated: what it says was not understood, or read too unsurely. */
  readonly note: string | undefined;
}

/** The size of a row, its count and its unit. */
export function sizeOf(said: DimensionReading, context: SizeContext): StatedSize {
  const { reading, isInch, isOwn } = inStatedUnit(said, context.isInch);
  const { nominal, count, kind } = reading;
  const unit = kind === 'angle' ? '°' : isInch ? 'in' : context.isUnknown && !isOwn ? UNKNOWN_UNIT : 'mm';
  return { nominal: rounded(nominal), count, unit };
}

/** The deviations of a size, where they come from, and why there are none. */
export function deviationsOf(said: DimensionReading, isBasic: boolean, context: SizeContext): SizeDeviations {
  const { general, stated, note } = context;
  const { reading, isInch, isOwn } = inStatedUnit(said, context.isInch);
  const { kind, text, nominal, tolerance, fit, isReference, toleranceTexts } = reading;
  if (isBasic) return { from: 'basic' };
  if (isReference) return { from: 'reference' };
  if (tolerance !== undefined)
    return {
      upper: rounded(tolerance.upper),
      lower: rounded(tolerance.lower),
      from: toleranceTexts.length === 0 ? 'limits' : 'written',
    };
  const isUnknown = context.isUnknown && !isOwn && kind !== 'angle';
  if (fit !== undefined) {
    if (kind === 'thread') return { from: '', why: `${fit} is no class of a thread` };
    if (isUnknown) return { from: '', why: `${fit} of a size whose unit is not known` };
    const found = deviationsOfFit(fit, isInch ? nominal * MILLIMETRES.in : nominal);
    if (found === undefined) return { from: '', why: whyNoFit(fit, nominal, isInch) };
    return { upper: inUnit(found.upper, isInch), lower: inUnit(found.lower, isInch), from: 'ISO 286' };
  }
  if (EXACT.test(text)) return { from: 'basic' };
  if (kind === 'thread' && hasThreadClass(text)) return { from: 'written' };
  // A size that is stated as a limit is no nominal size; its other limit is not stated.
  if (LIMIT_ABOVE.test(text)) return { upper: 0, from: 'written' };
  if (LIMIT_BELOW.test(text)) return { lower: 0, from: 'written' };
  if (stated === undefined)
    return note === undefined ? { from: '' } : { from: '', why: `not understood, or read unsurely: ${note}` };
  if (general === undefined) return { from: '', why: whyNoRules(stated) };
  if (isUnknown) return { from: '', why: `${stated} of a size whose unit is not known` };
  const places = WRITTEN_FRACTION.test(text) ? FRACTIONS : placesOf(text);
  const size = { kind, nominal, places, isInch, isDrawingInch: context.isInch };
  const found = general.of(size);
  if (found === undefined) return { from: '', why: general.whyNot(size) };
  const { half, from } = found;
  return half === undefined ? { from } : { upper: half, lower: -half, from };
}

/** A size as a fraction: `1 1/8`. */
const WRITTEN_FRACTION = /\d\/(?:2|4|8|16|32|64)(?!\d)/;
/** Words of theoretically exact sizes. */
const EXACT = /\b(?:BSC|BASIC|TED)\b/i;

/** In words, why a fit has no single pair of deviations; of a pair with those of both. */
function whyNoFit(fit: string, nominal: number, isInch: boolean): string {
  const size = isInch ? nominal * MILLIMETRES.in : nominal;
  const [hole, shaft] = fit.split('/');
  if (shaft === undefined) return `ISO 286 has no ${fit} for ${rounded(size)} mm in the tables that are known here`;
  const said = (name: string): string => {
    const found = deviationsOfFit(name, size);
    if (found === undefined) return `${name} not known for this size`;
    return [found.upper, found.lower].map((value) => signed(inUnit(value, isInch))).join(' ');
  };
  return `a pair of fits: hole ${said(hole)}, shaft ${said(shaft)}`;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

/** Millimetres in the unit of the drawing. */
function inUnit(mm: number, isInch: boolean): number {
  return isInch ? Math.round((mm / MILLIMETRES.in) * 1e5) / 1e5 || 0 : mm;
}

/** Without the noise of binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
