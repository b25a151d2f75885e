import { expect, test } from 'vitest';
import { nearestInput, poolDistances } from '../../dist/search/query/pool-inputs.js';

const UNRELATED = 1.1;
const pool = (...distances: number[]): number => poolDistances(distances, UNRELATED);

test.each([0, 0.02, 0.3, 0.9, 1.1, 1.6])('what is %d from one input and like no other is %d from all', (distance) => {
  expect(pool(distance)).toBe(distance);
  for (const other of [1.1, 1.4, 2, Infinity].filter((one) => one >= distance)) {
    expect(pool(distance, other)).toBeCloseTo(distance, 12);
    expect(pool(other, distance, other)).toBeCloseTo(distance, 12);
  }
});

test('what is like a further input is nearer, the nearer that is, whatever the order', () => {
  const nearer = [1, 0.7, 0.4].map((other) => pool(0.4, other));
  expect(nearer).toEqual([...nearer].sort((a, b) => b - a));
  expect(nearer[0]).toBeLessThan(0.4);
  expect(pool(0.4, 0.7, 0.2)).toBe(pool(0.2, 0.7, 0.4));
  expect(pool(0.4, 0)).toBe(0);
  expect(pool(Infinity, Infinity)).toBe(Infinity);
});

test('the order is that of the harmonic mean in which an input counts as at most unrelated', () => {
  const steps = [0.05, 0.2, 0.5, 0.8, 1, 1.09];
  const pairs = steps.flatMap((a) => steps.map((b) => [a, b] as const));
  const mean = ([a, b]: readonly [number, number]): number => 2 / (1 / a + 1 / b);
  for (const one of pairs) {
    for (const other of pairs) {
      if (mean(one) < mean(other) * (1 - 1e-9)) expect(pool(...one)).toBeLessThan(pool(...other));
    }
  }
});

test('the nearest input is the first of equals', () => {
  expect(nearestInput([0.4, 0.2, 0.2])).toBe(1);
});
