import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { glb, gltfOf } from '../fixtures/gltf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box, lBracket, prism, sphere } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { CHROMIUM } from '../fixtures/chromium.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';
import { twoPages } from './drawing-pdf.js';

const STAIRS = prism(
  [
    [0, 0],
    [90, 0],
    [90, 15],
    [60, 15],
    [60, 30],
    [30, 30],
    [30, 45],
    [0, 45],
  ],
  40,
);
const NOTE = `Order 4711: twenty flanges AB-123/4 of stainless steel.\n${'Filler. '.repeat(400)}\nSteel again.`;
const CUT_OFF = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('cut off')";
const FILES: NonNullable<Parameters<typeof openSite>[0]>['files'] = {
  'drawings/bracket.pdf': { bytes: twoPages, attributes: ['Material=Steel', 'Color=red|blue'] },
  'drawings/stairs.dxf': { bytes: () => dxfOf(STAIRS) },
  'parts/stairs.stl': { bytes: () => writeStlBinary(STAIRS), attributes: ['Material=Brass'] },
  'parts/stairs-again.stl': { bytes: () => writeStlBinary(STAIRS) },
  'parts/angle.stl': { bytes: () => writeStlBinary(lBracket(60, 8, 30)) },
  'notes/order.txt': { bytes: () => Buffer.from(NOTE) },
  'broken/cut-off.step': { bytes: () => Buffer.from(CUT_OFF) },
};

/** Timeout that is long enough to render pages on a busy machine. */
const SOON = { timeout: 60_000 };

