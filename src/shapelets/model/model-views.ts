import type { Core } from '../../core/core.js';
import type { Vector3 } from '../../core/mass.js';
import type { TriangleMesh } from '../../core/mesh.js';
import { VIEW_MODE, drawModelViews } from '../../core/model-views.js';
import { cameraFrame } from '../../core/render.js';
import { withDefaults } from '../../options.js';
import { breakOff, breaksOf } from './broken-off.js';
import type { Shapelet } from '../shapelet.js';

const AXES: readonly Vector3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const SIGNS = [-1, 1];
/** The corners of a cube. */
const CORNERS = SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z): Vector3 => [x, y, z])));

/** A camera, in the model's frame. */
export interface ModelCamera {
  /** From the model towards the camera; any length. */
  readonly direction: Vector3;
  /** Vector that points upwards in the picture; need not be perpendicular to the direction, but not parallel. */
  readonly up: Vector3;
  /**
   * True: in perspective, as photos are, with the camera rolled so that the longest axis of the shape is horizontal;
   * `up` has no effect. Default false: orthographic.
   */
  readonly isFree?: boolean;
}

/** Options of {@link renderModelViews}. */
export interface ModelViewOptions {
  /** Default {@link DRAWING_CAMERAS}, then {@link PHOTO_CAMERAS}. */
  readonly cameras: readonly ModelCamera[];
  /** Smallest angle between the normals of two triangles whose common edge is drawn, 0 to π. Default 28°. */
  readonly creaseRad: number;
}

/**
 * The views that drawings show: along the six axes, and isometric views from the eight corners of a cube with each axis
 * upwards, because neither the upward axis nor the corner is known. Axis views are stored in one of their four quarter
 * turns.
 */
export const DRAWING_CAMERAS: readonly ModelCamera[] = Object.freeze([...axisCameras(), ...cornerCameras()]);

/**
 * A sample of the views that photos show: in perspective, from the faces, corners and edges of a cube and from 24
 * directions between them (1 1 2), each rolled so that its longest axis is horizontal. Number of 100 perspective
 * pictures that find their part among the first ten of 186 by views alone: 64 with the first 26 directions and parallel
 * projection, 65 with these in perspective, 77 with these 50, 84 with 74, 86 with 98.
 */
export const PHOTO_CAMERAS: readonly ModelCamera[] = Object.freeze(
  [...axisCameras(), ...cornerCameras().filter((_, i) => i % 3 === 0), ...edgeCameras(), ...betweenCameras()].map(
    (camera) => ({ ...camera, isFree: true }),
  ),
);

/** The first cameras of {@link DRAWING_CAMERAS} look along the axes. */
const AXIS_VIEWS = 6;

/** Half the diagonal of a part divided by its distance from the camera. */
const NEARNESS = 0.2;

const DEFAULTS: ModelViewOptions = Object.freeze({
  cameras: Object.freeze([...DRAWING_CAMERAS, ...PHOTO_CAMERAS]),
  creaseRad: (28 * Math.PI) / 180,
});

/**
 * Renders a mesh as the shapelets that drawings, pictures and sketches are matched with: for each camera the silhouette
 * with its holes, the visible and the hidden lines. A camera for which the mesh projects to a point gives no shapelet.
 * @throws EngineError `NO_GEOMETRY` for a mesh without triangles, `FILE_MALFORMED` for a bad index or a coordinate that
 * is not finite; TypeError or RangeError that names a wrong option.
 */
export function renderModelViews(core: Core, mesh: TriangleMesh, options?: Partial<ModelViewOptions>): Shapelet[] {
  const { cameras, creaseRad } = withDefaults('model view options', options, DEFAULTS);
  if (!(typeof creaseRad === 'number' && creaseRad >= 0 && creaseRad <= Math.PI)) {
    throw new RangeError(`model view options.creaseRad must lie from 0 to ${Math.PI}, received ${creaseRad}`);
  }
  const frames = cameras.map(({ direction, up }, i) => cameraFrame(`model view options.cameras[${i}]`, direction, up));
  const views = drawModelViews(core, mesh, {
    cameras: Float64Array.from(frames.flatMap(({ right, up, toward }) => [...right, ...up, ...toward])),
    modes: Uint8Array.from(cameras, ({ isFree }) => (isFree === true ? VIEW_MODE.LAID : VIEW_MODE.UPRIGHT)),
    nearness: NEARNESS,
    creaseRad,
  });
  const shapelets: Shapelet[] = [];
  for (const [camera, { mask, lines, hiddenLines, scaleMmPerPixel, widthMm, heightMm, angleRad }] of views.entries()) {
    if (scaleMmPerPixel === 0) continue;
    const { toward, right, up } = frames[camera];
    const cos = Math.cos(angleRad),
      sin = Math.sin(angleRad);
    shapelets.push({
      place: {
        kind: 'camera',
        direction: toward,
        up: [0, 1, 2].map((i) => sin * right[i] + cos * up[i]) as unknown as Vector3,
        scaleMmPerPixel,
      },
      mask,
      lines,
      hiddenLines,
      size: [widthMm, heightMm],
      isToScale: true,
      ...(cameras[camera].isFree === true ? { isFree: true } : {}),
    });
  }
  return shapelets;
}

/**
 * Views of a long part as drawings shorten it: from its sides with the runs of constant section shortened to several
 * lengths, and each end alone from the corners. Empty for parts that are not slender and for plain bars.
 * @throws EngineError as {@link renderModelViews}.
 */
export function renderBrokenViews(core: Core, mesh: TriangleMesh): Shapelet[] {
  return breaksOf(mesh).flatMap((brokenOff) => {
    const { axis, shows } = brokenOff;
    const cameras =
      shows === 'both ends'
        ? DRAWING_CAMERAS.slice(0, AXIS_VIEWS).filter(({ direction }) => direction[axis] === 0)
        : DRAWING_CAMERAS.slice(AXIS_VIEWS);
    return renderModelViews(core, breakOff(mesh, brokenOff), { cameras }).map((view) =>
      view.place.kind === 'camera' ? { ...view, place: { ...view.place, brokenOff } } : view,
    );
  });
}

function axisCameras(): ModelCamera[] {
  return AXES.flatMap((direction, i) => {
    const up = AXES[i === 2 ? 1 : 2];
    return [
      { direction, up },
      { direction: [-direction[0], -direction[1], -direction[2]] as const, up },
    ];
  });
}

function cornerCameras(): ModelCamera[] {
  return CORNERS.flatMap((direction) => AXES.toReversed().map((up) => ({ direction, up })));
}

function edgeCameras(): ModelCamera[] {
  const edges = CORNERS.filter(([, , c]) => c > 0).flatMap(([a, b]): Vector3[] => [
    [a, b, 0],
    [a, 0, b],
    [0, a, b],
  ]);
  return edges.map((direction) => ({ direction, up: AXES[2] }));
}

/** Directions between the corners of a cube and the centres of its faces. */
function betweenCameras(): ModelCamera[] {
  const directions = CORNERS.flatMap(([a, b, c]): Vector3[] => [
    [2 * a, b, c],
    [a, 2 * b, c],
    [a, b, 2 * c],
  ]);
  return directions.map((direction) => ({ direction, up: AXES[2] }));
}
