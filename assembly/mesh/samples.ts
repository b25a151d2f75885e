import { DONE, NO_GEOMETRY } from '../status';
let st: u32 = 1;
function rnd(): f64 { st ^= st << 13; st ^= st >> 17; st ^= st << 5; return <f64>st / 4294967296.0; }
let NX: f64 = 0, NY: f64 = 0, NZ: f64 = 0;
function area(P: usize, I: usize, t: i32): f64 {
  const i = I + <usize>t * 12;
  const a = P + <usize>load<u32>(i) * 12, b = P + <usize>load<u32>(i, 4) * 12, c = P + <usize>load<u32>(i, 8) * 12;
  const ux = <f64>load<f32>(b) - load<f32>(a), uy = <f64>load<f32>(b, 4) - load<f32>(a, 4), uz = <f64>load<f32>(b, 8) - load<f32>(a, 8);
  const vx = <f64>load<f32>(c) - load<f32>(a), vy = <f64>load<f32>(c, 4) - load<f32>(a, 4), vz = <f64>load<f32>(c, 8) - load<f32>(a, 8);
  NX = uy * vz - uz * vy; NY = uz * vx - ux * vz; NZ = ux * vy - uy * vx;
  return Math.sqrt(NX * NX + NY * NY + NZ * NZ);
}
export function sampleSurface(P: usize, V: i32, I: usize, T: i32, n: i32, seed: u32, outP: usize, outN: usize): i32 {
  st = seed; let total: f64 = 0;
  for (let t = 0; t < T; t++) total += area(P, I, t);
  if (!(total > 0)) return NO_GEOMETRY;
  let cum: f64 = 0; let k = 0;
  for (let t = 0; t < T && k < n; t++) {
    const a = area(P, I, t); cum += a;
    while (k < n && (<f64>k + 0.5) * total / <f64>n < cum) {
      const i = I + <usize>t * 12;
      const A = P + <usize>load<u32>(i) * 12, B = P + <usize>load<u32>(i, 4) * 12, C = P + <usize>load<u32>(i, 8) * 12;
      const s = sqrt<f32>(<f32>rnd()), r = <f32>rnd();
      const w0: f32 = 1 - s, w1: f32 = s * (1 - r), w2: f32 = s * r;
      for (let c: usize = 0; c < 12; c += 4) store<f32>(outP + <usize>k * 12 + c, w0 * load<f32>(A + c) + w1 * load<f32>(B + c) + w2 * load<f32>(C + c));
      store<f32>(outN + <usize>k * 12, <f32>(NX / a)); store<f32>(outN + <usize>k * 12, <f32>(NY / a), 4); store<f32>(outN + <usize>k * 12, <f32>(NZ / a), 8);
      k++;
    }
  }
  return DONE;
}
