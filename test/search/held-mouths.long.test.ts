import { afterAll, beforeAll, expect, test } from 'vitest';
import { box, drill, loadModeller, type Point2 } from '../../dist/parts/sample/solids.js';
import { stepFile } from '../../dist/parts/sample/step-file.js';
import { becauseText, type Company, type Engine, type SearchHit } from '../../dist/index.js';
import { fill, libraries } from './library.js';

// Holes that are looked for inside other models, whose walls lie there in holes with other mouths.

const { fresh, open } = libraries();
let engine: Engine;
let company: Company;
const uids = new Map<string, string>();

const PLACES: readonly Point2[] = [
  [20, 12],
  [-20, 12],
  [-20, -12],
  [25, -12],
];

beforeAll(async () => {
  await loadModeller();
  engine = await open(fresh());
  company = await engine.company('acme');
  const drilled = (x: number, y: number) => drill(box(x, y, 12), 6.5, PLACES, 0, 12);
  const files = [
    ['plain.step', await stepFile(drilled(80, 50), 'plain')],
    ['wider.step', await stepFile(drilled(110, 70), 'wider')],
    ['counterbored.step', await stepFile(drill(drilled(120, 80), 9, PLACES, 10, 14), 'counterbored')],
  ] as const;
  for (const { path, uid } of await fill(company, files)) uids.set(path, uid);
}, 120_000);
afterAll(() => engine.close());

/** most: of the faces of the holes so many are looked for. */
async function heldIn(path: string, query: string, most = Infinity): Promise<[SearchHit, readonly string[]]> {
  const uid = uids.get(query)!;
  const holes = (await company.features(uid))!.features!.filter(({ kind }) => kind === 'hole');
  const { hits } = await company.search({
    contains: { uid, faces: holes.flatMap(({ faces }) => faces).slice(0, most) },
  });
  const hit = hits.find((one) => one.path === path)!;
  return [hit, hit.because.map(becauseText)];
}

test('a hole with another mouth is told, and the same one is not', async () => {
  const [other, said] = await heldIn('counterbored.step', 'plain.step');
  expect(other.coverage).toBeGreaterThan(0.3);
  expect(said).toEqual(['4 holes of ⌀6.5, counterbored to ⌀9 instead of plain']);
  const [same, nothing] = await heldIn('wider.step', 'plain.step');
  expect([same.coverage, nothing]).toEqual([1, []]);
  expect((await heldIn('wider.step', 'counterbored.step'))[1]).toEqual([
    '4 holes of ⌀6.5, plain instead of counterbored to ⌀9',
  ]);
});

test('of equal holes those are counted that are looked for', async () => {
  expect((await heldIn('counterbored.step', 'plain.step', 1))[1]).toEqual([
    '1 hole of ⌀6.5, counterbored to ⌀9 instead of plain',
  ]);
});

test('a whole part is looked for with the mouths of all of its holes', async () => {
  const { hits } = await company.search({ contains: { uid: uids.get('plain.step')! } });
  const held = new Map(hits.map(({ path, because }) => [path, because.map(({ code }) => code)]));
  expect(held.get('counterbored.step') ?? ['other-hole-mouth']).toContain('other-hole-mouth');
  expect(held.get('wider.step') ?? []).not.toContain('other-hole-mouth');
});
