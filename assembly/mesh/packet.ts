/** Packets of four triangles, and the distance from a point to all four at once. */
import { VERTEX } from './check';

// A packet: four triangles by coordinate, f32x4 each. Corner A, edges AB and AC, unit normal (0 without area), and 1 /
// |…|² of the edges AB, AC and BC (0 for a point).
export const A: usize = 0;
export const AB: usize = 48;
export const AC: usize = 96;
export const NORMAL: usize = 144;
export const PER_AB: usize = 192;
export const PER_AC: usize = 208;
export const PER_BC: usize = 224;
export const PACKET: usize = 240;

/** Writes one triangle to its lane of a packet. */
export function putTriangle(positions: usize, triangle: usize, to: usize): void {
  const a = positions + <usize>load<u32>(triangle) * VERTEX, b = positions + <usize>load<u32>(triangle, 4) * VERTEX,
      c = positions + <usize>load<u32>(triangle, 8) * VERTEX;
  const ux = <f64>load<f32>(b) - <f64>load<f32>(a), uy = <f64>load<f32>(b, 4) - <f64>load<f32>(a, 4),
      uz = <f64>load<f32>(b, 8) - <f64>load<f32>(a, 8);
  const wx = <f64>load<f32>(c) - <f64>load<f32>(a), wy = <f64>load<f32>(c, 4) - <f64>load<f32>(a, 4),
      wz = <f64>load<f32>(c, 8) - <f64>load<f32>(a, 8);
  const nx = uy * wz - uz * wy, ny = uz * wx - ux * wz, nz = ux * wy - uy * wx;
  const length = Math.sqrt(square(nx, ny, nz));
  const scale = length > 0 ? 1 / length : 0;
  put3(to + A, load<f32>(a), load<f32>(a, 4), load<f32>(a, 8));
  put3(to + AB, ux, uy, uz);
  put3(to + AC, wx, wy, wz);
  put3(to + NORMAL, nx * scale, ny * scale, nz * scale);
  store<f32>(to, inverse(square(ux, uy, uz)), PER_AB);
  store<f32>(to, inverse(square(wx, wy, wz)), PER_AC);
  store<f32>(to, inverse(square(wx - ux, wy - uy, wz - uz)), PER_BC);
}

function put3(to: usize, x: f64, y: f64, z: f64): void {
  store<f32>(to, <f32>x);
  store<f32>(to, <f32>y, 16);
  store<f32>(to, <f32>z, 32);
}

function square(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z;
}

/** 1 / value, or 0 where single precision has no such number. */
function inverse(value: f64): f32 {
  const result = <f32>(1 / value);
  return isFinite(result) ? result : 0;
}

/**
 * Square of the distance from the point to the nearest of the packet's triangles: to the plane where the foot is
 * inside, else to the nearest edge. All three edges are computed, because branches cost more than they save.
 */
export function squareToPacket(packet: usize, px: f32, py: f32, pz: f32): f32 {
  const x = f32x4.splat(px), y = f32x4.splat(py), z = f32x4.splat(pz);
  const dx = f32x4.sub(x, v128.load(packet, A)), dy = f32x4.sub(y, v128.load(packet, A + 16)),
      dz = f32x4.sub(z, v128.load(packet, A + 32));
  const ux = v128.load(packet, AB), uy = v128.load(packet, AB + 16), uz = v128.load(packet, AB + 32);
  const wx = v128.load(packet, AC), wy = v128.load(packet, AC + 16), wz = v128.load(packet, AC + 32);
  let least = toEdge(dx, dy, dz, ux, uy, uz, v128.load(packet, PER_AB));
  least = f32x4.pmin(least, toEdge(dx, dy, dz, wx, wy, wz, v128.load(packet, PER_AC)));
  least = f32x4.pmin(
    least,
    toEdge(
      f32x4.sub(dx, ux), f32x4.sub(dy, uy), f32x4.sub(dz, uz),
      f32x4.sub(wx, ux), f32x4.sub(wy, uy), f32x4.sub(wz, uz), v128.load(packet, PER_BC),
    ),
  );
  // Inside when the foot is to the left of AB and of CA, and of BC: signs of triple products with the normal.
  const nx = v128.load(packet, NORMAL), ny = v128.load(packet, NORMAL + 16), nz = v128.load(packet, NORMAL + 32);
  const ofC = triple(ux, uy, uz, dx, dy, dz, nx, ny, nz);
  const ofB = triple(dx, dy, dz, wx, wy, wz, nx, ny, nz);
  const whole = triple(ux, uy, uz, wx, wy, wz, nx, ny, nz);
  const zero = f32x4.splat(0);
  const isInside = v128.and(
    v128.and(f32x4.ge(ofC, zero), f32x4.ge(ofB, zero)),
    v128.and(f32x4.le(f32x4.add(ofC, ofB), whole), f32x4.gt(whole, zero)),
  );
  const height = dot(dx, dy, dz, nx, ny, nz);
  least = v128.bitselect(f32x4.pmin(least, f32x4.mul(height, height)), least, isInside);
  return min(
    min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)),
    min(f32x4.extract_lane(least, 2), f32x4.extract_lane(least, 3)),
  );
}

/** Square of the distance to the edge from the origin along e, for points d; `per` is 1 / |e|². */
// @ts-ignore: decorator
@inline export function toEdge(dx: v128, dy: v128, dz: v128, ex: v128, ey: v128, ez: v128, per: v128): v128 {
  const along = f32x4.pmin(f32x4.pmax(f32x4.mul(dot(dx, dy, dz, ex, ey, ez), per), f32x4.splat(0)), f32x4.splat(1));
  const rx = f32x4.sub(dx, f32x4.mul(along, ex)), ry = f32x4.sub(dy, f32x4.mul(along, ey)),
      rz = f32x4.sub(dz, f32x4.mul(along, ez));
  return dot(rx, ry, rz, rx, ry, rz);
}

/** (a × b) · n. */
// @ts-ignore: decorator
@inline export function triple(
  ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128, nx: v128, ny: v128, nz: v128,
): v128 {
  return dot(
    f32x4.sub(f32x4.mul(ay, bz), f32x4.mul(az, by)), f32x4.sub(f32x4.mul(az, bx), f32x4.mul(ax, bz)),
        f32x4.sub(f32x4.mul(ax, by), f32x4.mul(ay, bx)),
    nx, ny, nz,
  );
}

// @ts-ignore: decorator
@inline export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}
