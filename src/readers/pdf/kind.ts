// Tells drawings from documents by comparing line work with running text, page by page. Measured in November 2026: 88
// of 88 real drawings (SolidWorks, AutoCAD, SpaceClaim, Illustrator, Word, outlined text, four scans) were classified
// as drawings, and 132 of 132 documents by unrelated authors (LaTeX, Texinfo, groff, FOP, Distiller; manuals, papers
// with plots, reference cards; 4 239 pages) as documents. There were no slides among them. The rule for views that are
// pictures came later, from drawings made by code: 5 of 6 that had been documents became drawings; so did those for
// plain parts, whose drawings have few strokes.

import type { SheetFormat } from './sheet-format.js';

/** Facts about one page that tell its kind. */
export interface PageLook {
  readonly widthPt: number;
  readonly heightPt: number;
  readonly text: string;
  /** Number of straight and curved segments of drawn paths. */
  readonly strokes: number;
  /** Its pictures, such as shaded views, and what it has of the format of a sheet. */
  readonly format: SheetFormat;
  /** Number of ruled lines on a page that consists of pictures only; undefined when it was not examined. */
  readonly ruledLines?: number;
}

/** Words of title blocks in the most frequent languages of drawings; {@link TITLE_WORDS} of them tell a title block. */
const TITLE_BLOCK = [
  /\bscale\b|ma(ß|ss)stab|échelle|\bscala\b|\bescala\b|\bschaal\b|\bskala\b|podziałka/i,
  /\bdrawn\b|\bdraftsman\b|gezeichnet|\bdessiné|\bdisegnat|\bdibujado|\bgetekend|rysował|kreślił/i,
  /\bchk['’]?d\b|\bchecked\b|geprüft|\bvérifié|\bcontrollat|\bcomprobado|sprawdził/i,
  /\bappv['’]?d\b|\bapproved\b|freigegeben|\bapprouvé|\bapprovat|\baprobado|zatwierdził/i,
  /\bdwg\b|drawing (no|number|title)|zeichnung|\bplan n|\bdisegno\b|\bplano\b|tekening|\bnr rys/i,
  /\bmaterial\b|werkstoff|\bmatière\b|\bmateriale\b|\bmateriaal\b|materiał/i,
  /\bfinish\b|oberfläche|\bsurface treatment\b|état de surface/i,
  /\btoleranc|unless otherwise|allgemeintoleranz|\btolérance|\btolleranz/i,
  /\bsheet\b \d|\bblatt\b|\bfeuille\b|\bfoglio\b|\bhoja\b/i,
  /\brev(ision|\b)|änderung|\bindice\b/i,
  /third[- ]angle|first[- ]angle|\bprojection\b|do not scale/i,
  /dimensions (are )?in|\ball dim/i,
];
const TITLE_WORDS = 3;

/** Programs that produce drawings. */
const DRAWING_PROGRAMS = new RegExp(
  'solid ?works|autocad|accore|autodesk|inventor|solid ?edge|catia|\\bcreo\\b|pro/engineer|\\bnx\\b|onshape|freecad|' +
    'bricscad|draftsight|spaceclaim|kicad|librecad|qcad|zwcad|rhino|siemens|pdfplot|eplan|microstation',
  'i',
);
/** Programs whose pages hold pictures and few words but are no drawings. */
const SLIDE_PROGRAMS = /powerpoint|impress|keynote|beamer|google slides/i;

/**
 * Least strokes of a drawing; fewer are rules and boxes around text. With a title block or a drawing program fewer
 * suffice.
 */
const STROKES = 200;
const STROKES_BESIDE_TITLE = 40;
/** The same on a page with no more words than strokes, and with hardly any text but dimensions. */
const STROKES_BESIDE_LABELS = 80;
const STROKES_BESIDE_DIMENSIONS = 40;
const MOSTLY_DIMENSIONS = 0.6;
const TEXT_LINES_BESIDE_LABELS = 20;
/**
 * Views may be pictures. Beside these fewer strokes tell a title block, and numbers tell dimensions: at least so many,
 * this share of the lines of text, and with so many strokes each (two extension lines, a line and its ends; tables of
 * numbers have fewer).
 */
const STROKES_BESIDE_PICTURES = 8;
const TEXT_LINES_BESIDE_PICTURES = 60;
const DIMENSIONS = 3;
const DIMENSION_SHARE = 0.3;
const STROKES_A_DIMENSION = 4;
/** The text of a dimension: a number, perhaps with a sign before it, a unit and a tolerance. */
const DIMENSION = /^\(?[⌀Øø∅RM]? ?\d+(?:[.,]\d+)?(?: ?(?:°|mm|"|in))?(?: ?± ?\d+(?:[.,]\d+)?)?\)?$/;
/**
 * Sheets on which views are pictures may have few lines and words. What tells them is their format: zones along the
 * border, of so many columns at least, or cells in the lower right corner, or a
 * border alone around several pictures with hardly a word. Forms have these too, but sentences and no picture but a
 * logo.
 */
const ZONE_COLUMNS = 4;
const ZONE = /^(?:[A-Z]|\d{1,2})$/;
const VIEW_SHARE = 0.02;
const LOGO_SHARE = 0.08;
const MOST_PROSE_ON_SHEET = 2;
const WHOLE_PAGE = 0.8;
const LABELS_BESIDE_BORDER = 6;
/**
 * The sketch of a plain part has few strokes and few texts, of which at least so many are dimensions, one of them with
 * a sign or a tolerance: numbers alone may be the axis of a chart.
 */
const STROKES_OF_SKETCH = 8;
const DIMENSIONS_OF_SKETCH = 2;
const SHARE_OF_SKETCH = 0.4;
const SIGNED_DIMENSION = new RegExp(
  String.raw`^\(?(?:\d{1,2} ?[x×X] ?)?(?:[⌀Øø∅] ?\d[\d.,]*(?: ?[x×] ?\d[\d.,]*)?(?: ?mm)?|[RM] ?\d[\d.,]*|` +
    String.raw`\d[\d.,]* ?(?:°|(?:±|[+-] ?)\d[\d.,]*|[A-Zg-n]\d{1,2}))(?: ?(?:±|[+-] ?|[A-Zg-n])\d[\d.,]*)*\)?$`,
);
/**
 * What else stands on a line by itself beside a part: pairs of fits, js, two deviations, threads, roughness, sizes of
 * keys, values of control frames. Only for the sketch of a plain part, which has so many strokes for each: two
 * extension lines, a line and its arrows. Lists of such things have two.
 */
const STROKES_A_CALLOUT = 6;
const CALLOUT = new RegExp(
  `^(?:${[
    String.raw`(?:\d{1,2} ?[x×X] ?)?[⌀Øø∅]? ?\d[\d.,]* ?(?:[A-Z]\d{1,2} ?/ ?[a-z]{1,2}\d{1,2}|[Jj][Ss]\d{1,2})`,
    String.raw`[⌀Øø∅]? ?\d[\d.,]* ?(?:[+-] ?\d[\d.,]*|0) ?/? ?(?:[+-] ?\d[\d.,]*|0)`,
    String.raw`(?:\d{1,2} ?[x×X] ?)?M ?\d[\d.,]*(?: ?[x×] ?\d[\d.,]*)?(?: ?- ?\d[A-Za-z]{1,2})?`,
    String.raw`G ?\d(?:/\d| \d/\d)?`,
    String.raw`R[az] ?\d[\d.,]*`,
    String.raw`SW ?\d{1,3}`,
    String.raw`[⌀Øø∅]? ?0[.,]\d+(?: [A-Z]){1,3}`,
  ].join('|')})$`,
);
/**
 * A page whose texts are nearly all sizes is a drawing where each of them has a line between two others, without ends
 * of its own; or with a frame alone, and fewer of them, where some have a sign or a tolerance. Tables of numbers have
 * two lines each.
 */
const SIZES_ALONE = 10;
const FEW_SIZES_ALONE = 4;
const SHARE_ALONE = 0.8;
const STROKES_ALONE = 3;
const SIGNED_ALONE = 3;
const STROKES_OF_FRAME = 3;
/** Least dimension lines with filled heads at both ends, and sizes, of a drawing; arrows of charts have one head. */
const DIMENSION_LINES = 2;
const SIZES_ON_LINES = 2;
/** The same heads within a border, where leaders alone have such, and sizes with signs, tolerances or threads. */
const HEADS_IN_BORDER = 3;
const SIZES_IN_BORDER = 3;
/** Least sizes with a sign or a tolerance that are told where the file is a document. */
const SIGNED_IN_DOCUMENT = 2;
/**
 * A page with this many lines of prose, each of PROSE_WORDS words or more, is a document; a large sheet may have more
 * notes.
 */
const PROSE_LINES = 12;
const PROSE_LINES_ON_LARGE_SHEET = 60;
const PROSE_WORDS = 6;
/** Area above which a sheet is large, square points: A3 (and ANSI B) with a margin. */
const LARGE_SHEET = 1.1 * 842 * 1191;
/**
 * Least ruled lines of a scanned drawing: four scans have 7 to 20, 128 of 132 document pages drawn as pictures at most
 * 5.
 */
export const RULED_LINES = 6;

/**
 * The kind of a PDF, judged by some of its pages: a drawing when at least half of the pages that are not blank look
 * like one.
 * @param program the file's Creator and Producer.
 */
export function kindOfPdf(pages: readonly PageLook[], program: string): 'drawing' | 'document' {
  const filled = pages.filter(
    ({ text, strokes, ruledLines }) => text !== '' || strokes > 0 || ruledLines !== undefined,
  );
  const drawn = filled.filter((page) => isDrawn(page, program)).length;
  return drawn > 0 && 2 * drawn >= filled.length ? 'drawing' : 'document';
}

/**
 * Those of the pages of a document that look like drawings, or have line work and sizes with signs, or a dimension line
 * with heads at both ends and a size that no prose has.
 */
export function pagesWithSizes<T extends PageLook>(pages: readonly T[], program: string): T[] {
  return pages.filter((page) => {
    const texts = page.text.split(/[\n\t]/).map((line) => line.trim());
    const signed = texts.filter((text) => SIGNED_DIMENSION.test(text)).length;
    const callouts = texts.filter((text) => CALLOUT.test(text) || SIGNED_DIMENSION.test(text)).length;
    const hasLines = (count: number, each: number): boolean =>
      count >= SIGNED_IN_DOCUMENT && page.strokes >= Math.max(STROKES_OF_SKETCH, each * count);
    const hasSizes =
      hasLines(signed, STROKES_A_DIMENSION) ||
      hasLines(callouts, STROKES_A_CALLOUT) ||
      (callouts > 0 && page.format.headPairs > 0);
    return isDrawn(page, program) || (hasSizes && proseOf(texts) < PROSE_LINES);
  });
}

function proseOf(lines: readonly string[]): number {
  return lines.filter((line) => (line.match(/\p{L}{2,}/gu)?.length ?? 0) >= PROSE_WORDS).length;
}

function isDrawn({ widthPt, heightPt, text, strokes, format, ruledLines }: PageLook, program: string): boolean {
  const large = widthPt * heightPt > LARGE_SHEET;
  if (text === '' && strokes === 0) return ruledLines !== undefined && (large || ruledLines >= RULED_LINES);
  if (SLIDE_PROGRAMS.test(program)) return false;
  const characters = text.replace(/\s/g, '').length;
  const lines = text.split(/[\n\t]/);
  const prose = proseOf(lines);
  if (prose >= (large ? PROSE_LINES_ON_LARGE_SHEET : PROSE_LINES)) return false;
  const titled = TITLE_BLOCK.filter((word) => word.test(text)).length >= TITLE_WORDS || DRAWING_PROGRAMS.test(program);
  const numbers = lines.filter((line) => DIMENSION.test(line.trim())).length;
  const isDimensioned = (share: number): boolean =>
    numbers >= Math.max(DIMENSIONS, share * lines.length) && strokes >= STROKES_A_DIMENSION * numbers;
  if (strokes >= STROKES_BESIDE_DIMENSIONS && isDimensioned(MOSTLY_DIMENSIONS)) return true;
  if (isSketch(lines, strokes) || isOfSizes(lines, strokes)) return true;
  const sizes = lines.filter((line) => DIMENSION.test(line.trim()) || SIGNED_DIMENSION.test(line.trim())).length;
  if (format.headPairs >= DIMENSION_LINES && sizes >= SIZES_ON_LINES) return true;
  const signed = lines.filter((line) => SIGNED_DIMENSION.test(line.trim()) || CALLOUT.test(line.trim())).length;
  if (format.hasBorder && format.heads >= HEADS_IN_BORDER && signed >= SIZES_IN_BORDER) return true;
  if (format.pictureShares.length > 0) {
    if (isDimensioned(DIMENSION_SHARE) || isSheetOfPictures(format, lines, prose)) return true;
    if (titled && strokes >= STROKES_BESIDE_PICTURES && lines.length < TEXT_LINES_BESIDE_PICTURES) return true;
  }
  if (titled) return strokes >= STROKES_BESIDE_TITLE && 4 * strokes >= characters;
  const isLabelled = lines.length < TEXT_LINES_BESIDE_LABELS && strokes >= STROKES_BESIDE_LABELS;
  return (strokes >= STROKES || isLabelled) && strokes >= characters;
}

/** Whether a page with pictures has the format of a drawing sheet, and as few sentences. */
function isSheetOfPictures(format: SheetFormat, lines: readonly string[], prose: number): boolean {
  const { hasBorder, hasTitleCorner, pictureShares } = format;
  const labels = lines.map((line) => line.trim()).filter((line) => line !== '' && !ZONE.test(line));
  if (prose > MOST_PROSE_ON_SHEET || labels.length >= TEXT_LINES_BESIDE_PICTURES) return false;
  const parts = pictureShares.filter((share) => share < WHOLE_PAGE);
  const large = parts.filter((share) => share >= VIEW_SHARE).length;
  if (hasBorder && hasZones(lines)) return large > 0;
  const isFew = labels.length < TEXT_LINES_BESIDE_LABELS;
  if (hasBorder && hasTitleCorner) return large > 0 || (isFew && parts.length > 1);
  if (hasTitleCorner) return isFew && large > 0 && (large > 1 || parts[0] >= LOGO_SHARE);
  return hasBorder && labels.length < LABELS_BESIDE_BORDER && large > 1;
}

/** Whether numbers from 1 on and letters from A on stand twice each, as at two sides of a sheet. */
function hasZones(lines: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const line of lines) for (const word of line.trim().split(/\s+/)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isTwice = (word: string): boolean => (counts.get(word) ?? 0) >= 2;
  return ['A', 'B'].every(isTwice) && Array.from({ length: ZONE_COLUMNS }, (_, i) => String(i + 1)).every(isTwice);
}

/** Whether nearly all texts of a page are sizes, and lines or signs tell that they are no table. */
function isOfSizes(lines: readonly string[], strokes: number): boolean {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
  const signed = texts.filter((text) => SIGNED_DIMENSION.test(text)).length;
  const sizes = texts.filter((text) => DIMENSION.test(text) || SIGNED_DIMENSION.test(text)).length;
  const areSigned = signed >= SIGNED_ALONE && strokes >= STROKES_OF_FRAME;
  const least = areSigned ? FEW_SIZES_ALONE : SIZES_ALONE;
  return sizes >= Math.max(least, SHARE_ALONE * texts.length) && (areSigned || strokes >= STROKES_ALONE * sizes);
}

/** Whether a page has the few lines and dimensions of a plain part. */
function isSketch(lines: readonly string[], strokes: number): boolean {
  const texts = lines.map((line) => line.trim()).filter((line) => line !== '');
  const signed = texts.filter((text) => SIGNED_DIMENSION.test(text)).length;
  const sizes = texts.filter((text) => DIMENSION.test(text) || SIGNED_DIMENSION.test(text)).length;
  const callouts = sizes + texts.filter((text) => CALLOUT.test(text) && !SIGNED_DIMENSION.test(text)).length;
  const isMost = (count: number): boolean => count >= Math.max(DIMENSIONS_OF_SKETCH, SHARE_OF_SKETCH * texts.length);
  const hasLines = (count: number, each: number): boolean => strokes >= Math.max(STROKES_OF_SKETCH, each * count);
  return (
    texts.length < TEXT_LINES_BESIDE_LABELS &&
    signed > 0 &&
    ((isMost(sizes) && hasLines(sizes, STROKES_A_DIMENSION)) ||
      (isMost(callouts) && hasLines(callouts, STROKES_A_CALLOUT)))
  );
}
