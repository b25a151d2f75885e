import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box, cylinder } from '../fixtures/shapes.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const folder = join(temporaryFolder(), 'job');

async function choose(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await (await chooser).setFiles(folder);
}

const fact = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Progress' })
    .locator('div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .last()
    .innerText();

describe.skipIf(CHROMIUM === undefined)('uploading on the page (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    mkdirSync(join(folder, 'inner'), { recursive: true });
    writeFileSync(join(folder, 'a.stl'), writeStlBinary(box(1, 2, 3)));
    writeFileSync(join(folder, 'inner', 'b.stl'), writeStlBinary(cylinder(4, 9)));
    writeFileSync(join(folder, 'inner', 'broken.step'), 'no STEP file');
    writeFileSync(join(folder, 'inner', 'program.exe'), 'MZ');
    site = await openSite({ files: {} });
  });
  afterAll(() => site.close());

  test('a folder keeps its paths; unsupported formats are left out, unreadable files give the reason', async () => {
    const page = await site.open('#/upload');
    await page.getByLabel('Put into folder').fill('2026/');
    await choose(page);
    await page.getByText('Done', { exact: true }).waitFor();
    await expect.poll(() => fact(page, 'Files')).toBe('3 of 3');
    await page.getByText('1 file was left out').click();
    await page.getByText('2026/job/inner/program.exe').waitFor();
    await site.engine.idle();
    expect((await site.company.list()).map(({ path, state }) => `${path} ${state}`)).toEqual([
      '2026/job/a.stl indexed',
      '2026/job/inner/b.stl indexed',
      '2026/job/inner/broken.step failed',
    ]);
    const unreadable = page.getByRole('region', { name: 'Stored, but cannot be read' });
    await unreadable.getByRole('link', { name: '2026/job/inner/broken.step' }).waitFor();
    await expectAccessible(page);
    await shot(page, 'upload-done');
    // Bytes that are no STEP file stay none: they can be deleted, not read again.
    await unreadable.getByRole('button', { name: 'Delete broken.step' }).waitFor();
    expect(await unreadable.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    await page.context().close();
  });

  test('sending the same folder again sends only what has changed', async () => {
    const sent: string[] = [];
    const page = await site.open('#/upload');
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(new URL(request.url()).searchParams.get('path') ?? '');
    });
    writeFileSync(join(folder, 'a.stl'), writeStlBinary(box(1, 2, 4)));
    await page.getByLabel('Put into folder').fill('2026');
    await choose(page);
    await page.getByText('Done', { exact: true }).waitFor();
    await expect.poll(() => fact(page, 'Unchanged')).toBe('1');
    // The second could not be read before.
    expect(sent.sort()).toEqual(['2026/job/a.stl', '2026/job/inner/broken.step']);
    await site.engine.idle();
    expect((await site.company.find('2026/job/a.stl'))?.bboxSizeMm?.map(Math.round)).toEqual([4, 2, 1]);
    await page.context().close();
  });

  test('refused files can be sent again, and a stopped upload can be resumed', async () => {
    const page = await site.open('#/upload', { expectsErrors: true });
    let refused = 1;
    await page.route('**/api/Record?path=**', (route) =>
      refused-- > 0
        ? route.fulfill({
            status: 413,
            contentType: 'application/problem+json',
            body: JSON.stringify({ detail: 'The body has 10 bytes, allowed are 5.' }),
          })
        : route.continue(),
    );
    await choose(page);
    const lost = page.getByRole('region', { name: 'Not stored' });
    await lost.getByText('The body has 10 bytes, allowed are 5.').waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    await lost.getByRole('button', { name: 'Send again' }).click();
    await lost.waitFor({ state: 'detached' });
    await page.getByText('Done', { exact: true }).waitFor();
    await site.engine.idle();
    expect((await site.company.list({ prefix: 'job/' })).length).toBe(3);
    // The server becomes unreachable: the upload stops, and can be resumed when it is back.
    writeFileSync(join(folder, 'a.stl'), writeStlBinary(box(1, 2, 5)));
    await page.route('**/api/Record?path=**', (route) => route.abort('connectionrefused'));
    // The other files are still being compared when that happens; each of them counts once all the same.
    await page.evaluate(() => {
      const digest = crypto.subtle.digest.bind(crypto.subtle);
      crypto.subtle.digest = async (algorithm, data) => {
        if (data.byteLength !== 684) await new Promise((resolve) => setTimeout(resolve, 500));
        return digest(algorithm, data);
      };
    });
    await choose(page);
    await page.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/api/Record?path=**');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    // The counts include what was sent before the stop.
    await expect.poll(() => fact(page, 'Files')).toBe('3 of 3');
    await page.getByText('1 file was left out').waitFor();
    expect((await site.company.find('job/a.stl'))?.byteLength).toBe(684);
    await page.context().close();
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('no serious fault of access: %s, %i px', async (theme, width) => {
    const page = await site.open('#/upload', { theme, width });
    await page.getByRole('heading', { name: 'Upload' }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await shot(page, `upload-${theme}-${width}`);
    await page.context().close();
  });

  test('the browser reported no error', () => {
    expect(site.errors).toEqual([]);
  });
});
