import { describe, expect, it } from 'vitest';
import type { Mesh } from '../../../dist/content/model.js';
import { readOcctModel } from '../../../dist/readers/brep/occt-model.js';
import { areaOf, volumeOf } from '../../fixtures/shapes.js';
import { IgesWriter, real } from '../../fixtures/iges-writer.js';
import { stepFile } from '../../fixtures/step-writer.js';
import { expectSound, options } from '../helpers.js';

function step(radius: number, tube: number): Uint8Array {
  return stepFile({ parts: [{ name: 'ring', shape: { kind: 'torus', radius, tube } }] });
}

/** A circle that is turned round the y axis: a surface of revolution, whose file names no torus. */
function iges(radius: number, tube: number): Uint8Array {
  const writer = new IgesWriter();
  const part = { dependent: true };
  const axis = writer.add(110, [0, 0, 0, 0, 1, 0].map(real), part);
  const circle = writer.add(100, [0, radius, 0, radius + tube, 0, radius + tube, 0].map(real), part);
  writer.add(120, [axis, circle, real(0), real(2 * Math.PI)]);
  return writer.bytes();
}

async function meshOf(file: Uint8Array, format: 'step' | 'iges'): Promise<Mesh> {
  const { meshes } = await readOcctModel(file, format, options());
  expect(meshes).toHaveLength(1);
  expectSound(meshes[0]);
  return meshes[0];
}

describe('rings of STEP and IGES files', () => {
  it.each([
    ['an O-ring 50 x 2.62', 26.31, 1.31, 'step'],
    ['an O-ring 400 x 5.33', 202.665, 2.665, 'step'],
    ['a wire', 20, 0.2, 'step'],
    ['a thick ring', 20, 15, 'step'],
    ['an O-ring 200 x 3.53', 101.765, 1.765, 'iges'],
    ['a wire', 20, 0.2, 'iges'],
  ] as const)('gives %s its figures within 0.002 %, and triangles along it', async (_, radius, tube, format) => {
    const file = format === 'step' ? step : iges;
    const { positions, indices, curved } = await meshOf(file(radius, tube), format);
    const volume = 2 * Math.PI ** 2 * radius * tube ** 2,
      area = 4 * Math.PI ** 2 * radius * tube;
    const [flat, flatArea] = [volumeOf(positions, indices), areaOf(positions, indices)];
    expect(Math.abs(Math.abs(flat + curved!.volumeMm3) / volume - 1)).toBeLessThan(2e-5);
    expect(Math.abs((flatArea + curved!.areaMm2) / area - 1)).toBeLessThan(2e-5);
    // Triangles that cut through the tube took 0.25 to 23 % of it.
    expect(Math.abs(Math.abs(flat) / volume - 1)).toBeLessThan(0.015);
  });
});
