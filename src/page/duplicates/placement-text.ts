import { figure } from '../common/figures.js';

/** Smaller angles (degrees) and distances (mm) are rounding errors. */
const LEAST_DEGREES = 0.05;
const LEAST_MM = 5e-4;

/**
 * `turned by 90°, moved by 12.5 mm`. transform: 16 numbers, column-major; it may scale and mirror.
 */
export function placementText(transform: readonly number[]): string {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = transform;
  const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  const size = Math.cbrt(Math.abs(determinant)) * Math.sign(determinant);
  // Divided by its (signed) scale the matrix is a rotation, whose trace gives the angle. A mirroring is a point
  // reflection followed by a rotation.
  const degrees = (Math.acos(Math.min(1, Math.max(-1, ((a + e + i) / size - 1) / 2))) * 180) / Math.PI;
  const way = Math.hypot(x, y, z);
  const said = [
    ...(degrees < LEAST_DEGREES ? [] : [`turned by ${figure(degrees)}°`]),
    ...(way < LEAST_MM ? [] : [`moved by ${figure(way)} mm`]),
  ];
  return said.length === 0 ? 'in the same place' : said.join(', ');
}
