import { strToU8, zipSync } from 'fflate';

/** A time that every part has: the same rows give the same bytes. */
const MTIME = new Date(1980, 0, 1);
/** Longest text of a cell: a workbook with a longer one is told to be damaged. */
const MOST_CHARACTERS = 32_767;
/** Text that would be read as the escape of a character (ISO/IEC 29500-1, 22.4.2.4); its first sign is escaped. */
const ESCAPE = /_(?=x[0-9a-f]{4}_)/gi;
/** Characters that XML 1.0 does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const DRAWING_TYPES =
  '<Default Extension="png" ContentType="image/png"/><Override PartName="/xl/drawing1.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>';
/** English metric units, in which drawings are measured, and points, in which rows are: of a pixel of 1/96 inch. */
const EMU_PER_PX = 9_525;
const POINTS_PER_PX = 0.75;
/** Columns by their texts, in digits. */
const NARROWEST = 6;
const WIDEST = 60;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Pictures of a workbook. */
interface SheetPictures {
  /** PNG of each row below the first; undefined: none. */
  readonly rows: readonly (Uint8Array | undefined)[];
  /** Column in which they lie, from 0. */
  readonly column: number;
  /** Width and height of the cell that each fills, pixels. */
  readonly sidePx: number;
}

/**
 * A workbook of one sheet (ISO/IEC 29500, SpreadsheetML), its first row fixed. Texts are written in their cells, so
 * that nothing is taken for a formula.
 * @param rows cells of a text, a number, or undefined for empty.
 */
export function xlsx(
  title: string,
  rows: readonly (readonly (string | number | undefined)[])[],
  pictures?: SheetPictures,
): Uint8Array {
  const height = pictures === undefined ? '' : ` ht="${pictures.sidePx * POINTS_PER_PX + 2}" customHeight="1"`;
  const cells = rows.map(
    (row, y) =>
      `<row r="${y + 1}"${y === 0 ? '' : height}>` +
      `${row.map((value, x) => cellOf(value, `${columnOf(x)}${y + 1}`)).join('')}</row>`,
  );
  const columns = widthsOf(rows, pictures).map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width.toFixed(2)}" customWidth="1"/>`,
  );
  const sheet =
    `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" ` +
    `topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}` +
    `<sheetData>${cells.join('')}</sheetData>${pictures === undefined ? '' : '<drawing r:id="r1"/>'}</worksheet>`;
  const parts: Readonly<Record<string, string | Uint8Array>> = {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      `ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      (pictures === undefined ? '' : DRAWING_TYPES) +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([['worksheet', 'sheet1.xml']]),
    'xl/workbook.xml':
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      `<sheet name="${escaped(title)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/sheet1.xml': sheet,
    ...(pictures === undefined ? {} : drawingParts(pictures)),
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [
        name,
        // A PNG is compressed already.
        typeof part === 'string' ? [strToU8(part), { mtime: MTIME }] : [part, { mtime: MTIME, level: 0 }],
      ]),
    ),
  );
}

/** Relations of a part by kind and target, numbered r1, r2, …. */
function relations(targets: readonly (readonly [kind: string, target: string])[]): string {
  const each = targets.map(
    ([kind, target], i) => `<Relationship Id="r${i + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

/** Widths of columns in digits of 7 pixels with 5 around them: as their longest text needs, within bounds. */
function widthsOf(rows: Parameters<typeof xlsx>[1], pictures: SheetPictures | undefined): number[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    rows.reduce((most, row) => Math.max(most, Math.min(WIDEST, String(row[i] ?? '').length + 2)), NARROWEST),
  );
  if (pictures !== undefined) widths[pictures.column] = (pictures.sidePx + 5) / 7;
  return widths;
}

/** The drawing that lies over the sheet, and its pictures. */
function drawingParts({ rows, column, sidePx }: SheetPictures): Record<string, string | Uint8Array> {
  const shown = rows.flatMap((png, i) => (png === undefined ? [] : [{ png, row: i + 1 }]));
  const side = sidePx * EMU_PER_PX;
  const anchors = shown.map(({ png, row }, i) => {
    const [width, height] = pngSize(png);
    const scale = side / Math.max(width, height);
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    return (
      `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>${Math.round((side - wide) / 2)}</xdr:colOff>` +
      `<xdr:row>${row}</xdr:row><xdr:rowOff>${Math.round((side - high) / 2)}</xdr:rowOff></xdr:from>` +
      `<xdr:ext cx="${wide}" cy="${high}"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${i + 2}" name="Picture ${i + 1}"/>` +
      `<xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="r${i + 1}"/><a:stretch><a:fillRect/></a:stretch>` +
      `</xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${wide}" cy="${high}"/></a:xfrm>` +
      `<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
    );
  });
  return {
    'xl/_rels/sheet1.xml.rels': relations([['drawing', 'drawing1.xml']]),
    'xl/drawing1.xml':
      `${HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}">` +
      `${anchors.join('')}</xdr:wsDr>`,
    'xl/_rels/drawing1.xml.rels': relations(shown.map((_, i) => ['image', `media/${i + 1}.png`])),
    ...Object.fromEntries(shown.map(({ png }, i) => [`xl/media/${i + 1}.png`, png])),
  };
}

/** Width and height in the header of a PNG (ISO/IEC 15948, 11.2.2), pixels. */
function pngSize(png: Uint8Array): [number, number] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return [view.getUint32(16), view.getUint32(20)];
}

function cellOf(value: string | number | undefined, at: string): string {
  if (value === undefined || value === '') return '';
  // What is no number cannot stand in a cell of numbers.
  if (typeof value === 'number') return Number.isFinite(value) ? `<c r="${at}"><v>${value}</v></c>` : '';
  const text = value.slice(0, MOST_CHARACTERS).replace(ESCAPE, '_x005F_');
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** A, B, ... Z, AA. */
function columnOf(index: number): string {
  return (index >= 26 ? columnOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));
}

function escaped(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
