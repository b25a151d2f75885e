import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { svgOf } from '../../bench/drawings/raster.mjs';
import { sheetOf } from '../../bench/drawings/sheet.mjs';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { PMI_TYPE, type PmiObject } from '../../dist/pmi/pmi.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture, levelDimension, textWidth, type DrawnPicture } from '../fixtures/drawn-picture.js';

/** A part, so that the page is a drawing. */
const PART = ['M500 700H1300V1300H500Z', 'M700 900H1100V1100H700Z', 'M500 1000H1300'];

async function objectsOf(picture: DrawnPicture): Promise<readonly PmiObject[]> {
  const content = await readContent(await drawnPicture(picture), 'drawing.png', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  const { pages } = readPmi(content);
  expect(pages.every(({ widthPx, heightPx }) => widthPx === picture.width && heightPx === picture.height)).toBe(true);
  return pages.flatMap(({ objects }) => objects);
}

const said = (objects: readonly PmiObject[]): string[] =>
  objects
    .map(({ parts }) => parts.map(({ text, tolerance = [] }) => [text, ...tolerance].join(' ')).join(' / '))
    .sort();

describe('pictures of drawings', () => {
  test.each([0, -90, 90, -45, 30])('dimensions at %d degrees are read where they stand', async (deg) => {
    const picture = {
      width: 1800,
      height: 1600,
      lines: PART,
      texts: [
        { text: '125.5', x: 300, y: 300, deg },
        { text: '⌀48 H7', x: 800, y: 400, deg },
        { text: 'R7.25±0.05', x: 1400, y: 500, deg },
        { text: '1x45°', x: 1500, y: 1200, deg },
        { text: '(12,5)', x: 250, y: 1000, deg },
      ],
    };
    const objects = await objectsOf(picture);
    expect(said(objects)).toEqual(['(12,5)', '125.5', '1x45°', 'R7.25 ±0.05', '⌀48 H7']);
    const size = objects.find(({ parts }) => parts[0]?.text === '125.5');
    const [x, y, width, height] = size?.box ?? [0, 0, 0, 0];
    const rad = (deg * Math.PI) / 180,
      length = textWidth('125.5');
    const middle = [
      300 + (length / 2) * Math.cos(rad) + 15 * Math.sin(rad),
      300 + (length / 2) * Math.sin(rad) - 15 * Math.cos(rad),
    ];
    expect(Math.hypot(x + width / 2 - middle[0], y + height / 2 - middle[1])).toBeLessThan(15);
  });

  test('a text above its dimension line and one in it; lines, arrows and outlines are no dimensions', async () => {
    const above = levelDimension(500, 1300, 500),
      within = levelDimension(500, 900, 600, [640, 740]);
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [...PART, ...above.lines, ...within.lines],
      areas: [...above.areas, ...within.areas],
      texts: [
        { text: '820', x: 860, y: 485 },
        { text: '400', x: 690 - textWidth('400') / 2, y: 615 },
      ],
    });
    expect(said(objects)).toEqual(['400', '820']);
  });

  test('deviations above each other, limits, and the box of a basic dimension', async () => {
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [...PART, 'M1400 880H1520V930H1400Z'],
      texts: [
        { text: '36', x: 300, y: 300 },
        { text: '+0.2', x: 380, y: 282, height: 22 },
        { text: '-0.1', x: 380, y: 316, height: 22 },
        { text: '16.25', x: 800, y: 300 },
        { text: '16.05', x: 800, y: 342 },
        { text: '7.5', x: 1425, y: 920 },
      ],
    });
    expect(said(objects)).toEqual(['16.25 / 16.05', '36 +0.2 -0.1', '7.5 basic']);
  });

  test('a control frame with its sign and its datums, and a datum in its box', async () => {
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [...PART, 'M300 260H640V320H300Z', 'M360 260V320', 'M560 260V320', 'M1400 260H1456V316H1400Z'],
      texts: [
        { text: '⌖', x: 312, y: 308, height: 36 },
        { text: '⌀0.25', x: 390, y: 305 },
        { text: 'A', x: 590, y: 305 },
        { text: 'B', x: 1419, y: 303 },
      ],
    });
    const ofType = (type: number): string[] => said(objects.filter(({ typeId }) => typeId === type));
    expect(ofType(PMI_TYPE.controlFrame)).toEqual(['⌖ | ⌀0.25 | A']);
    expect(ofType(PMI_TYPE.position)).toEqual(['⌖']);
    expect(ofType(PMI_TYPE.datum)).toEqual(['B']);
  });

  test('faint ink on grey paper, small letters', async () => {
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: PART,
      lineWidth: 2,
      ink: 150,
      paper: 225,
      texts: [
        { text: '345', x: 300, y: 300, height: 18 },
        { text: '⌀8.5', x: 900, y: 400, height: 18 },
        { text: '67', x: 1500, y: 900, height: 15, deg: -90 },
      ],
    });
    expect(said(objects)).toEqual(['345', '67', '⌀8.5']);
  });

  test('what is no drawing has no dimensions; the same picture gives the same', async () => {
    const photo = { width: 900, height: 700, lines: [], areas: ['M0 0H900V500H0Z'], ink: 90, paper: 180, texts: [] };
    expect(await objectsOf(photo)).toEqual([]);
    const picture = { width: 1200, height: 1500, lines: PART, texts: [{ text: '27.5', x: 300, y: 300 }] };
    expect(await objectsOf(picture)).toEqual(await objectsOf(picture));
  });

  test('points between leaning letters are read, though they stand below them', async () => {
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: PART,
      texts: [
        { text: '16.5', x: 300, y: 300, slant: 0.27 },
        { text: '1.65', x: 800, y: 400, slant: 0.27 },
        { text: '7.25', x: 1400, y: 500, slant: 0.27 },
        { text: '12.75', x: 1500, y: 1200, slant: 0.27 },
      ],
    });
    expect(said(objects)).toEqual(['1.65', '12.75', '16.5', '7.25']);
  });

  test('signs in cells are read as signs, whatever letters or strokes they look like', async () => {
    const circle = 'M318 590a12 12 0 1 0 24 0a12 12 0 1 0 -24 0';
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [
        ...PART,
        'M300 260H480V320H300Z',
        'M360 260V320',
        'M314 290H346',
        'M300 560H480V620H300Z',
        'M360 560V620',
        circle,
      ],
      texts: [
        { text: '0.1', x: 385, y: 305 },
        { text: '.02', x: 378, y: 605 },
        { text: '125.5', x: 900, y: 300 },
      ],
    });
    const frames = objects.filter(({ typeId }) => typeId === PMI_TYPE.controlFrame);
    expect(said(frames)).toEqual(['⏤ | 0.1', '○ | .02']);
  });

  test('points of a pixel or two are read', async () => {
    const objects = await objectsOf({
      width: 3400,
      height: 2400,
      lineWidth: 2,
      lines: PART,
      texts: [
        { text: '494', x: 800, y: 300, height: 20 },
        { text: '6286', x: 1400, y: 500, height: 20 },
      ],
      areas: ['M794 299h2v2h-2Z'],
    });
    expect(said(objects)).toEqual(['.494', '6286']);
  });

  test('small letters of a large page are read in its own pixels, at their places', async () => {
    const texts = [
      { text: '125.58', x: 600, y: 600, height: 18 },
      { text: '68.93', x: 1600, y: 800, height: 18 },
      { text: '46.85', x: 2800, y: 1000, height: 18 },
      { text: '39.86', x: 3000, y: 2400, height: 18 },
    ];
    const lines = PART.map((path) => path.replace(/\d+/g, (digits) => String(2 * Number(digits))));
    const objects = await objectsOf({ width: 3600, height: 3200, lines, texts, lineWidth: 2 });
    expect(said(objects)).toEqual(['125.58', '39.86', '46.85', '68.93']);
    const [x, y] = objects.find(({ parts }) => parts[0]?.text === '68.93')?.box ?? [0, 0];
    expect(Math.abs(x - 1600)).toBeLessThan(8);
    expect(Math.abs(y - 782)).toBeLessThan(8);
  });

  test('values among the dashes of broken lines are read, and dashes are no figures', async () => {
    const dashes = (from: number, to: number): string[] =>
      Array.from({ length: Math.floor((to - from) / 36) }, (_, i) => `M${from + 36 * i} 560h22`);
    const upright = [580, 580 + 360 + 75].flatMap((from) =>
      Array.from({ length: 10 }, (_, i) => `M300 ${from + 36 * i}v22`),
    );
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [...PART, ...dashes(310, 560), ...dashes(632, 880), ...upright],
      texts: [
        { text: '40', x: 590 - textWidth('40') / 2, y: 575 },
        { text: '35', x: 315, y: 970 + textWidth('35'), deg: -90 },
      ],
    });
    expect(said(objects)).toEqual(['35', '40']);
  });

  test('the title block is read: the general tolerance counts, and numbers in its cells are no dimensions', async () => {
    const bytes = await drawnPicture({
      width: 1800,
      height: 1600,
      lines: [...PART, 'M40 40H1760V1560H40Z', 'M1000 1400H1760M1000 1400V1560M1000 1480H1760M1380 1400V1480'],
      texts: [
        { text: '125.5', x: 300, y: 300 },
        { text: 'SCALE', x: 1020, y: 1450, height: 20 },
        { text: '2:1', x: 1180, y: 1450, height: 20 },
        { text: '12.75', x: 1500, y: 1450, height: 20 },
        { text: 'GENERAL T0LERANCES IS0 2768-m', x: 1020, y: 1530, height: 20 },
      ],
    });
    const content = await readContent(bytes, 'drawing.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
    const { pages, attributes, fields } = readPmi(content);
    expect(attributes).toContainEqual({ name: 'General tolerance', unit: '', value: 'ISO 2768-m' });
    const general = fields?.find(({ name }) => name === 'General tolerance');
    expect(general).toMatchObject({ value: 'ISO 2768-m', page: 1 });
    expect(general?.confidence).toBeGreaterThan(0.5);
    expect(general?.confidence).toBeLessThan(1);
    expect(said(pages.flatMap(({ objects }) => objects))).toEqual(['125.5', 'GENERAL TOLERANCES ISO 2768-m']);
  });

  test('in low cells of a title block labels are read beside their borders, and names of two lines as two lines', async () => {
    const bytes = await drawnPicture({
      width: 1800,
      height: 1600,
      lineWidth: 2,
      lines: [
        ...PART,
        'M40 40H1760V1560H40Z',
        'M900 1400V1560M1680 1400V1426M1400 1400V1560M900 1400H1760M1400 1426H1760M1400 1480H1760',
      ],
      texts: [
        { text: 'INDEX', x: 1688, y: 1411, height: 9 },
        { text: 'C', x: 1740, y: 1422, height: 12 },
        { text: 'TITLE', x: 908, y: 1420, height: 12 },
        { text: 'M0UNTING PART', x: 920, y: 1500, height: 26 },
        { text: 'F0R MAIN UNIT', x: 920, y: 1539, height: 26 },
        { text: 'DRAWN', x: 1410, y: 1418, height: 11 },
        { text: 'SCALE', x: 1410, y: 1450, height: 12 },
        { text: '1:1', x: 1540, y: 1466, height: 16 },
        { text: 'PART NR', x: 1410, y: 1500, height: 12 },
        { text: 'TC-SHAFT', x: 1480, y: 1540, height: 30 },
        { text: '125.5', x: 300, y: 300 },
      ],
    });
    const content = await readContent(bytes, 'drawing.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
    const fields = Object.fromEntries((readPmi(content).fields ?? []).map(({ name, value }) => [name, value]));
    expect(fields).toMatchObject({
      Revision: 'C',
      Name: 'MOUNTING PART FOR MAIN UNIT',
      Scale: '1:1',
      'Part number': 'TC-SHAFT',
    });
  });

  test('an angle in a tight box keeps its degrees', async () => {
    const wide = textWidth('45\u00b0');
    const objects = await objectsOf({
      width: 1800,
      height: 1600,
      lines: [...PART, `M1192 262H${1206 + wide}V310H1192Z`],
      texts: [
        { text: '125.5', x: 300, y: 250 },
        { text: '45\u00b0', x: 1200, y: 300 },
      ],
    });
    expect(said(objects)).toEqual(['125.5', '45° basic']);
  });

  test('ordinates that are read downwards are no figures and marks upwards', async () => {
    const page = sheetOf(41_001);
    const [wide, high] = [page.widthMm, page.heightMm].map((mm) => Math.round((mm * 200) / 25.4));
    const bytes = await sharp(Buffer.from(svgOf(page, wide, high, { ink: 0 })))
      .flatten({ background: '#fff' })
      .png()
      .toBuffer();
    const content = await readContent(bytes, 'a.png', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
    const read = said(readPmi(content).pages.flatMap(({ objects }) => objects));
    for (const ordinate of ['40.56', '56.48', '86.19']) expect(read).toContain(ordinate);
  });
});
