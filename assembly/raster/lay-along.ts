/**
 * Turns pictures so that the longest axis of the shape is horizontal: pictures from one side by differently rolled
 * cameras become one picture, up to half turns and, for shapes as wide as high, quarter turns.
 */
import { flood } from './flood';

const SIZE: i32 = 64;
const PIXELS: usize = 4096;
const SPAN: f64 = 60;

/** How the last picture was turned and scaled. */
let angle: f64 = 0;
let scale: f64 = 1;

/** Radians by which the content of the last picture was turned, counter-clockwise. */
export function lastAngle(): f64 {
  return angle;
}

/** Pixels of the last picture per pixel of the result. */
export function lastScale(): f64 {
  return scale;
}

/**
 * pictures: u8[count][64²], the mask first; holes are filled to find the axis, but not in the result. out: the same,
 * turned and fitted again: the longest side of the box takes 60 pixels. outside: u8[64²] and rows: of FLOOD_SCRATCH
 * bytes, scratch. A picture without a mask stays as it is.
 */
export function layAlong(pictures: usize, count: i32, outside: usize, rows: usize, out: usize): void {
  flood(pictures, outside, rows);
  // Coordinates about the middle are halves, so all sums are exact: those of a row are whole numbers of quarters.
  let area: f64 = 0, x: f64 = 0, y: f64 = 0, xx: f64 = 0, xy: f64 = 0, yy: f64 = 0;
  for (let row = 0; row < SIZE; row++) {
    let inside = ~load<u64>(rows + (<usize>row << 3));
    if (inside == 0) continue;
    const count = <f64>popcnt(inside), v = <f64>row - 31.5;
    let doubled = 0, squares = 0;
    for (; inside != 0; inside &= inside - 1) {
      const u = 2 * <i32>ctz(inside) - 63;
      doubled += u;
      squares += u * u;
    }
    const sum = <f64>doubled * 0.5;
    area += count;
    x += sum; y += count * v; xx += <f64>squares * 0.25; xy += sum * v; yy += count * (v * v);
  }
  angle = 0;
  scale = 1;
  if (area == 0) {
    memory.copy(out, pictures, <usize>count * PIXELS);
    return;
  }
  angle = 0.5 * Math.atan2(2 * (xy - x * y / area), xx - x * x / area - (yy - y * y / area));
  const cos = Math.cos(angle), sin = Math.sin(angle);
  let left: f64 = 64, right: f64 = -64, top: f64 = 64, bottom: f64 = -64;
  for (let row = 0; row < SIZE; row++) {
    const inside = ~load<u64>(rows + (<usize>row << 3));
    if (inside == 0) continue;
    // Along a row both coordinates rise or fall, so that its first and its last pixel are the farthest.
    const v = <f64>row - 31.5;
    for (let end = 0; end < 2; end++) {
      const u = <f64><i32>(end == 0 ? ctz(inside) : 63 - clz(inside)) - 31.5;
      const along = cos * u + sin * v, across = cos * v - sin * u;
      left = min(left, along); right = max(right, along);
      top = min(top, across); bottom = max(bottom, across);
    }
  }
  scale = (max(right - left, bottom - top) + 1) / SPAN;
  const middle = (left + right) / 2, centre = (top + bottom) / 2;
  for (let row = 0; row < SIZE; row++) {
    const across = (<f64>row - 31.5) * scale + centre;
    const sideways = sin * across, downwards = cos * across;
    for (let column = 0; column < SIZE; column++) {
      const along = (<f64>column - 31.5) * scale + middle;
      const u = cos * along - sideways + 31.5, v = sin * along + downwards + 31.5;
      putValues(pictures, u, v, count, out + <usize>(row * SIZE + column));
    }
  }
}

/** Interpolates between the four nearest pixels of each picture; 0 outside. */
// @ts-ignore: decorator
@inline
function putValues(pictures: usize, u: f64, v: f64, count: i32, out: usize): void {
  const column = <i32>Math.floor(u), row = <i32>Math.floor(v);
  const right = u - <f64>column, lower = v - <f64>row;
  const isWithin = column >= 0 && column < SIZE - 1 && row >= 0 && row < SIZE - 1;
  const end = pictures + <usize>count * PIXELS;
  for (let picture = pictures, to = out; picture < end; picture += PIXELS, to += PIXELS) {
    if (isWithin) {
      const at = picture + <usize>(row * SIZE + column);
      const above = load<u16>(at), below = load<u16>(at, SIZE);
      // Most pixels have equal neighbours, all empty or all covered: no interpolation is needed.
      if (above == below && (above == 0 || above == 0xffff)) {
        store<u8>(to, <u8>above);
        continue;
      }
      const upper = (1 - right) * <f64>(above & 255) + right * <f64>(above >> 8);
      const under = (1 - right) * <f64>(below & 255) + right * <f64>(below >> 8);
      store<u8>(to, <u8>nearest<f64>((1 - lower) * upper + lower * under));
    } else {
      const upper = (1 - right) * pixel(picture, column, row) + right * pixel(picture, column + 1, row);
      const under = (1 - right) * pixel(picture, column, row + 1) + right * pixel(picture, column + 1, row + 1);
      store<u8>(to, <u8>nearest<f64>((1 - lower) * upper + lower * under));
    }
  }
}

// @ts-ignore: decorator
@inline
function pixel(picture: usize, column: i32, row: i32): f64 {
  if (column < 0 || column >= SIZE || row < 0 || row >= SIZE) return 0;
  return <f64>load<u8>(picture + <usize>(row * SIZE + column));
}
