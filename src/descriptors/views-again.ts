import type { Core } from '../core/core.js';
import type { TriangleMesh } from '../core/mesh.js';
import { breakOff } from '../shapelets/model/broken-off.js';
import { renderModelViews } from '../shapelets/model/model-views.js';
import type { CameraPlace } from '../shapelets/shapelet.js';

/**
 * The lines of some upright views of a model, rendered again because they are not stored: u8[64²] each, in the order of
 * the places. Empty where the mesh does not show what it showed when it was indexed.
 * @throws EngineError as `renderModelViews`.
 */
export function linesAgain(
  core: Core,
  mesh: TriangleMesh,
  places: readonly Pick<CameraPlace, 'direction' | 'up' | 'brokenOff'>[],
): Uint8Array[] {
  const whole = places.filter(({ brokenOff }) => brokenOff === undefined);
  const drawn = whole.length === 0 ? [] : renderModelViews(core, mesh, { cameras: whole.map(cameraOf) });
  const shortened = places.flatMap((place) =>
    place.brokenOff === undefined
      ? []
      : renderModelViews(core, breakOff(mesh, place.brokenOff), { cameras: [cameraOf(place)] }),
  );
  // A view that projects to a point is left out, and then it is not known which is which.
  if (drawn.length + shortened.length !== places.length) return [];
  return places.map(({ brokenOff }) => (brokenOff === undefined ? drawn : shortened).shift()!.lines);
}

function cameraOf({ direction, up }: Pick<CameraPlace, 'direction' | 'up'>): Pick<CameraPlace, 'direction' | 'up'> {
  return { direction, up };
}
