/**
 * Where a spreadsheet begins to read a formula: at the start of a cell, and after what it may take for the end of one.
 * In many countries that is a semicolon, and quotation marks within a line then hold nothing together.
 */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A text as a cell of CSV (RFC 4180); an apostrophe stands before what a spreadsheet would take for a formula. */
export function csvCell(text: string): string {
  const plain = text.replace(FORMULA, "$1'");
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
