// Pairs of files in the labelled set that are the same part under two names, looked at one by one. Keyed by the first 16 hex
// digits of both files' SHA-256, the lower first.
export const TRUE_DUPLICATES = {};
