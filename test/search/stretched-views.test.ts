import { expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { compareViews } from '../../dist/core/views.js';
import { describeViews, VIEW_BYTES, viewFacts } from '../../dist/descriptors/views.js';
import { stretchedViews } from '../../dist/search/views/drawn/stretched-views.js';

const core = await Core.load();

/** A bracket of so many pixels, the longer side 60: its lines and the view of it. */
function bracket(width: number, height: number): { readonly lines: Uint8Array; readonly view: Uint8Array } {
  const corners = [
    [0, 0],
    [0.3, 0],
    [0.3, 0.6],
    [1, 0.6],
    [1, 1],
    [0, 1],
  ].map(([x, y]) => [32 + (x - 0.5) * (width - 1), 32 + (y - 0.5) * (height - 1)]);
  const lines = new Uint8Array(64 * 64),
    mask = new Uint8Array(64 * 64);
  corners.forEach(([x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    for (let k = 0; k <= 120; k++)
      lines[64 * Math.floor(y + ((v - y) * k) / 120) + Math.floor(x + ((u - x) * k) / 120)] = 255;
  });
  for (let y = 0; y < 64; y++)
    for (let x = 0; x < 64; x++) {
      const [across, down] = [(x - 32) / width + 0.5, (y - 32) / height + 0.5];
      const isIn = across >= 0 && across < 1 && down >= 0 && down < 1 && (across < 0.3 || down > 0.6);
      mask[64 * y + x] = isIn ? 255 : 0;
    }
  const place = { kind: 'page' as const, page: 1, box: { x: 0, y: 0, width: 1, height: 1 } };
  const shapelet = { place, mask, lines, hiddenLines: new Uint8Array(), size: [width, height] as const };
  return { lines, view: describeViews(core, [{ ...shapelet, isToScale: false }]) };
}

test('a drawn view in other proportions is like the same shape drawn in these', () => {
  const { lines, view } = bracket(60, 40);
  const shapes = stretchedViews(core, view, lines);
  expect(shapes.map(({ stretch }) => stretch)).toEqual([0, 0.6, 0.3, 0.3, 0.6]);
  expect(shapes[0]).toEqual({ view, lines, stretch: 0 });
  for (const { view: own } of shapes.slice(1)) {
    const { width, height } = viewFacts(own, 0);
    const scale = 60 / Math.max(width, height);
    const drawn = bracket(scale * width, scale * height).view;
    const likenessTo = (other: Uint8Array): number => compareViews(core, own, [other], VIEW_BYTES).likeness[0];
    expect(likenessTo(drawn)).toBeGreaterThan(0.85);
    expect(likenessTo(drawn)).toBeGreaterThan(likenessTo(view));
  }
});

test('no line is lost where a view becomes narrower', () => {
  const { lines, view } = bracket(60, 40);
  for (const shape of stretchedViews(core, view, lines)) {
    const columns = Array.from({ length: 64 }, (_, x) => shape.lines.some((line, i) => (i & 63) === x && line > 0));
    const rows = Array.from({ length: 64 }, (_, y) =>
      shape.lines.subarray(64 * y, 64 * y + 64).some((line) => line > 0),
    );
    const { width, height } = viewFacts(shape.view, 0);
    const scale = 60 / Math.max(width, height);
    for (const [found, side] of [
      [columns, scale * width],
      [rows, scale * height],
    ] as const) {
      const across = found.filter((isThere) => isThere).length;
      // Without gaps, from side to side.
      expect(across).toBe(found.lastIndexOf(true) - found.indexOf(true) + 1);
      expect(Math.abs(across - side)).toBeLessThanOrEqual(2.5);
    }
  }
});
