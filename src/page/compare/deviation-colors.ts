import { Color, SRGBColorSpace, type BufferAttribute, type InterleavedBufferAttribute } from 'three';

/**
 * Colors from no deviation to the largest one outside, in equal steps: from gray over yellow to dark red. Each is
 * darker than the one before, so that the scale can be read without color vision.
 */
export const OUTSIDE_COLORS = ['#c4d0de', '#e9dc9a', '#f0b43c', '#dd6b25', '#b3261e', '#6d0f14'] as const;
/** The same for deviations inside: from gray to dark blue. */
export const INSIDE_COLORS = ['#c4d0de', '#a5c8ea', '#6ba3dc', '#3a78c4', '#22509c', '#122a63'] as const;

const STEPS = [OUTSIDE_COLORS, INSIDE_COLORS].map((colors) =>
  colors.map((color) => new Color().setStyle(color, SRGBColorSpace)),
);

/** Vertex colors, f32[3 * n], linear RGB. distances: mm, negative inside; from `fullMm` on they get the last color. */
export function deviationColors(distances: BufferAttribute | InterleavedBufferAttribute, fullMm: number): Float32Array {
  const colors = new Float32Array(3 * distances.count);
  const mixed = new Color();
  for (let i = 0; i < distances.count; i++) {
    const distance = distances.getX(i),
      steps = STEPS[distance < 0 ? 1 : 0];
    const at = Math.min(1, fullMm > 0 ? Math.abs(distance) / fullMm : 0) * (steps.length - 1);
    const step = Math.min(steps.length - 2, Math.floor(at));
    mixed
      .copy(steps[step])
      .lerp(steps[step + 1], at - step)
      .toArray(colors, 3 * i);
  }
  return colors;
}
