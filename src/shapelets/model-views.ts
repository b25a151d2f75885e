import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { VIEW_MODE, drawModelViews } from '../core/model-views.js';
import { cameraFrame } from '../core/render.js';
import { withDefaults } from '../options.js';
import type { Shapelet } from './shapelet.js';

/** Where a camera stands, in the model's frame. */
export interface ModelCamera {
  /** From the model towards the camera; any length. */
  readonly direction: Vector3;
  /** What points upwards in the picture; need not be square to the direction, but not along it. */
  readonly up: Vector3;
  /** True: the camera is rolled so that the longest axis of what it sees lies along the rows; `up` says nothing then. Default false. */
  readonly isFree?: boolean;
}

/** How views of a model are made. */
export interface ModelViewOptions {
  /** Default {@link DRAWING_CAMERAS}, then {@link PHOTO_CAMERAS}. */
  readonly cameras: readonly ModelCamera[];
  /** Angle between the normals of two triangles from which their edge is drawn, 0 to π. Default 28°. */
  readonly creaseRad: number;
}

/**
 * The views that drawings show: along the six axes and, as isometric views, from the eight corners of a cube with each axis upwards,
 * because neither the axis that is upwards nor the corner is known. An axis view has one of its four turns.
 */
export const DRAWING_CAMERAS: readonly ModelCamera[] = Object.freeze([...axisCameras(), ...cornerCameras()]);

/**
 * The views that photos show, as far as few can: towards the faces, corners and edges of a cube, each rolled to lie along its longest axis. More
 * directions find more: of 100 perspective pictures 56 find their part among 773 in the first ten with these 26 views, 63 with 50, 64 with 86.
 */
export const PHOTO_CAMERAS: readonly ModelCamera[] = Object.freeze(
  [...axisCameras(), ...cornerCameras().filter((_, i) => i % 3 === 0), ...edgeCameras()].map((camera) => ({ ...camera, isFree: true })),
);

const DEFAULTS: ModelViewOptions = Object.freeze({
  cameras: Object.freeze([...DRAWING_CAMERAS, ...PHOTO_CAMERAS]),
  creaseRad: (28 * Math.PI) / 180,
});

/**
 * Draws a mesh as the shapelets by which drawings, pictures and sketches find it: for each camera the silhouette with its holes, the
 * lines that are seen and those that are hidden. Cameras to which the mesh is but a point have no shapelet.
 * @throws EngineError `NO_GEOMETRY` for a mesh without triangles, `FILE_MALFORMED` for a bad index or a coordinate that is not finite;
 * TypeError or RangeError that names a wrong option.
 */
export function renderModelViews(core: Core, mesh: TriangleMesh, options?: Partial<ModelViewOptions>): Shapelet[] {
  const { cameras, creaseRad } = withDefaults('model view options', options, DEFAULTS);
  if (!(typeof creaseRad === 'number' && creaseRad >= 0 && creaseRad <= Math.PI)) {
    throw new RangeError(`model view options.creaseRad must lie from 0 to ${Math.PI}, received ${creaseRad}`);
  }
  const frames = cameras.map(({ direction, up }, i) => cameraFrame(`model view options.cameras[${i}]`, direction, up));
  const order = drawingOrder(cameras);
  const matrices = Float64Array.from(order.flatMap(({ camera }) => [...frames[camera].right, ...frames[camera].up, ...frames[camera].toward]));
  const views = drawModelViews(core, mesh, matrices, Uint8Array.from(order, ({ mode }) => mode), creaseRad);
  const shapelets: Shapelet[] = [];
  for (const [at, { camera }] of [...order.entries()].sort(([, a], [, b]) => a.camera - b.camera)) {
    const { mask, lines, hiddenLines, scaleMmPerPixel, widthMm, heightMm, angleRad } = views[at];
    if (scaleMmPerPixel === 0) continue;
    const { toward, right, up } = frames[camera];
    const cos = Math.cos(angleRad), sin = Math.sin(angleRad);
    shapelets.push({
      place: { kind: 'camera', direction: toward, up: [0, 1, 2].map((i) => sin * right[i] + cos * up[i]) as unknown as Vector3, scaleMmPerPixel },
      mask, lines, hiddenLines, size: [widthMm, heightMm], isToScale: true,
      ...(cameras[camera].isFree === true ? { isFree: true } : {}),
    });
  }
  return shapelets;
}

/** Free cameras right after the upright one that sees the same, where there is one: what that drew is laid. */
function drawingOrder(cameras: readonly ModelCamera[]): { camera: number; mode: number }[] {
  const keyOf = ({ direction, up }: ModelCamera): string => [...direction, ...up].join();
  const free = new Map<string, number>();
  for (const [camera, { isFree }] of cameras.entries()) if (isFree === true) free.set(keyOf(cameras[camera]), camera);
  const order: { camera: number; mode: number }[] = [];
  for (const [camera, { isFree }] of cameras.entries()) {
    if (isFree === true) continue;
    order.push({ camera, mode: VIEW_MODE.UPRIGHT });
    const twin = free.get(keyOf(cameras[camera]));
    if (twin !== undefined && free.delete(keyOf(cameras[camera]))) order.push({ camera: twin, mode: VIEW_MODE.LAID_LAST });
  }
  const laid = new Set(order.map(({ camera }) => camera));
  for (const [camera, { isFree }] of cameras.entries()) if (isFree === true && !laid.has(camera)) order.push({ camera, mode: VIEW_MODE.LAID });
  return order;
}

function axisCameras(): ModelCamera[] {
  const axes: Vector3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  return axes.flatMap((direction, i) => {
    const up = axes[i === 2 ? 1 : 2];
    return [{ direction, up }, { direction: [-direction[0], -direction[1], -direction[2]] as const, up }];
  });
}

function cornerCameras(): ModelCamera[] {
  const signs = [-1, 1];
  const corners = signs.flatMap((x) => signs.flatMap((y) => signs.map((z): Vector3 => [x, y, z])));
  const ups: Vector3[] = [[0, 0, 1], [0, 1, 0], [1, 0, 0]];
  return corners.flatMap((direction) => ups.map((up) => ({ direction, up })));
}

function edgeCameras(): ModelCamera[] {
  const signs = [-1, 1];
  const edges = signs.flatMap((a) => signs.flatMap((b): Vector3[] => [[a, b, 0], [a, 0, b], [0, a, b]]));
  return edges.map((direction) => ({ direction, up: [0, 0, 1] }));
}
