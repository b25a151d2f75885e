import type { Core } from '../../../core/core.js';
import { cross, type Vector3 } from '../../../core/mass.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { compareViews } from '../../../core/views.js';
import { VIEW_BYTES, VIEW_FLAG, viewAt, viewFacts } from '../../../descriptors/views.js';
import { USUAL_NEARNESS, bestOf, fitPose, type FittedPose, type Pose } from './pose-fit.js';
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
}

/** Number of a candidate's views from which the pose search starts. */
const STARTS = 3;
/**
 * Candidates, the nearest by views first, of which every start is moved before the best one is chosen: what looks best
 * before it is moved is often not. 36 photos cut out by their exact masks, 320 models, first / first ten, and time of
 * fitting: none 63.9 / 88.9 % and 291 ms, 40 candidates 69.4 / 88.9 % and 378 ms, 64 72.2 / 91.7 % and 471 ms. 24 keep
 * the time within 1.2 of what it was; they were not measured by themselves.
 */
const FULLY_STARTED = 24;
/**
 * Rounds: number of candidates by cost and, because the cost of a bad pose says little, by similarity of views; the
 * angles by which poses are moved; and which of the two pictures is used.
 */
const ROUNDS = [
  { byCost: 112, byLikeness: 48, steps: [0.2], isFine: false },
  { byCost: 40, byLikeness: 16, steps: [0.12, 0.07], isFine: false },
  { byCost: 12, byLikeness: 4, steps: [0.06, 0.03], isFine: true },
] as const;
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
  /** Similarity of that view, 1 for equal. */
  readonly likeness: number;
  pose: FittedPose;
}

/**
 * Finds the pose in which each candidate explains a photo best, starting from its most similar views: the better
 * candidates in coarse steps, the best ones in finer steps. Returns a fit for each candidate, in their order. turn:
 * lets the event loop run.
 */
export async function fitPhoto(
  core: Core,
  photo: Photo,
  candidates: readonly PhotoCandidate[],
  turn: () => Promise<void>,
): Promise<PhotoFit[]> {
  let running: Running[] = [];
  const fits = candidates.map((): PhotoFit => ({ cost: NOTHING, view: 0 }));
  const note = (one: Running, extra: number): void =>
    void (fits[one.index] = { cost: costOf(one) + extra, view: one.view });
  for (const [index, candidate] of candidates.entries()) {
    if (index % TURN === 0) await turn();
    const starts = startsOf(core, photo, candidate);
    if (starts.length === 0) continue;
    const { pose, start } =
      index < FULLY_STARTED ? bestStart(core, photo, candidate, starts) : nearestStart(core, photo, candidate, starts);
    const { view, likeness } = start;
    const one = { index, view, likeness, pose };
    running.push(one);
    note(one, COARSE);
  }
  for (const [round, { byCost, byLikeness, steps, isFine }] of ROUNDS.entries()) {
    const picture = isFine ? photo.fine : photo.coarse;
    const likely = new Set(running.sort((a, b) => b.likeness - a.likeness || a.index - b.index).slice(0, byLikeness));
    running.sort((a, b) => costOf(a) - costOf(b) || a.index - b.index);
    running = running.filter((one, place) => place < byCost || likely.has(one));
    for (const [done, one] of running.entries()) {
      if (done % TURN === 0) await turn();
      if (round === 0 && one.index < FULLY_STARTED) continue;
      const { mesh } = candidates[one.index];
      one.pose = fitPose(core, mesh, picture, isFine ? bestOf(core, mesh, picture, [one.pose]) : one.pose, steps);
      note(one, isFine ? 0 : COARSE);
    }
  }
  return fits;
}

function costOf({ pose, likeness }: Running): number {
  return SCALE * (pose.cost + VIEW_WEIGHT * (1 - likeness));
}

/** A view from which a pose search starts, as a pose. */
type Start = Pose & Pick<Running, 'view' | 'likeness'>;

/** The start that explains the photo best as it is. */
function nearestStart(
  core: Core,
  { coarse }: Photo,
  { mesh }: PhotoCandidate,
  starts: readonly Start[],
): { readonly pose: FittedPose; readonly start: Start } {
  const pose = bestOf(core, mesh, coarse, starts);
  return { pose, start: starts.find(({ rows }) => rows === pose.rows)! };
}

/** The start that explains the photo best after it was moved. */
function bestStart(
  core: Core,
  photo: Photo,
  candidate: PhotoCandidate,
  starts: readonly Start[],
): { readonly pose: FittedPose; readonly start: Start } {
  const moved = starts.map((start) => ({
    start,
    pose: fitPose(
      core,
      candidate.mesh,
      photo.coarse,
      bestOf(core, candidate.mesh, photo.coarse, [start]),
      ROUNDS[0].steps,
    ),
  }));
  return moved.reduce((best, other) => (other.pose.cost < best.pose.cost ? other : best));
}

function startsOf(core: Core, { view, laidRad }: Photo, { views, cameras }: PhotoCandidate): Start[] {
  const free = Array.from(cameras.keys()).filter((i) => (viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0);
  const { likeness, turns } = compareViews(
    core,
    view,
    free.map((i) => viewAt(views, i)),
    VIEW_BYTES,
  );
  const best = [...free.keys()].sort((a, b) => likeness[b] - likeness[a] || a - b).slice(0, STARTS);
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
