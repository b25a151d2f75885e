import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { LIBRARY, openSite, shot, type Site } from './browser.js';

// Every screen on a phone and on a wide screen, light and dark: axe finds nothing at all, and the tree that screen
// readers get from Chromium names everything that can be used.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ASSEMBLY = 'assemblies/plate-with-pins.step';
const PART = 'brackets/left.stl';
const OTHER = 'brackets/right.stl';

/** Screens by name: where they are, and what is there when they have loaded. */
const SCREENS: Readonly<Record<string, (uid: (path: string) => string) => readonly [hash: string, until: string]>> = {
  start: () => ['#/', 'Or begin with one of'],
  words: () => ['#/?text=steel', 'files in'],
  'similar parts': (uid) => [`#/?like=${uid(PART)}`, 'files in'],
  'a list': (uid) => [`#/?like=${uid(PART)}&view=list`, 'files in'],
  'shapes inside': (uid) => [`#/?contains=${uid(PART)}`, 'inside other parts'],
  'a sheet': () => ['#/sheet?text=screw', 'screw-M5x16.stl'],
  'saved searches': () => ['#/searches', 'Saved searches'],
  library: () => ['#/library', 'screw-M5x16.stl'],
  'library as pictures': () => ['#/library?view=grid', 'left.stl'],
  'failed files': () => ['#/library?state=failed', 'These files could not be read'],
  upload: () => ['#/upload', 'Drop folders or files here'],
  duplicates: () => ['#/duplicates', 'Duplicates'],
  'a part': (uid) => [`#/file/${uid(PART)}`, 'Files most like this'],
  'an assembly': (uid) => [`#/file/${uid(ASSEMBLY)}`, '3 parts, 2 different'],
  'a parts list': (uid) => [`#/file/${uid(ASSEMBLY)}?tab=bill`, 'Parts list'],
  'a drawing': (uid) => [`#/file/${uid('drawings/plate.dxf')}`, 'Files most like this'],
  'a document': (uid) => [`#/file/${uid('drawings/order.pdf')}?tab=text`, 'Order 4711'],
  'a failed file': (uid) => [`#/file/${uid('broken/cut-off.step')}`, 'truncated'],
  'a comparison': (uid) => [`#/compare/${uid(PART)}/${uid(OTHER)}`, 'Deviations'],
};

describe.skipIf(CHROMIUM === undefined)('what assistive technology is told (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: LIBRARY });
    await site.engine.idle();
  }, 120_000);
  afterAll(() => site?.close());

  test.each([
    ['light', 2560],
    ['dark', 360],
  ] as const)(
    'every screen, %s, %i px',
    async (theme, width) => {
      const page = await site.open('#/library', { theme, width });
      await page.evaluate(AXE);
      const found: string[] = [];
      for (const [name, screen] of Object.entries(SCREENS)) {
        const [hash, until] = screen((path) => site.uids.get(path)!);
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        await page.getByText(until).first().waitFor();
        if (name === 'a part' || name === 'an assembly') await page.locator('.viewer canvas').waitFor();
        await shot(page, `access-${name}-${theme}-${width}`);
        for (const fault of [...(await axeOf(page)), ...(await treeOf(page)), ...(await tooWide(page))])
          found.push(`${name}: ${fault}`);
      }
      expect(found).toEqual([]);
      expect(site.errors).toEqual([]);
      await page.context().close();
    },
    240_000,
  );

  test('what changes is said: how many were found, what was measured, what was done', async () => {
    const page = await site.open('#/?text=steel');
    const live = page.locator('[aria-live=polite], [role=status], [role=alert]');
    await live.filter({ hasText: /\d+ files in/ }).waitFor();
    await page.getByRole('searchbox').fill('flangge');
    await page.keyboard.press('Enter');
    await live.filter({ hasText: 'Nothing found' }).waitFor();
    const model = await site.open(`#/file/${site.uids.get(PART)}`);
    await model.locator('.viewer canvas').waitFor();
    await model.getByRole('button', { name: 'Box', exact: true }).click();
    await model.getByRole('status').filter({ hasText: 'Box along the axes: 40 × 40 × 30 mm' }).waitFor();
    // The canvas says what it is and which keys it takes.
    const canvas = model.getByRole('application', { name: 'left.stl in three dimensions' });
    expect(
      await canvas.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby')!)?.textContent),
    ).toContain('Arrow keys turn');
    await page.context().close();
    await model.context().close();
  });
});

/** Every violation that axe knows, best practices too. */
function axeOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${help}: ${html.slice(0, 160)}`),
    );
  });
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[];
}

const USED = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'slider',
  'tab',
  'treeitem',
  'application',
  'spinbutton',
  'radio',
  'img',
  'table',
  'region',
  'dialog',
  'progressbar',
]);

/** Faults of the accessibility tree: things without a name, no main landmark, headings that skip a level. */
async function treeOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] };
  await session.detach();
  const shown = nodes.filter(({ ignored }) => !ignored);
  const roles = shown.map(({ role }) => role?.value ?? '');
  const faults = shown
    .filter(({ role, name }) => USED.has(role?.value ?? '') && (name?.value ?? '').trim() === '')
    .map(({ role }) => `a ${role?.value} without a name`);
  for (const landmark of ['banner', 'navigation', 'main']) if (!roles.includes(landmark)) faults.push(`no ${landmark}`);
  const levels = shown
    .filter(({ role }) => role?.value === 'heading')
    .map(({ properties }) => Number(properties?.find(({ name }) => name === 'level')?.value.value));
  if (levels.filter((level) => level === 1).length !== 1)
    faults.push(`${levels.filter((level) => level === 1).length} headings of level 1`);
  levels.forEach((level, i) => {
    if (i > 0 && level > levels[i - 1] + 1) faults.push(`a heading of level ${level} after one of ${levels[i - 1]}`);
  });
  return faults;
}

async function tooWide(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return beyond > 0 ? [`${beyond} px too wide`] : [];
}
