import type { Core } from '../../../core/core.js';
import { cross, type Vector3 } from '../../../core/mass.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { photoFits, photoFitsTable } from '../../../core/photo-fits.js';
import { compareViews } from '../../../core/views.js';
import { VIEW_BYTES, VIEW_FLAG, viewAt, viewFacts } from '../../../descriptors/views.js';
import { USUAL_NEARNESS, fitPose, follow, numbersOf, type FittedPose, type Pose } from './pose-fit.js';
import type { Photo } from './photo.js';

/** A model that is compared with a photo. */
export interface PhotoCandidate {
  readonly mesh: TriangleMesh;
  /** Its views, from `describeViews`, and the camera of each. */
  readonly views: Uint8Array;
  readonly cameras: readonly { readonly direction: Vector3; readonly up: Vector3 }[];
}

/** How well a candidate explains the photo. */
export interface PhotoFit {
  /** 0: the photo is fully explained and equals a view; above 1: nothing is explained. */
  readonly cost: number;
  /** The candidate's view from which the pose search started. */
  readonly view: number;
  /** The pose in which it explains the photo so. Undefined for a candidate without views. */
  readonly pose?: FittedPose;
}

/**
 * Views of a candidate from which the pose search starts, and rounds in which each pose follows the outline: of the
 * first candidates, the nearest by views, and of the others. The view that leads to the right pose is often not among
 * the three most similar ones.
 */
const FIRST = { candidates: 64, starts: 8, rounds: 2 } as const;
const OTHERS = { starts: 1, rounds: 2 } as const;
/**
 * After that: number of poses by cost, and by similarity of views because the cost of a bad pose says little; poses of
 * one candidate among them; rounds of following. Last, fine pictures, the best pose of each candidate, moved by a step.
 */
const GOES_ON = { byCost: 96, byLikeness: 4, each: 3, rounds: 4 } as const;
const FINE = { byCost: 14, byLikeness: 2, each: 1, rounds: 1, steps: [0.05] } as const;
/**
 * In the end a network looks at the cheapest candidates, each in its best pose. It tells 1 to 10 apart, costs 0.1 to 1;
 * with a weight of 0 to 16 more of the right models are first of 120 photos than by costs alone.
 */
const TOLD = { candidates: 96, weight: 6 } as const;
/** Candidates between two turns of the event loop. */
const TURN = 16;
/** The cost of a candidate without views. */
const NOTHING = 2;
/** Cost added to candidates that are judged by the coarse picture only. */
const COARSE = 0.07;
/** Weight of the dissimilarity of the nearest view, beside the unexplained share of the picture. */
const VIEW_WEIGHT = 0.6;

/** Brings costs to the scale of the curve that tells likeness by them. */
const SCALE = 1.8;

interface Running {
  readonly index: number;
  readonly view: number;
  /** Similarity of the candidate's nearest view, 1 for equal. */
  readonly likeness: number;
  readonly pose: FittedPose;
  /** Where it came to, which need not be the best. */
  readonly last: FittedPose;
}

/**
 * Finds the pose in which each candidate explains a photo best: poses from its most similar views follow the outline of
 * the photo, the better ones go on, and the best are compared with the fine picture. Returns a fit for each candidate,
 * in their order. turn: lets the event loop run.
 */
export async function fitPhoto(
  core: Core,
  photo: Photo,
  candidates: readonly PhotoCandidate[],
  turn: () => Promise<void>,
): Promise<PhotoFit[]> {
  const fits = candidates.map((): PhotoFit => ({ cost: NOTHING, view: 0 }));
  let running: Running[] = [];
  for (const [index, candidate] of candidates.entries()) {
    if (index % TURN === 0) await turn();
    const { starts, rounds } = index < FIRST.candidates ? FIRST : OTHERS;
    const poses = startsOf(core, photo, candidate, starts);
    const found = follow(core, candidate.mesh, photo.coarse, { poses, rounds });
    running.push(
      ...found.map(({ last, ...pose }, i): Running => {
        // The view that leads to the right pose need not be the one that is most similar.
        const { likeness } = poses[0];
        return { index, view: poses[i].view, likeness, pose, last };
      }),
    );
  }
  note(fits, running, COARSE);
  running = chosen(running, GOES_ON);
  for (const [done, one] of running.entries()) {
    if (done % TURN === 0) await turn();
    const poses = one.last.cost === one.pose.cost ? [one.pose] : [one.pose, one.last];
    const found = follow(core, candidates[one.index].mesh, photo.coarse, { poses, rounds: GOES_ON.rounds });
    running[done] = { ...one, pose: cheapest(found) };
  }
  note(fits, running, COARSE);
  running = chosen(running, FINE);
  for (const [done, one] of running.entries()) {
    if (done % TURN === 0) await turn();
    const { mesh } = candidates[one.index];
    const found = follow(core, mesh, photo.fine, { poses: [one.pose], rounds: FINE.rounds });
    running[done] = { ...one, pose: fitPose(core, mesh, photo.fine, cheapest(found), FINE.steps) };
  }
  note(fits, running, 0);
  return told(core, photo, candidates, fits, turn);
}

