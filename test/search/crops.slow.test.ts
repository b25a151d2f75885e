import sharp, { type Sharp } from 'sharp';
import { pdfOf } from '../../bench/parts/drawings/page-pdf.mjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, SearchHit } from '../../dist/index.js';
import { seeded } from '../fixtures/random.js';
import { fill, libraries } from './library.js';

const WIDTH = 1_700,
  HEIGHT = 1_200;
/** The front view of each page, with its dimensions in `loose`. */
const TIGHT = { left: 285, top: 385, width: 530, height: 330 };
const LOOSE = { left: 120, top: 280, width: 780, height: 500 };
const COUNT = 16;

/** A plate with steps, holes and pockets that a seed places: three views, dimensions, a frame and a title block. */
function pageOf(seed: number): string {
  const random = seeded(seed);
  const line = (d: string, width = 2): string => `<path d="${d}" fill="none" stroke="black" stroke-width="${width}"/>`;
  const steps = [0.25, 0.5, 0.75].map((share) => Math.round(300 + 500 * (share + 0.15 * (random() - 0.5))));
  const heights = steps.map(() => Math.round(400 + 120 * random()));
  const outline = `M300 400H${steps[0]}V${heights[0]}H${steps[1]}V${heights[1]}H${steps[2]}V${heights[2]}H800V700H300Z`;
  const holes = Array.from({ length: 3 }, (_, i) => {
    const [x, y, r] = [360 + 190 * i + 50 * random(), 570 + 80 * random(), 12 + 28 * random()];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="black" stroke-width="4"/>`;
  }).join('');
  const top = `M300 900H800V1060H300Z${steps.map((x) => `M${x} 900V1060`).join('')}`;
  const side = `M1000 400H1160V700H1000Z${heights.map((y) => `M1000 ${y}H1160`).join('')}`;
  const words = (x: number, y: number, text: string): string =>
    `<text x="${x}" y="${y}" font-size="26" font-family="sans-serif">${text}</text>`;
  return [
    line('M60 60H1640V1140H60ZM1100 940H1640M1100 1010H1640M1100 940V1140M1380 940V1140', 4),
    line(outline, 4),
    line(top, 4),
    line(side, 4),
    holes,
    line('M300 385V300M800 385V300M300 320H800M300 320l24 -6M300 320l24 6M800 320l-24 -6M800 320l-24 6'),
    line('M285 400H180M285 700H180M200 400V700M200 400l-6 24M200 400l6 24M200 700l-6 -24M200 700l6 -24'),
    words(520, 310, `${Math.round(50 + 100 * random())}.5`),
    words(130, 560, `${Math.round(20 + 50 * random())}.0`),
    words(1110, 985, `PART ${seed}`),
    words(1400, 985, `AB-${seed * 17}`),
  ].join('');
}

/** A frame and a plate of many steps, A4. */
function plainPdf(): Uint8Array {
  const box = (x: number, y: number, width: number, height: number): { points: [number, number][]; width: number } => ({
    points: [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
      [x, y],
    ],
    width: 0.5,
  });
  const steps = Array.from({ length: 40 }, (_, i) => box(80 + 3 * i, 60, 3, 20 + i));
  return pdfOf({ widthMm: 297, heightMm: 210, items: [box(10, 10, 277, 190), box(187, 170, 100, 30), ...steps] });
}

const svgOf = (seed: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${pageOf(seed)}</svg>`;

const page = (seed: number): Sharp => sharp(Buffer.from(svgOf(seed))).flatten({ background: 'white' });
const png = async (picture: Sharp): Promise<Uint8Array> => new Uint8Array(await picture.png().toBuffer());

const library = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await library.open(library.fresh());
  company = await engine.company('acme');
  await fill(
    company,
    Array.from({ length: COUNT }, (_, i) => [`${i}.svg`, new TextEncoder().encode(svgOf(i + 1))] as const),
  );
});
afterAll(() => engine.close());

const search = async (bytes: Uint8Array, more: object = {}): Promise<readonly SearchHit[]> =>
  (await company.search({ like: { bytes, extension: '.png', ...more }, limit: 5 })).hits;

describe('a picture of one view', () => {
  test.each([
    ['closely cut out', TIGHT, 1],
    ['with its dimensions', LOOSE, 1],
    ['at half of the pixels', LOOSE, 0.5],
  ])('finds its drawing, %s', async (_, area, share) => {
    for (let i = 0; i < COUNT; i += 3) {
      const cut = sharp(
        await page(i + 1)
          .extract(area)
          .png()
          .toBuffer(),
      );
      const bytes = await png(cut.resize(Math.round(share * area.width)));
      const [hit] = await search(bytes);
      expect(hit.path).toBe(`${i}.svg`);
      // Where the page would lie on the picture.
      const longer = Math.max(area.width, area.height);
      expect(hit.position!.x).toBeCloseTo(-area.left / longer, 1);
      expect(hit.position!.y).toBeCloseTo(-area.top / longer, 1);
      expect(hit.position!.scale).toBeGreaterThan((0.98 * WIDTH) / longer);
      expect(hit.position!.scale).toBeLessThan((1.02 * WIDTH) / longer);
    }
  });

  test('finds it as a crop of a picture of the page, and lies where the page does', async () => {
    const crop = { x: TIGHT.left, y: TIGHT.top, width: TIGHT.width, height: TIGHT.height };
    const [hit] = await search(await png(page(5)), { crop });
    expect(hit.path).toBe('4.svg');
    expect(hit.position!.x).toBeCloseTo(0, 1);
    expect(hit.position!.scale).toBeCloseTo(1, 1);
  });
});

describe('a crop of a corner, with paper and frame alone', () => {
  // The bytes are those of the file, but nothing of what it shows is asked for.
  test.each([
    ['a drawing', '4.svg', { x: 0, y: 0, width: 130, height: 100 }],
    ['a drawing, its lower corner', '4.svg', { x: 0, y: 560, width: 100, height: 160 }],
    ['a picture', '5.png', { x: 0, y: 0, width: 220, height: 170 }],
    ['a PDF', '6.pdf', { x: 0, y: 0, width: 90, height: 70 }],
  ])('of %s is no identical file', async (_, path, crop) => {
    const isOwn = !path.endsWith('.svg');
    if (isOwn) await company.put(path, path.endsWith('.png') ? await png(page(6)) : plainPdf());
    const [{ uid }] = await company.list({ prefix: path });
    const found = await company.search({ like: { uid, crop }, limit: 100 }).then(
      ({ hits }) => hits,
      (error: unknown) => (error as { code: string }).code,
    );
    if (typeof found === 'string') expect(found).toBe('NO_GEOMETRY');
    else for (const { score, matchClass } of found) expect([score > 0.05, matchClass]).toEqual([true, 'similar']);
    // All of it is the file.
    const whole = await company.search({ like: { uid }, limit: 1 });
    expect(whole.hits[0]).toMatchObject({ path, score: 0, matchClass: 'identical' });
    if (isOwn) await company.delete(uid);
  });
});

describe('the position of a page on its picture', () => {
  /** A page of these pixels turned clockwise about its middle on a larger sheet, and where it lies there. */
  async function turnedBy(
    seed: number,
    deg: number,
  ): Promise<{ bytes: Uint8Array; x: number; y: number; scale: number }> {
    const { data, info } = await page(seed)
      .rotate(deg, { background: 'white' })
      .png()
      .toBuffer({ resolveWithObject: true });
    const long = Math.max(info.width, info.height),
      scale = WIDTH / long,
      angle = (deg * Math.PI) / 180;
    const u = scale / 2,
      v = (scale * HEIGHT) / WIDTH / 2;
    return {
      bytes: new Uint8Array(data),
      x: info.width / 2 / long - (u * Math.cos(angle) - v * Math.sin(angle)),
      y: info.height / 2 / long - (u * Math.sin(angle) + v * Math.cos(angle)),
      scale,
    };
  }

  test.each([0, 90, 180, 7, -4])('is right when it is turned by %s°', async (deg) => {
    const { bytes, x, y, scale } = await turnedBy(3, deg);
    const [hit] = await search(bytes);
    expect(hit.path).toBe('2.svg');
    const { position } = hit;
    expect(Math.abs(position!.x - x)).toBeLessThan(0.01);
    expect(Math.abs(position!.y - y)).toBeLessThan(0.01);
    expect(Math.abs(position!.scale / scale - 1)).toBeLessThan(0.01);
    const off = (180 / Math.PI) * position!.rotationRad - deg;
    expect(Math.abs(off - 360 * Math.round(off / 360))).toBeLessThan(1);
  });

  test.each([0.5, 0.25])('is right at %s of the pixels', async (share) => {
    const [hit] = await search(await png(sharp(await png(page(9))).resize(Math.round(share * WIDTH))));
    expect(hit.path).toBe('8.svg');
    for (const value of [hit.position!.x, hit.position!.y, hit.position!.scale - 1, hit.position!.rotationRad])
      expect(Math.abs(value)).toBeLessThan(0.01);
  });
});
