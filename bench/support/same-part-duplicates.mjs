// Pairs of files in the labelled set that are the same part under two names, each inspected by eye. Keyed by the first
// 16 hex digits of both files' SHA-256, the lower first.
export const TRUE_DUPLICATES = {
  '8b160358bdf296bc-de8756ad5e31ed8b':
    'Wurth MAPI-3015 holds the geometry of MAPI-3012 (both 1.2 mm high; the files differ in entity numbers only)',
};
