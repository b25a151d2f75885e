import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../fixtures/chromium.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { bossedPlate, dozen, handedBracket, mirrored, rotated, screw, washer } from '../fixtures/parts.js';
import { stepFile } from '../fixtures/step-writer.js';
import { expectAccessible, openSite, shot, type Site } from './browser.js';

// A model is shown as its picture shows it: turned alike, in the viewer, beside another one and with lit faces.

const TURN = [0.6, 0.3, -0.5, 0.5477] as const;
const machine = stepFile({
  parts: [
    { name: 'plate', shape: { kind: 'box', x: 60, y: 40, z: 5 } },
    { name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } },
  ],
  assembly: {
    name: 'plate with pins',
    placements: [
      { part: 0, at: [0, 0, 0] },
      { part: 1, at: [15, 20, 5] },
    ],
  },
});
const FILES = {
  'screw.stl': { bytes: () => writeStlBinary(screw(5, 40)) },
  'bracket.stl': { bytes: () => writeStlBinary(handedBracket()) },
  'turned bracket.stl': { bytes: () => writeStlBinary(rotated(handedBracket(), TURN)) },
  'mirrored.stl': { bytes: () => writeStlBinary(rotated(mirrored(handedBracket()), TURN)) },
  'washer.stl': { bytes: () => writeStlBinary(rotated(washer(10), TURN)) },
  'plate.stl': { bytes: () => writeStlBinary(bossedPlate(60, 20, 3)) },
  'other.stl': { bytes: () => writeStlBinary(dozen()[4]) },
  'machine.step': { bytes: () => machine },
};

describe.skipIf(CHROMIUM === undefined)('one attitude for viewer and picture (needs Chromium)', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ files: FILES });
  }, 120_000);
  afterAll(() => site?.close());

  const uid = (path: string): string => site.uids.get(path)!;
  const pictureOf = async (path: string) => outlineOf(Buffer.from(await site.company.thumbnail(uid(path))));

  test('each part opens as its picture shows it, not as its axes lie', async () => {
    let turned = 0;
    for (const path of Object.keys(FILES)) {
      const page = await site.open(`#/file/${uid(path)}`);
      await page.locator('.viewer canvas').waitFor();
      const picture = await pictureOf(path);
      await expect.poll(async () => overlap(picture, await seen(page)), { timeout: 30_000 }).toBeGreaterThan(0.93);
      await shot(page, `attitude-${path}`);
      await page.getByRole('button', { name: 'Iso', exact: true }).click();
      await page.getByRole('button', { name: 'Edges' }).click();
      if (overlap(picture, await seen(page)) < 0.9) turned++;
      await page.locator('.viewer canvas').focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('0');
      await expect.poll(async () => overlap(picture, await seen(page))).toBeGreaterThan(0.93);
      await page.context().close();
    }
    // The pictures tell something: the axes of the files give others.
    expect(turned).toBeGreaterThan(2);
    expect(site.errors).toEqual([]);
  });

  test('two parts beside each other are both shown as the picture of the second', async () => {
    const page = await site.open(`#/compare/${uid('turned bracket.stl')}/${uid('bracket.stl')}`);
    await expect.poll(() => page.locator('.compare-side canvas').count()).toBe(2);
    const picture = await pictureOf('bracket.stl');
    for (let i = 0; i < 2; i++)
      await expect.poll(async () => overlap(picture, await seen(page, i)), { timeout: 30_000 }).toBeGreaterThan(0.9);
    await shot(page, 'attitude-compare');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Overlaid' }).click();
    await expect.poll(async () => overlap(picture, await seen(page)), { timeout: 30_000 }).toBeGreaterThan(0.9);
    await shot(page, 'attitude-overlaid');
    expect(site.errors).toEqual([]);
    await page.context().close();
  });

  test('a part and its mirror image look like a thing and what a mirror beside it shows', async () => {
    const page = await site.open(`#/compare/${uid('mirrored.stl')}/${uid('bracket.stl')}`);
    await expect.poll(() => page.locator('.compare-side canvas').count()).toBe(2);
    const picture = await pictureOf('bracket.stl');
    const inMirror = (outline: Uint8Array): Uint8Array =>
      outline.map((_, i) => outline[i - (i % SIZE) + SIZE - 1 - (i % SIZE)]);
    await expect.poll(async () => overlap(picture, await seen(page, 1)), { timeout: 30_000 }).toBeGreaterThan(0.9);
    await expect
      .poll(async () => overlap(picture, inMirror(await seen(page, 0))), { timeout: 30_000 })
      .toBeGreaterThan(0.9);
    await shot(page, 'attitude-mirrored');
    await page.context().close();
  });

  test('faces that a search has lit are shown from the side of their picture, hidden ones from another', async () => {
    const of = uid('turned bracket.stl');
    const all = (await site.company.faces(of))!.map(({ number }) => number);
    const picture = await pictureOf('turned bracket.stl');
    let others = 0;
    for (const first of [0, 4, 7, 11]) {
      const faces = all.slice(first, first + 3);
      const lit = await outlineOf(Buffer.from(await site.company.pictures.faces(of, faces)));
      const page = await site.open(`#/file/${of}?contains=${of}&faces=${faces.join()}&tab=match`);
      await page.getByText(/^Holds all of it/).waitFor();
      await expect.poll(async () => overlap(lit, await seen(page)), { timeout: 30_000 }).toBeGreaterThan(0.9);
      await shot(page, `attitude-lit-${first}`);
      if (overlap(lit, picture) < 0.9) others++;
      await page.context().close();
    }
    expect(others).toBeGreaterThan(0);
    expect(others).toBeLessThan(4);
    expect(site.errors).toEqual([]);
  });
});

/** Pixels a side at which outlines are compared. */
const SIZE = 64;

/** The outline of what a frame of the viewer shows, without the frame's own background. */
async function seen(page: Page, frame = 0): Promise<Uint8Array> {
  const at = page.locator('.viewer-frame').nth(frame);
  await at.evaluate((element: HTMLElement) => element.style.setProperty('background', '#ffffff'));
  return outlineOf(await at.screenshot());
}

/**
 * Where a part is in a picture, u8[64²], its box filling the square: what differs from the upper left inside the
 * border.
 */
async function outlineOf(png: Buffer): Promise<Uint8Array> {
  const { data, info } = await sharp(png)
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const inset = 8;
  const ground = 3 * (inset * width + inset);
  const isPart = (at: number): boolean =>
    Math.max(...[0, 1, 2].map((channel) => Math.abs(data[at + channel] - data[ground + channel]))) > 14;
  const mask = new Uint8Array(width * height);
  let [left, right, top, low] = [width, -1, height, -1];
  for (let y = inset; y < height - inset; y++)
    for (let x = inset; x < width - inset; x++) {
      if (!isPart(3 * (y * width + x))) continue;
      mask[y * width + x] = 1;
      [left, right, top, low] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(low, y)];
    }
  const out = new Uint8Array(SIZE * SIZE);
  if (right < left) return out;
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++) {
      const x = left + Math.floor(((column + 0.5) * (right - left + 1)) / SIZE),
        y = top + Math.floor(((row + 0.5) * (low - top + 1)) / SIZE);
      out[row * SIZE + column] = mask[y * width + x];
    }
  return out;
}

/** Share of the pixels that either outline covers that both cover. */
function overlap(a: Uint8Array, b: Uint8Array): number {
  let both = 0,
    either = 0;
  for (let i = 0; i < a.length; i++) {
    both += a[i] & b[i];
    either += a[i] | b[i];
  }
  return either === 0 ? 0 : both / either;
}
