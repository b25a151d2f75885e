import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { rotated } from '../fixtures/parts.js';
import { box, moved, type Body } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { plate, type Hole } from '../search/plates.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

// Faces are picked in the viewer, found in other parts, and lit in the results. Four holes that no turn carries onto
// themselves, in plates of other outlines and poses.

const PATTERN: readonly Hole[] = [
  { x: 0, y: 0, diameter: 12 },
  { x: 20, y: 0, diameter: 6 },
  { x: -14, y: 15, diameter: 6 },
  { x: -8, y: -17, diameter: 4 },
];
/** The walls of the holes: the faces behind both sides and the four rims, in the order of the triangles. */
const WALLS = '6-9';
const TURN = [0.6, 0.3, -0.5, 0.5477] as const;

function drilled(outline: readonly (readonly [number, number])[], height: number, holes: readonly Hole[]): Body {
  const { positions, indices } = plate(outline, height, holes);
  const threes = (values: ArrayLike<number>): [number, number, number][] =>
    Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  return { name: 'plate', vertices: threes(positions), faces: threes(indices) };
}

const rectangle = (x: number, y: number): readonly (readonly [number, number])[] => [
  [-x / 2, -y / 2],
  [x / 2, -y / 2],
  [x / 2, y / 2],
  [-x / 2, y / 2],
];
const by = (holes: readonly Hole[], dx: number, dy = 0): Hole[] =>
  holes.map((hole) => ({ ...hole, x: hole.x + dx, y: hole.y + dy }));
/** A bar with round ends: its rim is one run of tangent faces. */
const BAR = [1, -1].flatMap((side) =>
  Array.from({ length: 24 }, (_, i): readonly [number, number] => {
    const turn = (i / 23 - 0.5 * side) * Math.PI;
    return [side * 30 + 12 * Math.cos(turn), 12 * Math.sin(turn)];
  }),
);

const FILES = {
  'slab.stl': { bytes: () => writeStlBinary(drilled(rectangle(70, 60), 8, PATTERN)) },
  'plates/host.stl': {
    bytes: () => {
      const holes = [...by(PATTERN, -20, 5), { x: 40, y: 25, diameter: 9 }];
      return writeStlBinary(moved(rotated(drilled(rectangle(160, 90), 8, holes), TURN), 30, -70, 12));
    },
  },
  'plates/twice.stl': {
    bytes: () => {
      const holes = [...by(PATTERN, -45), ...by(PATTERN, 35)];
      return writeStlBinary(rotated(drilled(rectangle(200, 80), 8, holes), TURN));
    },
  },
  'bar.stl': { bytes: () => writeStlBinary(drilled(BAR, 10, [])) },
  'bare.stl': { bytes: () => writeStlBinary(box(80, 60, 8)) },
  'pin alone.step': {
    bytes: () => stepFile({ parts: [{ name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } }] }),
  },
  'pins.step': {
    bytes: () =>
      stepFile({
        parts: [
          { name: 'plate', shape: { kind: 'box', x: 60, y: 40, z: 5 } },
          { name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } },
        ],
        assembly: {
          name: 'plate with pins',
          placements: [
            { part: 0, at: [0, 0, 0] },
            { part: 1, at: [15, 20, 5] },
            { part: 1, at: [45, 20, 5] },
          ],
        },
      }),
  },
};

