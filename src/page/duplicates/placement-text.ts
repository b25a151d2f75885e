import { figure } from '../common/figures.js';

/** Angles and ways below these are of the numbers, not of the part: degrees, mm. */
const LEAST_DEGREES = 0.05;
const LEAST_MM = 5e-4;

/** What a placement does, for people: `turned by 90°, moved by 12.5 mm`. transform: 16 numbers, column-major, which may scale and mirror. */
export function placementText(transform: readonly number[]): string {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = transform;
  const determinant = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
  const size = Math.cbrt(Math.abs(determinant)) * Math.sign(determinant);
  // Without size and mirroring it is a rotation: its trace tells the angle. What is mirrored is mirrored through the origin and turned.
  const degrees = (Math.acos(Math.min(1, Math.max(-1, ((a + e + i) / size - 1) / 2))) * 180) / Math.PI;
  const way = Math.hypot(x, y, z);
  const said = [
    ...(degrees < LEAST_DEGREES ? [] : [`turned by ${figure(degrees)}°`]),
    ...(way < LEAST_MM ? [] : [`moved by ${figure(way)} mm`]),
  ];
  return said.length === 0 ? 'in the same place' : said.join(', ');
}
