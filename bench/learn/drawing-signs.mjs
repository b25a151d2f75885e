/**
 * Makes the font of the signs of drawings (⌖ ⌓ ⌴ ↧ Ⓜ …), of which most machines lack some, for the page: their
 * strokes (`src/pictures/stroke-font.ts`) as areas. The same strokes give the same file.
 *
 * npm run bench -- learn/drawing-signs      writes src/page/styles/drawing-signs.otf
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import opentype from 'opentype.js';
import { CIRCLED, LETTERS, pathsOf, SIGNS } from '../glyphs/stroke-font.mjs';

/** Units of an em, height of a capital, half of a stroke's width, all in units of the font. */
const EM = 1000;
const CAPITAL = 720;
const HALF_STROKE = 38;
/** Corners of a full circle. */
const CORNERS = 48;
/** The time of making that the file states, s, so that the same strokes give the same bytes. */
const MADE = 1_700_000_000;
const TO = fileURLToPath(new URL('../../src/page/styles/drawing-signs.otf', import.meta.url));

/** The same sign under a second number. */
const ALSO = { '⟂': '⊥' };
/** Left to the font of the text. */
const LEFT_OUT = ['°', '□'];

const letterIn = (letter) => [
  ['c', 0.6, 0.5, 0.62],
  ...pathsOf(LETTERS[letter], 0).map(([kind, ...at]) => [
    kind,
    ...at.map((value, i) => (i % 2 === 0 ? 0.6 + (value - 1 / 3) * 0.62 : 0.5 + (value - 0.5) * 0.62)),
  ]),
];
const signs = {
  ...SIGNS,
  ...Object.fromEntries(Object.entries(ALSO).map(([other, sign]) => [other, SIGNS[sign]])),
  ...Object.fromEntries(Object.entries(CIRCLED).map(([letter, sign]) => [sign, letterIn(letter)])),
  '⏤': [['l', 0, 0.5, 1.2, 0.5]],
  '⌱': [...SIGNS['↗'], ...SIGNS['↗'].map((path) => moved(path, 0.5))],
};

const glyphs = [
  new opentype.Glyph({ name: '.notdef', advanceWidth: EM / 2, path: new opentype.Path() }),
  ...Object.entries(signs)
    .filter(([sign]) => !LEFT_OUT.includes(sign))
    .sort(([a], [b]) => a.codePointAt(0) - b.codePointAt(0))
    .map(([sign, paths]) => glyphOf(sign, paths)),
];
const font = new opentype.Font({
  familyName: 'Drawing Signs',
  styleName: 'Regular',
  unitsPerEm: EM,
  ascender: 900,
  descender: -200,
  createdTimestamp: MADE,
  glyphs,
});
await writeFile(TO, bytesOf(font));
const numbers = glyphs.slice(1).map(({ unicode }) => `U+${unicode.toString(16).toUpperCase()}`);
console.log(`${numbers.length} signs, unicode-range: ${numbers.join(', ')}`);

function bytesOf(font) {
  // The library writes the present as the time of the last change.
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    getTime() {
      return MADE * 1000;
    }
  };
  try {
    return new Uint8Array(font.toArrayBuffer());
  } finally {
    globalThis.Date = RealDate;
  }
}

function moved([kind, ...at], dx) {
  return kind === 'c' || kind === 'a'
    ? [kind, at[0] + dx, ...at.slice(1)]
    : [kind, ...at.map((value, i) => (i % 2 === 0 ? value + dx : value))];
}

function glyphOf(sign, paths) {
  const areas = paths.flatMap((path) => areasOf(path));
  const left = Math.min(...areas.flat().map(([x]) => x));
  const path = new opentype.Path();
  for (const area of areas) {
    area.forEach(([x, y], i) => path[i === 0 ? 'moveTo' : 'lineTo'](Math.round(x - left + 60), Math.round(y)));
    path.close();
  }
  const right = Math.max(...areas.flat().map(([x]) => x));
  return new opentype.Glyph({
    name: `uni${sign.codePointAt(0).toString(16).toUpperCase()}`,
    unicode: sign.codePointAt(0),
    advanceWidth: Math.round(right - left + 120),
    path,
  });
}

/** Areas that run counter-clockwise, so that those which overlap join; the inside of a circle runs the other way. */
function areasOf([kind, ...at]) {
  if (kind === 'f') return [counterClockwise(pairs(at).map(scaled))];
  if (kind === 'c') {
    const [x, y, r] = [at[0] * CAPITAL, at[1] * CAPITAL, at[2] * CAPITAL];
    return [arc(x, y, r + HALF_STROKE, 0, 360), arc(x, y, r - HALF_STROKE, 0, 360).reverse()];
  }
  if (kind === 'a') {
    const [x, y, r] = [at[0] * CAPITAL, at[1] * CAPITAL, at[2] * CAPITAL];
    return [[...arc(x, y, r + HALF_STROKE, at[3], at[4]), ...arc(x, y, r - HALF_STROKE, at[3], at[4]).reverse()]];
  }
  const points = pairs(at).map(scaled);
  return [
    ...points.slice(1).map((to, i) => bar(points[i], to)),
    // Corners and ends are round.
    ...points.map(([x, y]) => arc(x, y, HALF_STROKE, 0, 360, 12)),
  ];
}

function arc(x, y, r, from, to, corners = CORNERS) {
  const count = Math.ceil((corners * (to - from)) / 360);
  return Array.from({ length: to - from === 360 ? count : count + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / count) * Math.PI) / 180;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

function bar([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  const [nx, ny] = [(-(by - ay) / length) * HALF_STROKE, ((bx - ax) / length) * HALF_STROKE];
  return [
    [ax - nx, ay - ny],
    [bx - nx, by - ny],
    [bx + nx, by + ny],
    [ax + nx, ay + ny],
  ];
}

function counterClockwise(points) {
  const area = points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);
  return area < 0 ? points.reverse() : points;
}

function pairs(at) {
  return Array.from({ length: at.length / 2 }, (_, i) => [at[2 * i], at[2 * i + 1]]);
}

function scaled([x, y]) {
  return [x * CAPITAL, y * CAPITAL];
}
