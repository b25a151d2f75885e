import type { Core } from '../core/core.js';
import { cross } from '../core/mass.js';
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

/**
 * The lines of some upright views of a model, each magnified across: its shorter side so many times as large, the
 * longer side of the result as large as that of any picture. Otherwise as {@link linesAgain}.
 * places: of the views, with their sizes.
 */
export function linesAcross(
  core: Core,
  mesh: TriangleMesh,
  places: readonly (Pick<CameraPlace, 'direction' | 'up' | 'brokenOff'> & { readonly isWide: boolean })[],
  across: number,
): Uint8Array[] {
  const drawn = places.flatMap(({ direction, up, brokenOff, isWide }) => {
    const shown = brokenOff === undefined ? mesh : breakOff(mesh, brokenOff);
    const axis = isWide ? up : cross(up, direction);
    const positions = new Float32Array(shown.positions.length);
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = [shown.positions[i], shown.positions[i + 1], shown.positions[i + 2]];
      const more = (across - 1) * (x * axis[0] + y * axis[1] + z * axis[2]);
      positions[i] = x + more * axis[0];
      positions[i + 1] = y + more * axis[1];
      positions[i + 2] = z + more * axis[2];
    }
    return renderModelViews(core, { positions, indices: shown.indices }, { cameras: [{ direction, up }] });
  });
  return drawn.length === places.length ? drawn.map(({ lines }) => lines) : [];
}

function cameraOf({ direction, up }: Pick<CameraPlace, 'direction' | 'up'>): Pick<CameraPlace, 'direction' | 'up'> {
  return { direction, up };
}
