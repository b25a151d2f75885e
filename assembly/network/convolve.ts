/**
 * A convolution over a picture of f32 values, channels next to each other, in a fixed order of additions: what a small
 * network consists of.
 */

/** Outputs that are made at once. */
const BLOCK: i32 = 8;

/**
 * shape: i32 { rows, columns and channels of the result; channels of the source; rows and columns of the kernel; its
 * steps down and along; the distance of its columns; pixels of a row of the source, of the result; 1 to set what is
 * below 0 to 0 }. The channels of the result are a multiple of 8.
 * from: f32[..][row][channels], with the margin that the kernel needs. weights: f32[blocks of
 * 8][rows][columns][channels] [8]. bias: f32[channels of the result]. added: f32 like `from`, from the pixel of the
 * first result on, or 0. to: f32, the place of the first result.
 */
export function convolve(shape: usize, from: usize, weights: usize, bias: usize, added: usize, to: usize): void {
  const rows = load<i32>(shape), columns = load<i32>(shape, 4), outs = load<i32>(shape, 8), ins = load<i32>(shape, 12);
  const high = load<i32>(shape, 16), wide = load<i32>(shape, 20), down = load<i32>(shape, 24);
  const along = load<i32>(shape, 28), apart = load<i32>(shape, 32);
  const fromRow = load<i32>(shape, 36), toRow = load<i32>(shape, 40), isCut = load<i32>(shape, 44) != 0;
  const pixel = <usize>ins << 2, result = <usize>outs << 2;
  const step = pixel * along;
  const perBlock = <usize>(high * wide * ins * BLOCK) << 2;
  const zero = f32x4.splat(0);
  for (let block = 0; block < outs / BLOCK; block++) {
    const own = weights + perBlock * block;
    const lowBias = v128.load(bias + (<usize>(block * BLOCK) << 2));
    const highBias = v128.load(bias + (<usize>(block * BLOCK) << 2), 16);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x += 4) {
        // The last columns of a row that is no multiple of four are made together with those before them.
        const first = x + 4 <= columns ? x : max(0, columns - 4);
        const count = min(4, columns - first);
        let a0 = lowBias, a1 = highBias, b0 = lowBias, b1 = highBias;
        let c0 = lowBias, c1 = highBias, d0 = lowBias, d1 = highBias;
        let weight = own;
        for (let j = 0; j < high; j++) {
          for (let i = 0; i < wide; i++) {
            let at = from + pixel * ((y * down + j) * fromRow + first * along + i * apart);
            const second: usize = count > 1 ? step : 0, third: usize = count > 2 ? step << 1 : 0;
            const fourth: usize = count > 3 ? step + (step << 1) : 0;
            const end = at + pixel;
            while (at < end) {
              const low = v128.load(weight), top = v128.load(weight, 16);
              const a = v128.load32_splat(at), b = v128.load32_splat(at + second);
              const c = v128.load32_splat(at + third), d = v128.load32_splat(at + fourth);
              a0 = f32x4.add(a0, f32x4.mul(a, low));
              a1 = f32x4.add(a1, f32x4.mul(a, top));
              b0 = f32x4.add(b0, f32x4.mul(b, low));
              b1 = f32x4.add(b1, f32x4.mul(b, top));
              c0 = f32x4.add(c0, f32x4.mul(c, low));
              c1 = f32x4.add(c1, f32x4.mul(c, top));
              d0 = f32x4.add(d0, f32x4.mul(d, low));
              d1 = f32x4.add(d1, f32x4.mul(d, top));
              at += 4;
              weight += 32;
            }
          }
        }
        for (let i = 0; i < count; i++) {
          let low = i == 0 ? a0 : i == 1 ? b0 : i == 2 ? c0 : d0, top = i == 0 ? a1 : i == 1 ? b1 : i == 2 ? c1 : d1;
          const offset = <usize>(block * BLOCK) << 2;
          if (added != 0) {
            const other = added + result * (y * fromRow + first + i) + offset;
            low = f32x4.add(low, v128.load(other));
            top = f32x4.add(top, v128.load(other, 16));
          }
          if (isCut) {
            low = f32x4.max(low, zero);
            top = f32x4.max(top, zero);
          }
          const place = to + result * (y * toRow + first + i) + offset;
          v128.store(place, low);
          v128.store(place, top, 16);
        }
      }
    }
  }
}
