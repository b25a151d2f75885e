import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ViewScan } from '../../dist/core/view-scan.js';
import { compareViews, turnedViews } from '../../dist/core/views.js';
import { VIEW_BYTES, VIEW_FLAG, describeViews, viewFacts } from '../../dist/descriptors/views.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';
import { box, bracket, cylinder, gear, randomOf, torus } from '../core/shapes.js';

let core: Core;
let bracketViews: Shapelet[];
beforeAll(async () => {
  core = await Core.load();
  bracketViews = renderModelViews(core, bracket(40, 25, 4, 8));
});

/** The shapelet as a drawing would show it. */
const onPage = (shapelet: Shapelet): Shapelet => ({
  ...shapelet,
  isFree: false,
  isToScale: false,
  place: { kind: 'page', page: 2, box: { x: 0.1, y: 0.2, width: 0.3, height: 0.4 } },
});

function turned(picture: Uint8Array): Uint8Array {
  return picture.map((_, i) => picture[64 * (63 - (i % 64)) + Math.floor(i / 64)]);
}

function row(views: Uint8Array, index: number): Uint8Array {
  return views.subarray(index * VIEW_BYTES, (index + 1) * VIEW_BYTES);
}

/** Likeness of two rows, written down as it is meant. */
function likenessTwin(a: Uint8Array, b: Uint8Array): number {
  let both = 0,
    either = 0,
    ab = 0,
    aa = 0,
    bb = 0;
  for (let i = 0; i < 1024; i++) {
    const x = (a[i >> 3] >> (i & 7)) & 1,
      y = (b[i >> 3] >> (i & 7)) & 1;
    both += x & y;
    either += x | y;
  }
  for (let i = 128; i < 640; i++) {
    ab += a[i] * b[i];
    aa += a[i] ** 2;
    bb += b[i] ** 2;
  }
  const aspect = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getFloat32(652, true);
  return (
    0.05 * (either === 0 ? 0 : both / either) +
    0.95 * (aa * bb === 0 ? 0 : ab / Math.sqrt(aa * bb)) -
    0.35 * Math.min(0.4, Math.abs(aspect(a) - aspect(b)))
  );
}

/** A wall that winds inwards, four pixels wide like the way between its turns. */
function spiral(): Uint8Array {
  const mask = new Uint8Array(4096);
  const wall = (x: number, y: number, width: number, height: number): void => {
    for (let j = y; j < y + height; j++) mask.fill(255, 64 * j + x, 64 * j + x + width);
  };
  for (let turn = 0, low = 4, high = 60; low + 8 < high; turn++, low += 8, high -= 8) {
    wall(low - (turn === 0 ? 0 : 8), low, high - low + (turn === 0 ? 0 : 8), 4);
    wall(high - 4, low, 4, high - low);
    wall(low, high - 4, high - low, 4);
    wall(low, low + 8, 4, high - low - 8);
  }
  return mask;
}

/** 1 for pixels from which the border is reached over pixels that are not covered. */
function outsideTwin(mask: Uint8Array): Uint8Array {
  const outside = new Uint8Array(4096);
  const waiting = [...outside.keys()].filter((i) => i % 64 === 0 || i % 64 === 63 || i < 64 || i >= 4032);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (mask[at] >= 128 || outside[at] === 1) continue;
    outside[at] = 1;
    if (at % 64 > 0) waiting.push(at - 1);
    if (at % 64 < 63) waiting.push(at + 1);
    if (at >= 64) waiting.push(at - 64);
    if (at < 4032) waiting.push(at + 64);
  }
  return outside;
}

