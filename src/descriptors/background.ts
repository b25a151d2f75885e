import { compareFine } from '../core/compare.js';
import type { Core } from '../core/core.js';
import type { Background } from './fine.js';
import type { Reference } from './reference.js';
import { sumTerms } from './shape-distance.js';

/** Mean and standard deviation of a part's distances to the parts of the reference cohort. */
export function backgroundOf(core: Core, fine: Uint8Array, reference: Reference): Background {
  const sums = sumTerms(compareFine(core, fine, reference.cohort), reference);
  let mean = 0;
  for (const sum of sums) mean += sum / sums.length;
  let variance = 0;
  for (const sum of sums) variance += (sum - mean) ** 2 / sums.length;
  // A cohort of one part or of equal parts has no spread; its distances are not scaled.
  return { mean, deviation: variance > 0 ? Math.sqrt(variance) : 1 };
}
