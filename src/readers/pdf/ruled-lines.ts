import type { Picture } from '../pdf-file/pdfjs.js';

/** Darker than this is ink: thin grey lines of a scan count, paper and its noise do not. */
const INK = 210;
/** A ruled line is at least so long, as a share of the picture's side, and at most so thick. */
const LENGTH = 0.25;
const THICKNESS = 0.01;

/** Straight level and upright lines across a picture: the frame, title block and long edges of a scanned drawing. */
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

/** Neighbouring lines of pixels are one ruled line, unless they are too many: then they are a dark area. */
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
