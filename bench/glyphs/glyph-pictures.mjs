// Labelled pictures of glyphs: letters of fonts and of the stroke font, signs of drawings, and what is no glyph;
// turned, slanted and stretched a little, thick and thin, as large as in vector drawings and as small and rough as in
// scans. The same seed gives the same pictures.
import { createRequire } from 'node:module';
import { CIRCLED, LETTERS, pathsOf, ROUND, SIGNS, SIGN_VARIANTS, VARIANTS } from './stroke-font.mjs';

const { createCanvas, GlobalFonts } = createRequire(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))(
  '@napi-rs/canvas',
);

/** What fonts have. */
const PRINTED = [
  ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:;-+=/\\()[]#%&*\'"<>_!?°±ÄÖÜäöüßµØ',
];
const SIDE = 128;
const HALF = 0.5;

/** '' is what is no glyph. */
export const CLASSES = [
  '',
  ...new Set([
    ...PRINTED.filter((text) => text !== 'Ø'),
    ...Object.keys(LETTERS),
    ...Object.keys(SIGNS),
    ...Object.values(CIRCLED),
  ]),
];

/** @param {readonly { file: string, style?: string }[]} fonts */
export function glyphPictures(fonts, seed) {
  const random = randomOf(seed);
  const canvas = createCanvas(SIDE, SIDE),
    context = canvas.getContext('2d', { willReadFrequently: true });
  const families = fonts.map(({ file }, i) => {
    const family = `glyphs-${seed}-${i}`;
    if (GlobalFonts.registerFromPath(file, family) === null) throw new Error(`${file} is no font`);
    return family;
  });
  context.fillStyle = context.strokeStyle = '#000';
  const between = (least, most) => least + (most - least) * random();
  const oneOf = (list) => list[Math.floor(random() * list.length)];

  /** A frame with a capital's height of 1, y up, the baseline at 0; returns its scale. */
  function place(size) {
    const isPlain = random() < 0.3;
    const turn = isPlain ? 0 : between(-0.06, 0.06),
      slant = isPlain ? 0 : oneOf([0, between(-0.12, 0.32)]),
      stretch = isPlain ? 1 : between(0.72, 1.3);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, SIDE, SIDE);
    context.translate(SIDE * 0.25, SIDE * 0.68);
    context.rotate(turn);
    context.transform(stretch, 0, -slant, 1, 0, 0);
    context.scale(size, -size);
  }

  function printed(text, family) {
    context.save();
    context.scale(1, -1);
    context.font = `100px ${family}`;
    context.textBaseline = 'alphabetic';
    const high = context.measureText('H').actualBoundingBoxAscent;
    context.scale(1 / high, 1 / high);
    const isThere = context.measureText(text).width > 0;
    context.fillText(text, 0, 0);
    if (random() < 0.3) {
      context.lineWidth = between(1, 8);
      context.lineJoin = 'round';
      context.strokeText(text, 0, 0);
    }
    context.restore();
    return isThere;
  }

  function drawn(shapes, pen) {
    context.lineWidth = pen;
    context.lineCap = oneOf(['round', 'butt']);
    context.lineJoin = oneOf(['round', 'miter']);
    for (const [kind, ...numbers] of shapes) {
      context.beginPath();
      if (kind === 'c') context.arc(numbers[0], numbers[1], numbers[2], 0, 2 * Math.PI);
      else if (kind === 'a')
        context.arc(numbers[0], numbers[1], numbers[2], (numbers[3] * Math.PI) / 180, (numbers[4] * Math.PI) / 180);
      else for (let i = 0; i < numbers.length; i += 2) context.lineTo(numbers[i], numbers[i + 1]);
      if (kind === 'f') context.fill();
      else if (kind === 'l' && numbers.length === 4 && numbers[0] === numbers[2] && numbers[1] === numbers[3]) {
        context.arc(numbers[0], numbers[1], Math.max(0.04, pen * 0.6), 0, 2 * Math.PI);
        context.fill();
      } else context.stroke();
    }
  }

  function strokes(text) {
    const variants = [LETTERS[text], ...(VARIANTS[text] ?? [])];
    drawn(pathsOf(oneOf(variants), ROUND.has(text) ? Math.floor(between(0, 4)) : 0), between(0.04, 0.17));
  }

  function sign(text) {
    const variants = [SIGNS[text], ...(SIGN_VARIANTS[text] ?? [])];
    drawn(oneOf(variants), between(0.03, 0.15));
  }

  function circled(letter) {
    const shrunk = between(0.5, 0.72);
    context.save();
    context.translate(0.5 - shrunk * 0.35, 0.5 - shrunk / 2);
    context.scale(shrunk, shrunk);
    if (random() < 0.5) printed(letter, oneOf(families));
    else strokes(letter);
    context.restore();
    drawn([['c', 0.5, 0.5, between(0.52, 0.72)]], between(0.03, 0.1));
  }

  /** Arrowheads, pieces of lines, glyphs that touch or are cut. */
  function nothing() {
    const kind = random();
    if (kind < 0.3) {
      const turn = oneOf([0, HALF * Math.PI, Math.PI, 1.5 * Math.PI, between(0, 6.28)]),
        wide = between(0.08, 0.25),
        cos = Math.cos(turn),
        sin = Math.sin(turn);
      const points = [
        [0, 0],
        [1, wide],
        [1, -wide],
      ].flatMap(([x, y]) => [0.5 + x * cos - y * sin, 0.5 + x * sin + y * cos]);
      drawn([[oneOf(['f', 'f', 'l']), ...points]], 0.04);
    } else if (kind < 0.6) {
      const count = Math.floor(between(2, 5));
      drawn(
        Array.from({ length: count }, () => [
          'l',
          ...Array.from({ length: 4 + 2 * Math.floor(between(0, 2)) }, () => between(0, 1.2)),
        ]),
        between(0.03, 0.12),
      );
    } else {
      const family = oneOf(families);
      const first = oneOf(PRINTED),
        second = oneOf(PRINTED);
      context.save();
      context.scale(1, -1);
      context.font = `1.3px ${family}`;
      context.fillText(first, 0, 0);
      context.fillText(second, context.measureText(first).width * 0.92, 0);
      if (random() < 0.5)
        context.fillText(oneOf(PRINTED), context.measureText(first).width + context.measureText(second).width * 0.9, 0);
      context.restore();
    }
  }

  /** Grey pixels of what was drawn, cut to it, and where it stands. */
  function picture(size) {
    const data = context.getImageData(0, 0, SIDE, SIDE).data;
    let left = SIDE,
      top = SIDE,
      right = -1,
      bottom = -1;
    for (let i = 0; i < SIDE * SIDE; i++) {
      if (data[4 * i + 3] < 64) continue;
      const x = i % SIDE,
        y = (i - x) / SIDE;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (right < left) return undefined;
    const margin = Math.floor(between(0, 3)),
      width = right - left + 1 + 2 * margin,
      height = bottom - top + 1 + 2 * margin;
    const pixels = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const fromX = left + x - margin,
          fromY = top + y - margin;
        if (fromX >= 0 && fromX < SIDE && fromY >= 0 && fromY < SIDE)
          pixels[y * width + x] = data[4 * (fromY * SIDE + fromX) + 3] / 255;
      }
    }
    if (random() < 0.4) roughen(pixels);
    const known =
      random() < 0.6
        ? {
            height: ((bottom - top + 1) / size) * between(0.9, 1.1),
            bottom: (SIDE * 0.68 - bottom - 1) / size + between(-0.08, 0.08),
          }
        : undefined;
    return { pixels, width, height, place: known };
  }

  function roughen(pixels) {
    const noise = between(0, 0.25),
      contrast = between(1, 4),
      level = between(0.35, 0.6);
    for (let i = 0; i < pixels.length; i++)
      pixels[i] = Math.min(1, Math.max(0, (pixels[i] + noise * (random() - 0.5) - level) * contrast + level));
  }

  /** One picture of a class; undefined where it came out empty. */
  return (text) => {
    const size = random() < 0.35 ? between(10, 20) : between(20, 56);
    place(size);
    const letter = Object.keys(CIRCLED).find((each) => CIRCLED[each] === text);
    if (text === '') nothing();
    else if (letter !== undefined) circled(letter);
    else if (text in SIGNS && (!PRINTED.includes(text) || random() < 0.3) && !(text === '⌀' && random() < 0.5))
      sign(text);
    else if (text in LETTERS && (!PRINTED.includes(text) || random() < 0.3)) strokes(text);
    else if (!printed(text === '⌀' ? 'Ø' : text, oneOf(families))) return undefined;
    return picture(size);
  };
}

/** Mulberry32: the same numbers for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
