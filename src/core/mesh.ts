/** A triangle mesh as the kernels take it: single precision, near the origin, all parts of the model in one frame. */
export interface TriangleMesh {
  /** f32[3 * vertexCount], mm; move far-away models near the origin first, or precision is lost. */
  readonly positions: Float32Array;
  /** u32[3 * triangleCount], counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
}
