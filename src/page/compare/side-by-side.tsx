import { useEffect } from 'preact/hooks';
import { Box3, Matrix4, Quaternion, Vector3 } from 'three';
import { outlinePoints, type Stage } from '../viewer/stage.js';
import type { ShownModel } from '../viewer/shown-model.js';
import { StageCanvas, ViewButtons } from '../viewer/stage-parts.js';
import { litChanges } from './lit-changes.js';
import type { Attitude, ViewName } from '../viewer/standard-views.js';
import { useStage } from '../viewer/use-stage.js';

interface SideBySideProps {
  readonly uids: readonly [string, string];
  readonly models: readonly [ShownModel, ShownModel];
  readonly names: readonly [string, string];
  /** 4×4 matrix that maps the first model onto the second; undefined until it is known. */
  readonly transform: readonly number[] | undefined;
}

/** Two models beside each other with coupled cameras: rotating one rotates the other. */
export function SideBySide({ uids, models, names, transform }: SideBySideProps) {
  const { attitude } = models[1];
  const left = useStage(models[0], attitude),
    right = useStage(models[1], attitude);
  const first = left.stage,
    second = right.stage;
  useEffect(() => {
    if (first === undefined || second === undefined) return undefined;
    const follow = (leader: Stage, follower: Stage) =>
      leader.on('move', () => {
        follower.pose = leader.pose;
      });
    const ends = [follow(first, second), follow(second, first)];
    lookAtBoth(first, second, 'Picture');
    return () => ends.forEach((end) => end());
  }, [first, second]);
  useEffect(() => {
    if (first === undefined || second === undefined || transform === undefined) return;
    const { root } = models[0];
    root.quaternion.copy(turnOf(transform, attitude));
    root.updateMatrixWorld(true);
    first.setContent(new Box3().setFromObject(root), outlinePoints(root));
    lookAtBoth(first, second, 'Picture');
  }, [first, second, transform]);
  const lit = litChanges.value?.uids.join() === uids.join() ? litChanges.value : undefined;
  useEffect(() => {
    models.forEach((model, i) =>
      model.highlight(lit === undefined ? {} : { lit: { faces: lit.faces[i], fades: lit.fades } }),
    );
    first?.invalidate();
    second?.invalidate();
  }, [models[0], models[1], first, second, lit]);
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <div class="viewer-group" role="group" aria-label="Standard views of both">
          <ViewButtons onView={(view) => lookAtBoth(first, second, view)} />
          <button type="button" title="Show all of both" onClick={() => lookAtBoth(first, second)}>
            Fit
          </button>
        </div>
      </div>
      <div class="compare-pair">
        {[left, right].map(({ canvas, stage }, i) => (
          <figure key={i} class="compare-side">
            <StageCanvas canvas={canvas} stage={stage} label={`${names[i]} in three dimensions`} />
            <figcaption>{names[i]}</figcaption>
          </figure>
        ))}
      </div>
    </div>
  );
}

/** Fits both models at a common scale, in a standard view or from the present camera directions. */
function lookAtBoth(first: Stage | undefined, second: Stage | undefined, view?: ViewName): void {
  if (first === undefined || second === undefined) return;
  const halfHeights = [first, second].map((stage) => {
    if (view === undefined) stage.fit();
    else stage.look(view);
    return stage.pose.halfHeightMm;
  });
  // The first follows the second, so the scale is set on the second.
  if (halfHeights[0] > halfHeights[1]) second.zoom(halfHeights[1] / halfHeights[0]);
}

/**
 * The rotation of a transform. A part must not be shown as its mirror image: if the transform mirrors, the first is
 * turned so that in the view of the picture it looks like the second in a mirror that stands beside it.
 */
function turnOf(transform: readonly number[], { sides: [side] }: Attitude): Quaternion {
  const matrix = new Matrix4().fromArray([...transform]);
  const turn = new Quaternion();
  if (matrix.determinant() < 0) {
    if (side === undefined) return turn;
    const { x, y, z } = new Vector3(...side.up).cross(new Vector3(...side.toward)).normalize();
    const mirror = new Matrix4().set(
      ...([1 - 2 * x * x, -2 * x * y, -2 * x * z, 0] as const),
      ...([-2 * x * y, 1 - 2 * y * y, -2 * y * z, 0] as const),
      ...([-2 * x * z, -2 * y * z, 1 - 2 * z * z, 0] as const),
      ...([0, 0, 0, 1] as const),
    );
    matrix.premultiply(mirror);
  }
  matrix.decompose(new Vector3(), turn, new Vector3());
  return turn;
}
