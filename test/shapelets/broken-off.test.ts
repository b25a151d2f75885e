import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import type { TriangleMesh } from '../../dist/core/mesh.js';
import { breakOff, breaksOf } from '../../dist/shapelets/model/broken-off.js';
import { renderBrokenViews } from '../../dist/shapelets/model/model-views.js';
import { box, cylinder, revolve, transformed } from '../core/shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

/** A plug and a cone on a cable along z; from 0, ends 30 and 24 mm long. */
const cable = (length: number): TriangleMesh =>
  revolve(
    [
      [0, 0],
      [10, 0],
      [10, 18],
      [7, 18],
      [7, 30],
      [3, 30],
      [3, length - 24],
      [9, length],
      [0, length],
    ],
    32,
  );
/** A half turn about y = z and x: z and y change places. */
const laid = (mesh: TriangleMesh): TriangleMesh => transformed(mesh, [-1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);

function extentsOf({ positions, indices }: TriangleMesh): number[] {
  const places = [0, 1, 2].map((axis) => [...indices].map((vertex) => positions[3 * vertex + axis]));
  return places.map((values) => Math.max(...values) - Math.min(...values));
}

describe('a cable with two ends', () => {
  test('is shortened to rising lengths, and shows each end', () => {
    const breaks = breaksOf(cable(600));
    const lengths = breaks.filter(({ shows }) => shows === 'both ends').map(({ lengthMm }) => lengthMm);
    expect(lengths.length).toBeGreaterThanOrEqual(3);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(lengths[0]).toBeGreaterThan(54);
    expect(lengths.at(-1)).toBeLessThan(400);
    expect(breaks.filter(({ shows }) => shows !== 'both ends').map(({ shows }) => shows)).toEqual([
      'low end',
      'high end',
    ]);
    for (const { axis } of breaks) expect(axis).toBe(2);
  });

  test('keeps its ends as they are', () => {
    const mesh = cable(600);
    for (const broken of breaksOf(mesh)) {
      const [x, y, z] = extentsOf(breakOff(mesh, broken));
      expect(z).toBeCloseTo(broken.lengthMm, 0);
      const wide = broken.shows === 'high end' ? 18 : 20;
      expect([x, y]).toEqual([expect.closeTo(wide, 3), expect.closeTo(wide, 3)]);
    }
    // Shortened to the length of another one it is that one.
    const [first] = breaksOf(mesh);
    const short = breakOff(mesh, first).positions,
      other = cable(first.lengthMm).positions;
    expect(Math.max(...short.map((value, i) => Math.abs(value - other[i])))).toBeLessThan(0.01);
  });

  test('is drawn as a short one is', () => {
    const mesh = cable(600);
    const [view] = renderBrokenViews(core, mesh);
    const { place } = view;
    expect(place).toMatchObject({ kind: 'camera', brokenOff: { axis: 2, shows: 'both ends' } });
    expect(view.size).toEqual([
      expect.closeTo(20, 3),
      expect.closeTo(place.kind === 'camera' ? place.brokenOff!.lengthMm : 0, 1),
    ]);
    // From four sides each length, from the corners each end.
    const breaks = breaksOf(mesh);
    expect(renderBrokenViews(core, mesh)).toHaveLength(4 * (breaks.length - 2) + 2 * 24);
  });

  test('may lie along any axis', () => {
    expect(breaksOf(laid(cable(600))).map(({ axis }) => axis)).toEqual(breaksOf(cable(600)).map(() => 1));
  });
});

test('a stepped shaft is shortened although all of it is even', () => {
  const shaft = revolve(
    [
      [0, 0],
      [10, 0],
      [10, 160],
      [6, 160],
      [6, 190],
      [0, 190],
    ],
    32,
  );
  const lengths = breaksOf(shaft).flatMap(({ shows, lengthMm }) => (shows === 'both ends' ? [lengthMm] : []));
  expect(lengths.length).toBeGreaterThanOrEqual(3);
  // The shorter step keeps its length as long as there is more to take from the longer one.
  const places = breakOff(shaft, breaksOf(shaft)[2]).positions.filter((_, i) => i % 3 === 2);
  const steps = [...new Set(places.map((z) => Math.round(z)))].sort((a, b) => a - b);
  expect(steps.at(-1)! - steps[0]).toBeCloseTo(lengths[2], -1);
  expect(steps.at(-1)! - steps.at(-2)!).toBeGreaterThan(0.3 * lengths[2]);
});

test('parts that drawings show whole are not broken off', () => {
  // Short, plain, or nowhere even.
  for (const mesh of [
    cable(110),
    box(10, 10, 400),
    cylinder(5, 300, 24),
    revolve(
      [
        [0, 0],
        [10, 0],
        [4, 400],
        [0, 400],
      ],
      24,
    ),
  ])
    expect(breaksOf(mesh)).toEqual([]);
});
