import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { brick, gear, joined, rotated, scaled } from '../fixtures/parts.js';
import { seeded } from '../fixtures/random.js';
import { box, lBracket, moved, type Body } from '../fixtures/shapes.js';
import { fill } from './library.js';
import { plateBody } from './plates.js';

// Whole parts with many like faces, in which most ways of laying a part on itself go wrong only after many faces.

const TURN = [0.6, 0.3, -0.5, 0.5477] as const;

/** A block with teeth of all widths and heights on one side, and holes below them. */
function comb(seed: number, { teeth, holes }: { teeth: number; holes: number }): Body {
  const random = seeded(seed);
  const outline: [number, number][] = [];
  let x = 0;
  for (let i = 0; i < teeth; i++) {
    const [width, gap, height] = [4 + 6 * random(), 3 + 5 * random(), 6 + 12 * random()];
    outline.push([x, 20 + height], [x + width, 20 + height], [x + width, 20], [x + width + gap, 20]);
    x += width + gap;
  }
  outline.push([x, 0], [0, 0]);
  const round = Array.from({ length: holes }, (_, i) => {
    return { x: ((i + 0.5) * x) / holes, y: 8 + 4 * random(), diameter: 2 + 4 * random() };
  });
  return plateBody(outline.reverse(), 12 + 8 * random(), round);
}

/** Blocks of many sizes that stand apart, as bodies of one part. */
function blocks(seed: number, count: number): Body {
  const random = seeded(seed);
  const all = Array.from({ length: count }, (_, i) =>
    moved(box(5 + 9 * random(), 5 + 9 * random(), 5 + 20 * random()), 20 * i, 7 * random(), 5 * random()),
  );
  return joined('blocks', ...all);
}

/** Brackets of many sizes that stand apart. */
function brackets(seed: number, count: number): Body {
  const random = seeded(seed);
  const all = Array.from({ length: count }, (_, i) =>
    moved(lBracket(20 + 20 * random(), 3 + 3 * random(), 10 + 10 * random()), 50 * i, 0, 9 * random()),
  );
  return joined('brackets', ...all);
}

const PARTS: readonly Body[] = [
  ...[4, 5, 6, 7, 8].map((teeth, i) => comb(i + 1, { teeth, holes: i })),
  ...[3, 4, 40].map((count, i) => blocks(i + 11, count)),
  ...[2, 3, 5].map((count, i) => brackets(i + 21, count)),
  brick(3, 2, 9.6),
  gear(9, 20, 6, 4),
];

let engine: Engine;
let company: Company;
const uids = new Map<string, string>();
beforeAll(async () => {
  engine = await Engine.open(temporaryFolder(), { workers: 2 });
  company = await engine.company('parts');
  const files = PARTS.map((body, i) => [`${i}.stl`, writeStlBinary(body)] as const);
  for (const { path, uid } of await fill(company, files)) uids.set(path, uid);
}, 60_000);
afterAll(() => engine.close());

describe('in any size', () => {
  test('every part is found first where it is looked for itself, and whole', async () => {
    const found: (readonly [string | undefined, number | undefined])[] = [];
    for (const i of PARTS.keys()) {
      const { hits } = await company.search({ contains: { uid: uids.get(`${i}.stl`)! }, sizes: 'any' });
      found.push([hits[0]?.path, hits[0]?.coverage]);
    }
    expect(found).toEqual(PARTS.map((_, i) => [`${i}.stl`, 1]));
  });

  test.each([
    ['turned and moved', 1],
    ['twice as large, turned and moved', 2],
    ['a fifth as large, turned and moved', 0.2],
  ])('so is each %s', async (_, factor) => {
    const found: (readonly [string | undefined, number | undefined])[] = [];
    for (const body of PARTS) {
      const bytes = writeStlBinary(moved(rotated(scaled(body, factor), TURN), 40, -7, 15));
      const { hits } = await company.search({ contains: { bytes, extension: '.stl' }, sizes: 'any' });
      found.push([hits[0]?.path, hits[0]?.coverage]);
    }
    expect(found).toEqual(PARTS.map((_, i) => [`${i}.stl`, 1]));
  });

  test('of two copies in other sizes that of its own size is first', async () => {
    const large = writeStlBinary(rotated(scaled(PARTS[2], 3), TURN));
    const { uid } = await company.put('a-large.stl', large);
    const { hits } = await company.search({ contains: { uid: uids.get('2.stl')! }, sizes: 'any' });
    expect(hits.slice(0, 2).map(({ path, coverage }) => [path, coverage])).toEqual([
      ['2.stl', 1],
      ['a-large.stl', 1],
    ]);
    expect(hits[1].score).toBeLessThan(0.002);
    await company.delete(uid);
  });
});

test('a through hole is no further place of the wall of a blind one', async () => {
  const block = [
    [0, 0],
    [60, 0],
    [60, 40],
    [0, 40],
  ] as const;
  const blind = { x: 15, y: 20, diameter: 8, depth: 12 };
  const through = [30, 45].map((x) => ({ x, y: 20, diameter: 6 }));
  const blinds = await company.put('blind.stl', writeStlBinary(plateBody(block, 20, [blind])));
  await company.put('both.stl', writeStlBinary(plateBody(block, 20, [blind, ...through])));
  const faces = (await company.faces(blinds.uid))!.flatMap(({ kind, number }) => (kind === 'cylinder' ? [number] : []));
  expect(faces).toHaveLength(1);
  const { hits } = await company.search({ contains: { uid: blinds.uid, faces }, sizes: 'any' });
  const places = hits.map(({ path, occurrences }) => [path, occurrences]);
  expect(places.filter(([path]) => path === 'both.stl')).toEqual([['both.stl', 1]]);
});
