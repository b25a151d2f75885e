import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { DRAWING_CAMERAS, PHOTO_CAMERAS, renderModelViews } from '../../dist/shapelets/model/model-views.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';
import { EngineError } from '../core/api.js';
import { box, cylinder, gear, meshOf, motion, shuffled, transformed } from '../core/shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const FRONT = [{ direction: [0, -1, 0], up: [0, 0, 1] }] as const;
/** Pixels' worth of what a picture covers. */
const cover = (picture: Uint8Array): number => picture.reduce((sum, value) => sum + value, 0) / 255;
const bytesOf = (shapelets: readonly Shapelet[]): string =>
  shapelets.map(({ mask, lines, hiddenLines }) => Buffer.concat([mask, lines, hiddenLines]).toString('base64')).join();

describe('a box', () => {
  test('has its sides as masks, sizes and scales', () => {
    const views = renderModelViews(core, box(30, 20, 10));
    expect(views).toHaveLength(DRAWING_CAMERAS.length + PHOTO_CAMERAS.length);
    const [right, , front, , top] = views;
    for (const [view, size] of [
      [right, [20, 10]],
      [front, [30, 10]],
      [top, [30, 20]],
    ] as const) {
      expect(view.size).toEqual(size);
      expect(view.isToScale).toBe(true);
      expect(view.place).toMatchObject({ kind: 'camera', scaleMmPerPixel: expect.closeTo(size[0] / 60, 9) });
      expect(Math.abs(cover(view.mask) - (60 * 60 * size[1]) / size[0])).toBeLessThan(60);
    }
  });

  test('from the front is drawn as its outline', () => {
    const [{ lines, hiddenLines }] = renderModelViews(core, box(30, 20, 10), { cameras: FRONT });
    // 60 × 20 pixels about the middle: columns 2 to 61, rows 22 to 41.
    for (const [row, column, isLine] of [
      [22, 30, true],
      [41, 30, true],
      [30, 2, true],
      [30, 61, true],
      [30, 30, false],
      [10, 30, false],
    ] as const) {
      const near = [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => lines[64 * (row + dy) + column + dx] > 0));
      expect(near, `row ${row}, column ${column}`).toBe(isLine);
    }
    // The edges behind lie under those that are seen.
    expect(cover(hiddenLines)).toBe(0);
  });

  test('from a corner has nine visible edges and three hidden ones', () => {
    const [{ lines, hiddenLines }] = renderModelViews(core, box(20, 20, 20), {
      cameras: [{ direction: [1, -1, 1], up: [0, 0, 1] }],
    });
    // Each edge is 30 pixels long; a line one of two drawn pixels wide covers about half a pixel along them.
    expect(cover(lines) / cover(hiddenLines)).toBeGreaterThan(2.2);
    expect(cover(lines) / cover(hiddenLines)).toBeLessThan(3.8);
  });
});

test('holes stay free', () => {
  // A square frame of four bars.
  const frame = [
    [0, 0, 40, 10],
    [0, 30, 40, 10],
    [0, 10, 10, 20],
    [30, 10, 10, 20],
  ].map(([x, y, a, b]) => transformed(box(a, b, 5), motion([1, 0, 0, 0], [x, y, 0])));
  const positions = frame.flatMap((bar) => [...bar.positions]);
  const indices = frame.flatMap((bar, i) => [...bar.indices].map((index) => index + 8 * i));
  const [{ mask }] = renderModelViews(core, meshOf(positions, indices), {
    cameras: [{ direction: [0, 0, 1], up: [0, 1, 0] }],
  });
  expect(mask[64 * 32 + 32]).toBe(0);
  expect(mask[64 * 32 + 5]).toBe(255);
  expect(cover(mask)).toBeCloseTo(3600 - 900, -2);
});

test('a cylinder is a disc from above and a rectangle from the side', () => {
  const [top, side] = renderModelViews(core, cylinder(10, 40, 96), {
    cameras: [{ direction: [0, 0, 1], up: [0, 1, 0] }, ...FRONT],
  });
  expect(Math.abs(cover(top.mask) - Math.PI * 900)).toBeLessThan(40);
  expect(Math.abs(cover(side.mask) - 60 * 30)).toBeLessThan(60);
  // No line along its sides but the silhouettes: the inner columns hold the two rims alone.
  const inner = [...side.lines].filter(
    (value, i) => value > 0 && i % 64 > 22 && i % 64 < 42 && Math.floor(i / 64) > 5 && Math.floor(i / 64) < 58,
  );
  expect(inner).toEqual([]);
});

test('a free view lies along its longest axis, however the camera was held', () => {
  const mesh = box(40, 10, 4);
  const cameras = [0, 0.4, 1.1].map(
    (angle) => ({ direction: [0, 0, 1], up: [Math.sin(angle), Math.cos(angle), 0], isFree: true }) as const,
  );
  const views = renderModelViews(core, mesh, { cameras });
  for (const { mask, place, isFree } of views) {
    expect(isFree).toBe(true);
    expect(Math.abs(cover(mask) - 60 * 15)).toBeLessThan(60);
    const up = (place as Extract<typeof place, { kind: 'camera' }>).up;
    expect(Math.abs(up[1])).toBeGreaterThan(0.999);
  }
});

test('depends on neither the size nor the order of triangles, and is the same to the bit each time', () => {
  const mesh = gear(11, 20, 8);
  const views = renderModelViews(core, mesh);
  expect(bytesOf(renderModelViews(core, mesh))).toBe(bytesOf(views));
  // A power of two scales without rounding.
  const doubled = { positions: mesh.positions.map((value) => 4 * value), indices: mesh.indices };
  expect(bytesOf(renderModelViews(core, doubled))).toBe(bytesOf(views));
  const again = renderModelViews(core, shuffled(mesh, 5));
  const differing = again.reduce(
    (sum, { mask }, i) => sum + mask.filter((value, at) => value !== views[i].mask[at]).length,
    0,
  );
  expect(differing / (views.length * 4096)).toBeLessThan(0.001);
});

test('a sheet that is seen from its edge still has a view; a camera to which all is a point has none', () => {
  const sheet = meshOf([0, 0, 0, 10, 0, 0, 10, 10, 0], [0, 1, 2]);
  expect(renderModelViews(core, sheet, { cameras: FRONT })).toHaveLength(1);
  const needle = meshOf([0, 0, 0, 0, 10, 0, 0, 5, 0], [0, 1, 2]);
  expect(renderModelViews(core, needle, { cameras: FRONT })).toHaveLength(0);
});

test('misuse is named', () => {
  expect(() => renderModelViews(core, meshOf([], []))).toThrow(EngineError);
  expect(() => renderModelViews(core, meshOf([0, 0, NaN, 1, 0, 0, 0, 1, 0], [0, 1, 2]))).toThrow(/not a finite number/);
  expect(() => renderModelViews(core, box(1, 1, 1), { creaseRad: 4 })).toThrow(/creaseRad must lie from 0 to/);
  expect(() => renderModelViews(core, box(1, 1, 1), { cameras: [{ direction: [0, 0, 0], up: [0, 0, 1] }] })).toThrow(
    /cameras\[0\]\.direction must be finite and not zero/,
  );
  expect(() => renderModelViews(core, box(1, 1, 1), { cameras: [{ direction: [0, 0, 2], up: [0, 0, 1] }] })).toThrow(
    /up across the direction/,
  );
  expect(() => renderModelViews(core, box(1, 1, 1), { size: 3 } as never)).toThrow(/size/);
});
