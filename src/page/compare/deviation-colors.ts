import { Color, SRGBColorSpace, type BufferAttribute, type InterleavedBufferAttribute } from 'three';

/** Colors from no deviation to the largest, at equal steps: from the gray of parts over yellow to a dark red, ever darker, so that it reads without color, too. */
export const DEVIATION_COLORS = ['#c4d0de', '#e9dc9a', '#f0b43c', '#dd6b25', '#b3261e', '#6d0f14'] as const;

const STEPS = DEVIATION_COLORS.map((color) => new Color().setStyle(color, SRGBColorSpace));

/** Colors of vertices, f32[3 * n], linear, for their distances; at `fullMm` and beyond it the last color. */
export function deviationColors(distances: BufferAttribute | InterleavedBufferAttribute, fullMm: number): Float32Array {
  const colors = new Float32Array(3 * distances.count);
  const mixed = new Color();
  for (let i = 0; i < distances.count; i++) {
    const at = Math.min(1, Math.max(0, fullMm > 0 ? distances.getX(i) / fullMm : 0)) * (STEPS.length - 1);
    const step = Math.min(STEPS.length - 2, Math.floor(at));
    mixed.copy(STEPS[step]).lerp(STEPS[step + 1], at - step).toArray(colors, 3 * i);
  }
  return colors;
}