describe.skipIf(CHROMIUM === undefined)('shapes inside others on the page (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
    await site.engine.idle();
  }, 120_000);
  afterAll(() => site?.close());

  const uid = (path: keyof typeof FILES): string => site.uids.get(path)!;
  const openModel = async (of: string, { query = '', ...options }: Options = {}): Promise<Page> => {
    const page = await site.open(`#/file/${of}${query}`, options);
    await page.locator('.viewer canvas').waitFor();
    await expect.poll(() => inked(page), { timeout: 30_000 }).toBeGreaterThan(300);
    return page;
  };
  type Options = { readonly query?: string } & NonNullable<Parameters<Site['open']>[1]>;
  const said = (page: Page) => page.locator('.viewer-said');

  /** Where a point of the slab is on the screen, seen from above: it fills the canvas but for a margin of 8 %. */
  const onSlab = async (page: Page): Promise<(x: number, y: number) => { x: number; y: number }> => {
    const frame = (await page.locator('.viewer canvas').boundingBox())!;
    const scale = frame.height / (1.08 * Math.max(60, (70 * frame.height) / frame.width));
    return (x, y) => ({ x: frame.x + frame.width / 2 + scale * x, y: frame.y + frame.height / 2 - scale * y });
  };
  const dragBox = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
  };

  test('faces are picked by clicks and by a box, lit, kept in the address, and found in other parts', async () => {
    const page = await openModel(uid('slab.stl'));
    await said(page).getByText('Click a face to pick it').waitFor();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    const at = await onSlab(page);
    await page.mouse.click(at(-30, -25).x, at(-30, -25).y);
    await said(page).getByText('1 face: 1 plane.').waitFor();
    await expect.poll(() => orange(page)).toBeGreaterThan(2_000);
    await shot(page, 'contains-plane');
    // Seen along its axis the wall of the hole is whole in a box around it.
    await page.getByRole('button', { name: 'Faces in a box' }).click();
    await dragBox(page, at(-8, -8), at(8, 8));
    await said(page).getByText('1 face: 1 hollow cylinder ⌀ 12 mm.').waitFor();
    await page.keyboard.down('Shift');
    await dragBox(page, at(15, -5), at(25, 5));
    await page.keyboard.up('Shift');
    await said(page).getByText('2 faces: 1 hollow cylinder ⌀ 12 mm, 1 hollow cylinder ⌀ 6 mm.').waitFor();
    await dragBox(page, at(-34, -29), at(34, 29));
    await said(page)
      .getByText(/^4 faces: .*2 hollow cylinders ⌀ 6 mm/)
      .waitFor();
    await page.getByRole('button', { name: 'Iso', exact: true }).click();
    await expect.poll(() => orange(page)).toBeGreaterThan(100);
    await shot(page, 'contains-picked');
    await expectAccessible(page);
    await page.reload();
    await said(page)
      .getByText(/^4 faces: /)
      .waitFor();
    await expect.poll(() => orange(page)).toBeGreaterThan(100);
    await page.getByRole('link', { name: 'Find in other parts' }).click();
    await page.getByText(/^3 files in/).waitFor();
    const cards = page.locator('article.card');
    expect(await cards.locator('.card-name').allInnerTexts()).toEqual(['slab.stl', 'host.stl', 'twice.stl']);
    expect(await cards.locator('.card-held').allInnerTexts()).toEqual([
      'The part itself',
      'once, on 4 faces',
      '2 times, on 4 faces',
    ]);
    await expect.poll(() => cards.locator('img').count()).toBe(3);
    for (let i = 0; i < 3; i++)
      await expect.poll(async () => orangeIn(await cards.nth(i).locator('img').screenshot())).toBeGreaterThan(10);
    await expectAccessible(page);
    await shot(page, 'contains-results');
    await page.getByRole('combobox', { name: 'Size' }).selectOption('any');
    await expect.poll(() => page.url()).toContain('sizes=any');
    await page.getByText(/^\d+ files? in/).waitFor();
    await page.getByRole('combobox', { name: 'Size' }).selectOption('exact');
    await page.getByRole('combobox', { name: 'Tolerance' }).selectOption('0.5');
    await expect.poll(() => page.url()).toContain('tolerance=0.5');
    await page.reload();
    await page.getByText('4 of its faces, inside other parts').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Tolerance' }).inputValue()).toBe('0.5');
    await page.getByRole('link', { name: 'Pick other faces' }).click();
    await said(page)
      .getByText(/^4 faces: /)
      .waitFor();
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('a box picks the faces that are seen, and with a switch those behind them', async () => {
    const page = await openModel(uid('slab.stl'));
    await page.getByRole('button', { name: 'Faces in a box' }).click();
    const frame = (await page.locator('.viewer canvas').boundingBox())!;
    const all = (): Promise<void> =>
      dragBox(
        page,
        { x: frame.x + 3, y: frame.y + 3 },
        { x: frame.x + frame.width - 3, y: frame.y + frame.height - 3 },
      );
    await all();
    // The upper side, two of the four rims, four walls of holes.
    await said(page)
      .getByText(/^7 faces: 3 planes/)
      .waitFor();
    await page.getByRole('button', { name: 'Hidden ones too' }).click();
    await all();
    await said(page)
      .getByText(/^10 faces: 6 planes/)
      .waitFor();
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('faces that are no numbers are said, not searched as the whole part', async () => {
    for (const hash of [
      `#/?contains=${uid('slab.stl')}&faces=abc`,
      `#/file/${uid('bare.stl')}?contains=${uid('slab.stl')}&faces=abc`,
    ]) {
      const page = await site.open(hash);
      await page.getByRole('alert').filter({ hasText: '“abc” in the address is no list of faces' }).waitFor();
      expect(await page.getByText(/files? in/).count()).toBe(0);
      expect(await page.locator('article.card').count()).toBe(0);
      await page.context().close();
    }
    expect(site.errors).toEqual([]);
  });

  test('a hit opens with its faces lit; its places are stepped through', async () => {
    const page = await site.open(`#/?contains=${uid('slab.stl')}&faces=${WALLS}`);
    await page.getByRole('link', { name: 'twice.stl', exact: true }).click();
    await page.getByText('Holds all of it, 2 times.').waitFor();
    await page.getByText('All 2 places').waitFor();
    await page.locator('.viewer canvas').waitFor();
    await expect.poll(() => orange(page), { timeout: 30_000 }).toBeGreaterThan(60);
    const both = await orange(page);
    await shot(page, 'contains-match');
    await page.getByRole('button', { name: 'Next place' }).click();
    await page.getByText('Place 1 of 2').waitFor();
    await expect.poll(() => orange(page)).toBeLessThan(0.8 * both);
    const first = await litAt(page);
    await page.getByRole('button', { name: 'Next place' }).click();
    await page.getByText('Place 2 of 2').waitFor();
    await expect.poll(async () => Math.abs((await litAt(page)) - first)).toBeGreaterThan(15);
    expect(page.url()).toContain('place=2');
    await expectAccessible(page);
    await page.reload();
    await page.getByText('Place 2 of 2').waitFor();
    await expect.poll(async () => Math.abs((await litAt(page)) - first), { timeout: 30_000 }).toBeGreaterThan(15);
    // Another tab shows the part as it is.
    await page.getByRole('tab', { name: 'About' }).click();
    await expect.poll(() => orange(page)).toBe(0);
    await page.getByRole('tab', { name: 'Match' }).click();
    await expect.poll(() => orange(page)).toBeGreaterThan(60);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('the features of a part are listed, lit and looked for, in the dark on a phone too', async () => {
    const page = await openModel(uid('slab.stl'), { query: '?tab=features', theme: 'dark', width: 360, height: 800 });
    const rows = page.getByRole('list', { name: 'Features' });
    const two = rows.getByRole('button', { name: '2 through holes' });
    expect(await two.innerText()).toContain('⌀ 6 mm, 8 mm deep');
    expect(await orange(page)).toBe(0);
    await two.press('Enter');
    await expect.poll(() => two.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => orange(page)).toBeGreaterThan(20);
    await two.scrollIntoViewIfNeeded();
    await shot(page, 'contains-features-360-dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => two.getAttribute('aria-pressed')).toBe('true');
    await two.press('Enter');
    await expect.poll(() => two.getAttribute('aria-pressed')).toBe('false');
    await rows.getByRole('link', { name: 'Find parts with this: 2 through holes' }).click();
    await page.getByText(/^3 files in/).waitFor();
    await expect.poll(() => page.locator('.card img').count()).toBe(3);
    await shot(page, 'contains-results-360-dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('the keyboard picks, adds and grows over tangent faces, and so does a double click', async () => {
    const page = await openModel(uid('bar.stl'));
    await page.getByRole('button', { name: 'Front', exact: true }).click();
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Enter');
    await said(page).getByText('1 face: 1 plane.').waitFor();
    await page.keyboard.press('g');
    await said(page).getByText('4 faces: 2 planes, 2 cylinders ⌀ 24 mm.').waitFor();
    await page.keyboard.press('5');
    await page.keyboard.press('Shift+Enter');
    await said(page).getByText('5 faces: 3 planes, 2 cylinders ⌀ 24 mm.').waitFor();
    await page.keyboard.press('Shift+Enter');
    await said(page).getByText('4 faces').waitFor();
    await page.keyboard.press('Escape');
    await said(page).getByText('Click a face to pick it').waitFor();
    await page.getByRole('button', { name: 'Front', exact: true }).click();
    await page.locator('.viewer canvas').dblclick();
    await said(page).getByText('4 faces: 2 planes, 2 cylinders ⌀ 24 mm.').waitFor();
    await page.getByRole('button', { name: 'Add to them' }).click();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.locator('.viewer canvas').click();
    await said(page).getByText('5 faces').waitFor();
    await page.getByRole('button', { name: 'Pick none' }).click();
    await expect.poll(() => orange(page)).toBe(0);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('works from a search input, whole or with picked faces, and on a wide screen', async () => {
    const input = await site.company.putInput(FILES['slab.stl'].bytes(), { extension: '.stl' });
    const page = await site.open(`#/?like=${input.uid}`, { width: 2_560, height: 1_200 });
    await page.getByRole('link', { name: 'Find it inside others' }).click();
    await page.getByText('The whole of it, inside other parts').waitFor();
    await page.getByText(/^\d+ files? in/).waitFor();
    expect(await page.locator('.card-name').first().innerText()).toBe('slab.stl');
    await page.getByRole('link', { name: 'Pick some of its faces' }).click();
    await page.locator('.viewer canvas').waitFor();
    await page.getByRole('tab', { name: /^Features/ }).click();
    await page.getByRole('button', { name: '1 through hole ⌀ 12 mm' }).click();
    await expect.poll(() => orange(page), { timeout: 30_000 }).toBeGreaterThan(100);
    await shot(page, 'contains-input-2560');
    await page.getByRole('link', { name: 'Find in other parts' }).click();
    await page.getByText('One of its faces, inside other parts').waitFor();
    await page.getByText(/^3 files in/).waitFor();
    await expect.poll(() => page.locator('.card img').count()).toBe(3);
    await shot(page, 'contains-results-2560');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('in an assembly a click selects a component until faces are picked', async () => {
    const page = await openModel(uid('pins.step'));
    await page.getByRole('button', { name: 'Front', exact: true }).click();
    const canvas = page.locator('.viewer canvas');
    // The plate is at the foot of the picture.
    const foot = async () => {
      const { width, height } = (await canvas.boundingBox())!;
      return { position: { x: width / 2, y: height - 0.5 * (1 - 1 / 1.08) * height - 8 } };
    };
    await canvas.click(await foot());
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).innerText()).toContain('plate');
    // The part that is selected can be looked for, as can each line of the parts list.
    const asked = await page.getByRole('link', { name: 'Find this part' }).getAttribute('href');
    const other = await openModel(uid('pins.step'), { query: '?tab=bill' });
    await other.getByRole('link', { name: 'Find this part: pin' }).click();
    await other.getByText('3 of its faces, inside other parts').waitFor();
    await other.locator('article.card').filter({ hasText: 'pin alone.step' }).waitFor();
    await shot(other, 'contains-component');
    await other.goto(`${site.url}/${asked}`);
    await other.getByText('6 of its faces, inside other parts').waitFor();
    await other.getByText(/^\d+ files? in/).waitFor();
    await other.context().close();
    await page.getByRole('button', { name: 'Faces', exact: true }).click();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await canvas.click(await foot());
    await said(page).getByText('1 face: 1 plane.').waitFor();
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Find in other parts' }).click();
    await page.getByText('One of its faces, inside other parts').waitFor();
    expect(site.errors).toEqual([]);
    await page.context().close();
  });
});

interface Pixels {
  readonly count: number;
  /** Mean column. */
  readonly column: number;
}

type Pixel = (red: number, green: number, blue: number) => boolean;

async function pixelsOf(png: Buffer, passes: Pixel): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0,
    sum = 0;
  // Without the border of the frame and the focus ring of the canvas.
  for (let row = 8; row < info.height - 8; row++)
    for (let column = 8; column < info.width - 8; column++) {
      const at = 3 * (row * info.width + column);
      if (!passes(data[at], data[at + 1], data[at + 2])) continue;
      count++;
      sum += column;
    }
  return { count, column: sum / count };
}

const isOrange: Pixel = (red, green, blue) => red > 130 && red > 1.4 * green && green > 2 * blue;
const frameOf = (page: Page): Promise<Buffer> => page.locator('.viewer-frame').screenshot();
/** Number of dark pixels in the viewer: edges and shaded faces. */
const inked = async (page: Page): Promise<number> =>
  (await pixelsOf(await frameOf(page), (red, green, blue) => red + green + blue < 330)).count;
/** Number of pixels in the color of lit surfaces. */
const orange = async (page: Page): Promise<number> => (await pixelsOf(await frameOf(page), isOrange)).count;
const orangeIn = async (png: Buffer): Promise<number> =>
  (await pixelsOf(png, (red, green, blue) => red > 90 && red > 1.3 * green && green > 1.5 * blue)).count;
/** The mean column of lit surfaces. */
const litAt = async (page: Page): Promise<number> => (await pixelsOf(await frameOf(page), isOrange)).column;
