// Pictures of letters and signs as scans and screens show them, with what they are: of fonts, and of single strokes.
// Seeded.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { GLYPH_CLASSES } from '../../dist/pmi/pictures/glyph-classes.js';
import { STROKE_LETTERS } from './strokes.mjs';

/** Characters that share the class of another one. */
const LIKE = [
  ['Oo°○', '0'],
  ['l|', 'I'],
  ['×', 'X'],
  ['Øø', '⌀'],
  ['−_⏤', '-'],
  ["'", ','],
  ...[...'ckpsuvwxz'].map((small) => [small, small.toUpperCase()]),
];

const require = createRequire(import.meta.url);
/**
 * Sans serif letterings such as drawings have, and a few others. [file of a package, letters left out because they have
 * an unusual form].
 */
const FONTS = [
  ['questrial/files/questrial-latin-400-normal'],
  ['questrial/files/questrial-latin-400-normal'],
  ['didact-gothic/files/didact-gothic-latin-400-normal'],
  ['jost/files/jost-latin-300-normal'],
  ['jost/files/jost-latin-500-normal'],
  ['poppins/files/poppins-latin-300-normal'],
  ['urbanist/files/urbanist-latin-400-normal'],
  ['quicksand/files/quicksand-latin-400-normal'],
  ['varela-round/files/varela-round-latin-400-normal'],
  ['arimo/files/arimo-latin-400-normal'],
  ['arimo/files/arimo-latin-400-normal'],
  ['arimo/files/arimo-latin-700-normal'],
  ['arimo/files/arimo-latin-400-italic'],
  ['roboto/files/roboto-latin-300-normal'],
  ['roboto/files/roboto-latin-400-normal'],
  ['open-sans/files/open-sans-latin-400-normal'],
  ['open-sans/files/open-sans-latin-600-normal'],
  ['overpass/files/overpass-latin-400-normal'],
  ['barlow/files/barlow-latin-400-normal'],
  ['b612/files/b612-latin-400-normal', '0'],
  ['montserrat/files/montserrat-latin-400-normal'],
  ['ubuntu/files/ubuntu-latin-400-normal'],
  ['oxygen/files/oxygen-latin-400-normal'],
  ['dosis/files/dosis-latin-400-normal'],
  ['share-tech-mono/files/share-tech-mono-latin-400-normal', '0'],
  ['tinos/files/tinos-latin-400-normal'],
  ['courier-prime/files/courier-prime-latin-400-normal'],
  ['architects-daughter/files/architects-daughter-latin-400-normal'],
];
const FONT_LETTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+±()/×=:%-.,Ø°'];
/** What fonts have no letter for is drawn by strokes; so is every third sample of the others. */
const STROKES_SHARE = 0.3;
const REJECT_SHARE = 0.16;
/** How often letters occur beside digits. */
const OFTEN = new Map(
  [...'0123456789'].map((letter) => [letter, 4]).concat([...'.,-⌀±+()RMHX'].map((letter) => [letter, 2])),
);
/** Pixels of the finest grid for one of the picture. */
const FINE = 4;

export class Samples {
  constructor(random) {
    this.random = random;
    const { parse } = require('opentype.js');
    this.fonts = FONTS.map(([file, without = '']) => {
      const bytes = readFileSync(require.resolve(`@fontsource/${file}.woff`));
      const font = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      const capital = font.charToGlyph('H').getMetrics().yMax / font.unitsPerEm;
      return { font, capital, without };
    });
    this.letters = [
      ...new Set([
        ...FONT_LETTERS.map((letter) => GLYPH_CLASSES[glyphClassOf(letter)]),
        ...Object.keys(STROKE_LETTERS),
      ]),
    ].flatMap((letter) => new Array(OFTEN.get(letter) ?? 1).fill(letter));
    this.byClass = new Map();
    for (const letter of FONT_LETTERS) {
      const of = GLYPH_CLASSES[glyphClassOf(letter)];
      this.byClass.set(of, [...(this.byClass.get(of) ?? []), letter]);
    }
  }

  /** A picture ({width, height, ink}) and the number of its class. */
  next() {
    const { random } = this;
    if (random() < REJECT_SHARE) return { picture: this.picture(this.reject()), label: 0 };
    const letter = this.letters[Math.floor(random() * this.letters.length)];
    return { picture: this.picture([this.shape(letter)]), label: GLYPH_CLASSES.indexOf(letter) };
  }

