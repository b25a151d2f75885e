import type { Warning } from '../errors.js';
import type { ModelAnnotation } from './model-annotation.js';
import type { Property } from './text.js';
import type { LengthUnit } from './units.js';

/** File formats of 3D models that the readers know. */
export type ModelFormat =
  | 'step'
  | 'iges'
  | 'brep'
  | 'stl'
  | 'obj'
  | 'ply'
  | 'off'
  | '3mf'
  | 'gltf'
  | 'glb'
  | 'amf'
  | 'vrml';

/** Red, green, blue; each 0 to 1, sRGB. */
export type Color = readonly [red: number, green: number, blue: number];

/** A range of triangles that came from one face of a boundary representation. */
export interface FaceRange {
  /** First triangle of the face. */
  readonly first: number;
  /** Number of triangles of the face. */
  readonly count: number;
  readonly color?: Color;
  /** The number of a face to which an annotation refers, as `AnnotatedFace.id`; absent when it is unknown. */
  readonly id?: number;
  /** Its number in the file, from 0, among the ADVANCED_FACEs of a STEP file; -1 where it could not be told. */
  readonly number?: number;
}

/** What exact surfaces have beyond the triangles that stand for them. */
export interface CurvedSurplus {
  /** Signed like the volume within the triangles. */
  readonly volumeMm3: number;
  readonly areaMm2: number;
}

/** A welded triangle mesh in its own frame. Counter-clockwise seen from outside, right-handed. */
export interface Mesh {
  readonly name: string;
  /** f64[3 * vertexCount], mm; no two vertices have the same position. */
  readonly positions: Float64Array;
  /** u32[3 * triangleCount]; every value is below vertexCount; no triangle names a vertex twice. */
  readonly indices: Uint32Array;
  readonly color?: Color;
  /** Faces in ascending order, covering all triangles; absent for formats without faces. */
  readonly faces?: readonly FaceRange[];
  /** For meshes of exact surfaces: what these have beyond the triangles, so that the figures of a file are exact. */
  readonly curved?: CurvedSurplus;
  /** For formats that color triangles and have no faces: ranges of one color, in ascending order. */
  readonly colorRuns?: readonly FaceRange[];
}

/** A node of the product structure: a part or sub-assembly placed in its parent. */
export interface Component {
  /** Name of the part, equal in all its placements. */
  readonly name: string;
  /** Name of this placement in the file, if it has its own: `bolt_3`, `R12`. */
  readonly occurrence?: string;
  /** f64[16], column-major, from this component's frame to its parent's, translation in mm; absent = identity. */
  readonly transform?: Float64Array;
  readonly color?: Color;
  /** Indices into {@link Model.meshes}; the same mesh may be placed many times. */
  readonly meshes: readonly number[];
  readonly children: readonly Component[];
}

/** The content of a 3D file. */
export interface Model {
  readonly kind: 'model';
  readonly format: ModelFormat;
  /** The unit of the numbers in the file; here they are converted to millimetres. */
  readonly unit: LengthUnit;
  readonly root: Component;
  readonly meshes: readonly Mesh[];
  /** Metadata: product names, author, the program that wrote the file. */
  readonly properties?: readonly Property[];
  /** Dimensions, tolerances and datums that the model carries as data. */
  readonly annotations?: readonly ModelAnnotation[];
  readonly warnings: readonly Warning[];
}
