/** Generated meshes for the benches: seeded, closed, counter-clockwise seen from outside; lengths in mm. */

/** A sphere of radius 100 mm with seeded bumps: `rings` × `rings` quads, closed by fans at the poles. */
export function bumpySphere(rings, seed) {
  const random = randomOf(seed);
  const waves = Array.from({ length: 12 }, () => [
    1 + Math.floor(8 * random()),
    1 + Math.floor(8 * random()),
    6.3 * random(),
    3 * random(),
  ]);
  const vertexCount = (rings - 1) * rings + 2;
  const positions = new Float32Array(3 * vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    const isPole = i >= vertexCount - 2;
    const ring = isPole ? (i === vertexCount - 2 ? 0 : rings) : 1 + Math.floor(i / rings);
    const latitude = (Math.PI * ring) / rings;
    const longitude = isPole ? 0 : (2 * Math.PI * (i % rings)) / rings;
    let radius = 100;
    for (const [m, n, phase, height] of waves)
      radius += height * Math.sin(latitude) * Math.cos(m * longitude + phase) * Math.cos(n * latitude);
    positions[3 * i] = radius * Math.sin(latitude) * Math.cos(longitude);
    positions[3 * i + 1] = radius * Math.sin(latitude) * Math.sin(longitude);
    positions[3 * i + 2] = radius * Math.cos(latitude);
  }
  const indices = [];
  const at = (ring, step) =>
    ring === 0 ? vertexCount - 2 : ring === rings ? vertexCount - 1 : (ring - 1) * rings + (step % rings);
  for (let ring = 0; ring < rings; ring++) {
    for (let step = 0; step < rings; step++) {
      if (ring > 0) indices.push(at(ring, step), at(ring + 1, step), at(ring, step + 1));
      if (ring < rings - 1) indices.push(at(ring, step + 1), at(ring + 1, step), at(ring + 1, step + 1));
    }
  }
  return { positions, indices: new Uint32Array(indices) };
}

/** The same mesh with its vertices in random order. */
export function shuffleVertices({ positions, indices }, seed) {
  const random = randomOf(seed);
  const count = positions.length / 3;
  const place = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [place[i], place[j]] = [place[j], place[i]];
  }
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < count; i++) moved.set(positions.subarray(3 * i, 3 * i + 3), 3 * place[i]);
  return { positions: moved, indices: indices.map((i) => place[i]) };
}

/**
 * A surface of revolution around z of a profile of (radius, z); `isRing` closes the profile, else it runs from pole to
 * pole.
 */
export function revolve(profile, segments, isRing) {
  const positions = [];
  const first = profile.map(([radius, z]) => {
    const start = positions.length / 3;
    for (let i = 0; i < (radius === 0 ? 1 : segments); i++) {
      const angle = (2 * Math.PI * i) / segments;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    }
    return start;
  });
  const at = (ring, i) => first[ring] + (profile[ring][0] === 0 ? 0 : i % segments);
  const indices = [];
  for (let ring = 0; ring < profile.length - (isRing ? 0 : 1); ring++) {
    const next = (ring + 1) % profile.length;
    for (let i = 0; i < segments; i++) {
      if (profile[ring][0] !== 0) indices.push(at(ring, i), at(ring, i + 1), at(next, i));
      if (profile[next][0] !== 0) indices.push(at(ring, i + 1), at(next, i + 1), at(next, i));
    }
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices) };
}

/** A sphere: 2 · segments · (rings − 1) triangles. */
export function sphere(radius, rings, segments) {
  const profile = Array.from({ length: rings + 1 }, (_, i) => {
    const angle = (Math.PI * i) / rings;
    return [i === 0 || i === rings ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  return revolve(profile, segments, false);
}

/** A torus: 2 · segments · sides triangles. */
export function torus(major, minor, segments, sides) {
  const profile = Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [major + minor * Math.cos(angle), minor * Math.sin(angle)];
  });
  return revolve(profile, segments, true);
}

/** A shaft with steps, grooves and chamfers of a few rings each: 2 · segments · rings triangles. */
export function shaft(segments, ringsPerStep) {
  const steps = [
    [6, 0],
    [7, 1],
    [7, 12],
    [10, 12],
    [10, 30],
    [9, 30],
    [9, 32],
    [12, 32],
    [12, 60],
    [8, 60],
    [8, 75],
    [7, 76],
  ];
  const profile = [[0, 0]];
  for (let i = 1; i < steps.length; i++) {
    for (let k = 0; k < ringsPerStep; k++) {
      const share = k / ringsPerStep;
      profile.push([0, 1].map((axis) => steps[i - 1][axis] + share * (steps[i][axis] - steps[i - 1][axis])));
    }
  }
  profile.push(steps.at(-1), [0, 76]);
  return revolve(profile, segments, false);
}

/** The mesh in a random orientation. */
export function turned({ positions, indices }, random) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [w, x, y, z] = [normal(), normal(), normal(), normal()];
  const s = 2 / (w * w + x * x + y * y + z * z);
  const rows = [
    [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
    [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
    [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
  ];
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    rows.forEach((row, k) => {
      moved[i + k] = row[0] * positions[i] + row[1] * positions[i + 1] + row[2] * positions[i + 2];
    });
  }
  return { positions: moved, indices };
}

/** Mulberry32: numbers in [0, 1). */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
