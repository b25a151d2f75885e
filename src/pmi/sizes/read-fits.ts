/**
 * Fits as they were read from pixels, where small letters are told from capitals by their height alone, a `g` looks
 * like a 9, and ends of the dimension line stand at the size.
 */

/** The fit of a shaft: what stands below that of a hole, or behind a slash. */
export function asShaft(text: string): string {
  return text
    .trim()
    .replace(/^[A-Z]{1,2}(?=\s?\d{1,2}$)/, (letters) => letters.toLowerCase())
    .replace(/^9(?=\d$)/, 'g');
}

/** Ends of a line before a size of several figures, a point of the gap before a fit, a degree behind a fit. */
const LINE_END = /^[-_.,]\s?(?=[⌀R(]?\d{1,4}(?:[.,]\d|\s[A-Za-z]))/;
const POINT_BEFORE_FIT = /(?<=\d)[.,]\s?(?=[A-Za-z]{1,2}\d{1,2}(?:$|[/\s]))/;
const DEGREE_BEHIND_FIT = /(?<=[A-Za-z]\d{1,2})°$/;

/** A size that does not read as it stands, with a fit that may be one. */
export function asFitted(text: string): string {
  return text
    .replace(LINE_END, '')
    .replace(POINT_BEFORE_FIT, ' ')
    .replace(DEGREE_BEHIND_FIT, '')
    .replace(/(?<=[A-Z]\d{1,2}\s?\/\s?)[A-Z\d]{1,2}\d{1,2}$/, asShaft);
}
