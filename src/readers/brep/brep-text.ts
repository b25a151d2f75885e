import { type EngineError, fileMalformed } from '../../errors.js';

/** Sections of Open CASCADE's BREP text, in the order of the file. */
const SECTIONS = 'Locations Curve2ds Curves Polygon3D PolygonOnTriangulations Surfaces Triangulations TShapes'.split(
  ' ',
);
/** Section of the polygons that edges are on a mesh, and the word before each one's deflection. */
const POLYGONS = 'PolygonOnTriangulations';
const DEFLECTION = 'p';
/** Keywords that begin a shape: vertex, edge, wire, face, shell, solid, compound solid, compound. */
const SHAPES = new Set(['Ve', 'Ed', 'Wi', 'Fa', 'Sh', 'So', 'CS', 'Co']);
/** Continuity of an edge across two faces; the file writes it directly behind the number of a curve. */
const CONTINUITY = /^\d*(C[0-3N]|G[12])$/;
/** The opening line must start within this many bytes. */
const OPENING_BYTES = 1024;
/** Longest number, bytes. A longer word counts as malformed. */
const WORD_BYTES = 64;

/**
 * Checks that a BREP text (Open CASCADE 7, "BRep format") is complete: all sections are there in order, they hold
 * numbers and the few words that the format puts among them, and there are as many shapes as the file announces. The
 * kernel reports a truncated STEP or IGES file, but waits forever for the rest of a truncated BREP text, which would
 * block the thread; hence this check before the kernel runs.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function checkBrepText(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const opening = text.subarray(0, OPENING_BYTES).indexOf('CASCADE Topology V');
  if (opening < 0) throw malformed('does not open with the line "CASCADE Topology V…"');
  let section = -1;
  let announced: number | undefined;
  let shapes = 0;
  let ends = 0;
  let last = '';
  const lineEnd = text.indexOf('\n', opening);
  for (let at = lineEnd < 0 ? text.length : lineEnd; at < text.length; ) {
    while (at < text.length && text[at] <= SPACE) at++;
    const start = at;
    while (at < text.length && text[at] > SPACE) at++;
    if (at === start) break;
    const word = text.toString('latin1', start, Math.min(at, start + WORD_BYTES));
    if (word === SECTIONS[section + 1]) {
      section++;
    } else if (isNumber(text, start, at)) {
      if (last === 'TShapes') announced = Number(word);
    } else if (section === SECTIONS.length - 1 && SHAPES.has(word)) {
      shapes++;
    } else if (section === SECTIONS.length - 1 && word === '*') {
      ends++;
    } else if (!CONTINUITY.test(word) && !(word === DEFLECTION && SECTIONS[section] === POLYGONS)) {
      throw malformed(
        `has ${JSON.stringify(word)} in section ${SECTIONS[section] ?? '(before the first)'}; expected a number`,
      );
    }
    last = word;
  }
  if (section < SECTIONS.length - 1) throw malformed(`ends before its section ${SECTIONS[section + 1]}`);
  if (announced !== shapes || ends !== shapes)
    throw malformed(`announces ${announced ?? 'no'} shapes but holds ${ends}`);
}

const SPACE = 0x20;

/** Whether the word consists of digits, signs, decimal points and exponent letters, with at least one digit. */
function isNumber(text: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = text[at];
    if (byte >= 0x30 && byte <= 0x39) digits++;
    else if (byte !== 0x2b && byte !== 0x2d && byte !== 0x2e && byte !== 0x45 && byte !== 0x65) return false;
  }
  return digits > 0 && end - start <= WORD_BYTES;
}

function malformed(what: string): EngineError {
  return fileMalformed(`the BREP text ${what}`);
}
