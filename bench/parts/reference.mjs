/**
 * Reference parts: a large, varied, repeatable set of synthetic mechanical parts, made wholly by code.
 *
 * The engine's unsupervised tables (a projection, a reference cohort for normalising scores) are learned from these
 * parts, so that no licensed model is needed and anyone can learn them again. Families of parts (brackets, gears,
 * screws, bricks, connectors and so on) are functions of a seeded random stream in `reference/`; manifold-3d does the
 * booleans, so every part is a closed mesh with outward faces. The same seed gives the same bits on one version of
 * manifold-3d, and the first parts do not depend on how many are asked for.
 *
 * To look at them as binary STL files in one folder per family:
 *   node bench/parts/reference.mjs --out FOLDER [--count N] [--seed N]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Module from 'manifold-3d';
import { bearings } from './reference/bearings.mjs';
import { bricks } from './reference/bricks.mjs';
import { electronics } from './reference/electronics.mjs';
import { fasteners } from './reference/fasteners.mjs';
import { freeform } from './reference/freeform.mjs';
import { gears } from './reference/gears.mjs';
import { Kit } from './reference/kit.mjs';
import { moving } from './reference/moving.mjs';
import { plates } from './reference/plates.mjs';
import { profiles } from './reference/profiles.mjs';
import { structures } from './reference/structures.mjs';
import { turned } from './reference/turned.mjs';

/** Every family by name: a function from a kit to a solid. */
const families = Object.entries({
  ...plates,
  ...turned,
  ...gears,
  ...fasteners,
  ...bearings,
  ...profiles,
  ...structures,
  ...bricks,
  ...electronics,
  ...moving,
  ...freeform,
});

/** The names of the families, in the order in which they take turns. */
export const familyNames = families.map(([name]) => name);

/** A drawn part with more triangles than this is drawn anew: the tables want many parts, not heavy ones. */
const MAX_TRIANGLES = 10_000;
/** Draws for one part before giving up: reaching it means that a family is broken. */
const MAX_DRAWS = 20;

/**
 * Draw parts, family after family in turn.
 *
 * @param {{ seed?: number, count?: number }} [options] `seed` any whole number; `count` parts in all
 * @returns {AsyncGenerator<{ name: string, family: string, positions: Float32Array, indices: Uint32Array }>} positions
 * are
 *   x, y, z in millimetres; indices are triangles, counter-clockwise seen from outside; `name` is `family-NNN`
 * @throws {Error} when a family yields no usable part within 20 draws
 */
export async function* referenceParts({ seed = 1, count = 1500 } = {}) {
  const wasm = await Module();
  wasm.setup();
  for (let i = 0; i < count; i++) {
    const [family, build] = families[i % families.length];
    const turn = Math.floor(i / families.length);
    const name = `${family}-${String(turn + 1).padStart(3, '0')}`;
    yield { name, family, ...draw(wasm, name, build, seed) };
  }
}

/** Build one part; what comes out empty, broken or too heavy is drawn again from the next stream. */
function draw(wasm, name, build, seed) {
  for (let attempt = 0; attempt < MAX_DRAWS; attempt++) {
    const kit = new Kit(wasm, hash(`${seed}/${name}/${attempt}`));
    try {
      const solid = build(kit).raw;
      if (solid.status() !== 'NoError' || solid.isEmpty() || solid.volume() <= 0) continue;
      if (solid.numTri() > MAX_TRIANGLES) continue;
      const mesh = solid.getMesh();
      return { positions: Float32Array.from(mesh.vertProperties), indices: Uint32Array.from(mesh.triVerts) };
    } finally {
      kit.free();
    }
  }
  throw new Error(`reference part ${name}: expected a solid within ${MAX_DRAWS} draws, found none`);
}

/** FNV-1a of a text, mixed so that texts differing in one character start unrelated streams. */
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * The part as binary STL: 80 bytes of header, a count, then 50 bytes a triangle (normals left zero: readers derive
 * them).
 */
function binaryStl({ positions, indices }) {
  const bytes = Buffer.alloc(84 + 50 * (indices.length / 3));
  bytes.writeUInt32LE(indices.length / 3, 80);
  for (let corner = 0; corner < indices.length; corner++) {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 + 12 * (corner % 3);
    for (let axis = 0; axis < 3; axis++) bytes.writeFloatLE(positions[3 * indices[corner] + axis], at + 4 * axis);
  }
  return bytes;
}

async function main() {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, count: { type: 'string' }, seed: { type: 'string' } },
  });
  const count = Number(values.count ?? 1500),
    seed = Number(values.seed ?? 1);
  if (!values.out || !Number.isInteger(count) || count < 0 || !Number.isInteger(seed)) {
    console.error('usage: node bench/parts/reference.mjs --out FOLDER [--count N] [--seed N]');
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  let triangles = 0;
  for await (const part of referenceParts({ seed, count })) {
    const folder = join(values.out, part.family);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${part.name}.stl`), binaryStl(part));
    triangles += part.indices.length / 3;
  }
  const seconds = (performance.now() - started) / 1000;
  console.log(`${count} parts of ${familyNames.length} families, ${triangles} triangles, ${seconds.toFixed(1)} s`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
