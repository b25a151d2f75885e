import { strToU8, zipSync } from 'fflate';

/** A time that every part has: the same rows give the same bytes. */
const MTIME = new Date(1980, 0, 1);
/** Characters that XML 1.0 does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * A workbook of one sheet (ISO/IEC 29500, SpreadsheetML), its first row fixed. Texts are written in their cells, so that
 * nothing is taken for a formula.
 * @param rows cells of a text, a number, or undefined for empty.
 */
export function xlsx(title: string, rows: readonly (readonly (string | number | undefined)[])[]): Uint8Array {
  const cells = rows.map(
    (row, y) => `<row r="${y + 1}">${row.map((value, x) => cellOf(value, `${columnOf(x)}${y + 1}`)).join('')}</row>`,
  );
  const sheet =
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
    `activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${cells.join('')}</sheetData></worksheet>`;
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      `ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
      `<Override PartName="/xl/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="sheet1.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      `<sheet name="${escaped(title)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/sheet1.xml': sheet,
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, [strToU8(text), { mtime: MTIME }]])),
  );
}

function cellOf(value: string | number | undefined, at: string): string {
  if (value === undefined || value === '') return '';
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/** A, B, ... Z, AA. */
function columnOf(index: number): string {
  return (index >= 26 ? columnOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));
}

function escaped(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
