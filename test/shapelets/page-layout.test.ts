import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import type { Sheet, SheetPicture } from '../../dist/content/sheet.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { LAYOUT_BYTES, inkOfPicture, inkOfSheet } from '../../dist/shapelets/page-layout.js';
import { seeded } from '../fixtures/random.js';
import { draw, scanned } from './drawn-page.js';

const WIDTH = 1_700,
  HEIGHT = 1_200;

/** A part, shaded, as a program writes it that fills areas by narrow strips. */
const strips = (fill: string): string =>
  Array.from(
    { length: 300 },
    (_, i) => `<path d="M${850 + i} ${240 + i / 3}h1.5v${500 - i}h-1.5z" fill="${fill}"/>`,
  ).join('');
const outline = '<path d="M850 240L1150 340V540L850 740Z" fill="none" stroke="black" stroke-width="4"/>';
/** Another part. */
const other = '<path d="M250 760L700 300L820 520L540 800Z" fill="#b0b0b0" stroke="black" stroke-width="4"/>';
const frame =
  '<path d="M60 60H1640V1140H60ZM1100 940H1640M1100 1010H1640M1100 1075H1640M1100 940V1140M1380 940V1140" fill="none" stroke="black" stroke-width="4"/>';

async function sheetOf(elements: string): Promise<Sheet> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${elements}</svg>`;
  const drawing = (await readContent(new TextEncoder().encode(svg), 'page.svg', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  })) as Drawing;
  return drawing.sheets[0];
}

function likeness(a: Uint8Array | undefined, b: Uint8Array | undefined): number {
  expect([a?.length, b?.length]).toEqual([LAYOUT_BYTES, LAYOUT_BYTES]);
  let both = 0,
    ownA = 0,
    ownB = 0;
  for (let i = 0; i < LAYOUT_BYTES; i++) {
    both += a![i] * b![i];
    ownA += a![i] ** 2;
    ownB += b![i] ** 2;
  }
  return both / Math.sqrt(ownA * ownB);
}

describe('how ink lies on a page', () => {
  it.each([
    [0, '#b0b0b0'],
    [3.4, '#b0b0b0'],
    [-2.2, '#f4f4f4'],
  ])('is nearly the same on a sheet with shaded areas and on its scan, turned by %s°, %s', async (deg, fill) => {
    const page = frame + strips(fill) + outline;
    const scan = inkOfPicture(scanned(await draw(page, WIDTH, HEIGHT), deg, 4, seeded(2))).layout;
    const right = likeness(scan, inkOfSheet(await sheetOf(page)).layout);
    expect(right).toBeGreaterThan(0.93);
    expect(right).toBeGreaterThan(likeness(scan, inkOfSheet(await sheetOf(frame + other)).layout) + 0.1);
  });

  it('is that of its lines where a shaded part stands on the sheet as a picture', async () => {
    const sheet = await sheetOf(frame);
    const picture: SheetPicture = {
      box: { x: 850, y: 240, width: 300, height: 500 },
      picture: await draw(
        '<path d="M0 0L300 100V300L0 500Z" fill="#e4e4e4" stroke="black" stroke-width="8"/>',
        300,
        500,
      ),
    };
    const scan = inkOfPicture(
      scanned(await draw(frame + strips('#e4e4e4') + outline, WIDTH, HEIGHT), 2, 4, seeded(4)),
    ).layout;
    expect(likeness(scan, inkOfSheet({ ...sheet, pictures: [picture] }).layout)).toBeGreaterThan(0.93);
  });

  it('leaves out pictures without extent', async () => {
    const sheet = await sheetOf(frame);
    const empty: SheetPicture = {
      box: { x: 100, y: 100, width: 0, height: 0 },
      picture: { widthPx: 4, heightPx: 4, gray: new Uint8Array(16) },
    };
    expect(inkOfSheet({ ...sheet, pictures: [empty] })).toEqual(inkOfSheet(sheet));
  });
});
