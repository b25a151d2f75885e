import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { LIBRARY, openSite, shot, type Site } from './browser.js';
import { twoPages } from './drawing-pdf.js';

// Every screen on a phone and on a wide screen, light and dark: axe finds nothing at all, and the tree that screen
// readers get from Chromium names everything that can be used. The way through them is gone by the keyboard alone.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ASSEMBLY = 'assemblies/plate-with-pins.step';
const PART = 'brackets/left.stl';
const OTHER = 'brackets/right.stl';
const DRAWING = 'drawings/sheets.pdf';
const FILES = { ...LIBRARY, [DRAWING]: { bytes: twoPages } };

type UidOf = (path: string) => string;
/** Screens by name: where they are, and what is there when they have loaded. */
type Screens = Readonly<Record<string, (uid: UidOf) => readonly [hash: string, until: string]>>;

const SCREENS: Screens = {
  start: () => ['#/', 'Or begin with one of'],
  words: () => ['#/?text=steel', 'files in'],
  'similar parts': (uid) => [`#/?like=${uid(PART)}`, 'files in'],
  'a list': (uid) => [`#/?like=${uid(PART)}&view=list`, 'files in'],
  'shapes inside': (uid) => [`#/?contains=${uid(PART)}`, 'inside other parts'],
  'a sheet': () => ['#/sheet?text=screw', 'screw-M5x16.stl'],
  'saved searches': () => ['#/searches', 'No search is saved'],
  library: () => ['#/library', 'screw-M5x16.stl'],
  'library as pictures': () => ['#/library?view=grid', 'left.stl'],
  'failed files': () => ['#/library?state=failed', 'These files could not be read'],
  upload: () => ['#/upload', 'Drop folders or files here'],
  duplicates: () => ['#/duplicates', 'Near parts'],
  'a part': (uid) => [`#/file/${uid(PART)}`, 'Files most like this'],
  'an assembly': (uid) => [`#/file/${uid(ASSEMBLY)}`, '3 parts, 2 different'],
  'a parts list': (uid) => [`#/file/${uid(ASSEMBLY)}?tab=bill`, 'Parts list'],
  'a drawing': (uid) => [`#/file/${uid('drawings/plate.dxf')}`, 'Files most like this'],
  'a document': (uid) => [`#/file/${uid('drawings/order.pdf')}?tab=text`, 'Order 4711'],
  'a failed file': (uid) => [`#/file/${uid('broken/cut-off.step')}`, 'truncated'],
  'a comparison': (uid) => [`#/compare/${uid(PART)}/${uid(OTHER)}`, 'Deviations'],
};

const MORE_SCREENS: Screens = {
  features: (uid) => [`#/file/${uid('fasteners/washer-M10.stl')}?tab=features`, 'hole'],
  'a match': (uid) => [`#/file/${uid(OTHER)}?like=${uid(PART)}&tab=match`, 'Mirrored'],
  dimensions: (uid) => [`#/file/${uid(DRAWING)}?tab=pmi`, 'R12'],
  inspection: (uid) => [`#/file/${uid(DRAWING)}?tab=inspection`, 'R12'],
  views: (uid) => [`#/file/${uid(DRAWING)}?tab=views`, 'Views'],
};

/** Dialogs and the like by name: the screen, and how they are opened there. */
const OPENED: Readonly<Record<string, (uid: UidOf) => readonly [hash: string, open: (page: Page) => Promise<void>]>> = {
  'the keys': () => [
    '#/library',
    (page) => page.getByRole('link', { name: 'screw-M5x16.stl', exact: true }).press('?'),
  ],
  'a link to share': () => ['#/?text=steel', pressed('Share…')],
  'a search to save': () => ['#/?text=steel', pressed('Save search…')],
  'the menu of exports': () => ['#/?text=steel', (page) => page.getByText('Export', { exact: true }).click()],
  'the chosen files': (uid) => [
    `#/?like=${uid(PART)}`,
    (page) => page.getByRole('checkbox', { name: 'Choose right.stl' }).check(),
  ],
  'another name': (uid) => [`#/file/${uid(PART)}`, pressed('Rename…')],
  'a file to compare with': (uid) => [`#/file/${uid(PART)}`, pressed('Compare with…')],
};

function pressed(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name, exact: true }).click();
}

