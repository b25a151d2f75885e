import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { bossedPlate, handedBracket, joined, rotated, washer } from '../fixtures/parts.js';
import { box, cylinder, moved } from '../fixtures/shapes.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const plate = box(80, 50, 8);
/** The plate of `plate.dxf`, of which the middle boss is moved along. */
const bosses = [10, 32, 50].map((x) => moved(cylinder(20 / 6, 6, 20), x, 20 / 3, 4));
const FILES = {
  'plate.stl': { bytes: () => writeStlBinary(plate) },
  'plate-with-boss.stl': { bytes: () => writeStlBinary(joined('plate', plate, moved(box(12, 12, 5), 55, 25, 8))) },
  'bracket.stl': { bytes: () => writeStlBinary(handedBracket()) },
  'bracket-turned.stl': {
    bytes: () => writeStlBinary(moved(rotated(handedBracket(), [0.7, 0.1, 0.6, -0.2]), 90, 10, 5)),
  },
  'washer-8.stl': { bytes: () => writeStlBinary(washer(8)) },
  'washer-10.stl': { bytes: () => writeStlBinary(washer(10)) },
  'plate.dxf': { bytes: () => dxfOf(bossedPlate(60, 20, 3)) },
  'plate-longer.dxf': { bytes: () => dxfOf(bossedPlate(66, 20, 3)) },
  'plate-moved-boss.dxf': { bytes: () => dxfOf(joined('revised', box(60, 20, 4), ...bosses)) },
};

