/**
 * Drawings as pictures, as they come from many offices and screens: sheets of parts and of plates with further marks
 * (control frames, framed sizes and datums with arrows that touch a view, lines of one width, grey dimensions), whole
 * or cut out without frame and title block, in many resolutions, and saved, compressed, scanned, faint or photographed.
 * A seed decides everything. Nothing here was taken from a real drawing.
 */
import sharp from 'sharp';
import { pagePicture } from '../../support/crossmodal-queries.mjs';
import { gaussian, seededRandom } from '../../support/software-camera.mjs';
import { drawSheet, partsOfSheets } from '../drawings.mjs';
import { pdfOf } from './page-pdf.mjs';
import { drawPlateSheet } from './plate-sheets.mjs';

/** How a picture came about. */
export const LOOKS = Object.freeze(['saved', 'jpeg', 'screenshot', 'scan', 'faint', 'photo']);
/** Longer sides of whole pages and of screenshots, pixels. */
const PAGE_PX = [900, 1200, 1650, 2200, 2800];
const SCREEN_PX = [600, 800, 1000, 1300];
const MM_PER_INCH = 25.4;
const WORDS = ['0.2', '0.05 A', '0.1 A B', 'O 0.3', '35.36', '45', 'R4', '12.5'];

/**
 * The pictures of a seed, one after the other.
 * @param {{ seed: number, count: number }} options
 * @yields {{ name: string, bytes: Buffer, extension: string, look: string, views: { side: string, box: number[] }[] }}
 * boxes as shares of the picture: left, top, width, height.
 */
export async function* pictureSheets({ seed, count }) {
  const parts = await partsOfSheets({ seed, count });
  for (let i = 0; i < count; i++) {
    const own = 1_000 * seed + i;
    const sheet =
      i % 2 === 0 && parts.length > 0 ? await partSheet(parts[(i >> 1) % parts.length], own) : drawPlateSheet(own);
    yield { name: `${own}`, ...(await pictureOf(sheet, own)) };
  }
}

function partSheet(parts, seed) {
  return drawSheet(parts, seed, { file: 'lines' });
}

/** A sheet ({ widthMm, heightMm, items, views, style }) as a picture. */
async function pictureOf({ widthMm, heightMm, items, views, style }, seed) {
  const random = seededRandom(seed + 500_000);
  const pick = (choices) => choices[Math.floor(choices.length * random())];
  const drawn = items.slice();
  // Programs that draw all lines alike, and those whose dimensions are grey.
  const isEven = random() < 0.3;
  const isGrey = !isEven && random() < 0.25;
  if (random() < 0.6) marks(drawn, views, { random, pick, style });
  const shown = drawn.map((item) => ({
    ...item,
    ...(isEven && item.width !== undefined && { width: Math.max(style.thin, 0.2) }),
    ...(isGrey && (item.width ?? 0) <= style.thin && style.thin < style.thick && { color: [0.5, 0.5, 0.5] }),
  }));
  const look = pick(LOOKS);
  const isCut = look === 'screenshot' || random() < 0.1;
  const area = isCut ? cutOut(views, { widthMm, heightMm, random }) : [0, 0, widthMm, heightMm];
  const longer = pick(look === 'screenshot' ? SCREEN_PX : PAGE_PX);
  const dpi = (MM_PER_INCH * longer) / Math.max(area[2], area[3]);
  const page = await pagePicture(pdfOf({ widthMm, heightMm, items: shown }), 1, dpi);
  const scale = page.widthPx / widthMm;
  const [left, top] = [Math.round(scale * area[0]), Math.round(scale * area[1])];
  const [width, height] = [
    Math.min(page.widthPx - left, Math.round(scale * area[2])),
    Math.min(page.heightPx - top, Math.round(scale * area[3])),
  ];
  const cut = await sharp(page.gray, { raw: { width: page.widthPx, height: page.heightPx, channels: 1 } })
    .extract({ left, top, width, height })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const turn = look === 'scan' || look === 'faint' ? 1.2 * random() - 0.6 : look === 'photo' ? 2 * random() - 1 : 0;
  const { bytes, extension } = await lookOf(cut, width, height, { look, turn, random, pick });
  const boxes = views.map(({ side, box: [x, y, w, h] }) => {
    const box = turned([scale * x - left, scale * y - top, scale * w, scale * h], turn, width, height);
    return { side, box: [box[0] / width, box[1] / height, box[2] / width, box[3] / height] };
  });
  return { bytes, extension, look, views: boxes };
}

/** The part of a sheet that shows its views with what stands near them. */
function cutOut(views, { widthMm, heightMm, random }) {
  const margin = 14 + 12 * random();
  const boxes = views.map(({ box, around }) => around ?? box);
  const [x0, y0] = [0, 1].map((axis) => Math.max(0, Math.min(...boxes.map((box) => box[axis])) - margin));
  const [x1, y1] = [0, 1].map((axis) =>
    Math.min([widthMm, heightMm][axis] - 1, Math.max(...boxes.map((box) => box[axis] + box[axis + 2])) + margin),
  );
  return [x0, y0, x1 - x0, y1 - y0];
}

