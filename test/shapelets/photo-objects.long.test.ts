import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { photoScene, type PhotoScene } from '../../bench/support/photo-scene.mjs';
import type { Picture } from '../../dist/content/sheet.js';
import { Core } from '../../dist/core/core.js';
import { findObject } from '../../dist/shapelets/scan/object-mask.js';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import { lBracket, triangulated } from '../fixtures/shapes.js';

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
    const { data, info } = await sharp(scene.jpeg).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const gray = Uint8Array.from({ length: info.width * info.height }, (_, i) => data[i * info.channels]);
    photos.push({ scene, picture: { widthPx: info.width, heightPx: info.height, gray } });
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
