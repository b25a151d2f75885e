import { expect, test } from 'vitest';
import type { Picture } from '../../dist/content/sheet.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { PAGE_BOUNDS, sheetOfPicture, type ReadSheet } from '../../dist/pmi/pictures/picture-sheet.js';
import { readContent } from '../../dist/readers/read.js';
import { drawnPicture } from '../fixtures/drawn-picture.js';

const SIDE = 1200;
const FRAME = [20, 40, 60].map((at) => `M${at} 20V${SIDE - 20}M20 ${at}H${SIDE - 20}`);

async function pictureOf(texts: Parameters<typeof drawnPicture>[0]['texts'], lines = FRAME): Promise<Picture> {
  const content = await readContent(await drawnPicture({ width: SIDE, height: SIDE, lines, texts }), 'a.png', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  });
  if (content.kind !== 'image') throw new Error(`read as ${content.kind}`);
  return content.pictures[0];
}
const textsOf = ({ texts, tableTexts }: ReadSheet): string[] => [...texts, ...tableTexts].map(({ text }) => text);

test('letters of a page are read within a bound of glyphs and of pixels; what is not read is counted', async () => {
  const places = [200, 400, 600, 800, 1000];
  const picture = await pictureOf(places.map((y) => ({ text: '125.5', x: 300, y, deg: 30 })));
  const whole = sheetOfPicture(picture, 1);
  expect([textsOf(whole), whole.unread]).toEqual([places.map(() => '125.5'), 0]);
  for (const bounds of [
    { ...PAGE_BOUNDS, glyphs: 60 },
    { ...PAGE_BOUNDS, pixels: 250_000 },
  ]) {
    const part = sheetOfPicture(picture, 1, bounds);
    expect(part.unread).toBeGreaterThan(0);
    expect(textsOf(part).length).toBeLessThan(places.length);
    expect(sheetOfPicture(picture, 1, bounds).unread).toBe(part.unread); // By no clock.
  }
});

test('rows of letters whose boxes lie on each other are not looked at as often as they are many', async () => {
  const rows: string[] = [];
  for (let row = -SIDE; row < SIDE; row += 100)
    for (let down = 80; down < SIDE - 60; down += 22)
      if (row + down > 80 && row + down < SIDE - 60)
        rows.push(`M${row + down - 9} ${down}a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z`);
  const picture = await pictureOf([], [...FRAME, ...rows]);
  const area = picture.widthPx * picture.heightPx;
  const { unread } = sheetOfPicture(picture, 1, { ...PAGE_BOUNDS, pixels: area });
  expect(unread).toBeGreaterThan(2);
});
