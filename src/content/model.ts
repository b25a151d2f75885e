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

/** A run of triangles that came from one face of a boundary representation. */
export interface FaceRange {
  /** First triangle of the face. */
  readonly first: number;
  /** Number of triangles of the face. */
  readonly count: number;
  readonly color?: Color;
  /** Of a face that an annotation stands on: its number, as `AnnotatedFace.id`; absent where that cannot be told. */
  readonly id?: number;
}

/** A welded triangle mesh in its own frame. Counter-clockwise seen from outside, right-handed. */
export interface Mesh {
  readonly name: string;
  /** f64[3 * vertexCount], mm; no two vertices have the same place. */
  readonly positions: Float64Array;
  /** u32[3 * triangleCount]; every value is below vertexCount; no triangle names a vertex twice. */
  readonly indices: Uint32Array;
  readonly color?: Color;
  /** Face runs in rising order that cover all triangles; absent where the format has no faces. */
  readonly faces?: readonly FaceRange[];
  /** Where the format colours triangles and has no faces: runs of one color, in rising order. */
  readonly colorRuns?: readonly FaceRange[];
}

/** A node of the product structure: a part or sub-assembly placed in its parent. */
export interface Component {
  /** Of the part: equal in all its placements. */
  readonly name: string;
  /** What the file calls this placement of the part, where it has a name of its own: `bolt_3`, `R12`. */
  readonly occurrence?: string;
  /** f64[16], column-major, from this component's frame to its parent's, translation in mm; absent = identity. */
  readonly transform?: Float64Array;
  readonly color?: Color;
  /** Indices into {@link Model.meshes}; the same mesh may be placed many times. */
  readonly meshes: readonly number[];
  readonly children: readonly Component[];
}

/** All that a reader found in a 3D file. */
export interface Model {
  readonly kind: 'model';
  readonly format: ModelFormat;
  /** The unit that the file's numbers were in, before they became millimetres. */
  readonly unit: LengthUnit;
  readonly root: Component;
  readonly meshes: readonly Mesh[];
  /** What the file says of itself: product names, author, the program that wrote it. */
  readonly properties?: readonly Property[];
  /** Dimensions, tolerances and datums that the model carries as data. */
  readonly annotations?: readonly ModelAnnotation[];
  readonly warnings: readonly Warning[];
}
