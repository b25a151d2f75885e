/**
 * Discrete Fourier transform of a fixed length, in place: X[k] = Σ x[n] e^(2πi k n / length), by radix 2 (Cooley and
 * Tukey 1965).
 */
export class FourierSums {
  readonly #length: number;
  /** f64[length]: cosine and sine of 2π i / length. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
  /** Bit-reversed indices. */
  readonly #reversed: Uint32Array;

  /** @param length a power of two. */
  constructor(length: number) {
    this.#length = length;
    this.cosines = Float64Array.from({ length }, (_, i) => Math.cos((2 * Math.PI * i) / length));
    this.sines = Float64Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * i) / length));
    this.#reversed = new Uint32Array(length);
    for (let i = 1; i < length; i++) this.#reversed[i] = (this.#reversed[i >> 1] >> 1) | ((i & 1) * (length >> 1));
  }

  /** re, im: f64[length], real and imaginary parts; overwritten by the result. */
  transform(re: Float64Array, im: Float64Array): void {
    const length = this.#length,
      { cosines, sines } = this;
    for (let i = 0; i < length; i++) {
      const j = this.#reversed[i];
      if (j <= i) continue;
      const r = re[i],
        m = im[i];
      re[i] = re[j];
      im[i] = im[j];
      re[j] = r;
      im[j] = m;
    }
    for (let half = 1; half < length; half *= 2) {
      const step = length / (2 * half);
      for (let k = 0, turn = 0; k < half; k++, turn += step) {
        const c = cosines[turn],
          s = sines[turn];
        for (let a = k, b = k + half; b < length; a += 2 * half, b += 2 * half) {
          const r = c * re[b] - s * im[b],
            m = c * im[b] + s * re[b];
          re[b] = re[a] - r;
          im[b] = im[a] - m;
          re[a] += r;
          im[a] += m;
        }
      }
    }
  }
}
