import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import type { Vector3 } from '../../dist/core-entry.js';
import { describeViews } from '../../dist/descriptors/views.js';
import { PageBox } from '../../dist/search/views/page-box.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';
import { box } from '../core/shapes.js';

let core: Core;
let view: Shapelet;
beforeAll(async () => {
  core = await Core.load();
  [view] = renderModelViews(core, box(1, 1, 1));
});

/** A page with views of these sides, in shares of its longer side. */
function pageBox(...sizes: readonly (readonly [number, number])[]): PageBox {
  const shapelets = sizes.map(
    (size): Shapelet => ({
      ...view,
      size,
      place: { kind: 'page', page: 1, box: { x: 0, y: 0, width: 0.1, height: 0.1 } },
    }),
  );
  return new PageBox(describeViews(core, shapelets));
}

/** Front, top and side of a part. */
function sidesOf([a, b, c]: Vector3, scale: number): [number, number][] {
  return [
    [a * scale, c * scale],
    [a * scale, b * scale],
    [b * scale, c * scale],
  ];
}

describe('PageBox', () => {
  test('a shaft costs nothing for its drawing, a flange with the same narrow rectangle and circle does', () => {
    const shaft = pageBox(...sidesOf([80, 12, 12], 0.005));
    expect(shaft.costOf([80, 12, 12])).toBeCloseTo(0, 6);
    expect(shaft.costOf([95, 95, 14])).toBeGreaterThan(0.25);
    expect(shaft.costOf([95, 95, 14])).toBeGreaterThan(1.5 * shaft.costOf([30, 6, 6]));
  });

  test('the own box costs nothing, in any order, unit and scale of the page; any other costs no less', () => {
    const side = fc.double({ min: 1, max: 1_000, noNaN: true });
    const extents = fc.tuple(side, side, side);
    const anyOrder = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
    const anyScale = fc.double({ min: 1e-4, max: 1e-3, noNaN: true });
    fc.assert(
      fc.property(extents, extents, anyOrder, anyScale, (own, other, order, scale) => {
        const page = pageBox(...sidesOf(own, scale));
        const turned = order.map((i) => 25.4 * own[i]) as unknown as Vector3;
        expect(page.costOf(turned)).toBeLessThan(1e-3);
        expect(page.costOf(other)).toBeGreaterThanOrEqual(0);
        expect(page.costOf(other)).toBeLessThanOrEqual(1.4);
      }),
      { numRuns: 50 },
    );
  });

  test('one view tells nothing, and a view along no axis costs every model the same', () => {
    expect(pageBox([0.4, 0.06]).costOf([95, 95, 14])).toBe(0);
    const withTilted = pageBox(...sidesOf([80, 50, 12], 0.005), [0.33, 0.29]);
    expect(withTilted.costOf([80, 50, 12])).toBeLessThan(0.05);
    expect(withTilted.costOf([80, 30, 12])).toBeGreaterThan(withTilted.costOf([80, 50, 12]) + 0.1);
  });
});
