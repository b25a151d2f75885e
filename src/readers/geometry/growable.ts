/** A Float64Array that grows by doubling. Only the first `length` elements of `values` are used. */
export class GrowableF64 {
  values: Float64Array;
  length: number;

  /** @param start initial values, not copied; growing copies them. */
  constructor(start?: Float64Array) {
    this.values = start ?? new Float64Array(64);
    this.length = start?.length ?? 0;
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(1);
    this.values[this.length++] = value;
  }

  push3(x: number, y: number, z: number): void {
    if (this.length + 3 > this.values.length) this.#grow(3);
    this.values[this.length] = x;
    this.values[this.length + 1] = y;
    this.values[this.length + 2] = z;
    this.length += 3;
  }

  /** The values pushed so far, without a copy; later pushes may or may not appear in it. */
  view(): Float64Array {
    return this.values.subarray(0, this.length);
  }

  #grow(by: number): void {
    const wider = new Float64Array(2 * this.values.length + by);
    wider.set(this.values);
    this.values = wider;
  }
}

/** A Uint32Array that grows by doubling. Only the first `length` elements of `values` are used. */
export class GrowableU32 {
  values = new Uint32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(1);
    this.values[this.length++] = value;
  }

  push3(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length) this.#grow(3);
    this.values[this.length] = a;
    this.values[this.length + 1] = b;
    this.values[this.length + 2] = c;
    this.length += 3;
  }

  /** The values pushed so far, without a copy; later pushes may or may not appear in it. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }

  #grow(by: number): void {
    const wider = new Uint32Array(2 * this.values.length + by);
    wider.set(this.values);
    this.values = wider;
  }
}
