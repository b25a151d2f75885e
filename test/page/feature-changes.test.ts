import { expect, test, vi } from 'vitest';
import type { WireFeature } from '../../src/page/api/endpoints.js';

vi.stubGlobal('localStorage', { getItem: () => 'mm', setItem: () => undefined });
const { featureChanges } = await import('../../src/page/compare/feature-changes.js');

const holes = (pattern: WireFeature['pattern'], count = 4): WireFeature[] => [
  { kind: 'hole', count, faces: [1, 2, 3, 4], diameterMm: 9, depthMm: 12, isThrough: true, pattern },
  { kind: 'hole', count: 1, faces: [5], diameterMm: 30, depthMm: 12, isThrough: true },
];

test('holes on another circle, or farther apart, are not the same', () => {
  const circle = (diameterMm: number) => ({ kind: 'circle', diameterMm }) as const;
  const { rows, same } = featureChanges(holes(circle(80)), holes(circle(88)));
  expect(same).toBe(1);
  expect(rows.map(({ cells }) => cells)).toEqual([
    [
      'elsewhere',
      'through hole',
      '4 × ⌀ 9 mm, 12 mm deep, on a circle of ⌀ 80 mm',
      '4 × ⌀ 9 mm, 12 mm deep, on a circle of ⌀ 88 mm',
    ],
  ]);
  expect(rows[0].faces).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  const grid = (pitchMm: [number, number]) => ({ kind: 'grid', columns: 2, rows: 2, pitchMm }) as const;
  expect(featureChanges(holes(grid([80, 40])), holes(grid([40, 80.1])))).toMatchObject({ rows: [], same: 5 });
  expect(featureChanges(holes(grid([80, 40])), holes(grid([80, 50]))).same).toBe(1);
});

test('another number of them is said alone, and what is no pattern may be anywhere', () => {
  const circle = { kind: 'circle', diameterMm: 80 } as const;
  const { rows, same } = featureChanges(holes(circle), holes({ kind: 'circle', diameterMm: 88 }, 6));
  expect([rows.map(({ cells: [change] }) => change), same]).toEqual([['more'], 5]);
  expect(featureChanges(holes(circle), holes(undefined)).rows).toEqual([]);
});
