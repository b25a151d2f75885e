import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, SearchHit, SearchInput, SearchResult } from '../../dist/index.js';
import { dxfOf, svgOf, viewOf } from '../fixtures/drawing-of-body.js';
import { writeObj, writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen, mapped, mirrored, rotated, scaled } from '../fixtures/parts.js';
import type { Body } from '../fixtures/shapes.js';
import { fill, libraries, uidOf } from './library.js';

// Inputs of several kinds at once: each finds what it finds alone, so models find models by their surface whatever is
// asked beside them.

const { fresh, open } = libraries();
const WANTED = ['washer M8', 'gear 17', 'handed bracket', 'turned', 'wedge'];
const parts = new Map(dozen().map((body) => [body.name, body]));
const TILT = [0.3, -0.5, 0.7, 0.2];
let engine: Engine, company: Company;

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('mixed');
  await fill(
    company,
    WANTED.flatMap((name) => [
      [`${name}.stl`, writeStlBinary(bodyOf(name))] as const,
      [`${name}.dxf`, dxfOf(bodyOf(name))] as const,
    ]),
  );
}, 60_000);
afterAll(() => engine.close());

function bodyOf(name: string): Body {
  return parts.get(name)!;
}

/** The stored drawing of a part. */
function drawing(name: string): SearchInput {
  return { uid: uidOf(2 * WANTED.indexOf(name) + 1) };
}

/** Another export of a body. */
async function model(body: Body): Promise<SearchInput> {
  const { uid } = await company.putInput(writeObj(body), { extension: '.obj' });
  return { uid };
}

async function hitsOf(...like: SearchInput[]): Promise<readonly SearchHit[]> {
  return (await company.search({ like, limit: 100 })).hits;
}

test.each([
  ['identical', (body: Body) => body],
  ['identical', (body: Body) => rotated(body, TILT)],
  ['mirrored', mirrored],
  ['scaled', (body: Body) => scaled(body, 2)],
] as const)('beside a drawing a model is %s to what it is alone', async (matchClass, change) => {
  const changed = await model(change(bodyOf('handed bracket')));
  const [alone] = await hitsOf(changed);
  expect(alone).toMatchObject({ path: 'handed bracket.stl', matchClass });
  const { addedAt: _, ...own } = alone;
  for (const [number, like] of [
    [changed, drawing('gear 17')],
    [drawing('gear 17'), changed],
  ].entries()) {
    const hits = await hitsOf(...like);
    const [found, page] = ['handed bracket.stl', 'gear 17.dxf'].map(
      (path) => hits.slice(0, 2).find((hit) => hit.path === path)!,
    );
    const { addedAt: __, ...beside } = found;
    expect(beside).toEqual({ ...own, input: number });
    expect(page).toMatchObject({ matchClass: 'identical', score: 0, input: 1 - number });
  }
});

test('other files are as like both as they would be if the order of the inputs were another', async () => {
  const like = [await model(bodyOf('washer M8')), drawing('wedge'), drawing('turned')] as const;
  const outline = (hits: readonly SearchHit[]): unknown => hits.map(({ path, score }) => [path, score]);
  const hits = await hitsOf(...like);
  expect(hits).toHaveLength(2 * WANTED.length);
  expect(outline(await hitsOf(like[2], like[0], like[1]))).toEqual(outline(hits));
  expect(hits.slice(0, 3).map(({ score }) => score)).toEqual([0, 0, 0]);
  for (const { score, matchClass } of hits.slice(3)) {
    expect(matchClass).toBe('similar');
    expect(score).toBeGreaterThanOrEqual(0.05);
  }
});

test('what is like one input is as like as without the others, or more', async () => {
  const longer = await model(mapped(bodyOf('handed bracket'), (x, y, z) => [1.1 * x, y, z]));
  const bracketOf = (hits: readonly SearchHit[]): SearchHit => hits.find(({ path }) => path === 'handed bracket.stl')!;
  const alone = bracketOf(await hitsOf(longer));
  expect(alone.matchClass).toBe('similar');
  for (const other of [drawing('washer M8'), await model(bodyOf('washer M8')), drawing('handed bracket')]) {
    const found = bracketOf(await hitsOf(longer, other));
    expect(found.score).toBeLessThan(alone.score + 0.001);
    expect(found.similarity!).toBeGreaterThan(alone.similarity! - 0.1);
  }
});

test('beside a sketch a model is itself, and what the sketch shows comes next to it', async () => {
  const svg = svgOf(viewOf(bodyOf('wedge'), 'front'), { x: 100, y: 150, scale: 3 }).replace('0.5', '1.5');
  const picture = sharp(Buffer.from(svg), { density: 150 }).resize(800, 600).flatten({ background: 'white' });
  const bytes = new Uint8Array(await picture.png().toBuffer());
  const hits = await hitsOf({ bytes, extension: '.png' }, await model(rotated(bodyOf('gear 17'), TILT)));
  expect(hits[0]).toMatchObject({ path: 'gear 17.stl', matchClass: 'identical', input: 1 });
  expect(hits[0].transform).toHaveLength(16);
  expect(hits[1].path).toMatch(/^wedge/);
});

describe('a tolerance of the volume', () => {
  const search = (like: SearchInput | SearchInput[]): Promise<SearchResult> =>
    company.search({ like, volume: '.1', limit: 100 });

  test('beside a drawing keeps models of that volume, and drawings, which have none', async () => {
    const volumes = new Map((await company.list({ limit: 100 })).map(({ path, volumeMm3 }) => [path, volumeMm3]));
    const own = volumes.get('gear 17.stl')!;
    const wanted = [...volumes]
      .filter(([, volume]) => volume === null || Math.abs(volume / own - 1) <= 0.1)
      .map(([path]) => path);
    expect(wanted).toHaveLength(WANTED.length + 1);
    const { hits, total, warnings } = await search([await model(bodyOf('gear 17')), drawing('wedge')]);
    expect(hits.map(({ path }) => path).sort()).toEqual(wanted.sort());
    expect(total).toBe(wanted.length);
    expect(warnings).toBeUndefined();
  });

  test('that no input has is not applied, and the result says so', async () => {
    const { total, warnings } = await search(drawing('wedge'));
    expect(total).toBe(2 * WANTED.length);
    expect(warnings).toEqual(['No tolerance of volume was applied, because no input is a model.']);
    expect((await company.search({ like: drawing('wedge') })).warnings).toBeUndefined();
  });
});
