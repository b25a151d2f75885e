import type { LengthUnit } from '../options.js';

export type { LengthUnit } from '../options.js';

/** Millimetres in one unit of length; exact by definition (international inch and foot, 1959). */
export const MILLIMETRES: Readonly<Record<LengthUnit, number>> = Object.freeze({
  um: 0.001,
  mm: 1,
  cm: 10,
  m: 1000,
  in: 25.4,
  ft: 304.8,
});
