/**
 * Writes lines of text as they stand on drawings made by code, with what is drawn about them, from which
 * `line-reader.py` learns beside the lines that it draws itself. The pictures are clean; the learning program makes
 * scans, photos and small print of them. Seeded; the seeds are none that benches measure on.
 *
 *   npm run bench -- learn/line-crops --out FOLDER [--seed 40000] [--count 24]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';
import { Page } from '../drawings/page.mjs';
import { svgOf } from '../drawings/raster.mjs';
import { sheetOf } from '../drawings/sheet.mjs';
import { Dice } from '../drawings/styles.mjs';
import { titleSheetOf } from '../drawings/title-blocks.mjs';

/** Pixels of a capital, rows above and below the baseline, columns before and behind the line; longest line. */
const CAPITAL = 28;
const ABOVE = 54;
const BELOW = 20;
const BESIDE = 40;
const LONGEST = 32;
/** In heights: widest gap within a line, from which it is a space, and largest difference of heights and baselines. */
const GAP = 0.75;
const SPACE = 0.33;
const TALLER = 1.12;
const OFF_LINE = 0.08;
/** Pixels of a mm of the page that the crops are taken from. */
const SCALE = 12;
/** Share of lines with words that are kept: title blocks say the same on every sheet. */
const WORDS_KEPT = 0.5;
const SAME = { '×': 'x', '′': "'", '’': "'", '−': '-', '–': '-', Ø: '⌀', ø: '⌀', º: '°', ß: 's', µ: 'u' };

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    seed: { type: 'string', default: '40000' },
    count: { type: 'string', default: '24' },
  },
});
if (values.out === undefined) throw new Error('usage: learn/line-crops --out FOLDER [--seed 40000] [--count 24]');
await mkdir(values.out, { recursive: true });
const numbers = new Map(LINE_CHARACTERS.map((sign, i) => [sign, i]));
const dice = new Dice(Number(values.seed));
const pictures = [],
  widths = [],
  texts = [],
  pages = [];
for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.count); seed++) {
  const { page, lines } = written(() =>
    seed % 3 === 0 ? titleSheetOf(seed).page : sheetOf(seed, { isBroad: seed % 3 === 1 }),
  );
  const [wide, high] = [page.widthMm * SCALE, page.heightMm * SCALE].map(Math.round);
  const { data } = await sharp(Buffer.from(svgOf(page, wide, high, { ink: 0 })), { limitInputPixels: false })
    .flatten({ background: '#fff' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const line of lines) {
    const said = [...plain(line.text)];
    if (said.length === 0 || said.length > LONGEST || said.some((sign) => !numbers.has(sign))) continue;
    if (/[A-Za-z]{4}/.test(line.text) && !dice.chance(WORDS_KEPT)) continue;
    const row = new Uint8Array(LONGEST).fill(255);
    said.forEach((sign, i) => (row[i] = numbers.get(sign)));
    const { picture, width } = cropOf({ data, wide, high }, line);
    pictures.push(picture);
    widths.push(width);
    texts.push(row);
    pages.push(seed);
  }
}
await writeFile(join(values.out, 'crops.bin'), Buffer.concat(pictures));
await writeFile(join(values.out, 'crop-widths.bin'), Buffer.from(Int32Array.from(widths).buffer));
await writeFile(join(values.out, 'crop-texts.bin'), Buffer.concat(texts));
await writeFile(join(values.out, 'crop-pages.bin'), Buffer.from(Int32Array.from(pages).buffer));
await writeFile(
  join(values.out, 'crops.json'),
  JSON.stringify({ capital: CAPITAL, above: ABOVE, below: BELOW, beside: BESIDE, longest: LONGEST }),
);
console.log(`${texts.length} lines of ${values.count} sheets`);

/** The letters of a line in the reader's characters. */
function plain(text) {
  return [...text.normalize('NFC')]
    .map((sign) => SAME[sign] ?? sign.normalize('NFD')[0])
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A sheet, and its lines of text: start, direction, height of capitals and length in mm. */
function written(draw) {
  const parts = [];
  const { text, drawn, path } = Page.prototype;
  let isInside = false;
  const placed = (page, x, y, height) => {
    path.call(page, [
      [x, y],
      [x + height, y],
      [x, y - height],
    ]);
    return page.items.pop().points;
  };
  const note = (page, said, x, y, height, width) => {
    if (said.trim() === '') return;
    const [[ox, oy], [ax, ay], [ux, uy]] = placed(page, x, y, height);
    const isSquare = Math.abs((ax - ox) * (ux - ox) + (ay - oy) * (uy - oy)) < 0.01 * height * height;
    const angle = Math.atan2(ay - oy, ax - ox);
    const lead = said.length - said.trimStart().length;
    const skipped = lead === 0 ? 0 : page.widthOf(said.slice(0, lead), height);
    const trailing = said.length - said.trimEnd().length;
    const long = width - skipped - (trailing === 0 ? 0 : page.widthOf(said.slice(-trailing), height));
    const [sx, sy] = [ox + skipped * Math.cos(angle), oy + skipped * Math.sin(angle)];
    parts.push({ text: said.trim(), x: sx, y: sy, angle, height, width: long, isSquare });
  };
  Page.prototype.text = function (said, x, y, options = {}) {
    const { height = this.style.height, align = 'start' } = options;
    const width = this.widthOf(said, height);
    const at = align === 'start' ? x : align === 'middle' ? x - width / 2 : x - width;
    const isOuter = !isInside;
    isInside = true;
    try {
      return text.call(this, said, x, y, options);
    } finally {
      if (isOuter) {
        isInside = false;
        note(this, said, at, y, height, width);
      }
    }
  };
  Page.prototype.drawn = function (sign, x, y, height = this.style.height, options = {}) {
    const end = drawn.call(this, sign, x, y, height, options);
    if (!isInside) note(this, sign, x, y, height, end - x);
    return end;
  };
  try {
    const page = draw();
    return { page, lines: joined(parts, page) };
  } finally {
    Object.assign(Page.prototype, { text, drawn });
  }
}

/** Parts that follow each other on one baseline, as one line. */
function joined(parts, page) {
  const walls = page.items.flatMap(({ points }) => (points ?? []).slice(1).map((to, i) => [points[i], to]));
  const lines = parts.filter(({ isSquare }) => isSquare).map((part) => ({ ...part }));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const line of lines) {
      const next = lines.find((other) => other !== line && follows(line, other, walls));
      if (next === undefined) continue;
      const gap = gapOf(line, next);
      line.text += (gap > SPACE * line.height ? ' ' : '') + next.text;
      line.width += gap + next.width;
      lines.splice(lines.indexOf(next), 1);
      isChanged = true;
      break;
    }
  }
  return lines;
}

