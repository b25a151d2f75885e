import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { OrdinaryViews } from '../../dist/descriptors/ordinary-views.js';
import { VIEW_BYTES, describeViews } from '../../dist/descriptors/views.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';

let core: Core;
let ordinary: OrdinaryViews;
beforeAll(async () => {
  core = await Core.load();
  ordinary = await OrdinaryViews.load();
});

/** What is inside as a shapelet of a page. */
function shapeOf(isInside: (x: number, y: number) => boolean, isFree: boolean): Shapelet {
  const mask = Uint8Array.from({ length: 64 * 64 }, (_, i) => (isInside(i % 64, i >> 6) ? 255 : 0));
  const lines = mask.map((value, i) =>
    value > 0 && (mask[i - 1] === 0 || mask[i + 1] === 0 || mask[i - 64] === 0 || mask[i + 64] === 0) ? 255 : 0,
  );
  return {
    place: { kind: 'page', page: 1, box: { x: 0, y: 0, width: 1, height: 1 } },
    mask,
    lines,
    hiddenLines: new Uint8Array(),
    size: [1, 1],
    isToScale: false,
    ...(isFree ? { isFree } : {}),
  };
}

const square = (x: number, y: number): boolean => x >= 6 && x < 58 && y >= 6 && y < 58;
/** Arms of a spiral: hardly a part. */
const spiral = (x: number, y: number): boolean => {
  const radius = Math.hypot(x - 31.5, y - 31.5);
  return radius < 27 && Math.sin(3 * Math.atan2(y - 31.5, x - 31.5) + radius / 3) > 0;
};

describe('how ordinary a view is', () => {
  test.each([false, true])('a square lies nearer to what parts look like than a spiral does; laid: %s', (isFree) => {
    const [ofSquare, ofSpiral] = ordinary.measure(
      core,
      describeViews(
        core,
        [square, spiral].map((shape) => shapeOf(shape, isFree)),
      ),
    );
    expect(ofSquare).toBeLessThan(0.22);
    expect(ofSpiral).toBeGreaterThan(1.15 * ofSquare);
    expect(ofSpiral).toBeLessThanOrEqual(0.25);
  });

  test('each view is measured by itself, whatever stands beside it', () => {
    const views = describeViews(core, [
      shapeOf(spiral, true),
      shapeOf(square, false),
      shapeOf(square, true),
      shapeOf(spiral, false),
    ]);
    const each = [0, 1, 2, 3].map((i) => ordinary.measure(core, views.slice(i * VIEW_BYTES, (i + 1) * VIEW_BYTES))[0]);
    expect([...ordinary.measure(core, views)]).toEqual(each);
    expect(ordinary.measure(core, new Uint8Array())).toHaveLength(0);
  });

  test('bytes of another version are refused', () => {
    expect(() => new OrdinaryViews(new Uint8Array(10))).toThrow(
      /ordinary-views\.bin is not of this version: 10 bytes, expected/,
    );
  });
});
