import type { FittedSurface } from './fitted-surface.js';
import type { FaceRegion } from './region.js';

/** A face of a part: a surface, and the region of it that the face covers. */
export interface PartFace extends FittedSurface {
  /**
   * Whether the material lies outside: the wall of a hole, the fillet of an inner edge. False for planes and free
   * faces.
   */
  readonly isHollow: boolean;
  readonly areaMm2: number;
  /** Centroid of its triangles, mm. It need not lie on the face. */
  readonly middle: readonly [number, number, number];
  readonly region: FaceRegion;
  /** Of a free face, points and normals of it, see `free-samples.ts`; of others none. */
  readonly samples: Float64Array;
  /**
   * The number of the face in its file, from 0: of a STEP file among its ADVANCED_FACEs, of other files with faces in
   * the order in which they are read, of a mesh in that of their first triangles; -1 where it is unknown.
   */
  readonly number: number;
}

/** How two faces meet: by an edge that a hand would feel as a ridge, as a groove, or not at all. */
export type EdgeKind = 'convex' | 'concave' | 'smooth';

/** Where two faces of a body meet, all their common edges together. */
export interface FaceEdge {
  /** Numbers of the faces in {@link BodyFaces.faces}; the first is the smaller one. */
  readonly faces: readonly [number, number];
  readonly kind: EdgeKind;
  /** Angle between their outward normals, rad, 0 to π; 0 where they are tangent. */
  readonly turnRad: number;
  readonly lengthMm: number;
}

/** The faces of one body in its own frame. */
export interface BodyFaces {
  readonly faces: readonly PartFace[];
  readonly edges: readonly FaceEdge[];
}

/** The faces of a file: its different bodies, and where they are placed. */
export interface FaceTable {
  readonly bodies: readonly BodyFaces[];
  readonly places: readonly BodyPlace[];
}

/** A body at a place. */
export interface BodyPlace {
  /** Number in {@link FaceTable.bodies}. */
  readonly body: number;
  /** f64[16], column-major, from the body's frame to that of the file, mm. */
  readonly matrix: Float64Array;
}
