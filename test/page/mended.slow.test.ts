import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { expectAccessible, LIBRARY, openSite, shot, type Site } from './browser.js';

// What people who tried the page stumbled over, each as it should be.

const FILES = {
  ...LIBRARY,
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`boxes/box-${i}.stl`, { bytes: () => writeStlBinary(box(10, 20, 30 + i)) }]),
  ),
  'twice/one.stl': { bytes: () => writeStlBinary(box(5, 6, 7)) },
  'twice/two.stl': { bytes: () => writeStlBinary(box(5, 6, 7)) },
};

describe.skipIf(CHROMIUM === undefined)('what people stumbled over (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
    await site.engine.idle();
  }, 120_000);
  afterAll(() => site?.close());

  test('a new search begins at its top, whatever place the one before had', async () => {
    const page = await site.open('#/?kind=ThreeD', { height: 700 });
    await page.locator('article.card').first().waitFor();
    await page.mouse.move(900, 500);
    await page.mouse.wheel(0, 2_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
    await page.evaluate(
      (to) => {
        location.hash = to;
      },
      `#/?like=${site.uids.get('boxes/box-7.stl')}`,
    );
    await page.getByText('box-7.stl').first().waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect
      .poll(() =>
        page
          .locator('article.card')
          .first()
          .evaluate((card) => card.getBoundingClientRect().top),
      )
      .toBeLessThan(700);
    await page.context().close();
  });

  test('where nothing is found the nearest spelling and fewer words are offered, and find', async () => {
    const page = await site.open('#/?text=flangge');
    await page.getByText('Did you mean:').waitFor();
    await shot(page, 'mended-spelling');
    await page.getByRole('link', { name: 'flange', exact: true }).click();
    await page.getByText(/^\d+ files? in/).waitFor();
    await page.goto(`${site.url}/#/?text=flange+submarine`);
    const offers = page.locator('.offers');
    await offers.getByRole('link', { name: 'flange', exact: true }).waitFor();
    await expectAccessible(page);
    await offers.getByRole('link', { name: 'flange', exact: true }).click();
    await page.getByText(/^\d+ files? in/).waitFor();
    await page.context().close();
  });

  test('tabs stand in one line, the open one in sight; equal parts of an assembly count as one kind', async () => {
    const box = { kind: 'box', x: 10, y: 20, z: 30 } as const;
    const { uid } = await site.company.put(
      'assemblies/two-of-a-kind.step',
      stepFile({
        parts: [
          { name: 'NONE', shape: box },
          { name: 'NONE', shape: box },
        ],
        assemblies: [
          { name: 'pair', places: [0, 1].map((part) => ({ of: { part }, at: [40 * part, 0, 0] as const })) },
        ],
      }),
      { indexAssemblyComponents: true },
    );
    const page = await site.open(`#/file/${uid}?tab=text`, { width: 360 });
    const tabs = page.getByRole('tablist', { name: 'About the file' });
    await tabs.waitFor();
    await tabs.getByRole('tab', { name: 'Text', selected: true }).waitFor();
    const tops = await tabs.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    const [list, open] = [await tabs.boundingBox(), await tabs.getByRole('tab', { name: 'Text' }).boundingBox()];
    expect(open!.x + open!.width).toBeLessThanOrEqual(list!.x + list!.width);
    await tabs.getByRole('tab', { name: /^Assembly/ }).click();
    await page.getByText('2 parts, 1 different').waitFor();
    await page.getByText('Component 1', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await tabs.getByRole('tab', { name: 'Parts list' }).click();
    const bill = page.getByRole('region', { name: 'Bill of materials' });
    await bill.waitFor();
    expect(await bill.evaluate((table) => table.scrollWidth - table.clientWidth)).toBeLessThanOrEqual(0);
    await shot(page, 'mended-parts-list');
    await page.context().close();
  });

  test('filters are open beside the hits and closed above them, also when the window is narrowed', async () => {
    const page = await site.open('#/?text=steel', { width: 1280 });
    const filters = page.locator('details.facets');
    await filters.waitFor();
    expect(await filters.getAttribute('open')).not.toBeNull();
    await page.setViewportSize({ width: 480, height: 800 });
    await expect.poll(() => filters.getAttribute('open')).toBeNull();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => filters.getAttribute('open')).not.toBeNull();
    await page.context().close();
  });

  test('a file that cannot be read is said to have failed, also where no retry is offered', async () => {
    const page = await site.open('#/library?prefix=broken');
    await page.locator('.record .state-failed').first().waitFor();
    await page.context().close();
  });

  test('a member of the company is offered nothing that is refused: no Delete, no order of filters', async () => {
    const [email, password] = ['mia@acme.example', 'a password of Mia'];
    const passwordDigest = createHash('sha1').update(password).digest();
    await site.engine.accounts.addUser({ email, firstName: 'Mia', lastName: 'M', passwordDigest, company: 'acme' });
    const page = await site.open('#/library?state=failed', { signedIn: false, expectsErrors: true });
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
    const isOffered = (name: RegExp) => page.getByRole('button', { name }).count();
    await page.getByText('cut-off.step').first().waitFor();
    expect(await isOffered(/^Delete/)).toBe(0);
    await go(page, `#/file/${site.uids.get('brackets/left.stl')}`);
    await page.getByRole('button', { name: 'Download' }).waitFor();
    expect(await isOffered(/^Delete/)).toBe(0);
    await go(page, '#/?kind=ThreeD');
    await page.locator('.facets legend').filter({ hasText: 'Material' }).waitFor();
    expect(await isOffered(/^Order of these filters/)).toBe(0);
    await page.context().close();
    const operator = await site.open(`#/file/${site.uids.get('brackets/left.stl')}`);
    await operator.getByRole('button', { name: /^Delete/ }).waitFor();
    await operator.context().close();
  });

  test('files of the same bytes cannot be said to be different', async () => {
    const page = await site.open('#/duplicates');
    const group = page.locator('section', { has: page.getByRole('link', { name: 'one.stl', exact: true }) }).last();
    await group.getByRole('link', { name: 'two.stl', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'These are different' }).count()).toBeGreaterThan(0);
    expect(await group.getByRole('button', { name: 'These are different' }).count()).toBe(0);
    await page.context().close();
  });

  test('the browser reported no error', () => expect(site.errors).toEqual([]));
});

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}
