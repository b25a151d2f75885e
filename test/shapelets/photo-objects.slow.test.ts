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

test('a photo that is turned by quarters shows the same object', () => {
  for (const { picture } of photos) {
    const upright = placesOf(findObject(picture, core)!);
    let turned = picture;
    for (let quarters = 1; quarters < 4; quarters++) {
      turned = turnedByQuarter(turned);
      const places = placesOf(findObject(turned, core)!).map(({ x, y }) => {
        // Back to the picture as it was; both are reduced by the same factor.
        const [width, height] = sizeOf(picture);
        if (quarters === 1) return { x: y, y: height - 1 - x };
        return quarters === 2 ? { x: width - 1 - x, y: height - 1 - y } : { x: width - 1 - y, y: x };
      });
      const known = new Set(upright.map(({ x, y }) => `${x} ${y}`));
      const both = places.filter(({ x, y }) => known.has(`${x} ${y}`)).length;
      expect(both / (upright.length + places.length - both)).toBeGreaterThan(0.98);
    }
  }
});

/** Width and height of the picture as its object is looked for, pixels. */
function sizeOf({ widthPx, heightPx }: Picture): [number, number] {
  const scale = Math.max(widthPx, heightPx) / 480;
  return [Math.round(widthPx / scale), Math.round(heightPx / scale)];
}

function placesOf({ box, mask }: NonNullable<ReturnType<typeof findObject>>): { x: number; y: number }[] {
  return [...mask.bits.keys()]
    .filter((i) => mask.bits[i] === 1)
    .map((i) => ({ x: box.x0 + (i % mask.width), y: box.y0 + Math.floor(i / mask.width) }));
}

/** Turned clockwise, pixel by pixel. */
function turnedByQuarter({ widthPx, heightPx, gray, colors }: Picture): Picture {
  const turn = (bytes: Uint8Array, width: number, height: number, channels: number): Uint8Array => {
    const turned = new Uint8Array(bytes.length);
    for (let y = 0, from = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let channel = 0; channel < channels; channel++, from++)
          turned[channels * (x * height + height - 1 - y) + channel] = bytes[from];
    return turned;
  };
  const { widthPx: width, heightPx: height, rgb } = colors!;
  return {
    widthPx: heightPx,
    heightPx: widthPx,
    gray: turn(gray, widthPx, heightPx, 1),
    colors: { widthPx: height, heightPx: width, rgb: turn(rgb, width, height, 3) },
  };
}

test('a photo with a dark rim, which looks like the frame of a page, is no line work', () => {
  const [widthPx, heightPx] = [640, 480];
  const gray = Uint8Array.from({ length: widthPx * heightPx }, (_, i) => {
    const x = i % widthPx,
      y = Math.floor(i / widthPx);
    const edge = Math.min(x, y, widthPx - 1 - x, heightPx - 1 - y);
    const isPart = (x > 220 && x < 420 && y > 260 && y < 330) || (x > 220 && x < 280 && y > 130 && y < 330);
    return isPart ? 60 + Math.floor((x - 220) / 8) : edge >= 9 && edge < 12 ? 90 : 215;
  });
  const [found, ...others] = splitPicture({ widthPx, heightPx, gray }, 1, core);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ isFree: true });
  expect(found.place).toMatchObject({ kind: 'page', page: 1 });
});

test('equal pictures give equal bytes', () => {
  const [{ picture }] = photos;
  expect(splitPicture(picture, 1, core)).toEqual(splitPicture(picture, 1, core));
});
