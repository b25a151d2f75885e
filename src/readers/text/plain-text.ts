/** Text as the content model wants it: Unicode NFC, lines separated by `\n`, no other control characters but `\t`. */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return (
    text
      .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
      .replace(/\u00ad(?=[ \t]*\n)/g, '-') // It is seen there, and tells that the word goes on.
      .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g, '')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      // Marks are put in order in a time that grows with the square of their number: 160 000 on one letter take 8 s. A joiner after
      // each thirty keeps runs short (Unicode Standard Annex 15, stream-safe text format).
      .replace(/\p{Mark}{30}/gu, '$&\u034f')
      .normalize('NFC')
  );
}

/** {@link plainText} in one line: blanks, tabs and line ends between words are one blank, none at the ends. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** {@link plainText} without blanks at the ends of lines and without empty lines at its own ends. */
export function plainPage(text: string): string {
  // Line by line, because a pattern for blanks before a line end tries every blank of a long run.
  const lines = plainText(text)
    .split('\n')
    .map((line) => line.trimEnd());
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start] === '') start++;
  while (end > start && lines[end - 1] === '') end--;
  return lines.slice(start, end).join('\n');
}

/** Nothing has to be changed. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;
