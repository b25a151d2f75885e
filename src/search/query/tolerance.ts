import { EngineError } from '../../errors.js';

/** How far a size may be below and above the query's, as fractions of it; Infinity when unbounded. */
export interface Tolerance {
  readonly below: number;
  readonly above: number;
}

const NUMBER = String.raw`(?:\d+(?:\.\d*)?|\.\d+)`;
const FORM = new RegExp(
  `^(?:(?<both>${NUMBER})|\\+(?<up>${NUMBER})(?:/-(?<down>${NUMBER}))?|-(?<low>${NUMBER})(?:/\\+(?<high>${NUMBER}))?)$`,
);

/**
 * Parses a size tolerance of the interface: `.1` is ± 10 %; `+.2` up to 20 % larger and not smaller; `-.5` down to half
 * and not larger; `+0.3/-0.4` (or `-0.4/+0.3`) both. What stands behind a minus sign is at most 1.
 * @param name the option or filter key, for the message.
 * @throws EngineError `QUERY_INVALID` that names it and the text.
 */
export function parseTolerance(name: string, text: string): Tolerance {
  const groups = FORM.exec(text.trim())?.groups;
  const below = Number(groups?.both ?? groups?.down ?? groups?.low ?? 0);
  // No size is smaller by more than all of it; of both sides alike that is no mistake.
  if (groups === undefined || (groups.both === undefined && below > 1)) {
    throw new EngineError(
      'QUERY_INVALID',
      `${name} must be a tolerance like .1, +.2, -.5 or +0.3/-0.4, received ${JSON.stringify(text)}`,
      {
        details: { name, text },
      },
    );
  }
  return { below, above: Number(groups.both ?? groups.up ?? groups.high ?? 0) };
}

/**
 * Whether a size is within the tolerance of the query's size. A relative error of 1e-6 is accepted, so that a tolerance
 * of 0 finds the same part after rounding.
 */
export function withinTolerance(size: number, querySize: number, { below, above }: Tolerance): boolean {
  const slack = 1e-6 * querySize;
  // Sizes are never below 0, and 0 × Infinity would be NaN.
  const low = querySize * (1 - Math.min(below, 1));
  return size >= low - slack && (above === Infinity || size <= querySize * (1 + above) + slack);
}
