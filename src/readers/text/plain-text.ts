/**
 * Normalises text for the content model: Unicode NFC, lines separated by `\n`, no other control characters but `\t`.
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return (
    text
      .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
      .replace(/\u00ad(?=[ \t]*\n)/g, '-') // A soft hyphen is visible at a line end and marks a divided word.
      .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g, '')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      // Normalising takes time quadratic in the number of marks on one letter: 8 s for 160 000. A grapheme joiner after
      // every 30 marks bounds that (stream-safe text format, Unicode Standard Annex 15).
      .replace(/\p{Mark}{30}/gu, '$&\u034f')
      .normalize('NFC')
  );
}

/** {@link plainText} in one line: white space between words becomes one blank, at the ends it is removed. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** {@link plainText} without trailing blanks on its lines and without empty lines at the start and end. */
export function plainPage(text: string): string {
  // Line by line, because a pattern for trailing blanks is quadratic in the length of a run of blanks.
  const lines = plainText(text)
    .split('\n')
    .map((line) => line.trimEnd());
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start] === '') start++;
  while (end > start && lines[end - 1] === '') end--;
  return lines.slice(start, end).join('\n');
}

/** Text that needs no change. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
