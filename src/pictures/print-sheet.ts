import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { loadOptional } from '../optional-package.js';

/** A row of a sheet: a picture, and what is said beside it. */
export interface SheetRow {
  /** PNG; undefined: none. */
  readonly picture: Uint8Array | undefined;
  readonly title: string;
  /** Short lines below the title. */
  readonly lines: readonly string[];
  /** Small text below these, such as attributes; cut after some lines. */
  readonly notes: readonly string[];
  /** How far the row stands to the right, in steps; 0 to 8. */
  readonly level: number;
}

/** A sheet to be printed. */
export interface PrintSheet {
  readonly title: string;
  /** Below the title: what was asked for, how much is left out. */
  readonly about: string;
  readonly rows: readonly SheetRow[];
}

/** Most rows that are printed. */
export const MOST_PRINTED_ROWS = 500;
/** A4 and its parts, points of 1/72 inch. */
const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 40;
const FOOT = 30;
const PICTURE = 74;
const GAP = 12;
const STEP = 14;
const LARGEST_NOTES = 44;
/** Side of an embedded picture, pixels: some 200 dpi. */
const PICTURE_PX = 256;
const MOST_CHARACTERS = 300;
const MOST_NOTES_CHARACTERS = 2_000;
const CREATED = new Date(Date.UTC(1980, 0, 1));
const INK = '#22262e';
const GREY = '#6b7280';
const RULE = '#d5d9e0';
const SIZES = Object.freeze({ head: 15, title: 10.5, line: 8.5, note: 7.5 });

/**
 * A PDF of A4 pages to be printed, a row below the other, with page numbers; the first 500 rows. The same rows give the
 * same bytes on every machine: the fonts are those that come with pdfjs (Latin, Greek, Cyrillic; other letters are
 * boxes), and the date is always that of 1980.
 * @throws EngineError `PACKAGE_MISSING` without `pdfkit`.
 */
export async function printSheet({ title, about, rows }: PrintSheet): Promise<Uint8Array> {
  const { default: Document } = await loadOptional('pdfkit', 'a sheet as PDF', () => import('pdfkit'));
  const { default: sharp } = await import('sharp');
  const document = new Document({
    size: [WIDTH, HEIGHT],
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    font: undefined,
    info: { Title: plain(title), Creator: 'shapedex', Producer: 'shapedex', CreationDate: CREATED },
  });
  const pieces: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (piece: Uint8Array) => pieces.push(piece));
    document.on('end', resolve);
    document.on('error', reject);
  });
  const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts');
  document.registerFont('plain', join(fonts, 'LiberationSans-Regular.ttf'));
  document.registerFont('bold', join(fonts, 'LiberationSans-Bold.ttf'));

  document.font('bold').fontSize(SIZES.head).fillColor(INK);
  document.text(plain(title), MARGIN, MARGIN, { width: WIDTH - 2 * MARGIN, height: 36, ellipsis: true });
  document.font('plain').fontSize(SIZES.line).fillColor(GREY);
  document.text(plain(about), MARGIN, document.y + 3, { width: WIDTH - 2 * MARGIN, height: 22, ellipsis: true });
  let y = document.y + GAP;
  for (const [i, row] of rows.slice(0, MOST_PRINTED_ROWS).entries()) {
    const left = MARGIN + STEP * Math.min(8, row.level);
    const x = left + PICTURE + GAP;
    const width = WIDTH - MARGIN - x;
    const texts = [
      { font: 'bold', size: SIZES.title, color: INK, text: plain(row.title), most: 28 },
      ...row.lines.map((line) => ({ font: 'plain', size: SIZES.line, color: INK, text: plain(line), most: 24 })),
      {
        font: 'plain',
        size: SIZES.note,
        color: GREY,
        text: row.notes.map(plain).join('   ').slice(0, MOST_NOTES_CHARACTERS),
        most: LARGEST_NOTES,
      },
    ].filter(({ text }) => text !== '');
    const heights = texts.map(({ font, size, text, most }) =>
      Math.min(most, document.font(font).fontSize(size).heightOfString(text, { width })),
    );
    const height = Math.max(
      row.picture === undefined ? 0 : PICTURE,
      heights.reduce((sum, one) => sum + one + 2, 0),
    );
    if (y + height > HEIGHT - MARGIN - FOOT) {
      document.addPage();
      y = MARGIN;
    }
    if (row.picture !== undefined) {
      // Without transparency: pictures that have it take printers and readers long.
      const picture = await sharp(row.picture)
        .flatten({ background: 'white' })
        .resize(PICTURE_PX, PICTURE_PX, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 88 })
        .toBuffer();
      document.image(picture, left, y, { fit: [PICTURE, PICTURE], align: 'center', valign: 'center' });
    }
    let at = y;
    texts.forEach(({ font, size, color, text, most }, k) => {
      document.font(font).fontSize(size).fillColor(color);
      document.text(text, x, at, { width, height: Math.min(most, heights[k] + 1), ellipsis: true });
      at += heights[k] + 2;
    });
    y += height + GAP / 2;
    document
      .moveTo(MARGIN, y)
      .lineTo(WIDTH - MARGIN, y)
      .lineWidth(0.5)
      .strokeColor(RULE)
      .stroke();
    y += GAP / 2;
    if (i % 16 === 15) await breathe();
  }
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    document.font('plain').fontSize(SIZES.note).fillColor(GREY);
    const options = { width: WIDTH - 2 * MARGIN, lineBreak: false };
    document.text(`${page + 1} / ${count}`, MARGIN, HEIGHT - MARGIN, { ...options, align: 'right' });
  }
  document.end();
  await ended;
  return Buffer.concat(pieces);
}

/** A text in one line, without signs that control. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}
