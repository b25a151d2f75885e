import type { Torus } from '../torus-faces.js';
import { numberOf, idOf, Part21Instances } from './part21-instances.js';
import { readFrame } from './placements.js';

const SURFACE = 'TOROIDAL_SURFACE';
/** Most of them that are read. */
const MOST_TORI = 10_000;

/**
 * The different ring tori of a STEP file, each in the frame of its product; spindle tori are left out.
 * @param millimetres per unit of the file's coordinates.
 */
export function readTori(bytes: Uint8Array, millimetres: number): Torus[] {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(SURFACE)) return [];
  const instances = new Part21Instances(bytes, [SURFACE]);
  const tori = new Map<string, Torus>();
  for (const id of instances.listed(SURFACE).slice(0, MOST_TORI)) {
    const [, place, ring, tube] = instances.arguments(id, SURFACE);
    const frame = readFrame(instances, idOf(place) ?? -1, millimetres);
    const [ringMm, tubeMm] = [ring, tube].map((radius) => (numberOf(radius) ?? 0) * millimetres);
    if (frame === undefined || !(tubeMm > 0 && ringMm > tubeMm)) continue;
    const [x, y, z, origin] = [0, 4, 8, 12].map((at) => [frame[at], frame[at + 1], frame[at + 2]] as const);
    tori.set([origin, z, ringMm, tubeMm].join(' '), { origin, axes: [x, y, z], ringMm, tubeMm });
  }
  return [...tori.values()];
}
