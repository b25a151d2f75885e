/** A rotation, scaling and translation of the plane: p -> (a + ib) p + (x + iy); x to the right, y downwards. */
export class Similarity {
  constructor(
    readonly a: number,
    readonly b: number,
    readonly x: number,
    readonly y: number,
  ) {}

  /** Scaled and turned (positive from x to y) about the origin, then moved. */
  static of({
    scale,
    rotationRad,
    x,
    y,
  }: {
    readonly scale: number;
    readonly rotationRad: number;
    readonly x: number;
    readonly y: number;
  }): Similarity {
    return new Similarity(scale * Math.cos(rotationRad), scale * Math.sin(rotationRad), x, y);
  }

  static shift(x: number, y: number): Similarity {
    return new Similarity(1, 0, x, y);
  }

  get scale(): number {
    return Math.hypot(this.a, this.b);
  }

  /** -π to π. */
  get rotationRad(): number {
    return Math.atan2(this.b, this.a);
  }

  /** Image of a point. */
  atX(x: number, y: number): number {
    return this.a * x - this.b * y + this.x;
  }

  atY(x: number, y: number): number {
    return this.b * x + this.a * y + this.y;
  }

  /** This one first, then the other. */
  followedBy(other: Similarity): Similarity {
    return new Similarity(
      other.a * this.a - other.b * this.b,
      other.b * this.a + other.a * this.b,
      other.atX(this.x, this.y),
      other.atY(this.x, this.y),
    );
  }

  get inverse(): Similarity {
    const square = this.a ** 2 + this.b ** 2;
    const a = this.a / square,
      b = -this.b / square;
    return new Similarity(a, b, -(a * this.x - b * this.y), -(b * this.x + a * this.y));
  }
}