describe.skipIf(CHROMIUM === undefined)('what assistive technology is told (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
    await site.engine.idle();
  }, 120_000);
  afterAll(() => site?.close());

  const uid: UidOf = (path) => site.uids.get(path)!;
  const faultsOf = async (page: Page, screens: Screens, name: string): Promise<string[]> => {
    await page.evaluate(AXE);
    const found: string[] = [];
    for (const [screen, at] of Object.entries(screens)) {
      const [hash, until] = at(uid);
      await go(page, hash);
      await page.getByText(until).filter({ visible: true }).first().waitFor();
      if (screen === 'a part' || screen === 'an assembly') await page.locator('.viewer canvas').waitFor();
      await shot(page, `access-${screen}-${name}`);
      for (const fault of [...(await axeOf(page)), ...(await treeOf(page)), ...(await tooWide(page))])
        found.push(`${screen}: ${fault}`);
    }
    return found;
  };

  test.each([
    ['light', 2560, SCREENS],
    ['dark', 360, SCREENS],
    ['dark', 2560, MORE_SCREENS],
    ['light', 360, MORE_SCREENS],
  ] as const)(
    'every screen, %s, %i px',
    async (theme, width, screens) => {
      const page = await site.open('#/library', { theme, width });
      expect(await faultsOf(page, screens, `${theme}-${width}`)).toEqual([]);
      expect(site.errors).toEqual([]);
      await page.context().close();
    },
    240_000,
  );

  test('signing in, the account and every dialog, dark, 360 px', async () => {
    const [theme, width] = ['dark', 360] as const;
    const stranger = await site.open('#/', { theme, width, signedIn: false });
    await stranger.getByLabel('Password').waitFor();
    await stranger.evaluate(AXE);
    expect([...(await axeOf(stranger)), ...(await tooWide(stranger))]).toEqual([]);
    await stranger.getByLabel('E-mail address').fill(site.user.email);
    await stranger.getByLabel('Password').fill(site.user.password);
    await stranger.keyboard.press('Enter');
    const account: Screens = { account: () => ['#/account', 'Current password'] };
    await stranger.getByText('Or begin with one of').waitFor();
    expect(await faultsOf(stranger, account, `${theme}-${width}`)).toEqual([]);
    await stranger.context().close();
    const page = await site.open('#/library', { theme, width });
    await page.evaluate(AXE);
    const found: string[] = [];
    for (const [name, at] of Object.entries(OPENED)) {
      const [hash, open] = at(uid);
      await go(page, hash);
      await open(page);
      await page.locator('dialog[open], details.menu[open], .chosen-bar').first().waitFor();
      await shot(page, `access-${name}-${theme}-${width}`);
      for (const fault of [...(await axeOf(page)), ...(await tooWide(page))]) found.push(`${name}: ${fault}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open], details.menu[open], .chosen-bar').waitFor({ state: 'detached' });
    }
    expect(found).toEqual([]);
    await page.context().close();
  }, 120_000);

  test('the way from the words to a hit, its file and back is gone by Tab and Enter alone', async () => {
    const page = await site.open('#/');
    await page.getByText('Or begin with one of').waitFor();
    await tabTo(page, page.getByRole('searchbox', { name: 'Words' }));
    await page.keyboard.type('screw');
    await page.keyboard.press('Enter');
    await page.getByText(/^2 files in/).waitFor();
    const hit = page.getByRole('listitem').getByRole('link', { name: /^screw-/ });
    const name = await hit.first().innerText();
    await tabTo(page, hit.first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await tabTo(page, page.getByRole('link', { name: '1 of 2 found' }));
    await page.keyboard.press('Enter');
    await page.getByText(/^2 files in/).waitFor();
    await page.context().close();
  });

  test('a result joins the files that are searched with by the keyboard, as by dragging, and filters stay', async () => {
    const page = await site.open(`#/?like=${uid('fasteners/screw-M5x16.stl')}&attribute=Material%3DSteel`);
    await tabTo(page, page.getByRole('checkbox', { name: 'Choose screw-M5x40.stl' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('link', { name: 'Add to the search' }));
    await page.keyboard.press('Enter');
    const inputs = page.getByRole('region', { name: 'Files to search with' });
    await inputs.getByRole('link', { name: 'screw-M5x40.stl' }).waitFor();
    const query = new URLSearchParams(page.url().split('?')[1]);
    expect(query.getAll('like')).toEqual(['16', '40'].map((long) => uid(`fasteners/screw-M5x${long}.stl`)));
    expect(query.getAll('attribute')).toEqual(['Material=Steel']);
    await page.context().close();
  });

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

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Presses Tab until something has the focus, and looks that this is seen. */
async function tabTo(page: Page, wanted: Locator, most = 150): Promise<void> {
  await wanted.waitFor();
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((one) => one === document.activeElement)) {
      expect(await wanted.evaluate((one) => getComputedStyle(one).outlineStyle)).not.toBe('none');
      return;
    }
  }
  throw new Error(`${most} presses of Tab do not lead to ${String(wanted)}`);
}

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
