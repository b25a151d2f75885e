// Letters and signs as fields of distance to their outline or stroke, from which lines of any pen, size and slant can
// be drawn: of fonts that are free, and of strokes (../lettering, ../glyphs).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';
import { LETTERS, pathsOf, ROUND, SIGN_VARIANTS, VARIANTS } from '../glyphs/stroke-font.mjs';
import { RARE_LETTERS } from '../../dist/pictures/stroke-font.js';
import { strokesOf } from '../drawings/lettering.mjs';
import { STROKE_LETTERS } from '../lettering/strokes.mjs';

/**
 * Texels for a capital's height, of a cell, where its origin is, and the largest distance that it tells, in capitals.
 */
export const CELL = Object.freeze({ perCapital: 36, width: 72, height: 64, left: 0.2, top: 1.33, far: 0.25 });
/** Forms of a character in one style. */
export const FORMS = 6;
/** Characters that are read as another one. */
const ALSO = { x: ['×'], "'": ['′', '’'], '-': ['−', '–'], '⌀': ['Ø', 'ø'], '°': ['º'] };

/** Letters with marks that are read without them, a form of theirs in each font. */
const MARKED = { A: 'ÄÀÁ', E: 'ÉÈÊ', I: 'ÍÎ', O: 'ÖÓÔ', U: 'ÜÚÙ', C: 'Ç', N: 'Ñ', a: 'äàá', e: 'éèê', i: 'íï', o: 'öóô', u: 'üúùµ', c: 'ç', n: 'ñ', s: 'ß' }; // biome-ignore format: a row

/** Weights of the fonts, packages @fontsource/NAME (SIL Open Font License 1.1). The last are kept for the test. */
export const FONTS = [
  'questrial 400',
  'didact-gothic 400',
  'jost 300',
  'jost 500',
  'poppins 300',
  'urbanist 400',
  'quicksand 400',
  'varela-round 400',
  'arimo 400',
  'arimo 400',
  'arimo 400',
  'arimo 700',
  'arimo 400 italic',
  'roboto 300',
  'roboto 400',
  'open-sans 400',
  'open-sans 600',
  'barlow 400',
  'barlow-condensed 400',
  'b612 400',
  'montserrat 400',
  'ubuntu 400',
  'oxygen 400',
  'dosis 300',
  'dosis 400',
  'share-tech-mono 400',
  'share-tech 400',
  'tinos 400',
  'courier-prime 400',
  'architects-daughter 400',
  'roboto-condensed 300',
  'roboto-condensed 400',
  'nunito 200',
  'nunito 400',
  'inconsolata 400',
  'saira-semi-condensed 300',
  'text-me-one 400',
  'roboto-mono 400',
  'pt-sans 400',
  'lato 400',
  'noto-sans 400',
  'fira-sans 400',
  'ibm-plex-mono 400',
  'archivo-narrow 400',
  'rajdhani 400',
  'comfortaa 400',
  'overpass 400',
  'cousine 400',
  'titillium-web 400',
  'source-code-pro 400',
];
const TESTED = 4;

/**
 * @param {string} folder of @fontsource packages.
 * @returns { styles, table, cells, advances, isStroke, tested }: styles by name; i32 numbers of cells, styles ×
 * characters × FORMS; u8 of each cell; the way to the next character, capitals; which styles are for the test.
 */
