/**
 * Vectors of 64 numbers, like compact descriptors, seeded: families of parts (2 000 centres) whose spread decreases
 * along the dimensions. A tenth of the rows are near copies of another row (1e-3 of the spread: the part exported
 * again), a tenth near copies of one row in a thousand (the common screw, a hundred times), a twentieth equal copies
 * (the same file again). Queries: an eighth are rows as they are, an eighth near copies, a quarter near copies of a
 * common part, half new members of a family.
 */

export const DIMENSION = 64;
const FAMILIES = 2_000;
const QUERIES = 200;

/** Rows in label order, and queries. */
export function clusteredVectors(size) {
  const random = randomOf(size);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const around = (centre, spread) => centre.map((value, d) => value + spread * normal() * Math.exp(-0.05 * d));
  const centres = Array.from({ length: FAMILIES }, () => around(new Float32Array(DIMENSION), 1));
  const member = () => around(centres[Math.floor(random() * FAMILIES)], 0.3);
  const rows = [];
  const some = () => rows[Math.floor(random() * rows.length)].vector;
  const common = () => rows[1000 * Math.floor((random() * rows.length) / 1000)].vector;
  const draw = (kind) =>
    kind < 0.1 ? around(some(), 1e-3) : kind < 0.2 ? around(common(), 1e-3) : kind < 0.25 ? some() : member();
  for (let label = 1; label <= size; label++) rows.push({ label, vector: draw(label <= 10 ? 1 : random()) });
  const queries = Array.from({ length: QUERIES }, (_, i) => draw([0.22, 0.15, 1, 1, 0.05, 0.15, 1, 1][i % 8]));
  return { rows, queries };
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
