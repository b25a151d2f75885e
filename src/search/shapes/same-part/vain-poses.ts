import type { Core } from '../../../core/core.js';
import type { PartSurface } from './part-surface.js';
import { MOST_QUERIES, onSurface, type SurfacePair } from './placed-queries.js';
import { composePoses, inversePose, type Pose } from './pose.js';
import { measureGap, MOST_ARC, type SurfaceGap } from './surface-gap.js';

/**
 * Largest distance of a point from the surface that a symmetry carries it to, beyond what arcs explain, as a share of
 * the reach: a quarter of the least that tells two parts apart.
 */
const SYMMETRIC = 1e-4;
/** Poses of a part on itself that differ by less are one. */
const EQUAL = 1e-6;
/** Poses of a part on itself that are looked at, most; one takes 0.1 ms where it is none, else up to some ms. */
const MOST_KNOWN = 24;

/** A pose of a part on itself, and whether the part then lies on itself. */
interface OnItself {
  readonly pose: Pose;
  readonly isSymmetry: boolean;
}

const KNOWN = new WeakMap<PartSurface, OnItself[]>();

/**
 * Poses on a part from which no fit of another one came near. What a symmetry of the part makes of such a pose comes no
 * nearer, so it need not be tried: a block has eight poses that are one, mirrored ones included, and each costs half a
 * millisecond until it is refused. Near misses are none of them: other triangles may decide, which a symmetry of the
 * solid does not carry onto each other.
 */
export class VainPoses {
  readonly #core: Core;
  readonly #to: PartSurface;
  readonly #poses: Pose[] = [];

  constructor(core: Core, to: PartSurface) {
    this.#core = core;
    this.#to = to;
  }

  /** Notes a pose from which no fit came near. */
  add(pose: Pose): void {
    this.#poses.push(pose);
  }

  /** Whether a pose is one of these, or what a symmetry makes of one. */
  has(pose: Pose): boolean {
    return this.#poses.some((vain) => this.#isSymmetry(composePoses(pose, inversePose(vain))));
  }

  #isSymmetry(pose: Pose): boolean {
    let known = KNOWN.get(this.#to);
    if (known === undefined) KNOWN.set(this.#to, (known = []));
    const same = known.find((one) => one.pose.every((value, i) => Math.abs(value - pose[i]) < EQUAL));
    if (same !== undefined) return same.isSymmetry;
    if (known.length === MOST_KNOWN) return false;
    const isSymmetry = onSurface(this.#core, { from: this.#to, to: this.#to }, (pair) => liesOnItself(pair, pose));
    known.push({ pose, isSymmetry });
    return isSymmetry;
  }
}

/** Whether every checked point of a part, carried by the pose, lies on the part. */
function liesOnItself(pair: SurfacePair, pose: Pose): boolean {
  const { from, to, nearest, placed } = pair;
  const { reachMm } = to.facts;
  const mostMm = SYMMETRIC * reachMm;
  const gap: SurfaceGap = { above: 0, aside: 0 };
  for (const samples of [from.patches, from.spread])
    for (let first = 0; first < samples.count; first += MOST_QUERIES) {
      const count = Math.min(MOST_QUERIES, samples.count - first);
      placed.ask(nearest, pose, { samples, first, count }, mostMm + MOST_ARC * reachMm, 'same way');
      for (let i = 0; i < count; i++) {
        if (placed.triangles[i] < 0) return false;
        if (placed.distances[i] <= mostMm) continue;
        measureGap(pair, { pose, scale: 1, samples, first }, i, gap);
        if (Math.hypot(gap.above, gap.aside) > mostMm) return false;
      }
    }
  return true;
}
