import type { Document } from '../../content/document.js';
import type { ReadOptions } from '../../options.js';
import { PageWriter } from '../text/page-writer.js';
import { decodeText } from '../text/text-encoding.js';

/** Characters examined to detect the separator. */
const HEAD_CHARACTERS = 16_384;
/** Separators by precedence on a tie: beside semicolons, a comma is a decimal separator. */
const SEPARATORS = ['\t', ';', ',', '|'];

/**
 * Reads a table of separated values (RFC 4180): one line per row, cells separated by tabs, line ends in a cell replaced
 * by blanks. The separator is stated by a line `sep=` (Excel), or is the comma, semicolon, tab or bar whose count is
 * most regular in the first rows.
 */
export function readCsv(bytes: Uint8Array, { limits }: ReadOptions): Document {
  const writer = new PageWriter('csv', limits);
  let text = decodeText(bytes, limits.textCharacters);
  const stated = /^sep=(.)\r?\n/.exec(text);
  if (stated !== null) text = text.slice(stated[0].length);
  for (const { cell, endsRow } of cellsOf(text, stated?.[1] ?? separatorOf(text))) {
    if (writer.full) break;
    writer.write(cell.replace(/[\t\r\n]+/g, ' ').trim());
    if (endsRow) writer.row();
    else writer.cell();
  }
  return writer.document('csv', []);
}

/**
 * Splits into cells. A quotation mark counts only at the start of a cell; one that is never closed is an ordinary
 * character.
 */
function* cellsOf(text: string, separator: string): Generator<{ cell: string; endsRow: boolean }> {
  const plainEnd = new RegExp(`[\\r\\n${separator.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');
  const lastQuote = text.lastIndexOf('"');
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (text[at] === '"' && at < lastQuote) {
      const parts: string[] = [];
      let from = at + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        const end = quote < 0 ? text.length : quote;
        parts.push(text.slice(from, end));
        at = end + 1;
        if (text[at] !== '"') break;
        parts.push('"');
        from = at + 1;
      }
      cell = parts.join('');
    }
    plainEnd.lastIndex = at;
    const end = plainEnd.exec(text)?.index ?? text.length;
    cell += text.slice(at, end);
    const endsRow = text[end] !== separator;
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    yield { cell, endsRow };
  }
}

/** The separator that occurs equally often in most rows. */
function separatorOf(text: string): string {
  const rows = text
    .slice(0, HEAD_CHARACTERS)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]+/)
    .filter((row) => row !== '')
    .slice(0, 50);
  const score = (separator: string): number => {
    const counts = rows.map((row) => row.split(separator).length - 1);
    const usual = [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 0;
    return usual === 0 ? 0 : counts.filter((count) => count === usual).length;
  };
  const best = SEPARATORS.reduce((found, separator) => (score(separator) > score(found) ? separator : found));
  return score(best) === 0 ? ',' : best;
}