/**
 * The same fits, of which the cheapest have changed their costs: the cheapest cost goes to the candidate that a network
 * is surest of, and so on.
 */
async function told(
  core: Core,
  { fine }: Photo,
  candidates: readonly PhotoCandidate[],
  fits: readonly PhotoFit[],
  turn: () => Promise<void>,
): Promise<PhotoFit[]> {
  const cheap = Array.from(fits.keys())
    .filter((index) => fits[index].pose !== undefined)
    .sort((a, b) => fits[a].cost - fits[b].cost || a - b)
    .slice(0, TOLD.candidates);
  const table = await photoFitsTable();
  const sure = new Map<number, number>();
  for (const [done, index] of cheap.entries()) {
    if (done % TURN === 0) await turn();
    const poses = numbersOf([fits[index].pose!]);
    const [certainty] = photoFits(core, candidates[index].mesh, fine, poses, table);
    const told = certainty - TOLD.weight * fits[index].cost;
    // What the network cannot tell of, as of a mesh without extent, comes last.
    sure.set(index, Number.isNaN(told) ? -Number.MAX_VALUE : told);
  }
  const surest = cheap.toSorted((a, b) => sure.get(b)! - sure.get(a)! || a - b);
  const costs = new Map(surest.map((index, place) => [index, fits[cheap[place]].cost]));
  return fits.map((fit, index) => ({ ...fit, cost: costs.get(index) ?? fit.cost }));
}

/** Sets the fit of each candidate among the running to that of its cheapest pose. */
function note(fits: PhotoFit[], running: readonly Running[], extra: number): void {
  const seen = new Set<number>();
  for (const one of byCost(running)) {
    if (seen.has(one.index)) continue;
    seen.add(one.index);
    fits[one.index] = { cost: costOf(one) + extra, view: one.view, pose: one.pose };
  }
}

/** Those that go on, by rising cost. */
function chosen(
  running: readonly Running[],
  most: { readonly byCost: number; readonly byLikeness: number; readonly each: number },
): Running[] {
  const counts = new Map<number, number>();
  const kept = byCost(running).filter(({ index }) => {
    const before = counts.get(index) ?? 0;
    counts.set(index, before + 1);
    return before < most.each;
  });
  const likely = new Set(
    kept.toSorted((a, b) => b.likeness - a.likeness || a.index - b.index).slice(0, most.byLikeness),
  );
  return kept.filter((one, place) => place < most.byCost || likely.has(one));
}

function byCost(running: readonly Running[]): Running[] {
  return running.toSorted((a, b) => costOf(a) - costOf(b) || a.index - b.index);
}

function costOf({ pose, likeness }: Pick<Running, 'pose' | 'likeness'>): number {
  return SCALE * (pose.cost + VIEW_WEIGHT * (1 - likeness));
}

function cheapest(poses: readonly FittedPose[]): FittedPose {
  return poses.reduce((best, other) => (other.cost < best.cost ? other : best));
}

/** A view from which a pose search starts, as a pose. */
type Start = Pose & Pick<Running, 'view' | 'likeness'>;

function startsOf(core: Core, { view, laidRad }: Photo, { views, cameras }: PhotoCandidate, most: number): Start[] {
  const free = Array.from(cameras.keys()).filter((i) => (viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0);
  const { likeness, turns } = compareViews(
    core,
    view,
    free.map((i) => viewAt(views, i)),
    VIEW_BYTES,
  );
  const best = [...free.keys()].sort((a, b) => likeness[b] - likeness[a] || a - b).slice(0, most);
  return best.map((at) => {
    const { direction, up } = cameras[free[at]];
    // The photo's view was aligned and then turned clockwise; the opposite rotation gives the orientation of the photo.
    const angle = (turns[at] * Math.PI) / 2 - laidRad;
    const right = cross(up, direction),
      cos = Math.cos(angle),
      sin = Math.sin(angle);
    const rows = [
      ...right.map((value, i) => cos * value - sin * up[i]),
      ...right.map((value, i) => sin * value + cos * up[i]),
      ...direction,
    ];
    return { rows, nearness: USUAL_NEARNESS, view: free[at], likeness: likeness[at] };
  });
}