/** Puts control frames, framed sizes and datums on the page, each with an arrow to a view. */
function marks(items, views, { random, pick, style }) {
  const taken = views.map(({ box, around }) => around ?? box);
  const { thin } = style;
  const letter = style.letter ?? 3;
  for (const { box } of views) {
    for (let i = Math.floor(3 * random()); i > 0; i--) {
      const angle = 2 * Math.PI * random();
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      const tip = farthest(items, box, [dx, dy]);
      if (tip === undefined) continue;
      const long = 8 + 14 * random();
      const knee = [tip[0] + long * dx, tip[1] + long * dy];
      const words = pick(WORDS).split(' ');
      const high = letter + 2;
      const cells = words.map((word) => 0.8 * letter * word.length + 2.5);
      const wide = cells.reduce((sum, cell) => sum + cell, 0);
      const frame = [dx > 0 ? knee[0] : knee[0] - wide, knee[1] - high / 2, wide, high];
      if (taken.some((other) => overlaps(other, frame))) continue;
      taken.push(frame);
      const line = (...points) => items.push({ points, width: thin });
      line(tip, knee);
      const size = 2.5;
      const wings = [1, -1].map((s) => [
        tip[0] + size * dx - s * 0.18 * size * dy,
        tip[1] + size * dy + s * 0.18 * size * dx,
      ]);
      items.push({ fill: [tip, ...wings] });
      const [x, y, w, h] = frame;
      line([x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]);
      let at = x;
      words.forEach((word, k) => {
        if (k > 0) line([at, y], [at, y + h]);
        items.push({ text: word, x: at + 1.2, y: y + h - 1, height: letter });
        at += cells[k];
      });
    }
  }
}

/** The point of a view that lies farthest in a direction. */
function farthest(items, [x, y, w, h], [dx, dy]) {
  let best;
  let most = -Infinity;
  for (const { points, dash, width } of items) {
    if (points === undefined || dash !== undefined || width === undefined) continue;
    if (!points.every(([u, v]) => u >= x - 0.1 && u <= x + w + 0.1 && v >= y - 0.1 && v <= y + h + 0.1)) continue;
    for (const point of points) {
      const far = point[0] * dx + point[1] * dy;
      if (far > most) [best, most] = [point, far];
    }
  }
  return best;
}

function overlaps([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return ax < bx + bw + 2 && bx < ax + aw + 2 && ay < by + bh + 2 && by < ay + ah + 2;
}

/** The pixels as they are stored: PNG or JPEG. */
async function lookOf(gray, width, height, { look, turn, random, pick }) {
  const raw = { raw: { width, height, channels: 1 } };
  if (look === 'saved' || look === 'screenshot')
    return { bytes: await sharp(gray, raw).png().toBuffer(), extension: '.png' };
  if (look === 'jpeg')
    return {
      bytes: await sharp(gray, raw)
        .jpeg({ quality: pick([40, 60, 80]) })
        .toBuffer(),
      extension: '.jpg',
    };
  const sigma = look === 'photo' ? 0.7 + 0.5 * random() : 0.4 + 0.4 * random();
  const soft = await sharp(gray, raw).blur(sigma).toColourspace('b-w').raw().toBuffer();
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const paper = look === 'photo' ? 190 + 40 * random() : 228 + 22 * random();
  const contrast = look === 'faint' ? 0.35 + 0.15 * random() : 0.75 + 0.2 * random();
  const noise = look === 'photo' ? 3 + 5 * random() : 1 + 5 * random();
  const shade = look === 'photo' ? 30 + 60 * random() : 10 * random();
  const from = [1.5 * random() - 0.25, 1.5 * random() - 0.25];
  const seen = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x - width / 2, y - height / 2];
      const value = sampled(soft, width, height, u * cos + v * sin + width / 2, v * cos - u * sin + height / 2);
      const away = Math.min(1, Math.hypot(x / width - from[0], y / height - from[1]));
      const light = paper - shade * away;
      seen[y * width + x] = Math.max(
        0,
        Math.min(255, Math.round(light * (1 - contrast * (1 - value / 255)) + noise * gaussian(random))),
      );
    }
  return {
    bytes: await sharp(seen, raw)
      .jpeg({ quality: pick([50, 65, 80]) })
      .toBuffer(),
    extension: '.jpg',
  };
}

function sampled(gray, width, height, x, y) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  const [u, v] = [x - left, y - top];
  const at = top * width + left;
  return (
    (1 - v) * ((1 - u) * gray[at] + u * gray[at + 1]) + v * ((1 - u) * gray[at + width] + u * gray[at + width + 1])
  );
}

/** The box of a box that is turned by degrees, clockwise, about the middle of the picture. */
function turned([x, y, w, h], deg, width, height) {
  const angle = (deg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = [0, 1, 2, 3].map((i) => {
    const [u, v] = [x + (i % 2) * w - width / 2, y + (i >> 1) * h - height / 2];
    return [u * cos - v * sin + width / 2, u * sin + v * cos + height / 2];
  });
  const [x0, y0] = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
  const [x1, y1] = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])));
  return [x0, y0, x1 - x0, y1 - y0];
}
