import { decodeFaces } from '../../descriptors/faces/encode-faces.js';
import type { SurfaceKind } from '../../descriptors/faces/fitted-surface.js';
import type { EdgeKind } from '../../descriptors/faces/part-face.js';
import { placedShape } from './placed-shape.js';

/** A face of a model, in the frame of its file. */
export interface ModelFace {
  /**
   * Of a STEP file among its ADVANCED_FACEs, from 0; of other models in the order in which they are read; -1: unknown.
   */
  readonly number: number;
  readonly kind: SurfaceKind;
  /**
   * Unit vector: the outward normal of a plane, the axis of a cylinder, cone or torus; of others towards their middle.
   */
  readonly axis: readonly [number, number, number];
  /** A point of the plane or axis, the apex of a cone, the centre of a sphere or torus, mm. */
  readonly origin: readonly [number, number, number];
  /** Of a cylinder or sphere; of a torus, that of the circle in the middle of its tube; else 0, mm. */
  readonly radiusMm: number;
  /** Of a torus: of its tube, mm; else 0. */
  readonly tubeRadiusMm: number;
  /** Of a cone: between its axis and its surface, rad; else 0. */
  readonly halfAngleRad: number;
  /** Whether the material lies outside: the wall of a hole. */
  readonly isHollow: boolean;
  readonly areaMm2: number;
  /** Faces that share an edge with it. `turnRad`: between the outward normals there, 0 to π. */
  readonly neighbours: readonly { readonly number: number; readonly edge: EdgeKind; readonly turnRad: number }[];
}

/** The faces of stored bytes: of every body at each of its places. */
export function facesOfModel(stored: Uint8Array): ModelFace[] {
  const { faces, edges } = placedShape(decodeFaces(stored));
  const neighbours = faces.map((): { number: number; edge: EdgeKind; turnRad: number }[] => []);
  for (const {
    faces: [a, b],
    kind: edge,
    turnRad,
  } of edges) {
    neighbours[a].push({ number: faces[b].number, edge, turnRad });
    neighbours[b].push({ number: faces[a].number, edge, turnRad });
  }
  return faces.map(({ number, kind, axis, origin, radiusMm, second, isHollow, areaMm2 }, i) => ({
    number,
    kind,
    axis,
    origin,
    radiusMm,
    tubeRadiusMm: kind === 'torus' ? second : 0,
    halfAngleRad: kind === 'cone' ? second : 0,
    isHollow,
    areaMm2,
    neighbours: neighbours[i],
  }));
}
