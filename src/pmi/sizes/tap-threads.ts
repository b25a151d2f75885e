import { DEPTH } from '../dimension-words.js';
import type { DimensionReading } from './dimension.js';
import { NUMBER, numberOf } from './numbers.js';

/** Threads of ISO 261 whose names fits have too, and the drills before their taps (ISO 2306), mm. */
const TAP_DRILLS: Readonly<Record<string, number>> = {
  M3: 2.5, M4: 3.3, M5: 4.2, M6: 5, M8: 6.8, M10: 8.5, M12: 10.2, M14: 12, M16: 14, M18: 15.5,
}; // biome-ignore format: a table
/** A tap, or the pitch of the thread. */
const TAPPED = /^\s*(?:TAP|Gewinde|taraud|螺|x\s?(?:[012]?[.,]\d+|[123])(?![\d.,]))/iu;
const DEEP_BEHIND = new RegExp(String.raw`^\s*(?:[-,x×]\s?)?(?:${NUMBER}\s?)?(?:${DEPTH})`, 'iu');
/** Holes are at most so many times as large as the thread whose depth stands behind it; larger ones have a fit. */
const MOST_OF_THREAD = 2;

/**
 * Whether what looks like the fit of a size is the thread of its hole: `⌀3.3 DRILL M4 TAP`, `M8 DEEP 20 M10 DEEP 30`,
 * `⌀5 M6`. M7 and M9 are no usual threads, and `⌀52 M6 DEEP 15` is the seat of a bearing.
 * @param size itself, the words between it and the fit, and what stands behind the fit.
 */
export function isThreadOfHole(
  fit: string,
  size: Pick<DimensionReading, 'kind' | 'nominal'> & { readonly before: string; readonly behind: string },
): boolean {
  const { kind, nominal, before, behind } = size;
  if (!(fit in TAP_DRILLS)) return false;
  // Neither threads nor depths have such fits.
  if (kind === 'thread' || kind === 'depth') return true;
  if (nominal === TAP_DRILLS[fit] || before.trim() !== '' || TAPPED.test(behind)) return true;
  return DEEP_BEHIND.test(behind) && nominal <= MOST_OF_THREAD * Number(fit.slice(1));
}

/** Whether a word is a thread and the one before it the hole of its drill: `⌀5 M6`. */
export function isDrillOf(thread: string, drill: string): boolean {
  return TAP_DRILLS[/^M\d+/.exec(thread)?.[0] ?? ''] === numberOf(/^⌀([\d.,]+)$/.exec(drill)?.[1] ?? '');
}