describe('describeViews', () => {
  test('the same shapelets have the same bytes, one row each, with facts', () => {
    const shapelets = [bracketViews[0], onPage(bracketViews[1]), bracketViews.at(-1)!];
    const views = describeViews(core, shapelets);
    expect(views).toHaveLength(3 * VIEW_BYTES);
    expect(describeViews(core, shapelets)).toEqual(views);
    expect(viewFacts(views, 0)).toMatchObject({ flags: VIEW_FLAG.CAMERA | VIEW_FLAG.TO_SCALE, page: 0 });
    expect(viewFacts(views, 0).width).toBeCloseTo(bracketViews[0].size[0], 4);
    expect(viewFacts(views, 1)).toMatchObject({ flags: 0, page: 2 });
    expect(viewFacts(views, 2).flags).toBe(VIEW_FLAG.CAMERA | VIEW_FLAG.TO_SCALE | VIEW_FLAG.FREE);
    expect(describeViews(core, [])).toHaveLength(0);
  });

  test('pictures turned by quarters have the turned rows, to the bit', () => {
    for (const shapelet of bracketViews.slice(0, 12)) {
      const four = turnedViews(core, describeViews(core, [shapelet]), VIEW_BYTES);
      let current = shapelet;
      for (let turn = 1; turn < 4; turn++) {
        current = {
          ...current,
          mask: turned(current.mask),
          lines: turned(current.lines),
          size: [current.size[1], current.size[0]],
        };
        expect(row(describeViews(core, [current]), 0).subarray(0, 640)).toEqual(row(four, turn).subarray(0, 640));
      }
    }
  });

  test('holes count as filled', () => {
    const [shapelet] = bracketViews;
    const mask = new Uint8Array(4096).fill(255, 64 * 10, 64 * 50);
    const holed = mask.slice();
    for (let i = 20; i < 30; i++) holed.fill(0, 64 * i + 20, 64 * i + 40);
    expect(describeViews(core, [{ ...shapelet, mask: holed }])).toEqual(describeViews(core, [{ ...shapelet, mask }]));
  });

  test('what is open to the border is outside, round any number of corners', () => {
    const random = randomOf(3);
    const masks = [
      spiral(),
      ...[0.3, 0.4, 0.5, 0.6].map((share) => new Uint8Array(4096).map(() => (random() < share ? 255 : 0))),
    ];
    for (const mask of masks) {
      const silhouette = row(describeViews(core, [{ ...onPage(bracketViews[0]), mask }]), 0).subarray(0, 128);
      const outside = outsideTwin(mask);
      const filled = Uint8Array.from({ length: 1024 }, (_, i) => {
        const at = 128 * (i >> 5) + 2 * (i & 31);
        return outside[at] + outside[at + 1] + outside[at + 64] + outside[at + 65] > 2 ? 0 : 1;
      });
      expect(Uint8Array.from({ length: 1024 }, (_, i) => (silhouette[i >> 3] >> (i & 7)) & 1)).toEqual(filled);
    }
  });

  test('a photo may be turned by any angle', () => {
    const seen = (angle: number): Uint8Array => {
      const [view] = renderModelViews(core, bracket(40, 25, 4, 8), {
        cameras: [{ direction: [0.4, 0.3, 1], up: [Math.sin(angle), Math.cos(angle), 0.2] }],
      });
      return describeViews(core, [{ ...onPage(view), isFree: true }]);
    };
    const straight = seen(0);
    const [near] = compareViews(core, straight, [seen(0.6)], VIEW_BYTES).likeness;
    expect(near).toBeGreaterThan(0.85);
    const other = describeViews(core, [
      {
        ...onPage(
          renderModelViews(core, torus(20, 6, 32, 16), { cameras: [{ direction: [0.4, 0.3, 1], up: [0, 1, 0] }] })[0],
        ),
        isFree: true,
      },
    ]);
    expect(compareViews(core, straight, [other], VIEW_BYTES).likeness[0]).toBeLessThan(near - 0.2);
  });

  test('a picture of another size is refused', () => {
    expect(() => describeViews(core, [{ ...bracketViews[0], mask: new Uint8Array(100) }])).toThrow(
      /shapelets\[0\]\.mask must hold 4096 pixels, received 100/,
    );
  });
});

