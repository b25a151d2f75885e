import { determinant } from '../content/matrix.js';

/** A placement as glTF nodes hold it: scale along its own axes, rotation (x, y, z, w), translation. */
export interface NodePlacement {
  readonly translation: [number, number, number];
  readonly rotation: [number, number, number, number];
  readonly scale: [number, number, number];
}

/** Axes with a larger cosine between them are not perpendicular. */
const SHEAR = 1e-6;

/**
 * Decomposes a matrix (f64[16], column-major); undefined when it shears or flattens, which no node can express. A
 * mirroring matrix gets a negative scale on the first axis.
 */
export function nodePlacement(m: ArrayLike<number>): NodePlacement | undefined {
  const length = (c: number): number => Math.hypot(m[4 * c], m[4 * c + 1], m[4 * c + 2]);
  const scale: [number, number, number] = [length(0), length(1), length(2)];
  if (scale.some((value) => value === 0)) return undefined;
  const cos = (a: number, b: number): number =>
    (m[4 * a] * m[4 * b] + m[4 * a + 1] * m[4 * b + 1] + m[4 * a + 2] * m[4 * b + 2]) / (scale[a] * scale[b]);
  if (Math.abs(cos(0, 1)) > SHEAR || Math.abs(cos(0, 2)) > SHEAR || Math.abs(cos(1, 2)) > SHEAR) return undefined;
  if (determinant(m) < 0) scale[0] = -scale[0];
  const axis = (c: number): [number, number, number] => [
    m[4 * c] / scale[c],
    m[4 * c + 1] / scale[c],
    m[4 * c + 2] / scale[c],
  ];
  return {
    translation: [m[12], m[13], m[14]],
    rotation: quaternionOf(axis(0), axis(1), axis(2)),
    scale: scale.map(plain) as [number, number, number],
  };
}

/** Rounds to 1 what differs from it by rounding only. */
function plain(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < 1e-12 ? rounded : value;
}

/**
 * The rotation that maps the axes x, y, z to the three columns, computed from the largest of its four components
 * (Shepperd 1978).
 */
function quaternionOf(
  x: readonly number[],
  y: readonly number[],
  z: readonly number[],
): [number, number, number, number] {
  const trace = x[0] + y[1] + z[2];
  let quaternion: [number, number, number, number];
  if (trace > 0) quaternion = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + trace];
  else if (x[0] > y[1] && x[0] > z[2]) quaternion = [1 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]];
  else if (y[1] > z[2]) quaternion = [x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]];
  else quaternion = [x[2] + z[0], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]];
  const length = Math.hypot(...quaternion);
  return quaternion.map((value) => value / length) as [number, number, number, number];
}
