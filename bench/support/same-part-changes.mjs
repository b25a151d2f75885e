// Changed copies of a mesh, like those that other programs write of the same part.

/**
 * Every change, with the classes that are right for its result. A part that is its own mirror image is correctly
 * identical to its mirrored copy, so both classes are allowed there; the tests with generated parts decide which one.
 * @param mesh {positions: Float32Array, indices: Uint32Array}
 * @param tools.random numbers in [0, 1). @param tools.tessellate (parameters) => mesh, of a STEP file; else undefined.
 */
export function changesOf(mesh, { random, tessellate }) {
  const turned = (other = mesh) => moved(other, random);
  const same = (change, changed) => ({ change, expected: ['identical'], changed });
  const diagonal = diagonalOf(mesh);
  const changes = [
    same('turned and moved', turned()),
    {
      change: 'mirrored',
      expected: ['mirrored', 'identical'],
      changed: turned(mapped(mesh, (x, y, z) => [-x, y, z], true)),
    },
    {
      change: 'scaled × 25.4',
      expected: ['scaled'],
      scale: 25.4,
      changed: turned(mapped(mesh, (x, y, z) => [25.4 * x, 25.4 * y, 25.4 * z])),
    },
    {
      change: 'scaled × 0.5',
      expected: ['scaled'],
      scale: 0.5,
      changed: turned(mapped(mesh, (x, y, z) => [x / 2, y / 2, z / 2])),
    },
    {
      change: 'scaled × 1.02',
      expected: ['scaled'],
      scale: 1.02,
      changed: turned(mapped(mesh, (x, y, z) => [1.02 * x, 1.02 * y, 1.02 * z])),
    },
    same('midpoints', turned(subdivided(mesh))),
    same('T-junctions', turned(splitEdges(mesh, random))),
    same('turnings at random', turned(turnings(mesh, random))),
    same(
      'STL round trip',
      turned(
        soup(
          mapped(moved(mesh, random), (x, y, z) => [Math.fround(x + 500), Math.fround(y - 300), Math.fround(z + 100)]),
        ),
      ),
    ),
    same(
      'OBJ round trip',
      mapped(turned(), (...p) => p.map((value) => Number(value.toFixed(3)))),
    ),
    same('clustered at 1/500', turned(clustered(moved(mesh, random), diagonal / 500))),
    same('clustered at 1/2000', turned(clustered(moved(mesh, random), diagonal / 2000))),
  ];
  if (tessellate !== undefined) {
    for (const [linear, angular] of [
      [0.0005, 0.2],
      [0.001, 0.35],
      [0.002, 0.6],
      [0.005, 0.7],
      [0.01, 0.9],
    ]) {
      const changed = tessellate({
        linearUnit: 'millimeter',
        linearDeflectionType: 'bounding_box_ratio',
        linearDeflection: linear,
        angularDeflection: angular,
      });
      changes.push(same(`STEP at ${linear}, ${angular} rad`, turned(changed)));
    }
  }
  return changes;
}

function mapped({ positions, indices }, map, turns = false) {
  const copy = new Float32Array(positions.length);
  for (let i = 0; i < copy.length; i += 3) copy.set(map(positions[i], positions[i + 1], positions[i + 2]), i);
  const other = indices.slice();
  if (turns) for (let t = 0; t < other.length; t += 3) [other[t], other[t + 1]] = [other[t + 1], other[t]];
  return { positions: copy, indices: other };
}

/** A random rotation (Shoemake 1992) and a shift of about the part's size. */
function moved(mesh, random) {
  const u = random(),
    v = 2 * Math.PI * random(),
    w = 2 * Math.PI * random();
  const [x, y, z, s] = [
    Math.sqrt(1 - u) * Math.sin(v),
    Math.sqrt(1 - u) * Math.cos(v),
    Math.sqrt(u) * Math.sin(w),
    Math.sqrt(u) * Math.cos(w),
  ];
  const m = [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * s),
    2 * (x * z + y * s),
    2 * (x * y + z * s),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * s),
    2 * (x * z - y * s),
    2 * (y * z + x * s),
    1 - 2 * (x * x + y * y),
  ];
  const size = diagonalOf(mesh);
  const t = [random() * size, random() * size, random() * size];
  return mapped(mesh, (a, b, c) => [0, 1, 2].map((k) => m[3 * k] * a + m[3 * k + 1] * b + m[3 * k + 2] * c + t[k]));
}

function subdivided({ positions, indices }) {
  const all = Array.from(positions);
  const middles = new Map();
  const middle = (a, b) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    let number = middles.get(key);
    if (number === undefined) {
      number = all.length / 3;
      middles.set(key, number);
      for (let k = 0; k < 3; k++) all.push((all[3 * a + k] + all[3 * b + k]) / 2);
    }
    return number;
  };
  const fine = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = indices.subarray(t, t + 3);
    const [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
    fine.push(a, d, f, d, b, e, f, e, c, d, e, f);
  }
  return { positions: Float32Array.from(all), indices: Uint32Array.from(fine) };
}

/** A third of the triangles get a vertex on one side that the neighbouring triangle lacks. */
function splitEdges({ positions, indices }, random) {
  const all = Array.from(positions);
  const split = [];
  for (let t = 0; t < indices.length; t += 3) {
    const turn = Math.floor(3 * random());
    const [a, b, c] = [0, 1, 2].map((k) => indices[t + ((k + turn) % 3)]);
    if (random() > 1 / 3) {
      split.push(a, b, c);
      continue;
    }
    const share = 0.2 + 0.6 * random();
    const d = all.length / 3;
    for (let k = 0; k < 3; k++) all.push(all[3 * a + k] + share * (all[3 * b + k] - all[3 * a + k]));
    split.push(a, d, c, d, b, c);
  }
  return { positions: Float32Array.from(all), indices: Uint32Array.from(split) };
}

/** A third of the triangles with reversed orientation, and all in another order. */
function turnings({ positions, indices }, random) {
  const order = Array.from({ length: indices.length / 3 }, (_, t) => t);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return {
    positions,
    indices: Uint32Array.from(
      order.flatMap((t) => {
        const [a, b, c] = indices.subarray(3 * t, 3 * t + 3);
        return random() < 1 / 3 ? [a, c, b] : [a, b, c];
      }),
    ),
  };
}

/** Three separate vertices for each triangle, as in an STL file. */
function soup({ positions, indices }) {
  const own = new Float32Array(3 * indices.length);
  indices.forEach((index, i) => own.set(positions.subarray(3 * index, 3 * index + 3), 3 * i));
  return { positions: own, indices: Uint32Array.from(indices, (_, i) => i) };
}

/** Merges the vertices in each cell of a cubic lattice at their mean. */
function clustered({ positions, indices }, cell) {
  const numbers = new Map();
  const cells = [];
  const cellOf = [];
  for (let i = 0; i < positions.length; i += 3) {
    const key = [0, 1, 2].map((k) => Math.floor(positions[i + k] / cell)).join(' ');
    if (!numbers.has(key)) {
      numbers.set(key, cells.length);
      cells.push([0, 0, 0, 0]);
    }
    const number = numbers.get(key);
    cellOf.push(number);
    for (let k = 0; k < 3; k++) cells[number][k] += positions[i + k];
    cells[number][3]++;
  }
  const kept = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [cellOf[indices[t]], cellOf[indices[t + 1]], cellOf[indices[t + 2]]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return {
    positions: Float32Array.from(cells.flatMap(([x, y, z, n]) => [x / n, y / n, z / n])),
    indices: Uint32Array.from(kept),
  };
}

function diagonalOf({ positions }) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
