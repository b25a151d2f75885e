import type { BodyFaces, PartFace } from '../faces/part-face.js';
import { SAMPLE } from '../faces/free-samples.js';
import { screwMotionsOf, type ScrewMotion } from '../faces/screw-motion.js';
import { cross, dot, frameOf, minus, type Vector } from '../faces/vector.js';
import { distanceFrom, type AxisLine } from './axis-line.js';
import type { Feature } from './feature.js';

/** Least turns of a thread, and its height as a share of the pitch: .54 to .65 of ISO 68, .5 of ISO 2904. */
const LEAST_TURNS = 1.5;
const HEIGHT = { least: 0.2, most: 1.1 };
/** A pitch is a smaller share of the diameter, and a height of the radius; a spring has no core. */
const STEEP = 0.6;
const DEEP = 0.45;
/**
 * The core or the crests lie within the heights of the thread, up to this share of the radius; so near are axes that
 * are one.
 */
const NEAR = 0.03;
/** Least cosine between the axis of a motion, which is fitted, and that of the core (2°). */
const SAME_AXIS = 0.9994;
/**
 * Leads that are tried: up to this share away from what the normals say, in so many steps to each side; bands of radii.
 */
const REACH = 0.1;
const STEPS = 100;
const BANDS = 4;
/** Most motions with a core that are looked at: two of a thread. */
const MOST_MOTIONS = 64;
/** Pitches of the two flanks of one thread, as a share. */
const SAME_PITCH = 0.05;

/**
 * Modelled threads: helical surfaces about an axis, on a core or in a bore of the same axis. Cosmetic threads are no
 * faces; what the file says of them is among its annotations.
 */
export function threadsOf(body: BodyFaces): Feature[] {
  const found: { readonly pitchMm: number; readonly core: PartFace; readonly faces: Set<number> }[] = [];
  let looked = 0;
  for (const motion of screwMotionsOf(body)) {
    const pitchMm = 2 * Math.PI * Math.abs(motion.pitchMm);
    const core = coreOf(body.faces, motion);
    if (core === undefined) continue;
    if (++looked > MOST_MOTIONS) break;
    const faces = body.faces.flatMap((face, i) => (isWithin(face, core, motion) ? [i] : []));
    const known = found.find(
      (other) => other.core === core && Math.abs(other.pitchMm - pitchMm) <= SAME_PITCH * pitchMm,
    );
    if (known === undefined) found.push({ pitchMm, core, faces: new Set(faces) });
    else for (const face of faces) known.faces.add(face);
  }
  return found.flatMap(({ core, faces }) => threadOf(body.faces, { core, members: [...faces] }) ?? []);
}

/** The round face with most surface on the axis of a motion and between the radii of its surfaces. */
function coreOf(faces: readonly PartFace[], motion: ScrewMotion): PartFace | undefined {
  const [inner, outer] = motion.radiiMm;
  if (!(outer > 0) || motion.pitchMm === 0) return undefined;
  let best: PartFace | undefined;
  for (const face of faces) {
    if (face.kind !== 'cylinder' || Math.abs(dot(face.axis, motion.axis)) < SAME_AXIS) continue;
    if (face.radiusMm < inner - NEAR * outer || face.radiusMm > outer + NEAR * outer) continue;
    if (distanceFrom(face, motion.origin) > NEAR * outer) continue;
    if (best === undefined || face.areaMm2 > best.areaMm2) best = face;
  }
  return best;
}

/** Whether a free face lies between the radii of a motion, about the axis of its core. */
function isWithin({ kind, samples }: PartFace, core: AxisLine, { radiiMm: [inner, outer] }: ScrewMotion): boolean {
  if (kind !== 'free' || samples.length === 0) return false;
  const slack = NEAR * outer;
  for (let at = 0; at < samples.length; at += SAMPLE) {
    const radius = distanceFrom(core, vectorAt(samples, at));
    if (radius < inner - slack || radius > outer + slack) return false;
  }
  return true;
}

function threadOf(
  faces: readonly PartFace[],
  { core, members }: { core: PartFace; members: readonly number[] },
): Feature | undefined {
  let [inner, outer] = [Infinity, 0];
  let [from, to] = [Infinity, -Infinity];
  // A turn of 1 rad and a shift h move each point along its surface: n·(axis × r) + h n·axis = 0, by least squares.
  let [turns, shifts] = [0, 0];
  for (const i of members)
    for (let at = 0; at < faces[i].samples.length; at += SAMPLE) {
      const point = vectorAt(faces[i].samples, at);
      const radius = distanceFrom(core, point);
      inner = Math.min(inner, radius);
      outer = Math.max(outer, radius);
      const away = minus(point, core.origin);
      const along = dot(away, core.axis);
      const normal = vectorAt(faces[i].samples, at + 3);
      const lead = dot(normal, core.axis);
      turns += dot(normal, cross(core.axis, away)) * lead;
      shifts += lead * lead;
      from = Math.min(from, along);
      to = Math.max(to, along);
    }
  // A surface of one radius slides in itself by every screw.
  if (!(shifts > 0) || turns === 0 || !(outer > inner)) return undefined;
  const pitchMm = 2 * Math.PI * Math.abs(nearbyLead({ faces, members, core, radii: [inner, outer] }, -turns / shifts));
  const height = outer - inner;
  if (pitchMm > STEEP * 2 * outer || height > DEEP * outer || to - from < LEAST_TURNS * pitchMm) return undefined;
  if (height < HEIGHT.least * pitchMm || height > HEIGHT.most * pitchMm) return undefined;
  return {
    kind: 'thread',
    count: 1,
    faces: members,
    diameterMm: 2 * Math.max(outer, core.radiusMm),
    pitchMm,
    depthMm: to - from,
    ...(core.isHollow ? { isInternal: true } : {}),
  };
}

interface Flanks {
  readonly faces: readonly PartFace[];
  readonly members: readonly number[];
  readonly core: AxisLine;
  readonly radii: readonly [number, number];
}

/**
 * The lead, mm for a turn of 1 rad, near a first value, that places of samples agree with best: on one flank and at one
 * radius the height above the turn, in turns, is the same all along a thread. Normals of triangles alone are off by
 * some percent.
 */
function nearbyLead({ faces, members, core, radii: [inner, outer] }: Flanks, first: number): number {
  const [u, v] = frameOf(core.axis);
  const groups = members.flatMap((i) => {
    const bands = Array.from({ length: BANDS }, (): { angle: number; along: number }[] => []);
    for (let at = 0; at < faces[i].samples.length; at += SAMPLE) {
      const away = minus(vectorAt(faces[i].samples, at), core.origin);
      const [x, y] = [dot(away, u), dot(away, v)];
      const band = Math.floor((BANDS * (Math.hypot(x, y) - inner)) / (outer - inner));
      bands[Math.min(BANDS - 1, Math.max(0, band))].push({ angle: Math.atan2(y, x), along: dot(away, core.axis) });
    }
    return bands;
  });
  let best = { lead: first, sum: -1 };
  for (let step = -STEPS; step <= STEPS; step++) {
    const lead = first * (1 + (REACH * step) / STEPS);
    let sum = 0;
    for (const group of groups) {
      let [x, y] = [0, 0];
      for (const { angle, along } of group) {
        const phase = along / lead - angle;
        x += Math.cos(phase);
        y += Math.sin(phase);
      }
      sum += Math.hypot(x, y);
    }
    if (sum > best.sum) best = { lead, sum };
  }
  return best.lead;
}

function vectorAt(samples: Float64Array, at: number): Vector {
  return [samples[at], samples[at + 1], samples[at + 2]];
}
