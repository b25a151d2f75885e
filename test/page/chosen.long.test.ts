import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

describe.skipIf(CHROMIUM === undefined)('lists, choosing several files and units (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  const uid = (path: string): string => site.uids.get(path)!;
  const bar = (page: Page) => page.getByRole('region', { name: 'Chosen files' });
  const saved = async (page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };

  test('hits are a list with columns that the user chooses; the address and the browser remember both', async () => {
    const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}`);
    await page.getByRole('button', { name: 'List' }).click();
    expect(page.url()).toContain('view=list');
    const table = page.getByRole('table', { name: 'Files that were found' });
    const titles = () => table.getByRole('columnheader').allInnerTexts();
    await expect.poll(titles).toEqual(['Chosen', 'Name', 'Match', 'Size', 'Volume', 'Why', 'Material']);
    const first = table.getByRole('row').nth(1);
    expect(await first.getByRole('cell').allInnerTexts()).toEqual([
      'Choose screw-M5x16.stl',
      expect.stringContaining('screw-M5x16.stl'),
      expect.stringContaining('Identical'),
      expect.stringMatching(/^[\d.]+ × [\d.]+ × [\d.]+ mm$/),
      expect.stringMatching(/mm³$/),
      'the same file, byte for byte',
      'Steel',
    ]);
    await expectAccessible(page);
    await shot(page, 'chosen-list');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Supplier' }).check();
    await page.getByRole('checkbox', { name: 'Why' }).uncheck();
    await page.reload();
    await expect.poll(titles).toEqual(['Chosen', 'Name', 'Match', 'Size', 'Volume', 'Material', 'Supplier']);
    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.getByRole('listitem').first().waitFor();
    expect(page.url()).not.toContain('view=list');
    await page.context().close();
  });

  test('all hits are exported as a table, with pictures in a workbook', async () => {
    const page = await site.open('#/?text=screw&view=list');
    await page.getByText('Export', { exact: true }).click();
    const csv = await saved(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
    expect(csv.name).toBe('files.csv');
    const lines = csv.bytes.toString().split('\r\n');
    expect(lines[0]).toContain('No.,Name,Path,Kind,Match,Similarity (%),Why,Length (mm)');
    expect(lines.filter((line) => line.includes('fasteners/screw-')).length).toBe(2);
    const xlsx = await saved(page, () => page.getByRole('button', { name: 'Save as XLSX' }).click());
    const parts = unzipSync(xlsx.bytes);
    expect(Object.keys(parts).filter((name) => name.endsWith('.png')).length).toBeGreaterThanOrEqual(2);
    expect(strFromU8(parts['xl/sheet1.xml'])).toContain('screw-M5x16.stl');
    const printed = await saved(page, () => page.getByRole('button', { name: 'Save as PDF' }).click());
    // The engine itself reads what is saved.
    const { uid: sheet } = await site.company.putInput(printed.bytes, { extension: '.pdf' });
    const words = (await site.company.text(sheet)).map(({ text }) => text).join(' ');
    for (const name of ['screw-M5x16', 'screw-M5x40']) expect(words).toContain(name);
    await page.context().close();
  });

  test('two chosen files are compared; what is chosen is exported, and another search forgets it', async () => {
    const page = await site.open('#/?text=screw');
    await page.getByRole('checkbox', { name: 'Choose screw-M5x16.stl' }).check();
    await page.getByRole('checkbox', { name: 'Choose screw-M5x40.stl' }).check();
    await bar(page).getByText('2 chosen').waitFor();
    await expectAccessible(page);
    await shot(page, 'chosen-bar');
    expect(await bar(page).getByRole('link', { name: 'Compare' }).getAttribute('href')).toBe(
      `#/compare/${uid('fasteners/screw-M5x16.stl')}/${uid('fasteners/screw-M5x40.stl')}`,
    );
    const csv = await saved(page, () => bar(page).getByRole('button', { name: 'Save as CSV' }).click());
    expect(csv.bytes.toString().trim().split('\r\n').length).toBe(3);
    const files: string[] = [];
    page.on('download', (download) => files.push(download.suggestedFilename()));
    await bar(page).getByRole('button', { name: 'Download' }).click();
    await bar(page).getByText('2 of 2 saved.').waitFor();
    await expect.poll(() => files.toSorted()).toEqual(['screw-M5x16.stl', 'screw-M5x40.stl']);
    await page.getByRole('searchbox', { name: 'Words' }).fill('stainless');
    await page.keyboard.press('Enter');
    await page.getByText(/^2 files in/).waitFor();
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Choose flange.txt' }).check();
    await bar(page).waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('an attribute and a category are set on all chosen files of the library, other attributes stay', async () => {
    const { id } = await site.company.categories.add('Brackets');
    const page = await site.open('#/library');
    await page.getByRole('checkbox', { name: 'Choose left.stl' }).check();
    await page.getByRole('checkbox', { name: 'Choose washer-M10.stl' }).check();
    await bar(page).getByRole('button', { name: 'Set attribute…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Material');
    await page.getByLabel('Value', { exact: true }).fill('Bronze');
    await expectAccessible(page);
    await shot(page, 'chosen-attribute');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await bar(page).getByText('2 of 2 changed.').waitFor();
    await bar(page).getByRole('button', { name: 'Set category…' }).click();
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Brackets');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await expect.poll(async () => (await site.company.get(uid('fasteners/washer-M10.stl'))).categoryId).toBe(id);
    const { attributes, categoryId } = await site.company.get(uid('brackets/left.stl'));
    expect(attributes).toEqual(['Material=Bronze']);
    expect(categoryId).toBe(id);
    expect((await site.company.get(uid('fasteners/washer-M10.stl'))).attributes).toEqual(['Material=Bronze']);
    await page.context().close();
  });

  test('lengths, areas and volumes follow the switch between mm and inch, after a reload too', async () => {
    const page = await site.open(`#/file/${uid('assemblies/plate-with-pins.step')}?tab=about`);
    const size = () => page.locator('.facts').innerText();
    await expect.poll(size).toContain('60 × 40 × 35 mm');
    await page.getByLabel('Units').selectOption('inch');
    await expect.poll(size).toContain('2.362 × 1.575 × 1.378 in');
    expect(await size()).toContain('in³');
    await page.locator('.viewer canvas').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    await page.getByText('Box along the axes: 2.362 × 1.575 × 1.378 in').waitFor();
    await page.reload();
    await expect.poll(size).toContain('2.362 × 1.575 × 1.378 in');
    await page.goto(`${site.url}/#/library`);
    await page.getByText('2.362 × 1.575 × 1.378 in').waitFor();
    // Reasons, attributes and filters follow it too.
    await page.goto(`${site.url}/#/?like=${uid('fasteners/screw-M5x16.stl')}`);
    const reasons = page.locator('.card-reasons');
    await expect.poll(async () => (await reasons.allInnerTexts()).join(' ')).toMatch(/\d in\b/);
    expect((await reasons.allInnerTexts()).join(' ')).not.toMatch(/\d mm/);
    await page.goto(`${site.url}/#/?kind=ThreeD`);
    const least = page.getByRole('spinbutton', { name: 'Mass in lb, at least' });
    await least.fill('0.1');
    await least.press('Enter');
    const heavy = (await site.company.list({ limit: 100 })).filter(({ attributes }) =>
      attributes.some((text) => text.startsWith('Mass(g)=') && Number(text.slice(8)) >= 45.36),
    );
    expect(heavy.length).toBeGreaterThan(3);
    await page.getByText(`${heavy.length} files in`).waitFor();
    expect(await least.inputValue()).toBe('0.1');
    // So do searches that were made before.
    const before = page.getByRole('region', { name: 'Recent searches' });
    await page.goto(`${site.url}/#/`);
    await before.getByRole('link', { name: 'models · Mass from 0.1 lb' }).click();
    await page.getByText(`${heavy.length} files in`).waitFor();
    await page.getByRole('link', { name: heavy[0].displayName, exact: true }).click();
    await page.getByText('Mass (lb)').waitFor();
    await page.getByLabel('Units').selectOption('mm');
    await page.getByText('Mass (g)').waitFor();
    await page.context().close();
  });

  test('list and bar fit a phone and the dark page', async () => {
    for (const [name, options] of Object.entries({
      'phone-light': { width: 390, height: 844 },
      'phone-dark': { width: 390, height: 844, theme: 'dark' },
      'wide-dark': { width: 1440, height: 900, theme: 'dark' },
    } as const)) {
      const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}&view=list`, options);
      await page.getByRole('checkbox', { name: 'Choose screw-M5x16.stl' }).check();
      await page.getByRole('checkbox', { name: 'Choose screw-M5x40.stl' }).check();
      await bar(page).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
      await shot(page, `chosen-${name}`);
      await page.context().close();
    }
  });

  test('the browser reported no error', () => expect(site.errors).toEqual([]));
});