describe.skipIf(CHROMIUM === undefined)('comparing two files', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  });
  afterAll(() => site?.close());
  const open = (
    first: keyof typeof FILES,
    second: keyof typeof FILES,
    options: Parameters<Site['open']>[1] = {},
  ): Promise<Page> => site.open(`#/compare/${site.uids.get(first)}/${site.uids.get(second)}`, options);

  test('a plate with and without a boss: they rotate together; the boss is colored, the table says 5 mm', async () => {
    const page = await open('plate.stl', 'plate-with-boss.stl');
    await page.getByText('They are not the same part. They are compared at their positions').waitFor();
    const figures = page.getByRole('row', { name: 'plate-with-boss.stl plate.stl' });
    await expect.poll(() => figures.innerText()).toContain('5 mm');
    // What is outside and what inside is drawn over the columns.
    for (const meant of ['Outside it', 'Inside it'])
      await page.getByRole('columnheader', { name: meant }).locator('svg').waitFor();
    await expect
      .poll(() => page.getByRole('row', { name: 'plate.stl plate-with-boss.stl', exact: false }).first().innerText())
      .toContain('< 0.001 mm');
    await expect.poll(() => page.getByRole('row', { name: /^Volume \d/ }).innerText()).toContain('+2.25 %');
    const [left, right] = [
      page.getByLabel('plate.stl in three dimensions', { exact: true }),
      page.getByLabel('plate-with-boss.stl in three dimensions'),
    ];
    await expect.poll(() => lookOf(left)).not.toBe('');
    await shot(page, 'compare-side-1440');
    await right.focus();
    const before = await lookOf(left);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => lookOf(left)).not.toBe(before);
    await page.getByRole('button', { name: 'Overlaid' }).click();
    await expect.poll(() => reds(page)).toBeGreaterThan(300);
    await shot(page, 'compare-overlaid-1440');
    await page.getByRole('button', { name: 'plate.stl', exact: true }).click();
    await expect.poll(() => reds(page)).toBe(0);
    const overlaid = page.getByLabel('plate.stl laid on plate-with-boss.stl');
    const painted = await lookOf(overlaid);
    await page.getByRole('button', { name: 'Both' }).click();
    await expect.poll(() => lookOf(overlaid)).not.toBe(painted);
    await shot(page, 'compare-both-1440');
    await page.getByRole('button', { name: 'plate-with-boss.stl' }).click();
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuetext')).toBe('0.1 mm');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('a part and its rotated copy are the same, on a phone too, and nothing is colored', async () => {
    const page = await open('bracket.stl', 'bracket-turned.stl', { width: 390, height: 844, theme: 'dark' });
    await page.getByText('They are the same part').waitFor();
    await shot(page, 'compare-390-dark');
    await page.getByRole('button', { name: 'Overlaid' }).click();
    await page.getByRole('button', { name: 'bracket-turned.stl' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expect.poll(() => reds(page)).toBe(0);
    await shot(page, 'compare-overlaid-390-dark');
    await page.getByRole('link', { name: 'Swap files' }).click();
    await expect
      .poll(() => page.url())
      .toContain(`#/compare/${site.uids.get('bracket-turned.stl')}/${site.uids.get('bracket.stl')}`);
    await page.getByText('They are the same part').waitFor();
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('of two revisions the features that changed are listed, and their faces are lit in both', async () => {
    const page = await open('washer-8.stl', 'washer-10.stl');
    const changes = page.getByRole('region', { name: 'Features that differ' });
    const hole = changes.getByRole('row', { name: /through hole/ });
    await hole.waitFor();
    const sides = page.locator('.compare-side');
    for (const i of [0, 1]) await expect.poll(() => orange(sides.nth(i))).toBeGreaterThan(50);
    await shot(page, 'compare-changes');
    await hole.getByRole('button', { name: 'other size' }).click();
    await expect.poll(() => hole.getByRole('button').getAttribute('aria-pressed')).toBe('true');
    for (const i of [0, 1]) await expect.poll(() => orange(sides.nth(i))).toBeGreaterThan(200); // The rest fades.
    await expectAccessible(page);
    await shot(page, 'compare-change');
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('of a revised drawing the views that differ are shown first', async () => {
    const page = await open('plate.dxf', 'plate-moved-boss.dxf');
    await page.getByText('Lines differ in 1 of 3 pairs of views.').waitFor();
    const views = page.getByRole('list', { name: 'Views over each other' }).getByRole('listitem');
    expect(await views.allInnerTexts()).toEqual([
      expect.stringContaining('differs'),
      expect.stringContaining('no difference seen'),
      expect.stringContaining('no difference seen'),
    ]);
    await shot(page, 'compare-revised');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('two drawings: their pages, and their views overlaid', async () => {
    const page = await open('plate.dxf', 'plate-longer.dxf');
    const overlay = page.getByRole('img', { name: /View .* of plate.dxf and View .* overlaid/ }).first();
    await overlay.waitFor();
    expect(await overlay.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    await page.getByText('A search with plate.dxf finds plate-longer.dxf, because:').waitFor();
    expect(await page.getByRole('list', { name: 'Why it is similar' }).innerText()).toContain('a view on page 1');
    await shot(page, 'compare-drawings');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });
});

/** A fingerprint of what a canvas shows; '' while it has a single color. */
async function lookOf(canvas: ReturnType<Page['locator']>): Promise<string> {
  const { data } = await sharp(await canvas.screenshot())
    .resize(24, 24, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const values = [...data].map((value) => value >> 4);
  return new Set(values).size < 4 ? '' : values.join();
}

/** Number of pixels in the dark colors of large deviations. */
async function reds(page: Page): Promise<number> {
  const { data } = await sharp(await page.locator('.viewer-frame').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let i = 0; i < data.length; i += 3)
    if (data[i] > 60 && data[i] > 1.6 * data[i + 1] && data[i] > 1.3 * data[i + 2]) count++;
  return count;
}

/** Number of pixels in the color of lit faces. */
async function orange(element: ReturnType<Page['locator']>): Promise<number> {
  const { data } = await sharp(await element.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let i = 0; i < data.length; i += 3)
    if (data[i] > 130 && data[i] > 1.4 * data[i + 1] && data[i + 1] > 1.5 * data[i + 2]) count++;
  return count;
}
