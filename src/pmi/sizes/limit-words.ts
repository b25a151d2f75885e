/** A size that is not to be exceeded: `12.5 MAX`, `12.5MAX`, `höchst. 3`, `Rmax 3`, `≤ 3`. */
export const LIMIT_ABOVE =
  /(?:(?<![a-z])|(?<=(?<![a-z])S?R))(?:max(?:im(?:um|al)|i)?|massimo|höchst(?:ens)?)(?![a-z])|^[≤<]/i;
/** A size that is to be reached at least: `3 MIN`, `mind. 3`, `Rmin 3`, `≥ 3`. */
export const LIMIT_BELOW = /(?:(?<![a-z])|(?<=(?<![a-z])S?R))min(?:im(?:um|al|o)|i|d|destens)?(?![a-z])|^[≥>]/i;
