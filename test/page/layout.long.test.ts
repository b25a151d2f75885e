import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box } from '../fixtures/shapes.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

// Long names and large figures on narrow and wide screens: nothing lies on something else or sticks out.

const LONG = 'Getriebegehäuse-Oberteil_mit_Lagerdeckel_und_Dichtung_Revision-C_freigegeben_2026-11-24_Kopie(2)';
const cutOff = (name: string) => ({
  bytes: () => new TextEncoder().encode(`ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('${name}`),
});
const FILES = {
  [`orders/2026/${LONG}/${LONG}.stl`]: { bytes: () => writeStlBinary(box(10, 20, 30)) },
  [`orders/2026/${LONG}/${LONG}.step`]: cutOff('one'),
  'orders/apart.gltf': {
    bytes: () =>
      new TextEncoder().encode(
        JSON.stringify({
          asset: { version: '2.0' },
          buffers: [{ uri: `${LONG}.bin`, byteLength: 36 }],
          bufferViews: [{ buffer: 0, byteLength: 36 }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          nodes: [{ mesh: 0 }],
          scenes: [{ nodes: [0] }],
        }),
      ),
  },
  'whole/box.stl': { bytes: () => writeStlBinary(box(10, 20, 31)) },
};

describe.skipIf(CHROMIUM === undefined)('long names and large figures (needs Chromium)', () => {
  let site: Site;
  const folder = join(temporaryFolder(), 'job');
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${LONG}.stl`), writeStlBinary(box(1, 2, 3)));
    writeFileSync(join(folder, `${LONG}.step`), 'no STEP file');
    site = await openSite({ files: FILES });
  });
  afterAll(() => site?.close());

  test.each([360, 768, 1280])('failed files, their folders and buttons, at %i px', async (width) => {
    const page = await site.open('#/library?state=failed', { width });
    await page.getByText(`${LONG}.step`, { exact: true }).waitFor();
    const folders = page.getByRole('navigation', { name: 'Folders' });
    if (!(await folders.isVisible())) await page.locator('.folders summary').click();
    // Only folders in which something has failed.
    await folders.getByRole('link', { name: 'orders' }).waitFor();
    expect(await folders.getByRole('link', { name: 'whole' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Retry apart.gltf' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Delete/ }).count()).toBeGreaterThan(1);
    await shot(page, `layout-failed-${width}`);
    expect(await strays(page, '.record, .failed-bar, .folder, .record-acts')).toEqual([]);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Any state/ }).click();
    await page.getByText('box.stl', { exact: true }).waitFor();
    await folders.getByRole('link', { name: 'whole' }).waitFor();
    expect(await strays(page, '.record, .folder')).toEqual([]);
    await page.context().close();
  });

  test.each([360, 390])('no screen and no choice is cut off at the edge, at %i px', async (width) => {
    const page = await site.open('#/library', { width });
    await page.getByText('box.stl', { exact: true }).waitFor();
    await shot(page, `layout-library-${width}`);
    const cut = await page
      .locator('.header nav, .toggles')
      .evaluateAll((rows) => rows.filter((row) => row.scrollWidth > row.clientWidth).map((row) => row.textContent));
    expect(cut).toEqual([]);
    await page.context().close();
  });

  test.each([360, 768, 1280])('figures and files of an upload, at %i px', async (width) => {
    const page = await site.open('#/upload', { width });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a folder…' }).click();
    await (await chooser).setFiles(folder);
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Stored, but cannot be read' }).waitFor();
    // What a large upload says.
    await page.locator('.upload-facts dd').evaluateAll((values) => {
      const large = [
        '103.456 of 103.456',
        '103.456',
        '12.345',
        '1.234,56 GB of 1.234,56 GB',
        '123,4 MB/s',
        '12 h 34 min',
      ];
      values.forEach((value, i) => (value.textContent = large[i]));
    });
    await shot(page, `layout-upload-${width}`);
    expect(await strays(page, '.upload-facts, .upload-list li, .upload-line, .drop-zone')).toEqual([]);
    await page.context().close();
  });

  test.each([360, 768, 1280])('results and the head of a file with a long name, at %i px', async (width) => {
    const page = await site.open('#/?kind=ThreeD', { width });
    const link = page.getByRole('link', { name: `${LONG}.stl` }).first();
    await link.waitFor();
    await shot(page, `layout-results-${width}`);
    expect(await strays(page, '.card, .card-body, .search-status')).toEqual([]);
    await link.click();
    await page.getByRole('heading', { name: `${LONG}.stl`, level: 1 }).waitFor();
    await shot(page, `layout-file-${width}`);
    expect(await strays(page, '.file-head, .viewer-tools')).toEqual([]);
    await page.context().close();
  });
});

/**
 * Children of the elements that stick out of them or lie on each other by more than a pixel, and the page itself where
 * it must be scrolled aside.
 */
function strays(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const named = (element: Element): string =>
      `${element.className || element.tagName}: ${element.textContent?.slice(0, 40)}`;
    const found: string[] = [];
    const beyond = document.documentElement.scrollWidth - innerWidth;
    if (beyond > 0) found.push(`the page is ${beyond} px too wide`);
    for (const whole of document.querySelectorAll(wanted)) {
      if (getComputedStyle(whole).overflowX !== 'visible') continue; // What scrolls may be wider.
      const outer = whole.getBoundingClientRect();
      const parts = [...whole.children]
        .filter((part) => part.checkVisibility() && !['absolute', 'fixed'].includes(getComputedStyle(part).position))
        .map((part) => ({ part, at: part.getBoundingClientRect() }))
        .filter(({ at }) => at.width > 1 && at.height > 1);
      for (const [i, { part, at }] of parts.entries()) {
        if (at.right > outer.right + 1 || at.bottom > outer.bottom + 1 || at.left < outer.left - 1)
          found.push(`${named(part)} sticks out of ${named(whole)}`);
        const { overflowX } = getComputedStyle(part);
        if (
          part.querySelector('.hidden') === null && // What only screen readers tell has no place.
          overflowX === 'visible' &&
          part.scrollWidth > Math.ceil(at.width) + 1 &&
          getComputedStyle(part).display !== 'inline'
        )
          found.push(`what is in ${named(part)} sticks out of it`);
        for (const other of parts.slice(i + 1)) {
          const across = Math.min(at.right, other.at.right) - Math.max(at.left, other.at.left);
          const down = Math.min(at.bottom, other.at.bottom) - Math.max(at.top, other.at.top);
          if (across > 1 && down > 1) found.push(`${named(part)} lies on ${named(other.part)}`);
        }
      }
    }
    return found;
  }, selector);
}
