import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { bossedPlate, handedBracket, mirrored, screw, washer } from '../fixtures/parts.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { moved } from '../fixtures/shapes.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const stl = (body: Parameters<typeof writeStlBinary>[0]) => ({ bytes: () => writeStlBinary(body) });
/** Timeout that is long enough on a busy machine. */
const SOON = { timeout: 60_000 };
const FILES: NonNullable<Parameters<typeof openSite>[0]>['files'] = {
  'screws/M5x16.stl': stl(screw(5, 16)),
  'screws/copy of M5x16.stl': stl(screw(5, 16)),
  // The same part at another place: equal bytes cannot be declared different.
  'suppliers/0815.stl': stl(moved(screw(5, 16), 5, 0, 0)),
  'brackets/left.stl': stl(handedBracket()),
  'brackets/right.stl': stl(mirrored(handedBracket())),
  'plates/plate.stl': stl(bossedPlate(60, 20, 3)),
  'washers/M10.stl': stl(washer(10)),
  'notes/a.txt': { bytes: () => Buffer.from('The same note.') },
  'notes/b.txt': { bytes: () => Buffer.from('The same note.') },
  'torn/a.pdf': { bytes: () => Buffer.from('%PDF-1.7 torn') },
  'torn/b.pdf': { bytes: () => Buffer.from('%PDF-1.7 torn') },
};

describe.skipIf(CHROMIUM === undefined)('duplicates (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  });
  afterAll(() => site.close());

  const groups = (page: Page): Locator => page.locator('.group');
  const group = (page: Page, path: string): Locator =>
    page.getByRole('region', { name: new RegExp(`: ${path.replaceAll('/', '\\/')}$`) });
  const names = async (of: Locator): Promise<string[]> => (await of.locator('.member-name').allInnerTexts()).sort();

  test('pictures of failed files are not requested', async () => {
    const page = await site.open('#/', { theme: 'dark' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(page.url().replace(/#.*$/, '#/duplicates'));
    const torn = group(page, 'torn/a.pdf').locator('.picture-none');
    await torn.first().waitFor();
    await expect.poll(() => torn.count()).toBe(2);
    // The background is that of models, not that of pages.
    expect(await torn.first().evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(93, 104, 115)',
    );
    await group(page, 'screws/M5x16.stl').locator('img').first().waitFor();
    expect(
      asked.filter((url) => url.includes(site.uids.get('torn/a.pdf')!) || url.includes(site.uids.get('torn/b.pdf')!)),
    ).toEqual([]);
  });

  test('groups are shown with the evidence that their files are the same', async () => {
    const page = await site.open('#/duplicates');
    await groups(page).first().waitFor();
    await expect.poll(() => groups(page).count()).toBe(4);
    expect(await names(group(page, 'screws/M5x16.stl'))).toEqual(['0815.stl', 'M5x16.stl', 'copy of M5x16.stl']);
    const handed = group(page, 'brackets/left.stl');
    await expect.poll(() => handed.innerText()).toContain('Mirrored');
    await expect
      .poll(() => handed.getByRole('listitem').nth(1).innerText())
      .toMatch(/Deviation\s+(none found|at most [\d.]+ mm)/);
    await expect
      .poll(() => handed.getByRole('link', { name: /^Compare/ }).getAttribute('href'))
      .toBe(`#/compare/${site.uids.get('brackets/left.stl')}/${site.uids.get('brackets/right.stl')}`);
    expect(await names(group(page, 'notes/a.txt'))).toEqual(['a.txt', 'b.txt']);
    await expectAccessible(page);
    await shot(page, 'duplicates');
    await page.getByRole('button', { name: /^Mirrored/ }).click();
    await expect.poll(() => groups(page).count()).toBe(3);
    await page.context().close();
  });

  test('near parts are searched only on request', async () => {
    await site.company.put('screws/M5x20.stl', writeStlBinary(screw(5, 20)));
    const page = await site.open('#/duplicates');
    await groups(page).first().waitFor();
    await page.getByLabel('Near parts').selectOption('up to a score of 0.3');
    await page.locator('.group').filter({ hasText: 'Near' }).first().waitFor();
    await expect
      .poll(() => page.locator('.group').filter({ hasText: 'M5x20.stl' }).innerText())
      .toMatch(/Score\s+0\.\d/);
    await page.context().close();
  });

  test('decisions are stored, listed and undone', async () => {
    const page = await site.open('#/duplicates');
    const screws = group(page, 'screws/M5x16.stl');
    await screws.getByRole('button', { name: 'Keep this one: screws/M5x16.stl' }).click();
    await screws.getByText('Decided').waitFor();
    await expect.poll(() => page.getByText('M5x16.stl is the one to keep.').count()).toBe(1);
    await page.getByRole('checkbox', { name: 'Undecided only' }).check();
    await screws.waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Undecided only' }).uncheck();
    await page.locator('.duplicates-done').getByRole('button', { name: 'Undo' }).click();
    await screws.getByText('Decided').waitFor({ state: 'detached' });
    expect(await site.company.duplicates.decisions()).toEqual([]);

    await screws.getByRole('button', { name: 'Not the same: suppliers/0815.stl' }).click();
    await expect.poll(() => names(screws), SOON).toEqual(['M5x16.stl', 'copy of M5x16.stl']);
    await group(page, 'brackets/left.stl').getByRole('button', { name: 'These are different' }).click();
    await group(page, 'brackets/left.stl').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.reload();
    await groups(page).first().waitFor();
    await expect.poll(() => groups(page).count()).toBe(3);
    await page.getByText('3 decisions').click();
    await expect
      .poll(() => page.locator('.decisions li').first().innerText(), SOON)
      .toMatch(/brackets\/(left|right)\.stl and brackets\/(left|right)\.stl are different\./);
    await expectAccessible(page);
    await shot(page, 'duplicates-decisions');
    await page.locator('.decisions').getByRole('button', { name: 'Undo' }).first().click();
    await group(page, 'brackets/left.stl').waitFor();
    // None of this deletes a file.
    expect((await site.company.counts()).total).toBe(Object.keys(FILES).length + 1);
    await page.context().close();
  });

  test('the groups are downloaded as CSV and as JSON', async () => {
    const page = await site.open('#/duplicates');
    await groups(page).first().waitFor();
    const save = async (name: string): Promise<{ name: string; text: string }> => {
      const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
    };
    const csv = await save('Save as CSV');
    expect(csv.name).toBe('duplicates.csv');
    expect(csv.text).toContain('screws/copy of M5x16.stl');
    const json = await save('Save as JSON');
    expect(json.name).toBe('duplicates.json');
    expect((JSON.parse(json.text) as { members: unknown[] }[]).every(({ members }) => members.length > 1)).toBe(true);
    await page.context().close();
  });

  test.each([
    ['light', 390],
    ['dark', 1440],
  ] as const)('is complete in %s at %i px', async (theme, width) => {
    const page = await site.open('#/duplicates', { theme, width });
    await groups(page).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAccessible(page);
    await shot(page, `duplicates-${theme}-${width}`);
    await page.context().close();
  });

  test('the browser reported no error', () => {
    expect(site.errors).toEqual([]);
  });
});
