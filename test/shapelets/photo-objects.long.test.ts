import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { photoScene, type PhotoScene } from '../../bench/support/photo-scene.mjs';
import type { Picture } from '../../dist/content/sheet.js';
import { Core } from '../../dist/core/core.js';
import { decodeGray, withMore } from '../../dist/readers/pixels/gray-pictures.js';
import { cropPicture } from '../../dist/shapelets/crop.js';
import { findObject } from '../../dist/shapelets/scan/object-mask.js';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import { lBracket, triangulated } from '../fixtures/shapes.js';

/** Longer side of a photo, pixels. */
const LONG = 640;

let core: Core;
const photos: { readonly scene: PhotoScene; readonly picture: Picture }[] = [];

beforeAll(async () => {
  core = await Core.load();
  const { vertices, faces } = triangulated(lBracket(60, 20, 30));
  const mesh = { positions: Float32Array.from(vertices.flat()), indices: Uint32Array.from(faces.flat()) };
  for (const [seed, style] of [
    [1, 'wood'],
    [2, 'table'],
    [3, 'wood'],
    [4, 'table'],
    [2, 'clutter'],
    [3, 'clutter'],
    [4, 'clutter'],
  ] as const) {
    const scene = await photoScene(mesh, { seed, style });
    const open = (): ReturnType<typeof sharp> => sharp(scene.jpeg);
    photos.push({ scene, picture: await withMore(await decodeGray(open()), LONG, open) });
  }
}, 120_000);

/** Intersection over union of what is found with the exact mask. */
function overlapOf({ scene, picture }: (typeof photos)[number], by?: Core): number {
  const object = findObject(picture, by);
  if (object === undefined) return 0;
  const { box, mask, scale } = object;
  let both = 0,
    either = 0;
  for (let y = 0; y < scene.heightPx; y++) {
    for (let x = 0; x < scene.widthPx; x++) {
      const u = Math.floor((x + 0.5) / scale) - box.x0,
        v = Math.floor((y + 0.5) / scale) - box.y0;
      const isFound = u >= 0 && v >= 0 && u < mask.width && v < mask.height && mask.bits[v * mask.width + u] === 1;
      const isThere = scene.mask[y * scene.widthPx + x] === 1;
      if (isFound && isThere) both++;
      if (isFound || isThere) either++;
    }
  }
  return both / either;
}

test('a part on a table of wood, with a shadow, is found without both', () => {
  const tables = photos.slice(0, 4);
  const mean = (by?: Core): number => tables.reduce((sum, photo) => sum + overlapOf(photo, by), 0) / tables.length;
  expect(mean(core)).toBeGreaterThan(0.8);
  // What stands out from an even background is not enough.
  expect(mean()).toBeLessThan(mean(core) - 0.1);
});

test('a part among sheets, bars and discs is cut out', () => {
  for (const photo of photos.slice(4)) expect(overlapOf(photo, core)).toBeGreaterThan(0.9);
});

test('colors tell a part from what has its grey: where there are none, less is found', () => {
  const mean = (own: (picture: Picture) => Picture): number =>
    photos.reduce((sum, { scene, picture }) => sum + overlapOf({ scene, picture: own(picture) }, core), 0) /
    photos.length;
  const colored = mean((picture) => picture);
  expect(photos.every(({ picture }) => picture.colors !== undefined)).toBe(true);
  expect(colored).toBeGreaterThan(0.9);
  expect(mean(({ widthPx, heightPx, gray }) => ({ widthPx, heightPx, gray }))).toBeLessThan(colored);
});

test('a part of a photo keeps the colors of its pixels', () => {
  const [{ scene, picture }] = photos;
  const { picture: part } = cropPicture(picture, picture, { x: 200, y: 120, width: 320, height: 240 })!;
  const { widthPx, heightPx, rgb } = part.colors!;
  expect([part.widthPx, part.heightPx, widthPx, heightPx]).toEqual([320, 240, 240, 180]);
  // Grey and colors show the same places: their brightness differs little in the mean, and not after a shift.
  const differs = (shift: number): number => {
    let sum = 0;
    for (let y = 10; y < 170; y++)
      for (let x = 10; x < 200; x++) {
        const from = 3 * (y * widthPx + x);
        const light = 0.299 * rgb[from] + 0.587 * rgb[from + 1] + 0.114 * rgb[from + 2];
        const at = Math.floor((y + 0.5) / 0.75) * part.widthPx + Math.floor((x + 0.5) / 0.75) + shift;
        sum += Math.abs(light - part.gray[at]);
      }
    return sum / (160 * 190);
  };
  expect(scene.widthPx).toBe(LONG);
  expect(differs(0)).toBeLessThan(0.7 * differs(25));
});

test('a part in a tray, whose rim looks like the frame of a page, is no line work', () => {
  const [{ picture }] = photos;
  const { widthPx, heightPx } = picture;
  const gray = picture.gray.map((value, i) => {
    const x = i % widthPx,
      y = Math.floor(i / widthPx);
    const edge = Math.min(x, y, widthPx - 1 - x, heightPx - 1 - y);
    return edge >= 20 ? value : edge >= 9 && edge < 12 ? 10 : 240;
  });
  const shapelets = splitPicture({ widthPx, heightPx, gray }, 1, core);
  expect(shapelets).toHaveLength(1);
  expect(shapelets[0]).toMatchObject({ isFree: true });
});

test('equal pictures give equal bytes', () => {
  const [{ picture }] = photos;
  expect(splitPicture(picture, 1, core)).toEqual(splitPicture(picture, 1, core));
});