  /**
   * Polygons or strokes of a letter, capitals one unit high: {outlines} or {strokes}, its breadth and its line's width.
   */
  shape(letter, font) {
    const { random } = this;
    const chosen =
      font === undefined
        ? random() < STROKES_SHARE && STROKE_LETTERS[letter] !== undefined
          ? null
          : this.fonts[Math.floor(random() * this.fonts.length)]
        : font;
    const forms = this.byClass.get(letter);
    if (chosen === null || forms === undefined || chosen.without.includes(letter)) return this.stroked(letter);
    const character = forms[Math.floor(random() * forms.length)];
    const glyph = chosen.font.charToGlyph(character);
    if (glyph.index === 0) return this.stroked(letter);
    const outlines = outlinesOf(glyph.getPath(0, 0, 1 / chosen.capital));
    return outlines.length === 0 ? this.stroked(letter) : { outlines, strokes: [] };
  }

  stroked(letter) {
    const { random } = this;
    const forms = STROKE_LETTERS[letter];
    const jitter = () => 0.035 * (random() - 0.5);
    return {
      outlines: [],
      strokes: forms[Math.floor(random() * forms.length)].map((stroke) =>
        stroke.map(([x, y]) => [x + (stroke.length < 9 ? jitter() : 0), y + (stroke.length < 9 ? jitter() : 0)]),
      ),
    };
  }

  /** Several letters, a piece of one, or lines. */
  reject() {
    const { random } = this;
    const kind = random();
    if (kind < 0.5) {
      const font = random() < 0.3 ? null : this.fonts[Math.floor(random() * this.fonts.length)];
      const thin = new Set('I/()-.,:=');
      const pick = () => this.letters[Math.floor(random() * this.letters.length)];
      let first = pick(),
        second = pick();
      while (thin.has(first)) first = pick();
      while (thin.has(second) && random() < 0.7) second = pick();
      const left = this.shape(first, font),
        right = this.shape(second, font);
      const shift = boundsOf(left).maxX - boundsOf(right).minX + 0.02 + 0.14 * random();
      return [left, moved(right, shift)];
    }
    if (kind < 0.62) {
      const letter = '235RSAZXKE±m47'[Math.floor(random() * 14)];
      const shape = this.shape(letter);
      const { minX, maxX } = boundsOf(shape);
      const cut = minX + (maxX - minX) * (0.3 + 0.4 * random());
      return [{ ...shape, cut: random() < 0.5 ? [cut, Infinity] : [-Infinity, cut] }];
    }
    const strokes = [],
      outlines = [];
    const point = () => [random() * 1.2, random()];
    const count = 1 + Math.floor(random() * 4);
    if (count > 1)
      for (let i = 0; i < count; i++) strokes.push(random() < 0.7 ? [point(), point()] : [point(), point(), point()]);
    if (count === 1 || random() < 0.2) {
      // An arrowhead.
      const [x, y] = point(),
        turn = Math.floor(random() * 8) * (Math.PI / 4) + 0.1 * random(),
        long = 0.5 + random(),
        half = long * (0.12 + 0.1 * random());
      const at = (s, t) => [x + s * Math.cos(turn) - t * Math.sin(turn), y + s * Math.sin(turn) + t * Math.cos(turn)];
      outlines.push([at(0, 0), at(long, half), at(long, -half)]);
      if (random() < 0.6) strokes.push([at(0, 0), at(long * 1.6, 0)]);
    }
    return [{ outlines, strokes }];
  }

