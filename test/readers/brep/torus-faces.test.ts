import { describe, expect, it } from 'vitest';
import type { Mesh } from '../../../dist/content/model.js';
import { readOcctModel } from '../../../dist/readers/brep/occt-model.js';
import { areaOf, volumeOf } from '../../fixtures/shapes.js';
import { stepFile } from '../../fixtures/step-writer.js';
import { expectSound, options } from '../helpers.js';

async function ring(radius: number, tube: number): Promise<Mesh> {
  const file = stepFile({ parts: [{ name: 'ring', shape: { kind: 'torus', radius, tube } }] });
  const { meshes } = await readOcctModel(file, 'step', options());
  expect(meshes).toHaveLength(1);
  expectSound(meshes[0]);
  return meshes[0];
}

describe('slender rings of STEP files', () => {
  it.each([
    ['an O-ring 50 x 2.62', 26.31, 1.31],
    ['an O-ring 200 x 3.53', 101.765, 1.765],
    ['an O-ring 400 x 5.33', 202.665, 2.665],
    ['a wire', 20, 0.2],
  ])('gives %s its volume within 0.02 %, its area within 0.1 %, and triangles along it', async (_, radius, tube) => {
    const { positions, indices, curved } = await ring(radius, tube);
    const volume = 2 * Math.PI ** 2 * radius * tube ** 2,
      area = 4 * Math.PI ** 2 * radius * tube;
    const [flat, flatArea] = [volumeOf(positions, indices), areaOf(positions, indices)];
    expect(Math.abs((flat + curved!.volumeMm3) / volume - 1)).toBeLessThan(2e-4);
    expect(Math.abs((flatArea + curved!.areaMm2) / area - 1)).toBeLessThan(1e-3);
    // Triangles that cut through the tube took 0.25 to 23 % of it.
    expect(Math.abs(flat / volume - 1)).toBeLessThan(0.015);
  });
});