describe.skipIf(CHROMIUM === undefined)('the screen of a file (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  });
  afterAll(() => site.close());

  const uidOf = (path: string): string => site.uids.get(path)!;
  const open = (
    path: string,
    { query = '', ...options }: { readonly query?: string } & NonNullable<Parameters<Site['open']>[1]> = {},
  ): Promise<Page> => site.open(`#/file/${uidOf(path)}${query}`, options);
  const stageOf = (page: Page): Locator => page.getByRole('group', { name: /^Page \d+ of/ });
  /** Waits for the picture of the page; returns its width on the screen and in pixels. */
  const picture = async (page: Page): Promise<{ x: number; y: number; width: number; pixels: number }> => {
    const image = stageOf(page).getByRole('img');
    await image.waitFor();
    const { x, y, width } = (await image.boundingBox())!;
    return { x, y, width, pixels: await image.evaluate((element) => (element as HTMLImageElement).naturalWidth) };
  };
  /** Waits until nothing moves any more: wheel events are handled one after the other. */
  const settled = async (page: Page): Promise<void> => {
    for (let before = 0, now = 1; before !== now; [before, now] = [now, (await picture(page)).width])
      await page.waitForTimeout(200);
  };
  const boxes = (page: Page): Promise<number> => page.locator('.spots rect').count();

  test('the list of dimensions and the marked places on the drawing share the selection', async () => {
    const page = await open('drawings/bracket.pdf');
    await page.getByRole('heading', { name: /bracket\.pdf/, level: 1 }).waitFor();
    await picture(page);
    await page.getByRole('tab', { name: 'Dimensions 3' }).click();
    const list = page.getByRole('list', { name: 'Dimensions' });
    expect(await list.getByRole('button').allInnerTexts()).toEqual(
      ['R12', '200 ±0.1', '240'].map((words) => expect.stringContaining(words)),
    );
    await expect.poll(() => boxes(page), SOON).toBe(2);
    await list.getByRole('button', { name: 'R12' }).click();
    await page.locator('.spot-chosen').waitFor();
    // It is zoomed in far enough to be read, and inside the frame.
    const frame = (await stageOf(page).boundingBox())!;
    const place = (await page.locator('.spot-chosen').boundingBox())!;
    expect(place.height).toBeGreaterThanOrEqual(18);
    expect(
      place.x >= frame.x &&
        place.y >= frame.y &&
        place.x + place.width <= frame.x + frame.width &&
        place.y + place.height <= frame.y + frame.height,
    ).toBe(true);
    await page.getByRole('button', { name: 'Fit' }).click();
    await page.locator('.spots rect').filter({ hasText: '200 ±0.1' }).click();
    await expect
      .poll(() => list.getByRole('button', { name: '200 ±0.1' }).getAttribute('aria-pressed'), SOON)
      .toBe('true');
    await expect.poll(() => list.getByRole('button', { name: 'R12' }).getAttribute('aria-pressed')).toBe('false');
    await shot(page, 'file-drawing');
    // Selecting something on the other sheet opens that page.
    await list.getByRole('button', { name: '240' }).click();
    await page.getByRole('group', { name: /^Page 2 of/ }).waitFor();
    await page.getByRole('checkbox', { name: /^Dimensions/ }).uncheck();
    await expect.poll(() => boxes(page), SOON).toBe(1); // The selected one.
    await stageOf(page).click({ position: { x: 5, y: 5 } });
    await expect.poll(() => boxes(page), SOON).toBe(0);
    await expectAccessible(page);
    await page.context().close();
  });

  test('the address holds the tab, the page and the selection: a link or a reload shows the same', async () => {
    const page = await open('drawings/bracket.pdf');
    await page.getByRole('tab', { name: 'Dimensions 3' }).click();
    await page.getByRole('list', { name: 'Dimensions' }).getByRole('button', { name: '240' }).click();
    await page.getByRole('group', { name: /^Page 2 of/ }).waitFor();
    const showsIt = async (shown: Page): Promise<void> => {
      await shown.getByRole('group', { name: /^Page 2 of/ }).waitFor();
      await expect
        .poll(
          () =>
            shown
              .getByRole('list', { name: 'Dimensions' })
              .getByRole('button', { name: '240' })
              .getAttribute('aria-pressed'),
          SOON,
        )
        .toBe('true');
      // Zoomed in far enough to be read, as when it was selected.
      await expect
        .poll(async () => (await shown.locator('.spot-chosen').boundingBox())?.height ?? 0, SOON)
        .toBeGreaterThanOrEqual(18);
    };
    const { hash } = new URL(page.url());
    await page.reload();
    await showsIt(page);
    const other = await site.open(hash);
    await showsIt(other);
    // Ending the selection removes it from the address; Back leads where it led before anything was selected.
    await stageOf(other).click({ position: { x: 5, y: 5 } });
    await expect.poll(() => new URL(other.url()).hash).not.toContain('at=');
    await other.getByRole('tab', { name: 'About' }).click();
    await other.reload();
    await other.getByRole('tab', { name: 'About', selected: true }).waitFor();
    // Another address of the same file is typed into the same window.
    await other.evaluate((address) => {
      location.hash = address;
    }, hash);
    await showsIt(other);
    await page.context().close();
    await other.context().close();
  });

  test('the page is moved and zoomed by wheel, mouse, buttons, keys and touch, and gets sharper', async () => {
    const page = await open('drawings/bracket.pdf');
    const whole = await picture(page);
    const { x, y } = { x: whole.x + 100, y: whole.y + 100 };
    await page.mouse.move(x, y);
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -300);
    await expect.poll(async () => (await picture(page)).width, SOON).toBeGreaterThan(3 * whole.width);
    await settled(page);
    const near = await picture(page);
    // The point under the pointer stays under it.
    expect((x - near.x) / near.width).toBeCloseTo(100 / whole.width, 2);
    await expect.poll(async () => (await picture(page)).pixels, SOON).toBeGreaterThan(whole.pixels);
    await page.mouse.down();
    await page.mouse.move(x - 80, y - 40, { steps: 4 });
    await page.mouse.up();
    expect((await picture(page)).x).toBeCloseTo(near.x - 80, 0);
    await page.getByRole('button', { name: 'Fit' }).click();
    expect((await picture(page)).width).toBeCloseTo(whole.width, 0);
    expect(await page.getByRole('button', { name: 'Zoom out' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect((await picture(page)).width).toBeCloseTo(1.4 * whole.width, 0);

    await stageOf(page).focus();
    await page.keyboard.press('0');
    expect((await picture(page)).width).toBeCloseTo(whole.width, 0);
    for (const key of ['+', '+', '+', '-']) await page.keyboard.press(key);
    const keyed = await picture(page);
    expect(keyed.width).toBeCloseTo(1.4 ** 2 * whole.width, 0);
    await page.keyboard.press('ArrowRight');
    expect((await picture(page)).x).toBeLessThan(keyed.x);

    await page.keyboard.press('0');
    const frame = (await stageOf(page).boundingBox())!;
    await stageOf(page).evaluate(
      (element, { left, top }) => {
        const send = (type: string, pointerId: number, px: number): boolean =>
          element.dispatchEvent(
            new PointerEvent(type, {
              pointerId,
              pointerType: 'touch',
              bubbles: true,
              clientX: left + px,
              clientY: top + 100,
            }),
          );
        send('pointerdown', 1, 200);
        send('pointerdown', 2, 240);
        send('pointermove', 1, 180);
        send('pointermove', 2, 260);
        send('pointerup', 1, 180);
        send('pointerup', 2, 260);
      },
      { left: frame.x, top: frame.y },
    );
    expect((await picture(page)).width).toBeCloseTo(2 * whole.width, 0);
    await page.context().close();
  });

  test('pages are turned, and each view can be shown and searched with', async () => {
    const page = await open('drawings/bracket.pdf');
    await picture(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('group', { name: /^Page 2 of/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.getByRole('spinbutton', { name: 'Page' }).fill('1');
    await page.getByRole('spinbutton', { name: 'Page' }).press('Enter');
    await page.getByRole('group', { name: /^Page 1 of/ }).waitFor();
    const [view] = (await site.company.shapelets(uidOf('drawings/bracket.pdf'))).map(({ place }) =>
      place.kind === 'page' ? place : undefined,
    );
    await page.getByRole('tab', { name: /Views \d/ }).click();
    await page.getByRole('button', { name: 'View 1, page 1' }).click();
    await page.locator('.spot-view.spot-chosen').waitFor();
    // Views of the other page have a link too.
    await expect
      .poll(() => page.getByRole('link', { name: /Find this view/ }).count())
      .toBe((await site.company.shapelets(uidOf('drawings/bracket.pdf'))).length);
    await expectAccessible(page);
    await shot(page, 'file-views');
    const href = await page.getByRole('link', { name: 'Find this view (View 1)' }).getAttribute('href');
    const [x, y, width, height] = new URLSearchParams(href!.split('?')[1]).get('crop')!.split(',').map(Number);
    // In pixels of a page that is 1024 wide, slightly larger than the view.
    expect(x).toBeLessThanOrEqual(view!.box.x * 1024);
    expect(x + width).toBeGreaterThanOrEqual((view!.box.x + view!.box.width) * 1024);
    expect(width).toBeLessThan(view!.box.width * 1024 * 1.1);
    const pageHeight = (1024 * 595) / 842;
    expect(y).toBeLessThanOrEqual(view!.box.y * pageHeight);
    expect(y + height).toBeLessThan((view!.box.y + view!.box.height) * pageHeight * 1.1);
    await page.getByRole('link', { name: 'Find this view (View 1)' }).click();
    const inputs = page.getByRole('region', { name: 'Files to search with' });
    await inputs.getByText('Only one view of it.').waitFor();
    await page.getByRole('region', { name: 'Results' }).getByText('bracket.pdf').first().waitFor();
    await inputs.getByRole('button', { name: 'Use the whole file' }).click();
    await expect.poll(() => page.url(), SOON).not.toContain('crop');
    await page.context().close();
  });

  test('words are found in the text and marked on the pages', async () => {
    const page = await open('drawings/bracket.pdf', { query: '?text=steel' });
    await page.getByRole('tab', { name: 'Text', selected: true }).waitFor();
    expect(await page.locator('mark').allInnerTexts()).toEqual(['steel', 'steel']);
    await expect.poll(() => page.locator('.text-panel').getByRole('status').innerText()).toBe('1 of 2 places');
    await picture(page);
    await expect.poll(() => page.locator('.spot-text').count()).toBe(1);
    await page.getByRole('button', { name: 'Next place' }).click();
    await page.getByRole('group', { name: /^Page 2 of/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Words to find in this file' }).fill('brass');
    await page.getByText('Not found.').waitFor();
    await expectAccessible(page);
    await page.context().close();

    const note = await open('notes/order.txt');
    await note.getByRole('searchbox', { name: 'Words to find in this file' }).fill('ab1234');
    await note.locator('mark').waitFor();
    await expect.poll(() => note.locator('mark').innerText()).toBe('AB-123/4');
    await expectAccessible(note);
    await shot(note, 'file-text');
    await note.context().close();
  });

  test('attributes are added, changed and removed, with those of other files as suggestions', async () => {
    const path = 'drawings/bracket.pdf';
    const page = await open(path);
    const attributes = async (): Promise<readonly string[]> => (await site.company.get(uidOf(path))).attributes;
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const form = page.getByRole('form', { name: 'New attribute' });
    await form.getByLabel('Name').fill('Material');
    await expect.poll(() => page.locator('datalist option[value="Brass"]').count(), SOON).toBe(1);
    await form.getByLabel('Name').fill('Customer');
    await form.getByLabel('Value').fill('Möller|Sons');
    await expectAccessible(page);
    await form.getByLabel('Value').press('Enter');
    await page.getByText('Möller|Sons').waitFor();
    await expect.poll(attributes, SOON).toEqual(['Material=Steel', 'Color=red|blue', 'Customer=Möller\\|Sons']);

    await page.getByRole('button', { name: 'Change Color' }).click();
    const change = page.getByRole('form', { name: 'Change Color' });
    await change.getByRole('button', { name: 'Another value' }).click();
    await change.getByLabel('Value 3').fill('green');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
    expect(await attributes()).toContain('Color=red|blue|green');
    await page.getByRole('button', { name: 'Change Material' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove Material' }).click();
    await page.getByRole('button', { name: 'Remove Material' }).waitFor({ state: 'detached' });
    expect(await attributes()).toEqual(['Color=red|blue|green', 'Customer=Möller\\|Sons']);

    await page.getByRole('button', { name: 'New category' }).click();
    await page.getByLabel('Name of the new category').fill('Brackets');
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await expect
      .poll(async () => (await site.company.categories.list()).map(({ name, count }) => [name, count]), SOON)
      .toEqual([['Brackets', 1]]);
    await page.getByRole('combobox', { name: 'Category' }).selectOption('None');
    await expect.poll(async () => (await site.company.get(uidOf(path))).categoryId, SOON).toBe(null);
    await page.context().close();
  });

  test('a file is downloaded in its original format and in another one', async () => {
    const page = await open('parts/stairs.stl');
    const save = async (name: string): Promise<{ name: string; bytes: Buffer }> => {
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
    };
    const original = await save('Download');
    expect(original.name).toBe('stairs.stl');
    expect(original.bytes.equals(Buffer.from(writeStlBinary(STAIRS)))).toBe(true);
    const step = await save('As STEP');
    expect(step.name).toBe('stairs-step.zip');
    expect(Object.keys(unzipSync(step.bytes))).toEqual(['stairs.step']);
    await page.context().close();
  });

  test('similar files are linked, and one of them can be selected for a comparison', async () => {
    const page = await open('parts/stairs.stl');
    const similar = page.getByRole('region', { name: 'Files most like this' });
    await expect.poll(() => similar.getByRole('listitem').first().innerText()).toContain('stairs-again.stl');
    await expect.poll(() => similar.getByRole('listitem').first().innerText()).toContain('Identical');
    await expect
      .poll(() => page.getByRole('link', { name: 'Find similar' }).getAttribute('href'))
      .toBe(`#/?like=${uidOf('parts/stairs.stl')}`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    const dialog = page.getByRole('dialog', { name: /Compare stairs\.stl/ });
    await dialog.getByRole('link', { name: 'stairs-again.stl' }).waitFor();
    await expectAccessible(page);
    await shot(page, 'file-model');
    await dialog.getByRole('searchbox').fill('angle');
    await dialog.getByRole('link', { name: 'stairs-again.stl' }).waitFor({ state: 'detached' });
    await shot(page, 'file-compare');
    await expect
      .poll(() => dialog.getByRole('link', { name: 'angle.stl' }).getAttribute('href'))
      .toBe(`#/compare/${uidOf('parts/stairs.stl')}/${uidOf('parts/angle.stl')}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await similar.getByRole('link', { name: /stairs-again/ }).click();
    await page.getByRole('heading', { name: /stairs-again\.stl/, level: 1 }).waitFor();
    await page.context().close();
  });

  test('a part links to the assemblies that contain it', async () => {
    const block = { name: 'block', shape: { kind: 'box' as const, x: 10, y: 20, z: 30 } };
    const rod = { name: 'rod', shape: { kind: 'box' as const, x: 2, y: 2, z: 80 } };
    const pump = {
      parts: [block, rod],
      assemblies: [
        {
          name: 'pump',
          places: [
            { of: { part: 0 }, at: [0, 0, 0] as const },
            { of: { part: 1 }, at: [0, 50, 0] as const },
          ],
        },
      ],
    };
    const held = await site.company.put('pumps/block.step', stepFile({ parts: [block] }));
    const { uid } = await site.company.put('pumps/pump.step', stepFile(pump), { indexAssemblyComponents: true });
    const page = await site.open(`#/file/${held.uid}`);
    await page.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'pumps/pump.step' }).click();
    await page.getByRole('heading', { name: /pump\.step/, level: 1 }).waitFor();
    expect(page.url()).toContain(uid);
    await page.getByRole('tab', { name: /^Assembly/ }).waitFor();
    // The assembly lists the other assemblies that share parts with it.
    await site.company.put(
      'pumps/pump-2.step',
      stepFile({
        ...pump,
        assemblies: [
          { name: 'pump 2', places: [...pump.assemblies[0].places, { of: { part: 1 }, at: [0, 90, 0] as const }] },
        ],
      }),
      { indexAssemblyComponents: true },
    );
    await page.getByText('Assemblies with the same parts').click();
    const other = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'pumps/pump-2.step' });
    await expect.poll(() => other.innerText()).toContain('2 parts: block; rod (1 here, 2 there)');
    await expectAccessible(page);
    await shot(page, 'file-shared-parts');
    await other.getByRole('link').click();
    await page.getByRole('heading', { name: /pump-2\.step/, level: 1 }).waitFor();
    await page.context().close();
  });

  test('a hit shows how it matches, with its view overlaid on that of the query', async () => {
    const page = await open('drawings/stairs.dxf', { query: `?like=${uidOf('parts/stairs.stl')}` });
    await page.getByRole('tab', { name: 'Match', selected: true }).waitFor();
    await page.getByRole('img', { name: /overlaid/ }).waitFor();
    await page.locator('.spot-view.spot-chosen').waitFor();
    await page.getByText(/% similar/).waitFor();
    const reasons = page.getByRole('tabpanel').getByRole('list', { name: 'Why it is similar' });
    expect(await reasons.innerText()).toContain('a view on page 1');
    await expect
      .poll(() => page.getByRole('link', { name: 'Compare side by side' }).getAttribute('href'))
      .toBe(`#/compare/${uidOf('parts/stairs.stl')}/${uidOf('drawings/stairs.dxf')}`);
    await expectAccessible(page);
    await shot(page, 'file-match');
    await page.context().close();
  });

  test('a damaged file shows the reason; reading it again is not offered', async () => {
    const page = await open('broken/cut-off.step');
    await page.getByRole('heading', { name: 'This file could not be read' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.context().close();
  });

  test('a file that lacks others shows the reason and can be read again', async () => {
    const { json, chunk } = gltfOf(box(10, 20, 30));
    const bytes = glb({ ...json, buffers: [{ uri: 'elsewhere.bin', byteLength: chunk.length }] }, chunk);
    const { uid, error } = await site.company.put('broken/apart.glb', bytes);
    const page = await site.open(`#/file/${uid}`);
    await page.getByRole('heading', { name: 'This file could not be read' }).waitFor();
    expect((await page.locator('.failed').innerText()).toLowerCase()).toContain(error!.message.toLowerCase());
    await expectAccessible(page);
    await shot(page, 'file-failed');
    const retried = page.waitForResponse((response) => response.url().includes('/Retry'));
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await (await retried).json()).toBe(1);
    await page.getByRole('heading', { name: 'This file could not be read' }).waitFor(); // It fails again.
    await page.context().close();
    await site.company.delete(uid);
  });

  test('one dropped triangle in thousands is shown as unimportant', async () => {
    const ball = sphere(10, 64),
      stairs = prism(
        [
          [0, 0],
          [9, 0],
          [9, 4],
        ],
        3,
      );
    for (const [body, slight] of [
      [ball, 1],
      [stairs, 0],
    ] as const) {
      const { uid } = await site.company.put(
        'parts/spoilt.stl',
        writeStlBinary({ ...body, faces: [...body.faces, [0, 0, 1]] }),
        { overwrite: true },
      );
      const page = await site.open(`#/file/${uid}`);
      const warning = page.getByTitle('TRIANGLES_DROPPED');
      await warning.waitFor();
      await expect.poll(() => warning.innerText()).toMatch(/^1 triangle/);
      await expect.poll(() => page.locator('.warnings .slight').count()).toBe(slight);
      await expectAccessible(page);
      await page.context().close();
      await site.company.delete(uid);
    }
  });

  test('a file is deleted only after a confirmation', async () => {
    const { uid } = await site.company.put('waste/gone.stl', writeStlBinary(lBracket(40, 5, 20)));
    const page = await site.open(`#/file/${uid}`);
    await page.getByRole('button', { name: 'Delete gone.stl' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete gone.stl?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await site.company.get(uid)).state).toBe('indexed');
    await page.getByRole('button', { name: 'Delete gone.stl' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor();
    expect(await site.company.find('waste/gone.stl')).toBe(undefined);
    await page.context().close();
  });

  test.each([
    ['light', 390],
    ['dark', 390],
    ['dark', 1440],
  ] as const)('is complete in %s at %i px', async (theme, width) => {
    const page = await open('drawings/bracket.pdf', { theme, width });
    await picture(page);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.getByRole('tab', { name: /^Dimensions/ }).click();
    await expectAccessible(page);
    await shot(page, `file-${theme}-${width}`);
    await page.context().close();
  });

  test('an unknown file is reported', async () => {
    const page = await site.open('#/file/00000000-0000-4000-8000-000000000000', { expectsErrors: true });
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/\w+/);
    await page.context().close();
  });

  test('the browser reported no error', () => {
    // Chromium warns that reading back software-rendered pixels is slow.
    expect(site.errors).toEqual([]);
  });
});
