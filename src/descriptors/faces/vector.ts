/** Three coordinates in space. */
export type Vector = readonly [x: number, y: number, z: number];

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** a + factor × b. */
export function plus(a: Vector, b: Vector, factor = 1): Vector {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scaled(a: Vector, factor: number): Vector {
  return [factor * a[0], factor * a[1], factor * a[2]];
}

export function lengthOf(a: Vector): number {
  return Math.sqrt(dot(a, a));
}

/** The unit vector along a; a itself where it has no length. */
export function unit(a: Vector): Vector {
  const length = lengthOf(a);
  return length > 0 ? scaled(a, 1 / length) : a;
}

/** The part of a that is at right angles to a unit vector. */
export function across(a: Vector, axis: Vector): Vector {
  return plus(a, axis, -dot(a, axis));
}

/** Two unit vectors at right angles to a unit vector and to each other; right-handed with it as the third. */
export function frameOf(axis: Vector): readonly [Vector, Vector] {
  const away: Vector = Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const u = unit(cross(away, axis));
  return [u, cross(axis, u)];
}

/** A point moved by a matrix, f64[16] column-major. */
export function movedPoint(m: ArrayLike<number>, [x, y, z]: Vector): Vector {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
  ];
}

/** A direction turned by a matrix, f64[16] column-major. */
export function turned(m: ArrayLike<number>, [x, y, z]: Vector): Vector {
  return [m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z];
}
