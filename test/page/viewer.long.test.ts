import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { annotated, MM, shown, sized } from '../fixtures/annotated-step.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { handedBracket } from '../fixtures/parts.js';
import { stepFile } from '../fixtures/step-writer.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

const FILES = {
  'machine.step': {
    bytes: () =>
      stepFile({
        parts: [
          { name: 'Wall', shape: { kind: 'box', x: 100, y: 4, z: 40 } },
          { name: 'Wheel', shape: { kind: 'cylinder', radius: 10, height: 6 }, color: [0.8, 0.15, 0.1] },
          { name: 'Bush', shape: { kind: 'torus', radius: 12, tube: 3 }, color: [0.1, 0.4, 0.8] },
        ],
        assemblies: [
          {
            name: 'Frame',
            places: [
              { of: { part: 0 }, at: [0, 0, 0] },
              { of: { part: 0 }, at: [0, 60, 0], occurrence: 'back' },
            ],
          },
          {
            name: 'Machine',
            places: [
              { of: { assembly: 0 }, at: [0, 0, 0] },
              { of: { part: 1 }, at: [20, 20, 20], z: [0, 1, 0], x: [1, 0, 0] },
              { of: { part: 1 }, at: [80, 20, 20], z: [0, 1, 0], x: [1, 0, 0] },
              { of: { part: 2 }, at: [50, 30, 20] },
            ],
          },
        ],
      }),
  },
  'annotated.step': {
    bytes: () =>
      annotated({ kind: 'box', x: 40, y: 30, z: 20 }, [
        MM,
        shown(9010, 40),
        ...sized(9100, 'length', '@0', '#9010'),
        ...sized(9200, 'length', '#1', '#9010'),
      ]),
  },
  'sheet.step': {
    bytes: () =>
      stepFile({
        parts: [{ name: 'Sheet', shape: { kind: 'box', x: 60, y: 40, z: 0.5 }, color: [0.03, 0.03, 0.03] }],
      }),
  },
  'bracket.stl': { bytes: () => writeStlBinary(handedBracket()), attributes: ['Material=EN AW-6061 T6'] },
};

