import { afterAll, beforeAll, expect, test } from 'vitest';
import { referenceParts, type ReferencePart } from '../../bench/parts/reference.mjs';
import { sketchOf } from '../../bench/support/crossmodal-queries.mjs';
import type { Company, Engine } from '../../dist/index.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { fill, libraries } from './library.js';

// No such view of a model is stored: upright ones show its faces or its corners.

const PARTS = ['plate-pocketed-001', 'bracket-u-001', 'flange-001', 'knob-001', 'shaft-splined-001'];

const { fresh, open } = libraries();
const parts = new Map<string, ReferencePart>();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  for await (const part of referenceParts({ seed: 8_101, count: 24 }))
    if (PARTS.includes(part.name)) parts.set(part.name, part);
  engine = await open(fresh());
  company = await engine.company('acme');
  await fill(
    company,
    [...parts.values()].map((part) => [`${part.name}.stl`, stlOf(part)] as const),
  );
}, 120_000);
afterAll(() => engine.close());

function stlOf({ name, positions, indices }: ReferencePart): Uint8Array {
  const vertices = Array.from(
    { length: positions.length / 3 },
    (_, i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]] as const,
  );
  const faces = Array.from({ length: indices.length / 3 }, (_, i) => [...indices.subarray(3 * i, 3 * i + 3)]);
  return writeStlBinary({ name, vertices, faces });
}

/** Turned by 30° about the upward axis and raised by 20°: rows to the right, upwards, towards the camera. */
const [cosTurn, sinTurn, cosRaise, sinRaise] = [
  Math.cos(Math.PI / 6),
  Math.sin(Math.PI / 6),
  Math.cos(Math.PI / 9),
  Math.sin(Math.PI / 9),
];
const TURNED = {
  turn: [
    ...[-sinTurn, cosTurn, 0],
    ...[-cosTurn * sinRaise, -sinTurn * sinRaise, cosRaise],
    ...[cosTurn * cosRaise, sinTurn * cosRaise, sinRaise],
  ],
};
const CABINET = { turn: [1, 0, 0, 0, 1, 0, 0, 0, 1], oblique: [0.3536, 0.3536] } as const;

test.each([
  ['bracket-u-001', 'in cabinet projection', 104, CABINET, 2],
  ['plate-pocketed-001', 'turned and raised', 101, TURNED, 4],
] as const)('a sketch of %s %s finds it first, and is said to be like it', async (name, _, seed, seen, least) => {
  const bytes = new Uint8Array(await sketchOf(parts.get(name)!, seed, seen));
  const like = { bytes, extension: '.png' };
  const { hits } = await company.search({ like, kinds: ['ThreeD'], limit: 100 });
  expect(hits[0].path).toBe(`${name}.stl`);
  expect(hits[0].similarity).toBeGreaterThan(least);
  expect(hits).toHaveLength(parts.size);
  hits.slice(1).forEach(({ score }, i) => expect(score).toBeGreaterThanOrEqual(hits[i].score));
});
