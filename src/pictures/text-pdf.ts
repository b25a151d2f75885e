import { fitWithin, type PixelBounds } from '../content/pixels.js';
import type { TextPage } from '../content/text.js';
import { PdfPage } from './pdf-page.js';

/** Size of the page in millimetres of A4; all lengths below are in this unit. */
const PAGE_WIDTH = 210;
const PAGE_HEIGHT = 297;
const MARGIN = 18;
const FONT_SIZE = 4.4;
const LINE_HEIGHT = 6;
const TITLE_SIZE = 5.6;
/** Narrowest and widest column of a table, and the gap between two. */
const NARROWEST = 8;
const WIDEST = 60;
const GUTTER = 3;
const INK = 0x22262e;
const BORDER = 0xb8bec8;

/** Characters of a page that are laid out; no more fit. */
const LOOKED_AT = 20_000;

/** The first lines of a page of text, laid out on a sheet of paper; tabs separate columns. */
export function textPdf({ name, text }: TextPage, bounds: PixelBounds): Uint8Array {
  const { widthPx, heightPx, scale } = fitWithin(PAGE_WIDTH, PAGE_HEIGHT, bounds);
  const page = new PdfPage(widthPx, heightPx);
  page.draw([[0.5, 0.5, widthPx - 0.5, 0.5, widthPx - 0.5, heightPx - 0.5, 0.5, heightPx - 0.5, 0.5, 0.5]], {
    color: BORDER,
    lineWidth: 1,
  });
  let y = MARGIN + FONT_SIZE;
  const room = PAGE_WIDTH - 2 * MARGIN;
  const put = (line: string, x: number, size: number, isBold: boolean): void =>
    page.write({ text: line, x: x * scale, y: y * scale, size: size * scale, isBold, color: INK });
  if (name !== '') {
    put(wrapped(page, name, room / TITLE_SIZE, true)[0], MARGIN, TITLE_SIZE, true);
    y += 1.5 * LINE_HEIGHT;
  }
  const most = Math.floor((PAGE_HEIGHT - MARGIN - y) / LINE_HEIGHT) + 1;
  const lines = text.slice(0, LOOKED_AT).split('\n').slice(0, most);
  if (lines.some((line) => line.includes('\t'))) {
    for (const cells of columns(
      page,
      lines.map((line) => line.split('\t')),
    )) {
      for (const { text: cell, x } of cells) put(cell, MARGIN + x, FONT_SIZE, false);
      y += LINE_HEIGHT;
    }
    return page.end();
  }
  let left = most;
  for (const line of lines) {
    for (const part of wrapped(page, line, room / FONT_SIZE, false).slice(0, left)) {
      put(part, MARGIN, FONT_SIZE, false);
      y += LINE_HEIGHT;
      left--;
    }
    if (left <= 0) break;
  }
  return page.end();
}

/** A line in pieces of at most `ems`, split between words where possible. */
function wrapped(page: PdfPage, line: string, ems: number, isBold: boolean): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const word of line.split(/(?<= )/)) {
    if (piece !== '' && page.measure(piece + word.trimEnd(), isBold) > ems) {
      pieces.push(piece);
      piece = '';
    }
    piece += word;
    while (page.measure(piece, isBold) > ems && piece.length > 1) {
      const start = cut(page, piece, ems, isBold);
      pieces.push(start);
      piece = piece.slice(start.length);
    }
  }
  return [...pieces, piece];
}

/** The longest beginning of a text that fits, at least one character. */
function cut(page: PdfPage, text: string, ems: number, isBold: boolean): string {
  let kept = '';
  for (const character of text) {
    if (kept !== '' && page.measure(kept + character, isBold) > ems) break;
    kept += character;
    if (kept.length > 4 * ems) break;
  }
  return kept;
}

/** Cells with their places, as many as fit on the page. */
function columns(page: PdfPage, rows: readonly (readonly string[])[]): { text: string; x: number }[][] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      const width = FONT_SIZE * page.measure(cell.slice(0, 100));
      widths[column] = Math.min(WIDEST, Math.max(widths[column] ?? NARROWEST, width));
    });
  }
  const room = PAGE_WIDTH - 2 * MARGIN;
  return rows.map((row) => {
    const cells: { text: string; x: number }[] = [];
    let x = 0;
    for (const [column, cell] of row.entries()) {
      const width = Math.min(widths[column], room - x);
      if (width < NARROWEST) break;
      if (cell !== '') cells.push({ text: cut(page, cell.slice(0, 100), width / FONT_SIZE, false), x });
      x += widths[column] + GUTTER;
    }
    return cells;
  });
}