export function atlasOf(folder) {
  const { parse } = createRequire(import.meta.url)('opentype.js');
  const cells = [],
    advances = [],
    isStroke = [];
  const add = (drawn) => {
    cells.push(cellOf(drawn));
    advances.push(drawn.advance);
    isStroke.push(drawn.contours === undefined ? 1 : 0);
    return cells.length - 1;
  };
  const signs = new Map(LINE_CHARACTERS.map((sign) => [sign, strokedForms(sign).map(add)]));
  const styles = [],
    table = [];
  const enter = (name, formsOf) => {
    styles.push(name);
    for (const sign of LINE_CHARACTERS) {
      const forms = sign === ' ' ? [] : formsOf(sign);
      for (let i = 0; i < FORMS; i++) table.push(forms.length === 0 ? -1 : forms[i % forms.length]);
    }
  };
  for (const font of FONTS) {
    const [name, weight, slope = 'normal'] = font.split(' ');
    const bytes = readFileSync(join(folder, name, 'files', `${name}-latin-${weight}-${slope}.woff`));
    const parsed = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const capital = parsed.charToGlyph('H').getMetrics().yMax / parsed.unitsPerEm;
    enter(font, (sign) => {
      const own = [sign, ...(ALSO[sign] ?? [])].flatMap((form) => printed(parsed, capital, form)).map(add);
      const drawn = signs.get(sign);
      const marks = [...(MARKED[sign] ?? '')];
      if (own.length === 1 && marks.length > 0) {
        const marked = printed(parsed, capital, marks[styles.length % marks.length]).map(add);
        return [own[0], own[0], own[0], own[0], own[0], marked[0] ?? own[0]];
      }
      return own.length === 0
        ? rotated(drawn, styles.length)
        : sign === '⌀'
          ? [own[0], ...rotated(drawn, styles.length)]
          : own;
    });
  }
  const isPlain = (sign) => STROKE_LETTERS[sign] === undefined || LETTERS[sign] !== undefined;
  for (let form = 0; form < 6; form++)
    enter(`technical ${form}`, (sign) => {
      const forms = STROKE_LETTERS[sign];
      return forms === undefined || !isPlain(sign)
        ? rotated(signs.get(sign), form)
        : [add(technical(forms[form % forms.length], sign))];
    });
  for (let rounds = 0; rounds < 3; rounds++)
    enter(`grid ${rounds}`, (sign) => {
      const paths = LETTERS[sign];
      if (paths === undefined) return rotated(signs.get(sign), rounds);
      const forms = [paths, ...(VARIANTS[sign] ?? [])];
      return forms.map((each) => add(plotter(each, ROUND.has(sign) ? rounds : 0)));
    });
  enter('any stroke', (sign) => signs.get(sign));
  enter('any stroke', (sign) => rotated(signs.get(sign), 3));
  return {
    styles,
    table: Int32Array.from(table),
    cells,
    advances,
    isStroke,
    tested: FONTS.map((_, i) => i).slice(-TESTED),
  };
}

function rotated(forms, by) {
  return forms.map((_, i) => forms[(i + by) % forms.length]);
}

function strokedForms(sign) {
  if (sign === ' ') return [];
  const forms = (STROKE_LETTERS[sign] ?? []).map((form) => technical(form, sign));
  for (const form of SIGN_VARIANTS[sign] ?? []) forms.push(signed(form));
  for (const rounds of [0, 2]) {
    try {
      const { paths, width } = strokesOf(sign === "'" ? '′' : sign, { table: 'grid', rounds });
      forms.push({ strokes: paths, advance: width });
    } catch (error) {
      if (!/the stroke font has no/.test(String(error))) throw error;
    }
  }
  if (RARE_LETTERS[sign] !== undefined) forms.push(plotter(RARE_LETTERS[sign], 0), plotter(RARE_LETTERS[sign], 2));
  if (sign === 'x') forms.push({ strokes: strokesOf('×').paths, advance: strokesOf('×').width });
  if (forms.length === 0) throw new Error(`no strokes for '${sign}'`);
  return forms;
}

function technical(strokes) {
  const left = Math.min(0, ...strokes.flat().map(([x]) => x));
  const shifted = strokes.map((stroke) => stroke.map(([x, y]) => [x - left, y]));
  return { strokes: shifted, advance: Math.max(...shifted.flat().map(([x]) => x)) + 0.2 };
}

function plotter(paths, rounds) {
  const strokes = pathsOf(paths, rounds).map(([, ...values]) => pairs(values));
  return { strokes, advance: Math.max(0.3, ...strokes.flat().map(([x]) => x)) + 0.25 };
}

function pairs(values) {
  return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);
}

