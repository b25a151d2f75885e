import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { plate, plateBody, type Hole } from '../search/plates.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import type { Body } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { expectAccessible, openSite, shot, type OpenOptions, type Site } from './browser.js';

/** The 3D viewer draws without a graphics card: on a busy machine that takes long. */
const PATIENT = { timeout: 90_000 };

function drilled(name: string, holes: readonly Hole[]): Body {
  const outline = [
    [-40, -25],
    [40, -25],
    [40, 25],
    [-40, 25],
  ] as const;
  const { positions, indices } = plate(outline, 10, holes);
  const threes = (values: ArrayLike<number>): [number, number, number][] =>
    Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  return { name, vertices: threes(positions), faces: threes(indices) };
}

/** Half of a disc, 8 mm thick: its edges are straight ones and half a circle. */
function halfDisc(radius: number): Body {
  const outline = Array.from({ length: 49 }, (_, i) => {
    const angle = (Math.PI * i) / 48;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  });
  return plateBody(outline, 8);
}

const FILES = {
  'half-disc.stl': { bytes: () => writeStlBinary(halfDisc(20)) },
  'block.step': { bytes: () => stepFile({ parts: [{ name: 'block', shape: { kind: 'box', x: 60, y: 40, z: 5 } }] }) },
  'disc.step': {
    bytes: () => stepFile({ parts: [{ name: 'disc', shape: { kind: 'cylinder', radius: 10, height: 6 } }] }),
  },
  'machine.step': {
    bytes: () =>
      stepFile({
        parts: [
          { name: 'Wall', shape: { kind: 'box', x: 100, y: 4, z: 40 } },
          { name: 'Wheel', shape: { kind: 'cylinder', radius: 10, height: 6 } },
        ],
        assemblies: [
          {
            name: 'Frame',
            places: [
              { of: { part: 0 }, at: [0, 0, 0] },
              { of: { part: 0 }, at: [0, 60, 0] },
            ],
          },
          {
            name: 'Machine',
            places: [
              { of: { assembly: 0 }, at: [0, 0, 0] },
              { of: { part: 1 }, at: [20, 20, 20] },
              { of: { part: 1 }, at: [80, 20, 20] },
            ],
          },
        ],
      }),
  },
  'plate-a.stl': {
    bytes: () =>
      writeStlBinary(
        drilled('a', [
          { x: -20, y: 0, diameter: 8 },
          { x: 20, y: 0, diameter: 8 },
        ]),
      ),
    attributes: ['Revision=A', 'Material=Steel'],
  },
  'plate-b.stl': {
    bytes: () =>
      writeStlBinary(
        drilled('b', [
          { x: -20, y: 0, diameter: 10 },
          { x: 20, y: 0, diameter: 10 },
          { x: 0, y: 12, diameter: 5 },
        ]),
      ),
    attributes: ['Revision=B', 'Material=Steel'],
  },
} as const;

