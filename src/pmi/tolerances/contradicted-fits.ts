import type { PmiPage } from '../pmi.js';
import { readingsOf, someOf } from '../sizes/contradictions.js';
import { placesOf } from '../sizes/numbers.js';
import { deviationsOfFit } from './iso-286.js';

/** In mm: older tables of ISO 286 are rounded otherwise. */
const TABLE_SLACK = 0.0011;

/** Sentences about sizes whose written deviations are not those of the class of fit beside them. */
export function contradictedFits(pages: readonly PmiPage[], isInch: boolean): string[] {
  if (isInch) return [];
  const told = readingsOf(pages).flatMap(({ said, fit, tolerance, nominal, kind, toleranceTexts, isInch: isOwn }) => {
    if (fit === undefined || tolerance === undefined || kind === 'thread' || isOwn === true) return [];
    const { upper, lower } = deviationsOfFit(fit, nominal) ?? tolerance;
    const decimals = Math.max(...toleranceTexts.map((text) => placesOf(text)));
    const slack = Math.max(TABLE_SLACK, 0.5000001 * 10 ** -Math.max(decimals, 2));
    const isOff = Math.abs(upper - tolerance.upper) > slack || Math.abs(lower - tolerance.lower) > slack;
    return isOff ? [`${said} (${fit} is ${signed(upper)} ${signed(lower)})`] : [];
  });
  const distinct = [...new Set(told)];
  if (distinct.length === 0) return [];
  return [`${distinct.length} sizes have deviations that are not those of their fits: ${someOf(distinct, '; ')}`];
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
