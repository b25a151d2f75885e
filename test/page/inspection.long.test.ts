import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { drawnPicture, levelDimension } from '../fixtures/drawn-picture.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const SOON = { timeout: 60_000 };

/** A drawing with level, upright and slanted sizes; `bore` is that of its hole. */
const drawing = (bore: string): Uint8Array =>
  pdf([
    {
      content:
        `${lineWork(400)}${textAt('25 H7', 100, 700)}${textAt(bore, 300, 600)}${textAt('31.25', 300, 500, 12, 30)}` +
        `${textAt('44', 200, 400, 12, 90)}${textAt('General tolerances ISO 2768-m', 60, 60)}`,
    },
  ]);

/** Six sizes in rows that nearly touch. */
const dense = (): Uint8Array =>
  pdf([
    {
      content: `${lineWork(400)}${[0, 1, 2]
        .map((row) => textAt(`${21 + row}.5`, 200, 600 - 15 * row) + textAt(`${31 + row}.5`, 236, 600 - 15 * row))
        .join('')}`,
    },
  ]);

describe.skipIf(CHROMIUM === undefined)("an inspector's list (needs Chromium)", () => {
  let site: Site;
  beforeAll(async () => {
    const picture = await drawnPicture({
      ...{ width: 1_200, height: 700, lineWidth: 2 },
      texts: [{ text: '62.5', x: 550, y: 290 }],
      ...levelDimension(200, 1_000, 300),
    });
    site = await openSite({
      files: {
        'plate-a.pdf': { bytes: () => drawing('12 \xb10.1') },
        'dense.pdf': { bytes: dense },
        'scan.png': { bytes: () => picture },
        'plate-b.pdf': { bytes: () => drawing('12 \xb10.2') },
      },
    });
  });
  afterAll(() => site.close());

  const rowsOf = (page: Page): Promise<string[]> =>
    page.getByRole('region', { name: 'Inspection list' }).locator('tbody tr').allInnerTexts();

  test('the list has deviations, balloons stand on the page, and both share the selection', async () => {
    const page = await site.open(`#/file/${site.uids.get('plate-a.pdf')}`);
    await page.getByRole('tab', { name: 'Inspection' }).click();
    await expect.poll(async () => (await rowsOf(page)).length, SOON).toBe(4);
    const cells = (await rowsOf(page)).map((row) => row.split(/\s*\t\s*/).map((cell) => cell.trim()));
    // What it comes from stands below the reading.
    expect(cells.map(([, read, nominal, upper, lower]) => [...read.split('\n'), nominal, upper, lower])).toEqual(
      expect.arrayContaining([
        ['25 H7', 'ISO 286', '25', '+0.021', '0'],
        ['12 ±0.1', 'written', '12', '+0.1', '\u22120.1'],
        ['31.25', 'ISO 2768-m', '31.25', '+0.3', '\u22120.3'],
        ['44', 'ISO 2768-m', '44', '+0.3', '\u22120.3'],
      ]),
    );
    // All numbers are seen without moving the list sideways.
    const list = page.getByRole('region', { name: 'Inspection list' });
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await expect.poll(() => page.locator('.page-balloon').count(), SOON).toBe(4);
    // Slanted text has a slanted box.
    const slanted = page.locator('.spots rect[transform^="rotate(-30"]');
    expect(await slanted.count()).toBe(1);
    const [along, across] = await slanted.evaluate((box) =>
      ['width', 'height'].map((side) => Number(box.getAttribute(side))),
    );
    expect(along).toBeGreaterThan(1.5 * across);
    const numbers = await page.locator('.page-balloon text').allTextContents();
    expect(numbers.map(Number).sort()).toEqual([1, 2, 3, 4]);
    await shot(page, 'inspection');
    await page.getByRole('button', { name: 'Show 2 on the page' }).click();
    await page.locator('.page-balloon-chosen').filter({ hasText: '2' }).waitFor();
    await expectAccessible(page);
    // Another tab has no balloons.
    await page.getByRole('tab', { name: /^Dimensions/ }).click();
    await expect.poll(() => page.locator('.page-balloon').count(), SOON).toBe(0);
    await page.context().close();
  });

  test('the list says how sure readings of pixels are', async () => {
    const page = await site.open(`#/file/${site.uids.get('scan.png')}`);
    await page.getByRole('tab', { name: 'Inspection' }).click();
    await expect.poll(async () => (await rowsOf(page)).length, SOON).toBe(1);
    const [, read] = (await rowsOf(page))[0].split(/\s*\t\s*/);
    expect(read.trim().split('\n')).toEqual(['62.5', expect.stringMatching(/^\d\d % sure$/)]);
    await page.getByRole('tab', { name: /^Dimensions/ }).click();
    await page.getByText(/^Dimension, \d\d % sure$/).waitFor();
    await page.context().close();
  });

  test('a balloon covers no other annotation and no other balloon, also where sizes stand close', async () => {
    const page = await site.open(`#/file/${site.uids.get('dense.pdf')}`);
    await page.getByRole('tab', { name: 'Inspection' }).click();
    await expect.poll(() => page.locator('.page-balloon').count(), SOON).toBe(6);
    const covered = await page.locator('.spots').evaluate((spots) => {
      const boxOf = (element: Element) => (element as SVGGraphicsElement).getBoundingClientRect();
      const circles = [...spots.querySelectorAll('.page-balloon circle')].map(boxOf);
      const boxes = [...spots.querySelectorAll('rect')].map(boxOf);
      const [radius] = circles.map(({ width }) => width / 2);
      const away = circles.map(({ x, y }) => ({ x: x + radius, y: y + radius }));
      const reach = ({ x, y }: { x: number; y: number }, { left, right, top, bottom }: DOMRect) =>
        Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
      return {
        boxes: boxes.length,
        ofBoxes: away.flatMap((at) => boxes.filter((box) => reach(at, box) < 0.85 * radius)).length,
        ofBalloons: away.flatMap((a, i) => away.slice(i + 1).filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < radius))
          .length,
      };
    });
    expect(covered).toEqual({ boxes: 6, ofBoxes: 0, ofBalloons: 0 });
    await shot(page, 'inspection-dense');
    await page.context().close();
  });

  test('signs of drawings are shown on machines whose fonts lack them', async () => {
    const page = await site.open(`#/file/${site.uids.get('dense.pdf')}`);
    const missing = await page.evaluate(
      async (signs) => {
        const loaded = await Promise.all(
          signs.map(async (sign) => ({ sign, faces: await document.fonts.load('14px "Drawing Signs"', sign) })),
        );
        return loaded.filter(({ faces }) => faces.length !== 1 || faces[0].status !== 'loaded').map(({ sign }) => sign);
      },
      [...'⏤⏥⌭⌒⌓⌖◎⌯∠⊥⟂∥↗⌰⌀⌴⌵↧ⓂⓁⓅⒻⓈⓉⓊⒺ'],
    );
    expect(missing).toEqual([]);
    await page.context().close();
  });

  test('it is saved as CSV and as a workbook', async () => {
    const page = await site.open(`#/file/${site.uids.get('plate-a.pdf')}`);
    await page.getByRole('tab', { name: 'Inspection' }).click();
    const saved = async (name: string): Promise<Buffer> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name }).click();
      return readFile(await (await download).path());
    };
    const csv = (await saved('Save as CSV')).toString('utf8');
    expect(csv.split('\r\n')[0]).toContain('No.,Page,Kind,Reading');
    expect(csv).toContain('25 H7,1,25,mm,0.021,0,25.021,25,ISO 286,');
    const parts = unzipSync(new Uint8Array(await saved('Save as XLSX')));
    expect(Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? parts['xl/sheet1.xml']).toString()).toContain('25 H7');
    await page.context().close();
  });

  test('two drawings of a part are compared', async () => {
    const [first, second] = ['plate-a.pdf', 'plate-b.pdf'].map((path) => site.uids.get(path));
    const page = await site.open(`#/compare/${first}/${second}`);
    const table = page.getByRole('region', { name: 'Dimensions and tolerances of both' });
    await table.waitFor();
    await page.getByText('4 agree, 1 contradict, 0 in the first alone, 0 in the second alone').waitFor();
    await page.getByText('only dimensions and texts were compared').waitFor();
    expect(await table.locator('tbody tr').first().innerText()).toContain('tolerance: ±0.1 / ±0.2');
    await shot(page, 'compare-pmi');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('comparison.csv');
    expect(await readFile(await saved.path(), 'utf8')).toContain('contradicts,');
    await expectAccessible(page);
    await page.context().close();
  });
});
