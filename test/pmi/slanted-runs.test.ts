import { expect, test } from 'vitest';
import { takeOutSlanted } from '../../dist/pmi/pictures/ink-lines.js';

/** Bands of ink 11 pixels high, 11 apart: in each there are runs in every nearly level direction. */
function bands(count: number): { bits: Uint8Array; width: number; height: number } {
  const [width, height] = [1_000, 22 * count];
  const bits = Uint8Array.from({ length: width * height }, (_, i) => (Math.floor(i / width) % 22 < 11 ? 1 : 0));
  return { bits, width, height };
}

test('where there are runs everywhere no lines are sought, and nothing is taken out', () => {
  const noise = bands(17);
  const left = noise.bits.slice();
  expect(takeOutSlanted(noise, left, { least: 8, thickness: 1 })).toEqual([]);
  expect(Buffer.compare(left, noise.bits)).toBe(0);
});

test('runs of a usual number are lines, and are taken out', () => {
  const few = bands(1);
  const left = few.bits.slice();
  expect(takeOutSlanted(few, left, { least: 8, thickness: 1 }).length).toBeGreaterThan(0);
  expect(Buffer.compare(left, few.bits)).not.toBe(0);
});