function signed(form) {
  const strokes = form.map(([kind, ...values]) => {
    if (kind === 'l') return pairs(values);
    if (kind === 'f') return [...pairs(values), pairs(values)[0]];
    const [x, y, radius, from = 0, to = 360] = values;
    return Array.from({ length: 25 }, (_, i) => {
      const angle = ((from + ((to - from) * i) / 24) * Math.PI) / 180;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
  });
  return technical(strokes);
}

/** A character of a font as closed contours; none where the font lacks it. */
function printed(font, capital, sign) {
  if (font.charToGlyphIndex(sign) === 0) return [];
  const glyph = font.charToGlyph(sign);
  const contours = [];
  let last = [0, 0];
  const curve = (points) => {
    const from = [last, ...points.map(([x, y]) => [x / capital, -y / capital])];
    for (let i = 1; i <= 6; i++) {
      let row = from;
      while (row.length > 1)
        row = row.slice(1).map((point, k) => [0, 1].map((j) => row[k][j] + (point[j] - row[k][j]) * (i / 6)));
      contours.at(-1).push(row[0]);
    }
    last = from.at(-1);
  };
  for (const c of glyph.getPath(0, 0, 1).commands) {
    if (c.type === 'M') {
      last = [c.x / capital, -c.y / capital];
      contours.push([last]);
    } else if (c.type === 'L') {
      last = [c.x / capital, -c.y / capital];
      contours.at(-1).push(last);
    } else if (c.type === 'Q')
      curve([
        [c.x1, c.y1],
        [c.x, c.y],
      ]);
    else if (c.type === 'C')
      curve([
        [c.x1, c.y1],
        [c.x2, c.y2],
        [c.x, c.y],
      ]);
  }
  if (contours.length === 0) return [];
  return [
    { contours: contours.map((each) => [...each, each[0]]), advance: glyph.advanceWidth / font.unitsPerEm / capital },
  ];
}

/** u8 of a cell: distance from -far, within, to far, as 0 to 255. */
function cellOf({ contours, strokes }) {
  const { perCapital, width, height, left, top, far } = CELL;
  const at = ([x, y]) => [(x + left) * perCapital - 0.5, (top - y) * perCapital - 0.5];
  const rows = (contours ?? strokes).map((line) => line.map(at));
  const away = new Float32Array(width * height).fill(far * perCapital);
  const reach = far * perCapital;
  for (const row of rows)
    for (let i = 0; i + 1 < Math.max(2, row.length); i++) {
      const [[ax, ay], [bx, by]] = [row[i], row[i + 1] ?? row[i]];
      const [dx, dy] = [bx - ax, by - ay];
      const long = dx * dx + dy * dy;
      for (
        let y = Math.max(0, Math.floor(Math.min(ay, by) - reach));
        y <= Math.min(height - 1, Math.max(ay, by) + reach);
        y++
      )
        for (
          let x = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
          x <= Math.min(width - 1, Math.max(ax, bx) + reach);
          x++
        ) {
          const t = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / long));
          const d = Math.hypot(x - ax - t * dx, y - ay - t * dy);
          if (d < away[y * width + x]) away[y * width + x] = d;
        }
    }
  if (contours !== undefined)
    for (let y = 0; y < height; y++) {
      const crossings = [];
      for (const row of rows)
        for (let i = 0; i + 1 < row.length; i++) {
          const [[ax, ay], [bx, by]] = [row[i], row[i + 1]];
          if (ay <= y !== by <= y) crossings.push([ax + ((y - ay) / (by - ay)) * (bx - ax), by > ay ? 1 : -1]);
        }
      crossings.sort((a, b) => a[0] - b[0]);
      let winding = 0;
      for (let i = 0; i + 1 < crossings.length; i++) {
        winding += crossings[i][1];
        if (winding === 0) continue;
        for (let x = Math.max(0, Math.ceil(crossings[i][0])); x <= Math.min(width - 1, crossings[i + 1][0]); x++)
          away[y * width + x] = -Math.abs(away[y * width + x]);
      }
    }
  return Uint8Array.from(away, (d) => Math.max(0, Math.min(255, Math.round(127.5 + (127.5 * d) / reach))));
}
