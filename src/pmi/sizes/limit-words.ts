/** A size that is not to be exceeded: `12.5 MAX`, `12.5MAX`, `≤ 3`. */
export const LIMIT_ABOVE = /(?<![a-z])max(?![a-z])|^[≤<]/i;
/** A size that is to be reached at least: `3 MIN`, `≥ 3`. */
export const LIMIT_BELOW = /(?<![a-z])min(?![a-z])|^[≥>]/i;
