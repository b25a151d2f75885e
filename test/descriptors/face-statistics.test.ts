import { describe, expect, test } from 'vitest';
import { FACE_STATISTICS, faceStatistics } from '../../dist/descriptors/faces/face-statistics.js';
import { faceTableOf } from '../../dist/descriptors/faces/face-table.js';
import { bossedPlate, disc, dozen, mirrored, rotated, scaled, screw } from '../fixtures/parts.js';
import { box, type Body } from '../fixtures/shapes.js';
import { modelOfBody } from './describing.js';

const statisticsOf = (body: Body): Float32Array => faceStatistics(faceTableOf(modelOfBody(body)));
const apart = (a: Float32Array, b: Float32Array): number => Math.hypot(...a.map((value, i) => value - b[i]));

describe('the statistics of faces', () => {
  test('of a box are those of six planes with twelve convex edges', () => {
    const found = statisticsOf(box(30, 20, 10));
    expect(found).toHaveLength(FACE_STATISTICS);
    // All area and all faces are planes; six faces.
    expect(found[0]).toBe(1);
    expect(found[10]).toBe(1);
    expect(found[20]).toBeCloseTo(1 - 1 / Math.sqrt(7), 6);
    expect(found[30]).toBeCloseTo(1 - 1 / Math.sqrt(7), 6);
    // After the radii, the largest faces: 600 of 2200 twice, then 300 and 200.
    const largest = [...found.slice(79, 91)].map((value) => value ** 2 * 2200);
    [600, 600, 300, 300, 200, 200, 0].forEach((area, i) => expect(largest[i]).toBeCloseTo(area, 2));
    // Edges between planes are convex, all of them.
    expect([...found.slice(91, 94)]).toEqual([1, 0, 0]);
  });

  test('do not change when a part is turned, mirrored or made larger', () => {
    for (const part of dozen()) {
      const own = statisticsOf(part);
      const turned = statisticsOf(rotated(part, [0.9, 0.1, 0.3, 0.3]));
      expect(apart(own, turned), part.name).toBeLessThan(0.2);
      expect(apart(own, statisticsOf(scaled(part, 4))), part.name).toBeLessThan(0.2);
      expect(apart(own, statisticsOf(mirrored(part))), part.name).toBeLessThan(0.2);
    }
  });

  test('are nearer for two screws, or two plates with bosses, than for a screw and a plate', () => {
    const [a, b] = [statisticsOf(screw(6, 30)), statisticsOf(screw(8, 50))];
    const [c, d] = [statisticsOf(bossedPlate(40, 30, 3)), statisticsOf(bossedPlate(60, 30, 4))];
    expect(apart(a, b)).toBeLessThan(apart(a, c));
    expect(apart(c, d)).toBeLessThan(apart(b, d));
  });

  test('of a part without faces are all 0, and always finite', () => {
    expect(faceStatistics({ bodies: [], places: [] }).every((value) => value === 0)).toBe(true);
    expect(statisticsOf(disc(20, 4, 6)).every((value) => value >= 0 && value <= 1.001)).toBe(true);
  });
});
