/** A size that is not to be exceeded: `12.5 MAX`, `12.5MAX`, `Rmax 3`, `≤ 3`. */
export const LIMIT_ABOVE = /(?:(?<![a-z])|(?<=(?<![a-z])S?R))max(?![a-z])|^[≤<]/i;
/** A size that is to be reached at least: `3 MIN`, `Rmin 3`, `≥ 3`. */
export const LIMIT_BELOW = /(?:(?<![a-z])|(?<=(?<![a-z])S?R))min(?![a-z])|^[≥>]/i;