describe.skipIf(CHROMIUM === undefined)('measuring, parts lists and revisions (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  });
  afterAll(() => site.close());

  const open = async (path: keyof typeof FILES, query = '', options?: OpenOptions): Promise<Page> => {
    const page = await site.open(`#/file/${site.uids.get(path)}${query}`, options);
    await page.locator('.viewer canvas').waitFor(PATIENT);
    return page;
  };
  const said = (page: Page) => page.locator('.viewer-said');
  /** Clicks from the middle of the canvas to the right until something is said that matches. */
  const clickUntil = async (page: Page, wanted: RegExp): Promise<string> => {
    const { width, height } = (await page.locator('.viewer canvas').boundingBox())!;
    let last = '';
    for (let x = width / 2; x < width; x += 6) {
      await page.locator('.viewer canvas').click({ position: { x, y: height / 2 } });
      last = await said(page).innerText();
      if (wanted.test(last)) return last;
    }
    throw new Error(`nothing on the way says ${wanted}; the last was: ${last}`);
  };

  test('an edge says its length, a round one its diameter; the wall is measured through the part', async () => {
    const page = await open('block.step');
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.getByRole('button', { name: 'Edge', exact: true }).click();
    await said(page).getByText('Pick an edge.').waitFor();
    expect(await clickUntil(page, /Straight/)).toBe('Straight edge, 40 mm long');
    await shot(page, 'measure-edge');
    await page.getByRole('button', { name: 'Wall', exact: true }).click();
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Enter');
    await said(page).getByText('Wall 5 mm, square to the surface').waitFor();
    await expectAccessible(page);
    await page.context().close();
    const round = await open('disc.step');
    await round.getByRole('button', { name: 'Top', exact: true }).click();
    await round.getByRole('button', { name: 'Edge', exact: true }).click();
    expect(await clickUntil(round, /Circle/)).toBe('Circle ⌀ 20 mm, radius 10 mm, 62.8 mm around');
    await shot(round, 'measure-circle');
    await round.getByLabel('Units').selectOption('inch');
    await said(round).getByText('Circle ⌀ 0.7874 in').waitFor();
    await round.context().close();
  });

  test('an arc says its radius, its angle and its length', async () => {
    const page = await open('half-disc.stl');
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.getByRole('button', { name: 'Edge', exact: true }).click();
    expect(await clickUntil(page, /^Arc/)).toBe('Arc ⌀ 40 mm, radius 20 mm, 180°, 62.8 mm long');
    await page.context().close();
  });

  test('two faces say how they lie to each other, and their area', async () => {
    const page = await open('block.step');
    const middle = async (modifiers: 'Shift'[] = []): Promise<void> => {
      const { width, height } = (await page.locator('.viewer canvas').boundingBox())!;
      await page.locator('.viewer canvas').click({ position: { x: width / 2, y: height / 2 }, modifiers });
    };
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await middle();
    await said(page).getByText('1 face: 1 plane. Area 2\u202f400 mm².').waitFor();
    await page.getByRole('button', { name: 'Bottom', exact: true }).click();
    await middle(['Shift']);
    await said(page).getByText('2 faces: 2 planes. Parallel, 5 mm apart. Area 4\u202f800 mm².').waitFor();
    await page.getByRole('button', { name: 'Pick none' }).click();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await middle();
    await page.getByRole('button', { name: 'Front', exact: true }).click();
    await middle(['Shift']);
    await said(page)
      .getByText(/^2 faces: 2 planes\. At 90°\./)
      .waitFor();
    await page.context().close();
  });

  test('an assembly has a parts list with quantities and levels, tied to the viewer and saved as a file', async () => {
    const page = await open('machine.step', '?tab=bill');
    const list = page.getByRole('region', { name: 'Bill of materials' });
    const rows = async (): Promise<string[]> =>
      (await list.getByRole('row').allInnerTexts()).slice(1).map((text) => text.replaceAll(/\s+/g, ' '));
    await expect
      .poll(rows)
      .toEqual([
        expect.stringMatching(/^1 Frame (Find this part )?assembly 1 1 /),
        expect.stringMatching(/^1\.1 Wall (Find this part )?2 2 /),
        expect.stringMatching(/^2 Wheel (Find this part )?2 2 /),
      ]);
    await page.getByText('4 parts, 3 lines.').waitFor();
    await expect.poll(() => list.locator('img').count(), PATIENT).toBe(3);
    // Names are read in words, not letter below letter.
    expect(
      await list
        .locator('.bill-names')
        .first()
        .evaluate((names) => names.clientWidth),
    ).toBeGreaterThan(100);
    await list.getByRole('button', { name: 'Wheel' }).click();
    await list.getByRole('button', { name: 'Wheel', pressed: true }).waitFor();
    // Once the model is loaded each part can be looked for.
    await expect.poll(() => list.getByRole('link', { name: /^Find this part:/ }).count(), PATIENT).toBe(3);
    await expectAccessible(page);
    await shot(page, 'bill');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('bill-of-materials.csv');
    expect(readFileSync(await download.path(), 'utf8')).toContain('1.1,2,Wall,part,2,2,16000');
    const [book] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as XLSX' }).click(),
    ]);
    const sheets = unzipSync(readFileSync(await book.path()));
    expect(strFromU8(sheets['xl/sheet1.xml'])).toContain('Wheel');
    const [printed] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as PDF' }).click(),
    ]);
    const bytes = readFileSync(await printed.path());
    const { uid } = await site.company.putInput(bytes, { extension: '.pdf' });
    expect((await site.company.text(uid)).map(({ text }) => text).join()).toContain('Wheel');
    await page.context().close();
    const phone = await open('machine.step', '?tab=bill', { width: 390, height: 844, theme: 'dark' });
    await phone.getByRole('region', { name: 'Bill of materials' }).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await phone.getByRole('region', { name: 'Bill of materials' }).scrollIntoViewIfNeeded();
    await shot(phone, 'bill-phone-dark');
    await phone.context().close();
  });

  test('two revisions: which features and attributes changed', async () => {
    const page = await site.open(`#/compare/${site.uids.get('plate-a.stl')}/${site.uids.get('plate-b.stl')}`);
    const changed = page.getByRole('region', { name: 'Features that differ' });
    await changed.waitFor(PATIENT);
    expect(await changed.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining('Change'),
      expect.stringMatching(/^other size\s+through hole\s+2 × ⌀ 8 mm.*\s+2 × ⌀ 10 mm/),
      expect.stringMatching(/^added\s+through hole\s+–\s+1 × ⌀ 5 mm/),
    ]);
    const attributes = page.getByRole('region', { name: 'Attributes that differ' });
    expect(await attributes.getByRole('row').filter({ hasText: 'Revision' }).innerText()).toMatch(/Revision\s+A\s+B/);
    expect(await attributes.getByText('Steel').count()).toBe(0);
    await expectAccessible(page);
    await changed.scrollIntoViewIfNeeded();
    await shot(page, 'compare-features');
    await page.context().close();
  });

  test('the browser reported no error', () => expect(site.errors).toEqual([]));
});