function gapOf(line, other) {
  return (other.x - line.x) * Math.cos(line.angle) + (other.y - line.y) * Math.sin(line.angle) - line.width;
}

function follows(line, other, walls) {
  const gap = gapOf(line, other);
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  const off = (other.y - line.y) * cos - (other.x - line.x) * sin;
  if (Math.abs(line.angle - other.angle) > 0.01 || Math.abs(off) > OFF_LINE * line.height) return false;
  if (Math.max(line.height, other.height) > TALLER * Math.min(line.height, other.height)) return false;
  if (gap < -0.2 * line.height || gap > GAP * line.height) return false;
  const from = line.width - 0.1 * line.height;
  return !walls.some((ends) => {
    const [[s0, t0], [s1, t1]] = ends.map(([x, y]) => [
      (x - line.x) * cos + (y - line.y) * sin - from,
      (y - line.y) * cos - (x - line.x) * sin,
    ]);
    const isAcross = Math.abs(s1 - s0) < 0.1 * Math.abs(t1 - t0);
    return (
      isAcross && s0 > 0 && s0 < gap + 0.2 * line.height && Math.min(t0, t1) < 0 && Math.max(t0, t1) > -line.height
    );
  });
}

/** A line's picture, level, 16 grey levels: 0 paper, 15 ink. */
function cropOf({ data, wide, high }, { x, y, angle, height, width }) {
  const ratio = (height * SCALE) / CAPITAL;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const across = Math.round((width * SCALE) / ratio) + 2 * BESIDE;
  const picture = Buffer.alloc((ABOVE + BELOW) * across);
  for (let v = 0; v < ABOVE + BELOW; v++)
    for (let u = 0; u < across; u++) {
      const [along, down] = [(u + 0.5 - BESIDE) * ratio, (v + 0.5 - ABOVE) * ratio];
      const fromX = x * SCALE + along * cos - down * sin - 0.5,
        fromY = y * SCALE + along * sin + down * cos - 0.5;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= wide || top + 1 >= high) continue;
      const [p, q] = [fromX - left, fromY - top];
      const at = top * wide + left;
      const bright =
        (1 - q) * ((1 - p) * data[at] + p * data[at + 1]) + q * ((1 - p) * data[at + wide] + p * data[at + wide + 1]);
      picture[v * across + u] = Math.round(((255 - bright) / 255) * 15);
    }
  return { picture, width: across };
}