  /**
   * Draws shapes as a picture shows them: sheared, turned, of any size and weight, blurred, noisy, with rests of lines.
   */
  picture(shapes) {
    const { random } = this;
    const high = random() < 0.35 ? 9 + 8 * random() : 14 + 30 * random();
    const scale = high * FINE;
    const shear = random() < 0.6 ? 0.06 * (random() - 0.5) : 0.5 * (random() - 0.35),
      turn = 0.13 * (random() - 0.5),
      wide = 0.82 + 0.4 * random();
    const cos = Math.cos(turn),
      sin = Math.sin(turn);
    const map = ([x, y]) => {
      const u = wide * x + shear * y;
      return [scale * (u * cos - y * sin), -scale * (u * sin + y * cos)];
    };
    const placed = shapes.map(({ outlines, strokes, cut }) => ({
      outlines: outlines.map((line) => line.map(map)),
      strokes: strokes.map((line) => line.map(map)),
      cut: cut?.map((x) => x * scale * wide),
    }));
    const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
    for (const shape of placed) {
      const own = boundsOf(shape);
      box.minX = Math.min(box.minX, own.minX);
      box.maxX = Math.max(box.maxX, own.maxX);
      box.minY = Math.min(box.minY, own.minY);
      box.maxY = Math.max(box.maxY, own.maxY);
    }
    const weight = Math.max(0.9 * FINE, scale * (random() < 0.7 ? 0.06 + 0.07 * random() : 0.05 + 0.11 * random()));
    const margin = 3 * FINE + weight;
    const width = Math.ceil((box.maxX - box.minX + 2 * margin) / FINE),
      height = Math.ceil((box.maxY - box.minY + 2 * margin) / FINE);
    const fine = { width: width * FINE, height: height * FINE, bits: new Uint8Array(width * height * FINE * FINE) };
    const dx = margin - box.minX + FINE * random(),
      dy = margin - box.minY + FINE * random();
    for (const { outlines, strokes, cut } of placed) {
      const at = ([x, y]) => [x + dx, y + dy];
      const own = cut === undefined ? fine : { ...fine, bits: new Uint8Array(fine.bits.length) };
      fill(
        own,
        outlines.map((line) => line.map(at)),
      );
      for (const line of strokes) stroke(own, line.map(at), weight / 2);
      if (cut !== undefined)
        for (let i = 0; i < own.bits.length; i++)
          if (own.bits[i] === 1 && (i % own.width) - dx >= cut[0] && (i % own.width) - dx <= cut[1]) fine.bits[i] = 1;
    }
    if (random() < 0.1) {
      // The rest of a line that touched it, or a line through it that was taken out.
      const level = random() < 0.5,
        gone = random() < 0.4,
        thick = FINE * (1 + 2 * random());
      const across = level ? fine.height : fine.width,
        at = across * (gone ? 0.2 + 0.6 * random() : random() < 0.5 ? 0.12 : 0.88),
        end = random();
      for (let i = 0; i < fine.bits.length; i++) {
        const x = i % fine.width,
          y = (i - x) / fine.width;
        if (
          Math.abs((level ? y : x) - at) < thick / 2 &&
          (gone || (level ? x / fine.width : y / fine.height) < 0.3 * end)
        )
          fine.bits[i] = gone ? 0 : 1;
      }
    }
    return this.seen(fine, width, height);
  }

  /** From the fine grid to grey pixels. */
  seen(fine, width, height) {
    const { random } = this;
    let gray = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        let sum = 0;
        for (let v = 0; v < FINE; v++)
          for (let u = 0; u < FINE; u++) sum += fine.bits[(y * FINE + v) * fine.width + x * FINE + u];
        gray[y * width + x] = sum / (FINE * FINE);
      }
    }
    // Small letters are blurred once: more, and nobody could read them.
    const blurs = Math.floor(random() * (height < 20 ? 2 : 3));
    for (let i = 0; i < blurs; i++) gray = blurred(gray, width, height, 0.1 + 0.15 * random());
    const gain = 0.5 + random() * 1.2,
      bias = 0.15 * (random() - 0.5),
      noise = random() < 0.5 ? 0 : 0.12 * random();
    const isBinary = random() < 0.35,
      limit = 0.25 + 0.4 * random();
    const ink = new Uint8Array(width * height);
    for (let i = 0; i < gray.length; i++) {
      let value = gray[i] * gain + (gray[i] > 0.05 ? bias : 0) + noise * (random() + random() - 1);
      if (isBinary) value = gray[i] + noise * (random() - 0.5) > limit ? 1 : 0;
      ink[i] = value < 0.12 ? 0 : Math.min(255, Math.round(255 * value));
    }
    return { width, height, ink };
  }
}

