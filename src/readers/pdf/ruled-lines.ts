import type { Picture } from '../pdf-file/pdfjs.js';

/** Pixels darker than this are ink: thin grey lines of a scan are, paper and its noise are not. */
const INK = 210;
/** Least length and greatest thickness of a ruled line, as shares of the picture's side. */
const LENGTH = 0.25;
const THICKNESS = 0.01;

/** Counts long horizontal and vertical lines: the frame, title block and long edges of a scanned drawing. */
export function countRuledLines({ widthPx, heightPx, rgba }: Picture): number {
  const ink = (x: number, y: number): boolean => {
    const at = 4 * (y * widthPx + x);
    return rgba[at] + rgba[at + 1] + rgba[at + 2] < 3 * INK;
  };
  return (
    countAcross(heightPx, widthPx, (line, along) => ink(along, line)) +
    countAcross(widthPx, heightPx, (line, along) => ink(line, along))
  );
}

/** Adjacent inked pixel rows (or columns) form one ruled line; more than a line's thickness form a dark area. */
function countAcross(lines: number, length: number, ink: (line: number, along: number) => boolean): number {
  let count = 0;
  let thick = 0;
  for (let line = 0; line <= lines; line++) {
    let run = 0;
    let longest = 0;
    for (let along = 0; line < lines && along < length; along++) {
      run = ink(line, along) ? run + 1 : 0;
      if (run > longest) longest = run;
    }
    if (longest >= LENGTH * length) {
      thick++;
    } else {
      if (thick > 0 && thick <= Math.max(2, THICKNESS * lines)) count++;
      thick = 0;
    }
  }
  return count;
}
