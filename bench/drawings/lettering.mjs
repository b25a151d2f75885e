// Letters as a drawing program would draw them: strokes of a plotter font, or outlines of a printed one. Sizes are in
// heights of a capital; x to the right, y upwards from the baseline.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CIRCLED, LETTERS, pathsOf, ROUND, SIGNS } from '../glyphs/stroke-font.mjs';
import { STROKE_LETTERS } from '../lettering/strokes.mjs';

const require = createRequire(import.meta.url);
/** A package of the kit of parts; it reads TrueType and OpenType. */
const opentype = require('opentype.js');
const STANDARD = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');

/** Symbols that no printed font has, each as strokes. */
const RING = 24;
const GAP = 0.2;
const SPACE = 0.5;
/** Signs that neither table has. */
const MORE = { '⏤': [['l', 0, 0.5, 1, 0.5]], '○': [['c', 0.5, 0.5, 0.45]], '′': [['l', 0.1, 1, 0, 0.7]], '×': [['l', 0, 0.1, 0.5, 0.7], ['l', 0, 0.7, 0.5, 0.1]] }; // biome-ignore format: one row
const CIRCLED_LETTER = new Map(Object.entries(CIRCLED).map(([letter, sign]) => [sign, letter]));

/** Fonts of the outlines and of embedded text: file, and the height of a capital as a share of the font's size. */
export const PRINTED = {
  sans: { file: join(STANDARD, 'LiberationSans-Regular.ttf'), capital: 0.729 },
  'sans-bold': { file: join(STANDARD, 'LiberationSans-Bold.ttf'), capital: 0.729 },
  'sans-italic': { file: join(STANDARD, 'LiberationSans-Italic.ttf'), capital: 0.729 },
};
const loaded = new Map();

/** The font of a name of {@link PRINTED}, as opentype.js gives it. */
export function printedFont(name) {
  if (!loaded.has(name)) loaded.set(name, opentype.loadSync(PRINTED[name].file));
  return loaded.get(name);
}

/** Whether a printed font has a character. A diameter is written with the letter that looks like it. */
export function hasPrinted(name, sign) {
  return sign !== '⌀' && printedFont(name).charToGlyphIndex(sign) > 0;
}

/**
 * A character of a plotter font.
 * @param {{ rounds?: number, table?: 'grid' | 'technical', form?: number }} style
 * @returns { paths, width }: rows of points [x, y], and the distance to the next character.
 */
export function strokesOf(sign, { rounds = 2, table = 'grid', form = 0 } = {}) {
  if (sign === ' ') return { paths: [], width: SPACE };
  const circled = CIRCLED_LETTER.get(sign);
  if (circled !== undefined) {
    const inner = strokesOf(circled, { rounds: 1 });
    const wide = inner.width - GAP;
    const at = ([x, y]) => [0.62 + 0.6 * (x - wide / 2), 0.5 + 0.6 * (y - 0.5)];
    return { paths: [ringOf(0.62, 0.5, 0.62), ...inner.paths.map((path) => path.map(at))], width: 1.24 + GAP };
  }
  const forms = table === 'technical' ? STROKE_LETTERS[sign] : undefined;
  if (forms !== undefined) {
    const paths = forms[form % forms.length];
    return { paths, width: Math.max(...paths.flat().map(([x]) => x)) + GAP };
  }
  const paths = SIGNS[sign] ?? MORE[sign] ?? (LETTERS[sign] && pathsOf(LETTERS[sign], ROUND.has(sign) ? rounds : 0));
  if (paths === undefined) throw new Error(`the stroke font has no '${sign}'`);
  const drawn = paths.map(pointsOf);
  const right = Math.max(...drawn.flat().map(([x]) => x));
  return { paths: drawn, width: (SIGNS[sign] === undefined ? Math.max(right, 0.3) : right) + GAP + 0.05 };
}

/** Points of a path of the stroke font: a line, a ring, an arc or a filled shape. */
function pointsOf([kind, ...values]) {
  if (kind === 'c') return ringOf(...values);
  if (kind === 'a') return arcOf(...values);
  const points = Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);
  return kind === 'f' ? [...points, points[0]] : points;
}

/** A closed ring of chords. */
export function ringOf(x, y, radius) {
  return arcOf(x, y, radius, 0, 360);
}

function arcOf(x, y, radius, from, to) {
  return Array.from({ length: RING + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / RING) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/**
 * A string as it is drawn: rows of points from the start of its baseline, capitals 1 high; closed areas if the font is
 * printed. Characters that a printed font lacks are drawn as strokes.
 * @param {object} style { printed?: name of PRINTED, stroke?: style of strokesOf, stretch?, slant? }
 * @returns { strokes, areas, width }: areas are lists of contours, one list a character.
 */
export function drawnText(text, { printed, stroke = {}, stretch = 1, slant = 0 } = {}) {
  const strokes = [],
    areas = [];
  let x = 0;
  const place = ([px, py]) => [stretch * (x + px) + slant * py, py];
  for (const sign of text) {
    if (printed !== undefined && sign !== ' ' && hasPrinted(printed, sign)) {
      const { contours, width } = outlineOf(printed, sign);
      areas.push(contours.map((contour) => contour.map(place)));
      x += width;
      continue;
    }
    if (printed !== undefined && sign === ' ') {
      x += printedWidth(printed, ' ');
      continue;
    }
    const { paths, width } = strokesOf(sign, stroke);
    strokes.push(...paths.map((path) => path.map(place)));
    x += width;
  }
  return { strokes, areas, width: stretch * x };
}

/** The advance of a character of a printed font, in heights of a capital. */
export function printedWidth(name, sign) {
  const font = printedFont(name);
  return font.charToGlyph(sign).advanceWidth / font.unitsPerEm / PRINTED[name].capital;
}

function outlineOf(name, sign) {
  const { capital } = PRINTED[name];
  const glyph = printedFont(name).charToGlyph(sign);
  const contours = [];
  let last = [0, 0];
  const to = (px, py) => (last = [px / capital, -py / capital]);
  const curve = (steps, at) => {
    for (let i = 1; i <= steps; i++) contours.at(-1).push(at(i / steps));
  };
  for (const c of glyph.getPath(0, 0, 1).commands) {
    if (c.type === 'M') contours.push([to(c.x, c.y)]);
    else if (c.type === 'L') contours.at(-1).push(to(c.x, c.y));
    else if (c.type === 'Q') {
      const [a, b] = [last, [c.x1 / capital, -c.y1 / capital]];
      const d = to(c.x, c.y);
      curve(4, (t) => [0, 1].map((i) => (1 - t) ** 2 * a[i] + 2 * t * (1 - t) * b[i] + t * t * d[i]));
    } else if (c.type === 'C') {
      const [a, b, e] = [last, [c.x1 / capital, -c.y1 / capital], [c.x2 / capital, -c.y2 / capital]];
      const d = to(c.x, c.y);
      curve(5, (t) =>
        [0, 1].map(
          (i) => (1 - t) ** 3 * a[i] + 3 * t * (1 - t) ** 2 * b[i] + 3 * t * t * (1 - t) * e[i] + t ** 3 * d[i],
        ),
      );
    }
  }
  return { contours: contours.map((contour) => [...contour, contour[0]]), width: printedWidth(name, sign) };
}