describe('compareViews', () => {
  test('equals a scalar twin, and finds the best row and turn', () => {
    const query = describeViews(core, bracketViews.slice(0, 3).map(onPage));
    const files = [cylinder(10, 30, 24), gear(9, 12, 4)].map((mesh) =>
      describeViews(core, renderModelViews(core, mesh).slice(0, 30)),
    );
    const four = turnedViews(core, query, VIEW_BYTES);
    const { likeness, rows, turns } = compareViews(core, query, [...files, new Uint8Array()], VIEW_BYTES);
    for (let view = 0; view < 3; view++) {
      for (const [file, bytes] of files.entries()) {
        const all = Array.from({ length: 120 }, (_, i) =>
          likenessTwin(row(four, 4 * view + Math.floor(i / 30)), row(bytes, i % 30)),
        );
        const at = 3 * view + file;
        expect(likeness[at]).toBeCloseTo(Math.max(...all), 5);
        expect(all[30 * turns[at] + rows[at]]).toBeCloseTo(Math.max(...all), 5);
      }
      expect(likeness[3 * view + 2]).toBe(-1);
    }
  });
});

describe('ViewScan', () => {
  const random = randomOf(3);
  const parts = (): Uint8Array[] =>
    [box(30, 20, 10), cylinder(8, 30, 32), gear(12, 20, 6), bracket(40, 25, 4, 8), torus(20, 6, 32, 16)].map((mesh) =>
      describeViews(core, renderModelViews(core, mesh)),
    );

  test('puts the file first that the views are of, for drawings, photos and models', async () => {
    const files = parts();
    const scan = await ViewScan.open(core, VIEW_BYTES);
    for (const [i, views] of files.entries()) scan.add(i, views);
    expect(scan.size).toBe(5);
    expect(scan.viewCount).toBe(5 * 80);
    const drawing = describeViews(
      core,
      [0, 2, 4].map((i) => onPage(bracketViews[i])),
    );
    expect([...scan.nearest(drawing, 5).fileIds]).toHaveLength(5);
    expect(scan.nearest(drawing, 5).fileIds[0]).toBe(3);
    expect([...scan.nearest(drawing, 2, Uint32Array.of(0, 1, 2, 4, 5, 6)).fileIds]).not.toContain(3);
    const photo = describeViews(core, [{ ...onPage(bracketViews[36]), isFree: true }]);
    expect(scan.nearest(photo, 1).fileIds[0]).toBe(3);
    const pages = await ViewScan.open(core, VIEW_BYTES);
    pages.add(7, drawing);
    pages.add(
      8,
      describeViews(
        core,
        renderModelViews(core, gear(12, 20, 6))
          .slice(0, 3)
          .map(onPage),
      ),
    );
    expect([...pages.nearest(files[3], 2).fileIds]).toEqual([7, 8]);
    expect([...pages.nearest(files[2], 2).fileIds]).toEqual([8, 7]);
  });

  test('removing and replacing many leaves what a fresh scan holds', async () => {
    const files = parts();
    const scan = await ViewScan.open(core, VIEW_BYTES);
    for (let i = 0; i < 300; i++) scan.add(i, files[Math.floor(random() * 5)]);
    for (let i = 0; i < 300; i++) if (i % 3 !== 0) expect(scan.remove(i)).toBe(true);
    expect(scan.remove(1)).toBe(false);
    for (const [i, views] of files.entries()) scan.add(3 * i, views);
    for (let i = 15; i < 300; i += 3) scan.add(i, new Uint8Array());
    const fresh = await ViewScan.open(core, VIEW_BYTES);
    for (const [i, views] of files.entries()) fresh.add(3 * i, views);
    const query = describeViews(core, bracketViews.slice(0, 2).map(onPage));
    expect(scan.size).toBe(5);
    expect(scan.viewCount).toBe(fresh.viewCount);
    expect(scan.nearest(query, 10)).toEqual(fresh.nearest(query, 10));
  });

  test('misuse is named; an empty scan finds nothing', async () => {
    await expect(ViewScan.open(core, 100)).rejects.toThrow(/stride must be a multiple of 16 from 656, received 100/);
    const scan = await ViewScan.open(core, VIEW_BYTES);
    const query = describeViews(core, bracketViews.slice(0, 1));
    expect(scan.nearest(query, 3).fileIds).toHaveLength(0);
    expect(() => scan.add(1, new Uint8Array(5))).toThrow(/views must hold 656 bytes a view, received 5/);
    expect(() => scan.nearest(query, 0)).toThrow(/k must be a positive whole number, received 0/);
  });
});
