import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import { drawModelViews } from '../core/model-views.js';
import { withDefaults } from '../options.js';
import type { Shapelet } from './shapelet.js';

/** Where a camera stands, in the model's frame. */
export interface ModelCamera {
  /** From the model towards the camera; any length. */
  readonly direction: Vector3;
  /** What points upwards in the picture; need not be square to the direction, but not along it. */
  readonly up: Vector3;
}

/** How views of a model are made. */
export interface ModelViewOptions {
  /** Default {@link DRAWING_CAMERAS}. */
  readonly cameras: readonly ModelCamera[];
  /** Angle between the normals of two triangles from which their edge is drawn, 0 to π. Default 28°. */
  readonly creaseRad: number;
}

/**
 * The views that drawings show: along the six axes and, as isometric views, from the eight corners of a cube with each axis upwards,
 * because neither the axis that is upwards nor the corner is known. An axis view has one of its four turns.
 */
export const DRAWING_CAMERAS: readonly ModelCamera[] = Object.freeze([...axisCameras(), ...cornerCameras()]);

const DEFAULTS: ModelViewOptions = Object.freeze({ cameras: DRAWING_CAMERAS, creaseRad: (28 * Math.PI) / 180 });

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
  const frames = cameras.map(({ direction, up }, i) => frameOf(`model view options.cameras[${i}]`, direction, up));
  const matrices = Float64Array.from(frames.flatMap(({ right, up, toward }) => [...right, ...up, ...toward]));
  const shapelets: Shapelet[] = [];
  for (const [i, view] of drawModelViews(core, mesh, matrices, creaseRad).entries()) {
    const { mask, lines, hiddenLines, scaleMmPerPixel, widthMm, heightMm } = view;
    if (scaleMmPerPixel === 0) continue;
    const { toward, up } = frames[i];
    shapelets.push({
      place: { kind: 'camera', direction: toward, up, scaleMmPerPixel },
      mask, lines, hiddenLines, size: [widthMm, heightMm], isToScale: true,
    });
  }
  return shapelets;
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

function frameOf(what: string, direction: Vector3, upwards: Vector3): { right: Vector3; up: Vector3; toward: Vector3 } {
  const toward = unit(`${what}.direction`, direction);
  const right = unit(`${what}.up across the direction`, cross(unit(`${what}.up`, upwards), toward));
  return { right, up: cross(toward, right), toward };
}

function unit(what: string, vector: Vector3): Vector3 {
  if (!Array.isArray(vector) || vector.length !== 3) throw new TypeError(`${what} must be three numbers, received ${String(vector)}`);
  const [x, y, z] = vector;
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-9 && length < Infinity)) throw new RangeError(`${what} must be finite and not zero, received ${vector.join(', ')}`);
  return [x / length, y / length, z / length];
}

function cross([ax, ay, az]: Vector3, [bx, by, bz]: Vector3): Vector3 {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}
