import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { glb, gltfOf } from '../fixtures/gltf-writer.js';
import { box } from '../fixtures/shapes.js';
import { expectAccessible, LIBRARY, openSite, shot, type Site } from './browser.js';

const FILES = Object.keys(LIBRARY).length;

describe.skipIf(CHROMIUM === undefined)('the library on the page (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  test('lists all files by path, by date, or as pictures', async () => {
    const page = await site.open('#/library', { height: 2_400 });
    const names = page.getByRole('table', { name: 'Files' }).getByRole('link');
    await names.first().waitFor();
    const paths = [...site.uids.keys()].sort();
    await expect.poll(() => names.allInnerTexts()).toEqual(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first');
    const newest = await site.company.list({ order: 'addedAt', direction: 'falling' });
    await page.getByRole('row').nth(1).getByRole('link', { name: newest[0].displayName }).waitFor();
    await expect.poll(() => names.allInnerTexts()).toEqual(newest.map(({ displayName }) => displayName));
    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.getByRole('list', { name: 'Files' }).getByRole('listitem').first().waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Files' }).getByRole('listitem').count()).toBe(FILES);
    await expect.poll(() => page.url()).toContain('view=grid');
    await page.context().close();
  });

  test('filters by kind, state and folder, and shows the number of files of each', async () => {
    const page = await site.open('#/library', { height: 2_400 });
    await page.getByRole('button', { name: `All kinds ${FILES}` }).waitFor();
    await page.getByRole('button', { name: 'Documents 2' }).click();
    await page.getByRole('row').nth(3).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('table').getByRole('link').allInnerTexts())
      .toEqual(['order.pdf', 'flange.txt']);
    await page.getByRole('button', { name: /^All kinds/ }).click();
    await page.getByLabel('Path begins with').fill('fasteners/');
    await page.getByRole('link', { name: 'block.stl' }).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('table').getByRole('link').allInnerTexts())
      .toEqual(['screw-M5x16.stl', 'screw-M5x40.stl', 'washer-M10.stl']);
    await page.getByLabel('Path begins with').fill('nowhere/');
    await page.getByRole('heading', { name: 'No file matches' }).waitFor();
    await page.getByRole('link', { name: 'Show all files' }).click();
    await page.getByRole('link', { name: 'block.stl' }).waitFor();
    await page.context().close();
  });

  test('Back and a reload restore the scroll position; another screen starts at its top', async () => {
    const page = await site.open('#/library', { height: 420 });
    const place = (): Promise<number> => page.evaluate(() => Math.round(scrollY));
    await page.getByRole('row').nth(2).waitFor();
    await page.evaluate(() => scrollTo(0, 700));
    await expect.poll(() => page.evaluate(() => (history.state as { scrollY?: number } | null)?.scrollY)).toBe(700);
    const link = page.getByRole('table').getByRole('link').nth(8);
    const name = await link.innerText();
    await link.evaluate((element) => {
      (element as HTMLElement).click();
    }); // A click by Playwright would scroll it into the middle first.
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await expect.poll(place).toBe(0);
    // The focus moves from the link in the list to the new screen.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.goBack();
    await expect.poll(place).toBe(700);
    await page.reload();
    await expect.poll(place).toBe(700);
    await page.context().close();
  });

  test('a failed file shows the reason and is read again on request', async () => {
    const page = await site.open('#/library');
    await page.getByRole('button', { name: 'Failed 1' }).click();
    const { error } = await site.company.get(site.uids.get('broken/cut-off.step')!);
    await page.getByText(error!.message).waitFor();
    await expectAccessible(page);
    await shot(page, 'library-failed');
    const before = (await site.company.get(site.uids.get('broken/cut-off.step')!)).state;
    expect(before).toBe('failed');
    // The bytes are damaged: reading them again is offered for those alone where it may help.
    const row = page.getByRole('row').filter({ hasText: 'cut-off.step' });
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Delete…']);
    await row.getByText('broken', { exact: true }).waitFor();
    const { json, chunk } = gltfOf(box(10, 20, 30));
    const bytes = glb({ ...json, buffers: [{ uri: 'elsewhere.bin', byteLength: chunk.length }] }, chunk);
    const { error: passing } = await site.company.put('broken/apart.glb', bytes);
    expect(passing!.code).toBe('REFERENCE_MISSING');
    await page.reload();
    await page.getByRole('button', { name: 'Retry apart.glb' }).click();
    await site.engine.idle();
    // It fails again and is listed again.
    await page.getByRole('button', { name: 'Failed 2' }).waitFor();
    const reasons = page.getByRole('group', { name: 'Reason' });
    await reasons.getByRole('button', { name: 'Damaged or cut off 1' }).waitFor();
    await reasons.getByRole('button', { name: 'Other files are missing 1' }).click();
    await page.getByRole('row').filter({ hasText: 'cut-off.step' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'apart.glb' }).waitFor();
    await expectAccessible(page);
    await shot(page, 'library-reasons');
    await reasons.getByRole('button', { name: 'All reasons 2' }).click();
    await page.getByRole('row').filter({ hasText: 'cut-off.step' }).waitFor();
    await page.getByRole('button', { name: 'Retry all' }).click();
    await page.getByText('2 files are queued to be read again.').waitFor();
    await site.engine.idle();
    await page.reload();
    await page.getByRole('button', { name: 'Delete apart.glb' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Failed 1' }).waitFor();
    await page.context().close();
  });

  test('the tree of folders lists what is in one; chosen files are moved and renamed together', async () => {
    const page = await site.open('#/library', { expectsErrors: true }); // That a path is taken.
    const tree = page.getByRole('navigation', { name: 'Folders' });
    const names = page.getByRole('table', { name: 'Files' }).getByRole('link');
    await tree.getByRole('link', { name: 'fasteners' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['screw-M5x16.stl', 'screw-M5x40.stl', 'washer-M10.stl']);
    await expect.poll(() => tree.locator('[aria-current]').innerText()).toBe('fasteners');
    for (const name of ['screw-M5x16.stl', 'screw-M5x40.stl'])
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    const bar = page.getByRole('region', { name: 'Chosen files' });
    await bar.getByRole('button', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move or rename 2 files' });
    await dialog.getByLabel('Folder', { exact: true }).fill('fasteners/screws');
    await dialog.getByLabel('In names, replace').fill('screw-');
    await dialog.getByLabel('With', { exact: true }).fill('bolt-');
    await dialog.getByText('fasteners/screw-M5x16.stl becomes fasteners/screws/bolt-M5x16.stl').waitFor();
    await expectAccessible(page);
    await shot(page, 'library-move');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await bar.getByText('2 of 2 moved.').waitFor();
    await tree.getByRole('link', { name: 'screws' }).click();
    await expect.poll(() => names.allInnerTexts()).toEqual(['bolt-M5x16.stl', 'bolt-M5x40.stl']);
    await expectAccessible(page);
    await shot(page, 'library-tree');
    await names.first().click();
    await page.getByRole('button', { name: 'Rename…' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename or move' });
    await rename.getByLabel('Folders and name').fill('fasteners/washer-M10.stl');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await rename.getByRole('alert').waitFor(); // Another file has that path.
    await rename.getByLabel('Folders and name').fill('fasteners/screw.stl');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'screw.stl', level: 1 }).waitFor();
    expect((await site.company.get(site.uids.get('fasteners/screw-M5x16.stl')!)).path).toBe('fasteners/screw.stl');
    await page.context().close();
  });

  test('while files are read, the rate and the rest are told', async () => {
    const page = await site.open('#/searches'); // This screen does not ask for the status.
    await page.getByRole('heading', { name: 'Saved searches', level: 1 }).waitFor();
    let queued = 40;
    await page.route('**/Status*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { counts: { ThreeD: object } };
      answer.counts.ThreeD = { queued, indexed: 100 - queued, failed: 0 };
      await route.fulfill({ json: answer });
    });
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    const reading = page.getByRole('group', { name: 'Reading' });
    await reading.getByText('40 files wait or are being read.').waitFor();
    queued = 20;
    await reading.getByText(/^20 files wait or are being read, [\d.]+ a second; about \d+ s are left\.$/).waitFor();
    await expect.poll(() => reading.getByRole('progressbar').getAttribute('value')).toBe('20');
    await shot(page, 'library-reading');
    await page.context().close();
  });

  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['dark', 1280],
    ['dark', 390],
    ['light', 2560],
  ] as const)('no serious fault of access, nothing wider than the screen: %s, %i px', async (theme, width) => {
    const page = await site.open('#/library', { theme, width });
    await page.getByRole('table', { name: 'Files' }).getByRole('link').first().waitFor();
    await page.locator('.record img').first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await shot(page, `library-${theme}-${width}`);
    await page.getByRole('button', { name: 'Pictures' }).click();
    await page.getByRole('listitem').first().waitFor();
    await expectAccessible(page);
    await page.context().close();
  });

  test('the browser reported no error', () => {
    expect(site.errors).toEqual([]);
  });
});
