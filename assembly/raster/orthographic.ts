/**
 * Orthographic images of a mesh along one coordinate axis, from both sides in one pass. Pixel centres, fixed-point edges
 * with the top-left rule, so that neighbours share no pixel and leave no gap.
 */

/** Fixed-point steps in a pixel. */
const SUB: f32 = 256;
const HALF: i32 = 128;

/**
 * Draws the mesh, which lies in the box [-1, 1]³, into square images whose side covers [-1, 1].
 * Columns run along axis + 1, rows along axis + 2 (cyclic), for both sides: the far images are not turned over.
 * positions: f32[3 * n]. indices: u32[3 * triangleCount]. size: pixels a side, at most 2048.
 * near, far: f32[size²] out, largest and smallest coordinate along the axis; -2 and 2 where nothing is.
 * nearFacing, farFacing: f32[size²] out, |normal · axis| of the surface seen there, 0 where nothing is.
 * layers: f32[size²] out, surfaces crossed by the line through the pixel.
 */
export function drawAlongAxis(
  positions: usize, indices: usize, triangleCount: i32, axis: i32, size: i32,
  near: usize, far: usize, nearFacing: usize, farFacing: usize, layers: usize,
): void {
  const pixels = <usize>(size * size);
  memory.fill(nearFacing, 0, pixels << 2);
  memory.fill(farFacing, 0, pixels << 2);
  memory.fill(layers, 0, pixels << 2);
  for (let i: usize = 0; i < pixels; i++) {
    store<f32>(near + (i << 2), -2);
    store<f32>(far + (i << 2), 2);
  }
  const w: usize = <usize>axis << 2;
  const u: usize = <usize>((axis + 1) % 3) << 2;
  const v: usize = <usize>((axis + 2) % 3) << 2;
  const scale: f32 = <f32>size * 0.5 * SUB;
  for (let t = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * 12;
    const a = positions + <usize>load<u32>(i) * 12;
    let b = positions + <usize>load<u32>(i, 4) * 12;
    let c = positions + <usize>load<u32>(i, 8) * 12;
    const au = load<f32>(a + u), av = load<f32>(a + v);
    const x0 = <i32>nearest<f32>((au + 1) * scale), y0 = <i32>nearest<f32>((av + 1) * scale);
    let x1 = <i32>nearest<f32>((load<f32>(b + u) + 1) * scale), y1 = <i32>nearest<f32>((load<f32>(b + v) + 1) * scale);
    let x2 = <i32>nearest<f32>((load<f32>(c + u) + 1) * scale), y2 = <i32>nearest<f32>((load<f32>(c + v) + 1) * scale);
    let doubled = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
    if (doubled == 0) continue;
    if (doubled < 0) {
      let held = x1; x1 = x2; x2 = held;
      held = y1; y1 = y2; y2 = held;
      const p = b; b = c; c = p;
      doubled = -doubled;
    }
    const columnLow = max<i32>(0, (min(x0, min(x1, x2)) + HALF - 1) >> 8);
    const columnHigh = min<i32>(size - 1, (max(x0, max(x1, x2)) - HALF) >> 8);
    const rowLow = max<i32>(0, (min(y0, min(y1, y2)) + HALF - 1) >> 8);
    const rowHigh = min<i32>(size - 1, (max(y0, max(y1, y2)) - HALF) >> 8);
    if (columnLow > columnHigh || rowLow > rowHigh) continue;

    const aw = load<f32>(a + w), bw = load<f32>(b + w), cw = load<f32>(c + w);
    const facing = facingOf(a, b, c, u, v, w);
    const inverse: f32 = 1 / <f32>doubled;
    // Edge functions: e0 belongs to corner a (opposite edge b→c), and so on; a border pixel belongs to top and left edges.
    const e0x = y1 - y2, e0y = x2 - x1;
    const e1x = y2 - y0, e1y = x0 - x2;
    const e2x = y0 - y1, e2y = x1 - x0;
    const bias0 = e0x > 0 || (e0x == 0 && e0y > 0) ? 0 : -1;
    const bias1 = e1x > 0 || (e1x == 0 && e1y > 0) ? 0 : -1;
    const bias2 = e2x > 0 || (e2x == 0 && e2y > 0) ? 0 : -1;
    for (let row = rowLow; row <= rowHigh; row++) {
      const py = (row << 8) + HALF;
      const px = (columnLow << 8) + HALF;
      let e0 = (px - x1) * e0x + (py - y1) * e0y;
      let e1 = (px - x2) * e1x + (py - y2) * e1y;
      let e2 = (px - x0) * e2x + (py - y0) * e2y;
      let at: usize = <usize>(row * size + columnLow) << 2;
      for (let column = columnLow; column <= columnHigh; column++) {
        if (((e0 + bias0) | (e1 + bias1) | (e2 + bias2)) >= 0) {
          const depth: f32 = (<f32>e0 * aw + <f32>e1 * bw + <f32>e2 * cw) * inverse;
          if (depth > load<f32>(near + at)) { store<f32>(near + at, depth); store<f32>(nearFacing + at, facing); }
          if (depth < load<f32>(far + at)) { store<f32>(far + at, depth); store<f32>(farFacing + at, facing); }
          store<f32>(layers + at, load<f32>(layers + at) + 1);
        }
        e0 += e0x << 8; e1 += e1x << 8; e2 += e2x << 8;
        at += 4;
      }
    }
  }
}

/** |normal · axis| of a triangle: its area seen along the axis over its area. */
function facingOf(a: usize, b: usize, c: usize, u: usize, v: usize, w: usize): f32 {
  const pu = load<f32>(b + u) - load<f32>(a + u), pv = load<f32>(b + v) - load<f32>(a + v), pw = load<f32>(b + w) - load<f32>(a + w);
  const qu = load<f32>(c + u) - load<f32>(a + u), qv = load<f32>(c + v) - load<f32>(a + v), qw = load<f32>(c + w) - load<f32>(a + w);
  const nu = pv * qw - pw * qv, nv = pw * qu - pu * qw, nw = pu * qv - pv * qu;
  const length = sqrt<f32>(nu * nu + nv * nv + nw * nw);
  return length > 0 ? abs<f32>(nw) / length : 0;
}
