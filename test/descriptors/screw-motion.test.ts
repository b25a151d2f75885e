import { describe, expect, test } from 'vitest';
import { screwMotionOf } from '../../dist/descriptors/faces/screw-motion.js';

/** Samples of a helical ramp about z between two radii, from one angle to another: points, and normals upwards. */
function ramp(pitchMm: number, [from, to]: readonly [number, number]): Float64Array {
  const samples: number[] = [];
  for (let i = 0; i < 12; i++)
    for (const radius of [8, 9, 10, 11]) {
      const turn = from + ((i + 0.5) / 12) * (to - from);
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      // Across (c, s, 0) and (-r s, r c, pitch).
      const length = Math.sqrt(pitchMm ** 2 + radius ** 2);
      samples.push(5 + radius * c, radius * s, 2 + pitchMm * turn);
      samples.push((pitchMm * s) / length, (-pitchMm * c) / length, radius / length);
    }
  return Float64Array.from(samples);
}

describe('the screw motion of a free face', () => {
  test.each([
    [0.5, [0, 6]],
    [-0.5, [0, 6]],
    [2, [1, 3]],
  ] as const)('of a ramp with pitch %d, of the arc %j, is that of the ramp', (pitchMm, arc) => {
    const motion = screwMotionOf(ramp(pitchMm, arc))!;
    expect(Math.abs(motion.axis[2])).toBeCloseTo(1, 4);
    expect(motion.pitchMm).toBeCloseTo(pitchMm, 2);
    expect(motion.origin[0]).toBeCloseTo(5, 1);
    expect(motion.origin[1]).toBeCloseTo(0, 1);
    expect(motion.radiiMm[0]).toBeCloseTo(8, 1);
    expect(motion.radiiMm[1]).toBeCloseTo(11, 1);
  });

  test('is none for a surface without one', () => {
    const samples: number[] = [];
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < 6; j++) {
        const [x, y] = [i - 2.5, j - 2.5];
        const [dx, dy] = [0.3 * x * y * y + 0.5 * Math.cos(3 * x), 0.3 * x * x * y - 0.4 * Math.sin(2 * y)];
        const length = Math.sqrt(1 + dx * dx + dy * dy);
        samples.push(x, y, 0.15 * x * x * y * y + Math.sin(3 * x) / 6 + 0.2 * Math.cos(2 * y));
        samples.push(-dx / length, -dy / length, 1 / length);
      }
    expect(screwMotionOf(Float64Array.from(samples))).toBeUndefined();
  });
});
