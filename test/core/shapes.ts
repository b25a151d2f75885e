import type { TriangleMesh } from '../../dist/core-entry.js';

/** Meshes made by code, with outside faces counter-clockwise; lengths in mm. */

/** A box with one corner at the origin, 12 triangles. */
export function box(a: number, b: number, c: number): TriangleMesh {
  return prism(
    [
      [0, 0],
      [a, 0],
      [a, b],
      [0, b],
    ],
    c,
  );
}

/**
 * A prism over a counter-clockwise polygon that a fan from its first corner fills (convex, or star-shaped from there).
 */
export function prism(polygon: readonly (readonly [number, number])[], height: number): TriangleMesh {
  const n = polygon.length;
  const positions: number[] = [];
  for (const z of [0, height]) for (const [x, y] of polygon) positions.push(x, y, z);
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, n + j, i, n + j, n + i);
    if (i > 0 && j > 0) indices.push(0, j, i, n, n + i, n + j);
  }
  return meshOf(positions, indices);
}

/** A cylinder around z, from z = 0. */
export function cylinder(radius: number, height: number, segments: number): TriangleMesh {
  return prism(
    Array.from({ length: segments }, (_, i) => {
      const angle = (2 * Math.PI * i) / segments;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    }),
    height,
  );
}

/** A surface of revolution around z of a closed or pole-to-pole profile of (radius, z), from the lower pole upwards. */
export function revolve(
  profile: readonly (readonly [number, number])[],
  segments: number,
  { closed = false } = {},
): TriangleMesh {
  const positions: number[] = [];
  const first: number[] = [];
  const isPole = profile.map(([radius]) => radius === 0);
  profile.forEach(([radius, z], ring) => {
    first.push(positions.length / 3);
    for (let i = 0; i < (isPole[ring] ? 1 : segments); i++) {
      const angle = (2 * Math.PI * i) / segments;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    }
  });
  const at = (ring: number, i: number): number => first[ring] + (isPole[ring] ? 0 : i % segments);
  const indices: number[] = [];
  const rings = closed ? profile.length : profile.length - 1;
  for (let ring = 0; ring < rings; ring++) {
    const next = (ring + 1) % profile.length;
    for (let i = 0; i < segments; i++) {
      if (!isPole[ring]) indices.push(at(ring, i), at(ring, i + 1), at(next, i));
      if (!isPole[next]) indices.push(at(ring, i + 1), at(next, i + 1), at(next, i));
    }
  }
  return meshOf(positions, indices);
}

/** A sphere around the origin: 2 · segments · (rings − 1) triangles. */
export function sphere(radius: number, rings: number, segments: number): TriangleMesh {
  return revolve(
    Array.from({ length: rings + 1 }, (_, i) => {
      const angle = (Math.PI * i) / rings;
      return [i === 0 || i === rings ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)] as const;
    }),
    segments,
  );
}

/** A torus around z. */
export function torus(major: number, minor: number, segments: number, sides: number): TriangleMesh {
  return revolve(
    Array.from({ length: sides }, (_, i) => {
      const angle = (2 * Math.PI * i) / sides;
      return [major + minor * Math.cos(angle), minor * Math.sin(angle)] as const;
    }),
    segments,
    { closed: true },
  );
}

/** A regular tetrahedron of the given edge, inscribed in a cube. */
export function tetrahedron(edge: number): TriangleMesh {
  const h = edge / Math.SQRT2;
  return meshOf([0, 0, 0, h, h, 0, h, 0, h, 0, h, h], [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]);
}

/** A spur gear: trapezoid teeth on a disc. */
export function gear(teeth: number, radius: number, height: number): TriangleMesh {
  const outline: [number, number][] = [];
  for (let i = 0; i < teeth; i++) {
    for (const [step, r] of [
      [0, 0.85],
      [0.3, 0.85],
      [0.4, 1],
      [0.7, 1],
    ] as const) {
      const angle = (2 * Math.PI * (i + step)) / teeth;
      outline.push([radius * r * Math.cos(angle), radius * r * Math.sin(angle)]);
    }
  }
  return fanned(outline, height);
}

/** An L bracket: legs a and b, thickness t, depth d. */
export function bracket(a: number, b: number, t: number, d: number): TriangleMesh {
  // Starts at the inner corner, from which a fan sees all others.
  return prism(
    [
      [t, t],
      [t, b],
      [0, b],
      [0, 0],
      [a, 0],
      [a, t],
    ],
    d,
  );
}

/** A prism over a polygon that is star-shaped around the origin, which becomes a vertex of both ends. */
function fanned(outline: readonly (readonly [number, number])[], height: number): TriangleMesh {
  const n = outline.length;
  const positions: number[] = [0, 0, 0, 0, 0, height];
  for (const z of [0, height]) for (const [x, y] of outline) positions.push(x, y, z);
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    const a = 2 + i,
      b = 2 + ((i + 1) % n);
    indices.push(0, b, a, 1, n + a, n + b, a, b, n + b, a, n + b, n + a);
  }
  return meshOf(positions, indices);
}

export function meshOf(
  positions: readonly number[] | Float32Array,
  indices: readonly number[] | Uint32Array,
): TriangleMesh {
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Each position through a row-major 3 × 4 matrix. */
export function transformed(mesh: TriangleMesh, m: readonly number[]): TriangleMesh {
  const { positions: p } = mesh;
  const positions = new Float32Array(p.length);
  for (let i = 0; i < p.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      positions[i + row] = m[4 * row] * p[i] + m[4 * row + 1] * p[i + 1] + m[4 * row + 2] * p[i + 2] + m[4 * row + 3];
    }
  }
  return { positions, indices: mesh.indices };
}

/** A rotation from four numbers (a quaternion, normalised here) and a shift, row-major 3 × 4. */
export function motion([w, x, y, z]: readonly number[], [tx, ty, tz]: readonly number[] = [0, 0, 0]): number[] {
  const s = 2 / (w * w + x * x + y * y + z * z);
  return [
    1 - s * (y * y + z * z),
    s * (x * y - w * z),
    s * (x * z + w * y),
    tx,
    s * (x * y + w * z),
    1 - s * (x * x + z * z),
    s * (y * z - w * x),
    ty,
    s * (x * z - w * y),
    s * (y * z + w * x),
    1 - s * (x * x + y * y),
    tz,
  ];
}

/** Seeded numbers in [0, 1) (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A uniform random rotation without shift. */
export function randomMotion(random: () => number): number[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return motion([normal(), normal(), normal(), normal()]);
}

/** The same triangles in another order, each starting at another of its corners, with the vertices in another order. */
export function shuffled({ positions, indices }: TriangleMesh, seed: number): TriangleMesh {
  const random = randomOf(seed);
  const permutation = (n: number): number[] => {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
  const place = permutation(positions.length / 3);
  const moved = new Float32Array(positions.length);
  place.forEach((to, from) => moved.set(positions.subarray(3 * from, 3 * from + 3), 3 * to));
  const turned = permutation(indices.length / 3).flatMap((t) => {
    const start = Math.floor(3 * random());
    return [0, 1, 2].map((k) => place[indices[3 * t + ((start + k) % 3)]]);
  });
  return { positions: moved, indices: Uint32Array.from(turned) };
}

/** Faces turned round. */
export function insideOut({ positions, indices }: TriangleMesh): TriangleMesh {
  return { positions, indices: indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]) };
}