describe.skipIf(CHROMIUM === undefined)('the viewer of models', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  });
  afterAll(() => site?.close());

  const openModel = async (path: keyof typeof FILES, options: Parameters<Site['open']>[1] = {}): Promise<Page> => {
    const page = await site.open(`#/file/${site.uids.get(path)}`, options);
    await page.locator('.viewer canvas').waitFor();
    await expect.poll(() => inked(page), { timeout: 30_000 }).toBeGreaterThan(500);
    return page;
  };

  test('shows a model; views, fit and zoom change the picture', async () => {
    const page = await openModel('machine.step');
    await page.getByText('5 parts, 3 different').waitFor();
    await expect.poll(() => page.locator('.tree img').count()).toBeGreaterThan(4);
    await shot(page, 'viewer-light-1440');
    await page.locator('.viewer canvas').focus();
    const isometric = await covered(page);
    await page.getByRole('button', { name: 'Front' }).click();
    await page.locator('.viewer canvas').focus();
    await expect.poll(() => covered(page)).not.toBe(isometric);
    const front = await covered(page);
    await page.keyboard.press('-');
    await expect.poll(() => covered(page)).toBeLessThan(front);
    await page.keyboard.press('f');
    await expect.poll(() => covered(page)).toBe(front);
    await page.keyboard.press('5');
    await expect.poll(() => covered(page)).not.toBe(front);
    const top = await covered(page);
    const { x, y, width, height } = (await page.locator('.viewer canvas').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 120, y + height / 2 - 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => covered(page)).not.toBe(top);
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('edges can be hidden; a section cuts the model at a position in mm and fills the cut', async () => {
    const page = await openModel('machine.step');
    const edges = page.getByRole('button', { name: 'Edges' });
    const whole = await inked(page);
    await edges.click();
    await expect.poll(() => edges.getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => inked(page)).toBeLessThan(whole);
    await edges.click();
    await page.getByRole('button', { name: 'Section' }).click();
    const slider = page.getByRole('slider', { name: 'Position of the cut' });
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('32 mm');
    await shot(page, 'viewer-section');
    await expect.poll(() => capped(page)).toBeGreaterThan(400);
    await shot(page, 'viewer-section');
    await page.getByRole('button', { name: 'Cut across X' }).click();
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('50 mm');
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0 mm');
    await page.getByRole('button', { name: 'Section' }).click();
    await expect.poll(() => capped(page)).toBe(0);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('measures the box and the distance between two corners, by mouse and by keyboard', async () => {
    const page = await openModel('machine.step');
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    await page.getByText('Box along the axes: 100 × 64 × 40 mm').waitFor();
    expect((await page.locator('.viewer-marks text').allTextContents()).sort()).toEqual([
      'X 100 mm',
      'Y 64 mm',
      'Z 40 mm',
    ]);
    await shot(page, 'viewer-box');
    await page.getByRole('button', { name: 'Front' }).click();
    await page.getByRole('button', { name: 'Distance' }).click();
    await page.getByText('Pick the first point').waitFor();
    // From the front the wall is 100 by 40 mm: its corners are the corners of the drawn region.
    const { left, right, low } = await cornersOf(page);
    await page.mouse.click(left + 3, low - 3);
    await page.getByText('First point on a corner').waitFor();
    await page.mouse.click(right - 3, low - 3);
    await page.getByText('Distance 100 mm, from corner to corner; along X 100, Y 0, Z 0 mm').waitFor();
    await shot(page, 'viewer-distance');
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Enter');
    await page.getByText('First point on a face').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Pick the first point').waitFor();
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('the tree of an assembly: keys move through it, and tree and viewer share the selection', async () => {
    const page = await openModel('machine.step', { theme: 'dark' });
    const item = (name: string) => page.getByRole('treeitem', { name });
    await item('Machine').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('Frame');
    await expect.poll(() => item('Frame').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => item('Frame').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toContain('Wall');
    await shot(page, 'tree');
    await page.keyboard.press('b');
    await expect.poll(() => focused(page)).toContain('Bush');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).innerText()).toContain('Wheel');
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await shot(page, 'viewer-chosen-dark');
    await page.reload();
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).innerText()).toContain('Wheel');
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    await page.getByText('Box along the axes: 20 × 6 × 20 mm').waitFor();
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => orange(page)).toBe(0);
    await page.getByRole('button', { name: 'Box', exact: true }).click(); // Its lines are bright, too.
    await page.getByRole('button', { name: 'Front' }).click();
    const { left, low } = await cornersOf(page, 'bright');
    await page.mouse.click(left + 30, low - 30);
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).innerText()).toContain('Wall');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('parts are hidden, shown alone and drawn apart; the list says what is hidden', async () => {
    const page = await openModel('machine.step');
    const hide = page.getByRole('button', { name: 'Hide', exact: true });
    const all = page.getByRole('button', { name: 'Show all', exact: true });
    expect(await hide.isDisabled()).toBe(true);
    const assembled = await covered(page);
    await page.getByRole('treeitem', { name: 'Bush' }).click();
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await hide.click();
    await expect.poll(() => orange(page)).toBe(0);
    await page.getByRole('treeitem', { name: /Bush\s*hidden/ }).waitFor();
    await all.click();
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Isolate' }).click();
    await page.getByRole('treeitem', { name: /Frame\s*hidden/ }).waitFor();
    await page.getByRole('button', { name: 'Fit' }).click();
    // Alone it fills the frame.
    await expect.poll(() => orange(page)).toBeGreaterThan(20_000);
    await shot(page, 'viewer-isolated');
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('a');
    await expect.poll(() => all.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('f');
    await page.getByRole('treeitem', { name: 'Bush' }).click();
    await page.getByRole('treeitem', { name: 'Bush' }).click(); // Not selected any more.
    await expect.poll(() => covered(page)).toBe(assembled);
    const apart = page.getByRole('slider', { name: 'Explode' });
    await apart.fill('1');
    await expect.poll(() => apart.getAttribute('aria-valuetext')).toBe('100 %');
    // Drawn apart the same parts are smaller in the same frame.
    await expect.poll(() => covered(page)).not.toBe(assembled);
    await shot(page, 'viewer-exploded');
    await expectAccessible(page);
    await apart.fill('0');
    await expect.poll(() => covered(page)).toBe(assembled);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('a section lies square to the view or along a face that is picked', async () => {
    const page = await openModel('annotated.step');
    await page.getByRole('button', { name: 'Iso', exact: true }).click();
    await page.getByRole('button', { name: 'Section' }).click();
    const slider = page.getByRole('slider', { name: 'Position of the cut' });
    await page.getByRole('button', { name: 'As seen' }).click();
    // From the corner (1, -1, 1) the middle of the box lies at (15 - 20 - 10) / sqrt(3).
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('-8.66 mm');
    await expect.poll(() => capped(page)).toBeGreaterThan(400);
    await shot(page, 'viewer-section-seen');
    await page.getByRole('button', { name: 'Section' }).click();
    await page.getByRole('button', { name: 'Top', exact: true }).click();
    await page.getByRole('button', { name: 'Section' }).click();
    await page.getByRole('button', { name: 'Along a face' }).click();
    await page.getByText('Pick a face.').waitFor();
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Enter');
    // The section that faced the front is cut open: what is seen in the middle is the upper face, looking down.
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('-10 mm');
    await expect.poll(() => capped(page)).toBeGreaterThan(400);
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('the mass follows the material that the file names, another one and the units', async () => {
    const page = await openModel('bracket.stl');
    const mass = page.getByRole('region', { name: 'Mass' });
    const said = () => mass.getByRole('status').innerText();
    const { volumeMm3 } = await site.company.get(site.uids.get('bracket.stl')!);
    const grams = (density: number): number => ((volumeMm3 ?? 0) / 1000) * density;
    const material = mass.getByRole('combobox', { name: 'Material or density' });
    await expect.poll(() => material.locator('option:checked').innerText()).toBe('EN AW-6061 T6, 2.7 g/cm³');
    expect(Number.parseFloat(await said())).toBeCloseTo(grams(2.7), 0);
    await material.selectOption('Steel, 7.85 g/cm³');
    await expect.poll(async () => Math.abs(Number.parseFloat(await said()) / grams(7.85) - 1)).toBeLessThan(0.01);
    await material.selectOption('another density…');
    await mass.getByRole('textbox', { name: 'Density in g/cm³' }).fill('1,0');
    await expect.poll(async () => Math.abs(Number.parseFloat(await said()) / grams(1) - 1)).toBeLessThan(0.01);
    await page.getByLabel('Units').selectOption('in');
    await expect.poll(said).toMatch(/ lb$/);
    // Densities follow too: what was typed, and what the list says.
    const typed = mass.getByRole('textbox', { name: 'Density in lb/in³' });
    expect(await typed.inputValue()).toBe('0.0361');
    const inPounds = Number.parseFloat(await said());
    await typed.fill('0.0361');
    await expect.poll(async () => Math.abs(Number.parseFloat(await said()) / inPounds - 1)).toBeLessThan(0.01);
    await material.selectOption('Steel, 0.284 lb/in³');
    await expect
      .poll(async () => Math.abs((Number.parseFloat(await said()) * 453.592) / grams(7.85) - 1))
      .toBeLessThan(0.01);
    await expectAccessible(page);
    await page.context().close();
  });

  test('a dimension of the model shows its faces; one without faces cannot be selected', async () => {
    const page = await openModel('annotated.step');
    await page.getByRole('tab', { name: /^Dimensions/ }).click();
    await page.getByText('lengths in mm. Select one to see its faces.').waitFor();
    const dimension = page.getByRole('tabpanel').getByRole('button', { name: /^40/ });
    await expect.poll(() => dimension.count()).toBe(1);
    expect(await orange(page)).toBe(0);
    await dimension.click();
    await expect.poll(() => dimension.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await expectAccessible(page);
    await shot(page, 'viewer-dimension');
    await page.reload();
    await expect.poll(() => dimension.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => orange(page)).toBeGreaterThan(200);
    await page.locator('.viewer canvas').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => orange(page)).toBe(0);
    await expect.poll(() => dimension.getAttribute('aria-pressed')).toBe('false');
    await page.context().close();
  });

  test('a thin black part stands out from a dark page, in the viewer and in the library', async () => {
    const page = await site.open(`#/file/${site.uids.get('sheet.step')}`, { theme: 'dark' });
    const canvas = page.locator('.viewer canvas');
    await canvas.waitFor();
    await expect.poll(async () => contrastOf(await page.locator('.viewer-frame').screenshot())).toBeGreaterThan(2);
    await shot(page, 'viewer-black-dark');
    await page.goto(`${site.url}/#/library`);
    await page.getByRole('button', { name: 'Pictures' }).click();
    const card = page.locator('article.card', { hasText: 'sheet.step' });
    await card.locator('img').waitFor();
    await expect.poll(async () => contrastOf(await card.locator('.picture').screenshot())).toBeGreaterThan(2);
    await shot(page, 'library-black-dark');
    await page.context().close();
  });

  test('a model stays whole in sight when the canvas gets narrower, or lower and wide again', async () => {
    const page = await openModel('machine.step', { width: 1280, height: 900 });
    await expect.poll(async () => (await cornersOf(page)).count).toBeGreaterThan(500);
    for (const [width, height] of [
      [420, 900],
      [1280, 480],
    ]) {
      await page.setViewportSize({ width, height });
      await expect
        .poll(async () => {
          const frame = (await page.locator('.viewer-frame').boundingBox())!;
          const { count, left, right } = await cornersOf(page);
          // A model that is cut off reaches the outermost columns that are looked at.
          return count > 200 && left > frame.x + 10 && right < frame.x + frame.width - 10;
        })
        .toBe(true);
    }
    await page.context().close();
  });

  test('a mesh without faces has edges too; a phone shows the whole screen', async () => {
    const page = await openModel('bracket.stl', { width: 390, height: 844 });
    await page.getByText('40 × 40 × 30 mm').first().waitFor();
    await expect.poll(() => page.getByRole('tree').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await shot(page, 'viewer-390');
    await expectAccessible(page);
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('without WebGL there is a picture and the reason', async () => {
    const page = await site.open('#/library');
    await page.addInitScript(() => {
      const own = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest);
      } as never;
    });
    await page.goto(`${site.url}/#/file/${site.uids.get('machine.step')}`);
    await page.reload();
    await page.getByText('This browser cannot draw in three dimensions').waitFor();
    await page.getByRole('img', { name: 'Picture of machine.step' }).waitFor();
    await page.getByRole('treeitem', { name: 'Frame' }).waitFor();
    expect(site.errors).toEqual([]);
    await page.context().close();
  });
});

/**
 * Contrast, as WCAG 2 counts it, of the middle of a picture with the ground beside it, near its left edge at the
 * same height.
 */
async function contrastOf(picture: Buffer): Promise<number> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const lightnessAt = (x: number, y: number): number => {
    const at = 3 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width));
    const [red, green, blue] = [...data.subarray(at, at + 3)].map((byte) =>
      byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [part, ground] = [lightnessAt(0.5, 0.5), lightnessAt(0.02, 0.5)];
  return (Math.max(part, ground) + 0.05) / (Math.min(part, ground) + 0.05);
}

type Pixel = (red: number, green: number, blue: number) => boolean;

/** The pixels of the viewer's frame that pass a test, and their places. */
async function pixels(page: Page, passes: Pixel): Promise<{ count: number; left: number; right: number; low: number }> {
  const frame = page.locator('.viewer-frame');
  const { x, y } = (await frame.boundingBox())!;
  const { data, info } = await sharp(await frame.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0,
    left = Infinity,
    right = -Infinity,
    low = -Infinity;
  // Without the border of the frame and the focus ring of the canvas.
  for (let row = 8; row < info.height - 8; row++) {
    for (let column = 8; column < info.width - 8; column++) {
      const at = 3 * (row * info.width + column);
      if (!passes(data[at], data[at + 1], data[at + 2])) continue;
      count++;
      left = Math.min(left, column);
      right = Math.max(right, column);
      low = Math.max(low, row);
    }
  }
  return { count, left: x + left, right: x + right, low: y + low };
}

const isDark: Pixel = (red, green, blue) => red + green + blue < 330;

/** Number of dark pixels in the viewer: edges and shaded faces. */
const inked = async (page: Page): Promise<number> => (await pixels(page, isDark)).count;
/** Number of pixels of parts on a light background. */
const covered = async (page: Page): Promise<number> =>
  (await pixels(page, (red, green, blue) => red + green + blue < 640)).count;
/** Number of pixels in the color of cut faces. */
const capped = async (page: Page): Promise<number> =>
  (await pixels(page, (red, green, blue) => Math.abs(red - 201) + Math.abs(green - 99) + Math.abs(blue - 74) < 12))
    .count;
/** Number of pixels in the color of selected surfaces, as lit. */
const orange = async (page: Page): Promise<number> =>
  (await pixels(page, (red, green, blue) => red > 130 && red > 1.4 * green && green > 2 * blue)).count;
/** The extent of what is drawn: dark edges, or bright faces on a dark background. */
const cornersOf = (page: Page, by: 'dark' | 'bright' = 'dark') =>
  pixels(page, by === 'dark' ? isDark : (red, green, blue) => red + green + blue > 420);
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
