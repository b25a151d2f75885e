import type { Limits } from '../../options.js';
import { applyTo, compose2d, type Affine } from '../geometry/affine.js';
import { checkFonts } from '../pdf-file/bounded-lists.js';
import { beginContents, checkContents } from '../pdf-file/bounded-contents.js';
import type { PDFPageProxy } from '../pdf-file/pdfjs.js';
import type { TextPiece } from '../text/text-layout.js';

/** The parts of pdfjs' results that are used here; its own types are wider. */
interface TextItem {
  readonly str: string;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
}
interface TextChunk {
  readonly items: readonly (TextItem | { readonly type: string })[];
  readonly styles: Readonly<Record<string, { readonly vertical?: boolean } | undefined>>;
}
interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
  /** The lines of the text that its appearance shows. */
  readonly textContent?: readonly string[];
  readonly hidden?: boolean;
}

/** Largest size of letters in form fields and notes, pt; a lower box reduces it. */
const NOTE_SIZE = 10;

/** What the space of a font is that shows the numbers of its glyphs, and how far these are from letters. */
const SPACE_GLYPH = '\u0003';
const GLYPH_TO_LETTER = 29;
/** Texts of nothing but numbers of glyphs from the space to `~`. */
const GLYPHS = /^[\u0003-\u0061]+$/;

/** The texts of a page. */
export interface PageTexts {
  /** Those on the page. */
  readonly pieces: readonly TextPiece[];
  /** What its content draws, in that order, on the page or not. */
  readonly drawn: readonly TextPiece[];
  /** Whether reading stopped before the end. */
  readonly isCut: boolean;
}

/**
 * The text of a page: what is drawn on it, values of form fields and free-text notes. Places are in points in the
 * page's upright frame (its rotation applied), origin upper left.
 * @param mostCharacters number of characters after which reading stops.
 * @throws EngineError `LIMIT_EXCEEDED` for fonts that take more than a reading process can hold, and for contents
 * beyond {@link checkContents}.
 */
export async function piecesOf(page: PDFPageProxy, mostCharacters: number, limits: Limits): Promise<PageTexts> {
  const viewport = page.getViewport({ scale: 1 });
  const toPage = viewport.transform as unknown as Affine;
  const read: { readonly font: string; readonly piece: TextPiece }[] = [];
  beginContents(limits);
  const reader = (page.streamTextContent() as ReadableStream<TextChunk>).getReader();
  const fonts = new Set<string>();
  let characters = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const item of next.value.items) {
      if (!('str' in item)) continue;
      fonts.add(item.fontName);
      characters += Math.max(1, item.str.length);
      if (item.str.trim() === '') continue;
      const isVertical = next.value.styles[item.fontName]?.vertical === true;
      read.push({ font: item.fontName, piece: pieceOf(item, toPage, isVertical) });
    }
    checkFonts(`page ${page.pageNumber}`, fonts.size, limits);
    if (characters > mostCharacters) {
      await reader.cancel(new Error('enough text'));
      break;
    }
  }
  checkContents(`page ${page.pageNumber}`, limits);
  const pieces = withLetters(read);
  const drawn = [...pieces];
  for (const annotation of (await page.getAnnotations()) as readonly Annotation[])
    for (const note of notesOf(annotation, toPage)) pieces.push(note);
  const on = pieces.filter((piece) => isOn(piece, viewport.width, viewport.height));
  return { pieces: on, drawn, isCut: characters > mostCharacters };
}

/**
 * Texts of fonts that are not embedded and state no characters show the numbers of their glyphs. Those of TrueType
 * fonts are in the order of ASCII from the space, 3, on: a font with that between its words, and nothing else, is one.
 */
function withLetters(read: readonly { readonly font: string; readonly piece: TextPiece }[]): TextPiece[] {
  const spaced = new Set<string>();
  const others = new Set<string>();
  for (const { font, piece } of read)
    if (!GLYPHS.test(piece.text)) others.add(font);
    else if (piece.text.slice(1, -1).includes(SPACE_GLYPH)) spaced.add(font);
  return read.map(({ font, piece }) => {
    if (!spaced.has(font) || others.has(font)) return piece;
    const letters = [...piece.text].map((glyph) => String.fromCharCode(glyph.charCodeAt(0) + GLYPH_TO_LETTER));
    return { ...piece, text: letters.join('') };
  });
}

function pieceOf({ str, transform, width, height }: TextItem, toPage: Affine, vertical: boolean): TextPiece {
  const [a, b, c, d, x, y] = compose2d(toPage, transform);
  const scale = Math.hypot(toPage[0], toPage[1]);
  const size = Math.hypot(c, d);
  const angle = Math.atan2(b, a);
  // Vertical scripts run down the page; pdfjs gives the length of such a line as its height.
  if (vertical) return { text: str, x, y, angleRad: angle + Math.PI / 2, length: height * scale, height: size };
  return { text: str, x, y, angleRad: angle, length: width * scale, height: size };
}

/**
 * The lines of a form field's value or of a free-text note, as its appearance shows it, placed from the top of its box.
 */
function notesOf(
  { subtype, rect, fieldValue, contentsObj, textContent, hidden }: Annotation,
  toPage: Affine,
): TextPiece[] {
  if (rect === undefined || rect.length !== 4 || hidden === true) return [];
  const value =
    subtype === 'Widget'
      ? Array.isArray(fieldValue)
        ? fieldValue.join('\n')
        : fieldValue
      : subtype === 'FreeText'
        ? (textContent?.join('\n') ?? contentsObj?.str)
        : undefined;
  if (typeof value !== 'string' || value.trim() === '' || value === 'Off') return [];
  const [x1, y1] = applyTo(toPage, rect[0], rect[1]);
  const [x2, y2] = applyTo(toPage, rect[2], rect[3]);
  const lines = value.split(/\r\n?|\n/);
  const size = Math.min(NOTE_SIZE, Math.abs(y2 - y1) / lines.length);
  return lines.map((text, i) => ({
    text,
    x: Math.min(x1, x2),
    y: Math.min(y1, y2) + (1.2 * i + 0.9) * size,
    angleRad: 0,
    length: Math.min(Math.abs(x2 - x1), 0.5 * size * text.length),
    height: size,
  }));
}

/** Whether any part of the text lies on the page. */
function isOn({ x, y, angleRad, length, height }: TextPiece, width: number, pageHeight: number): boolean {
  const endX = x + length * Math.cos(angleRad),
    endY = y + length * Math.sin(angleRad);
  return (
    Math.max(x, endX) + height >= 0 &&
    Math.min(x, endX) - height <= width &&
    Math.max(y, endY) + height >= 0 &&
    Math.min(y, endY) - height <= pageHeight
  );
}