function outlinesOf({ commands }) {
  const outlines = [];
  let line = [],
    x = 0,
    y = 0;
  const end = () => {
    if (line.length > 2) outlines.push(line);
    line = [];
  };
  for (const c of commands) {
    if (c.type === 'M') {
      end();
      line.push([c.x, -c.y]);
    } else if (c.type === 'L') line.push([c.x, -c.y]);
    else if (c.type === 'Q')
      for (let i = 1; i <= 6; i++) {
        const t = i / 6,
          s = 1 - t;
        line.push([s * s * x + 2 * s * t * c.x1 + t * t * c.x, -(s * s * y + 2 * s * t * c.y1 + t * t * c.y)]);
      }
    else if (c.type === 'C')
      for (let i = 1; i <= 8; i++) {
        const t = i / 8,
          s = 1 - t;
        line.push([
          s ** 3 * x + 3 * s * s * t * c.x1 + 3 * s * t * t * c.x2 + t ** 3 * c.x,
          -(s ** 3 * y + 3 * s * s * t * c.y1 + 3 * s * t * t * c.y2 + t ** 3 * c.y),
        ]);
      }
    else end();
    if (c.x !== undefined) [x, y] = [c.x, c.y];
  }
  end();
  return outlines;
}

function boundsOf({ outlines, strokes }) {
  let minX = Infinity,
    minY = Infinity,
    maxX = -Infinity,
    maxY = -Infinity;
  for (const line of [...outlines, ...strokes])
    for (const [x, y] of line) {
      minX = Math.min(minX, x);
      maxX = Math.max(maxX, x);
      minY = Math.min(minY, y);
      maxY = Math.max(maxY, y);
    }
  return { minX, minY, maxX, maxY };
}

function moved(shape, by) {
  const shift = (lines) => lines.map((line) => line.map(([x, y]) => [x + by, y]));
  return { outlines: shift(shape.outlines), strokes: shift(shape.strokes) };
}

/** Nonzero winding. */
function fill({ width, height, bits }, outlines) {
  const rows = Array.from({ length: height }, () => []);
  for (const line of outlines)
    line.forEach(([x0, y0], i) => {
      const [x1, y1] = line[(i + 1) % line.length];
      const down = y1 > y0 ? 1 : -1,
        [ax, ay, bx, by] = y1 > y0 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
      for (let y = Math.max(0, Math.ceil(ay - 0.5)); y < by - 0.5 && y < height; y++)
        rows[y].push([ax + ((bx - ax) * (y + 0.5 - ay)) / (by - ay), down]);
    });
  rows.forEach((row, y) => {
    row.sort((a, b) => a[0] - b[0]);
    let wind = 0;
    for (let i = 0; i + 1 < row.length; i++) {
      wind += row[i][1];
      if (wind !== 0)
        for (let x = Math.max(0, Math.ceil(row[i][0] - 0.5)); x < row[i + 1][0] - 0.5 && x < width; x++)
          bits[y * width + x] = 1;
    }
  });
}

function stroke({ width, height, bits }, line, half) {
  for (let i = 0; i + 1 < line.length; i++) {
    const [x0, y0] = line[i],
      [x1, y1] = line[i + 1];
    const dx = x1 - x0,
      dy = y1 - y0,
      squared = dx * dx + dy * dy || 1;
    for (
      let y = Math.max(0, Math.floor(Math.min(y0, y1) - half));
      y <= Math.min(height - 1, Math.max(y0, y1) + half);
      y++
    ) {
      for (
        let x = Math.max(0, Math.floor(Math.min(x0, x1) - half));
        x <= Math.min(width - 1, Math.max(x0, x1) + half);
        x++
      ) {
        const t = Math.max(0, Math.min(1, ((x + 0.5 - x0) * dx + (y + 0.5 - y0) * dy) / squared));
        if ((x + 0.5 - x0 - t * dx) ** 2 + (y + 0.5 - y0 - t * dy) ** 2 <= half * half) bits[y * width + x] = 1;
      }
    }
  }
}

function blurred(gray, width, height, side) {
  const pass = (from, step, length, lines, across) => {
    const to = new Float32Array(from.length);
    for (let l = 0; l < lines; l++)
      for (let i = 0; i < length; i++) {
        const at = l * across + i * step;
        to[at] =
          (1 - 2 * side) * from[at] + side * ((i > 0 ? from[at - step] : 0) + (i + 1 < length ? from[at + step] : 0));
      }
    return to;
  };
  return pass(pass(gray, 1, width, height, width), width, height, width, 1);
}

/** The class of a character; undefined when there is none. */
function glyphClassOf(character) {
  const at = GLYPH_CLASSES.indexOf(LIKE.find(([like]) => like.includes(character))?.[1] ?? character);
  return at > 0 ? at : undefined;
}
