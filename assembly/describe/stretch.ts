/**
 * Rotates a mesh into a frame and scales it along the frame's axes. out_i = (axis_i · p - middle_i) × scale_i, with
 * scale_i = 1 / half extent_i at exponent 1 (the box becomes a cube), and in general scale_i = (longest /
 * extent_i)^exponent × 2 / longest; multiplied by `fill`. axes: f64[9]. positions, out: f32[3 * vertexCount]. extents:
 * f64[3] out, the box along the axes before stretching, of the vertices that indices, u32[3 * triangleCount], name: the
 * others are not part of the shape. An extent below a thousandth of the longest counts as that, so that the noise of a
 * flat part is not magnified.
 */
export function stretch(
  positions: usize,
  vertexCount: i32,
  indices: usize,
  triangleCount: i32,
  axes: usize,
  exponent: f64,
  fill: f64,
  out: usize,
  extents: usize,
): void {
  const a0 = <f32>load<f64>(axes),
    a1 = <f32>load<f64>(axes, 8),
    a2 = <f32>load<f64>(axes, 16);
  const b0 = <f32>load<f64>(axes, 24),
    b1 = <f32>load<f64>(axes, 32),
    b2 = <f32>load<f64>(axes, 40);
  const c0 = <f32>load<f64>(axes, 48),
    c1 = <f32>load<f64>(axes, 56),
    c2 = <f32>load<f64>(axes, 64);
  for (let i: usize = 0; i < <usize>vertexCount * 12; i += 12) {
    const x = load<f32>(positions + i),
      y = load<f32>(positions + i, 4),
      z = load<f32>(positions + i, 8);
    const p = a0 * x + a1 * y + a2 * z,
      q = b0 * x + b1 * y + b2 * z,
      r = c0 * x + c1 * y + c2 * z;
    store<f32>(out + i, p);
    store<f32>(out + i, q, 4);
    store<f32>(out + i, r, 8);
  }
  let lowX: f32 = Infinity,
    lowY: f32 = Infinity,
    lowZ: f32 = Infinity;
  let highX: f32 = -Infinity,
    highY: f32 = -Infinity,
    highZ: f32 = -Infinity;
  for (let i: usize = 0; i < <usize>triangleCount * 12; i += 4) {
    const at = out + <usize>load<u32>(indices + i) * 12;
    const p = load<f32>(at),
      q = load<f32>(at, 4),
      r = load<f32>(at, 8);
    lowX = min(lowX, p);
    highX = max(highX, p);
    lowY = min(lowY, q);
    highY = max(highY, q);
    lowZ = min(lowZ, r);
    highZ = max(highZ, r);
  }
  const ex = <f64>(highX - lowX),
    ey = <f64>(highY - lowY),
    ez = <f64>(highZ - lowZ);
  store<f64>(extents, ex);
  store<f64>(extents, ey, 8);
  store<f64>(extents, ez, 16);
  const longest = max(ex, max(ey, ez));
  const sx = scaleOf(ex, longest, exponent, fill),
    sy = scaleOf(ey, longest, exponent, fill),
    sz = scaleOf(ez, longest, exponent, fill);
  const mx = (lowX + highX) * 0.5,
    my = (lowY + highY) * 0.5,
    mz = (lowZ + highZ) * 0.5;
  for (let i: usize = 0; i < <usize>vertexCount * 12; i += 12) {
    store<f32>(out + i, (load<f32>(out + i) - mx) * sx);
    store<f32>(out + i, (load<f32>(out + i, 4) - my) * sy, 4);
    store<f32>(out + i, (load<f32>(out + i, 8) - mz) * sz, 8);
  }
}

function scaleOf(extent: f64, longest: f64, exponent: f64, fill: f64): f32 {
  const held = max(extent, longest * 1e-3);
  const ratio = longest / held;
  // Exponents 0, 1/2 and 1 are the ones in use; these are exact on every machine.
  const power =
    exponent == 1 ? ratio : exponent == 0 ? 1.0 : exponent == 0.5 ? Math.sqrt(ratio) : Math.pow(ratio, exponent);
  return <f32>((fill * power * 2) / longest);
}
