/** Orthographic images of a mesh along one coordinate axis, from both sides in one pass. */
import { Keep, drawTriangles } from './triangles';

/**
 * Draws the mesh, which lies in the box [-1, 1]³, into square images whose side covers [-1, 1].
 * Columns run along axis + 1, rows along axis + 2 (cyclic), for both sides: the far images are not turned over.
 * positions: f32[3 * n]. indices: u32[3 * triangleCount]. size: pixels a side, at most 181 (32-bit edge functions).
 * near, far: f32[size²] out, largest and smallest coordinate along the axis; -2 and 2 where nothing is.
 * nearFacing, farFacing: f32[size²] out, |normal · axis| of the surface seen there, 0 where nothing is.
 * layers: f32[size²] out, surfaces crossed by the line through the pixel.
 */
export function drawAlongAxis(
  positions: usize,
  indices: usize,
  triangleCount: i32,
  axis: i32,
  size: i32,
  near: usize,
  far: usize,
  nearFacing: usize,
  farFacing: usize,
  layers: usize,
): void {
  const pixels = <usize>(size * size);
  memory.fill(nearFacing, 0, pixels << 2);
  memory.fill(farFacing, 0, pixels << 2);
  memory.fill(layers, 0, pixels << 2);
  for (let i: usize = 0; i < pixels; i++) {
    store<f32>(near + (i << 2), -2);
    store<f32>(far + (i << 2), 2);
  }
  drawTriangles<i32>(
    positions,
    indices,
    triangleCount,
    axis,
    size,
    Keep.BOTH_SIDES,
    near,
    nearFacing,
    far,
    farFacing,
    layers,
    0,
  );
}
