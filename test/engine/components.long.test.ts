import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine, type Company, type SearchHit, type SearchResult } from '../../dist/index.js';
import { Components } from '../../dist/store/catalog/components.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();
/** Two pairs of blocks and two cubes, one of which is a product of its own with another name. */
const WHOLE: StepFile = {
  parts: [
    { name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } },
    { name: 'cube', shape: { kind: 'box', x: 5, y: 5, z: 5 } },
    { name: 'cube copy', shape: { kind: 'box', x: 5, y: 5, z: 5 } },
  ],
  assemblies: [
    {
      name: 'pair',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] },
        { of: { part: 0 }, at: [20, 0, 0] },
      ],
    },
    {
      name: 'whole',
      places: [
        { of: { assembly: 0 }, at: [0, 0, 0] },
        { of: { assembly: 0 }, at: [0, 0, 50] },
        { of: { part: 1 }, at: [-9, 0, 0] },
        { of: { part: 2 }, at: [-9, 9, 0] },
      ],
    },
  ],
};
/** A block, turned, on a plate. */
const OTHER: StepFile = {
  parts: [
    { name: 'Klotz', shape: { kind: 'box', x: 20, y: 30, z: 10 } },
    { name: 'plate', shape: { kind: 'box', x: 90, y: 60, z: 4 } },
  ],
  assemblies: [
    {
      name: 'other',
      places: [
        { of: { part: 0 }, at: [0, 0, 4] },
        { of: { part: 1 }, at: [0, 0, 0] },
      ],
    },
  ],
};
const UIDS = Array.from({ length: 4 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);

let engine: Engine;
let acme: Company;

beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  acme = await engine.company('acme');
  await fill(acme, true);
});
afterAll(() => engine.close());

async function fill(company: Company, indexAssemblyComponents: boolean): Promise<void> {
  await company.put('whole.step', stepFile(WHOLE), {
    uid: UIDS[0],
    indexAssemblyComponents,
    attributes: ['Material=steel'],
  });
  await company.put('other.step', stepFile(OTHER), { uid: UIDS[1], indexAssemblyComponents });
  await company.put('block.stl', boxStl(10, 20, 30), { uid: UIDS[2], indexAssemblyComponents });
  await company.put('rod.stl', boxStl(1, 1, 80), { uid: UIDS[3] });
}

function outline({ hits, total }: SearchResult): unknown {
  return { total, hits: hits.map(({ path, component, matchClass }) => [path, component?.name ?? null, matchClass]) };
}

/** The same wherever and whenever the files were put. */
function timeless({ hits, total, facets }: SearchResult): unknown {
  return {
    total,
    facets,
    hits: hits.map((hit): Partial<SearchHit> => ({ ...hit, addedAt: undefined, transform: undefined })),
  };
}

describe('components of assemblies', () => {
  test('are listed once each, copies of one shape among them, with their own sizes', async () => {
    const components = await acme.components(UIDS[0]);
    expect(
      components.map(({ name, occurrences, isAssembly, place }) => [name, occurrences, isAssembly, place]),
    ).toEqual([
      ['pair', 2, true, ['pair']],
      ['block', 4, false, ['pair', 'block']],
      ['cube', 2, false, ['cube']],
    ]);
    expect(components.map(({ volumeMm3 }) => Math.round(volumeMm3))).toEqual([12_000, 6_000, 125]);
    expect(components[1].bboxSizeMm.map(Math.round)).toEqual([30, 20, 10]);
    const tree = await acme.assembly(UIDS[0]);
    const [pair, block, cube] = components.map(({ number }) => number);
    expect(tree!.component).toBeNull();
    expect(
      tree!.children.map(({ component, children }) => [component, children.map((child) => child.component)]),
    ).toEqual([
      [pair, [block, block]],
      [pair, [block, block]],
      [cube, []],
      [cube, []],
    ]);
    expect(await acme.components(UIDS[2])).toEqual([]);
    expect((await acme.get(UIDS[0])).indexAssemblyComponents).toBe(true);
  });

  test('are unknown to those who do not ask for them', async () => {
    const plain = await Engine.open(join(folder, 'plain'), { workers: 1 });
    try {
      const other = await plain.company('acme');
      await fill(other, false);
      for (const query of [
        { like: { uid: UIDS[2] }, facets: true },
        { text: 'block', facets: true },
        { kinds: ['ThreeD' as const] },
        { like: { uid: UIDS[2] }, volume: '.1' },
      ]) {
        expect(timeless(await acme.search(query))).toEqual(timeless(await other.search(query)));
      }
      const asked = await other.search({ like: { uid: UIDS[2] }, components: true });
      expect(asked.hits.length).toBeGreaterThan(0);
      expect(asked.warnings).toEqual([expect.stringMatching(/^No components are indexed here.*index --components/)]);
      expect((await acme.search({ like: { uid: UIDS[2] }, components: true })).warnings).toBeUndefined();
      expect(await acme.counts()).toEqual(await other.counts());
      expect((await engine.stats()).files).toBe(4);
      expect((await acme.list()).map(({ path }) => path)).toEqual(['block.stl', 'other.step', 'rod.stl', 'whole.step']);
      const [{ uid }] = await acme.components(UIDS[0]);
      await expect(acme.get(uid)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
      await expect(acme.delete(uid)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
      await expect(other.assemblies.sharedParts(UIDS[0])).rejects.toMatchObject({ code: 'FILE_NOT_INDEXED' });
    } finally {
      await plain.close();
    }
  });

  test('are hits of their own, by shape, by size and by what holds of their assembly', async () => {
    const like = { uid: UIDS[2] };
    const found = await acme.search({ like, components: true, facets: true });
    // Four files and five components.
    expect(found.total).toBe(9);
    expect(found.facets!.kinds.ThreeD).toBe(9);
    expect(
      found.hits
        .slice(0, 3)
        .map(({ path, component }) => `${path} ${component?.name}`)
        .sort(),
    ).toEqual(['block.stl undefined', 'other.step Klotz', 'whole.step block']);
    expect(found.hits.slice(0, 4).map(({ matchClass }) => matchClass)).toEqual([
      'identical',
      'identical',
      'identical',
      'similar',
    ]);
    const hit = found.hits.find(({ component }) => component?.name === 'block')!;
    expect(hit).toMatchObject({
      uid: UIDS[0],
      kind: 'ThreeD',
      component: { occurrences: 4, isAssembly: false, place: ['pair', 'block'] },
    });
    expect(hit.volumeMm3).toBeCloseTo(6_000, 1);
    expect([...found.hits].sort((a, b) => a.score - b.score)).toEqual(found.hits);

    expect(outline(await acme.search({ like, components: 'only', within: [UIDS[1]] }))).toEqual({
      total: 2,
      hits: [
        ['other.step', 'Klotz', 'identical'],
        ['other.step', 'plate', 'similar'],
      ],
    });
    expect(outline(await acme.search({ like, components: 'only', volume: '.01', text: 'Material=steel' }))).toEqual({
      total: 1,
      hits: [['whole.step', 'block', 'identical']],
    });
    expect(outline(await acme.search({ like, components: 'only', kinds: ['TwoD'] }))).toEqual({ total: 0, hits: [] });
    const pages = [0, 3, 6].map((offset) => acme.search({ like, components: true, offset, limit: 3 }));
    expect((await Promise.all(pages)).flatMap(({ hits }) => hits)).toEqual(found.hits);
    await expect(acme.search({ like, components: 'some' as never })).rejects.toThrow(TypeError);
  });

  test('are searched with, by their own UID or by the number in any assembly', async () => {
    const [, block] = await acme.components(UIDS[0]);
    const byUid = await acme.search({ like: { uid: block.uid }, limit: 2 });
    expect(outline(byUid)).toEqual({ total: 4, hits: [['block.stl', null, 'identical'], expect.anything()] });
    expect(byUid.inputs[0]).toMatchObject({ uid: block.uid, kind: 'ThreeD' });
    expect((await acme.search({ like: { uid: UIDS[0], component: block.number }, limit: 2 })).hits).toEqual(byUid.hits);
    // Not indexed: read for the search.
    const given = await acme.search({ like: { bytes: stepFile(OTHER), extension: '.step', component: 0 }, limit: 1 });
    expect(outline(given)).toEqual({ total: 4, hits: [['block.stl', null, 'identical']] });
    await expect(acme.search({ like: { uid: UIDS[0], component: 99 } })).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    const picture = await acme.thumbnail(block.uid);
    expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG');
    expect(Buffer.compare(picture, await acme.thumbnail({ uid: UIDS[0], component: block.number }))).toBe(0);
    expect(Buffer.compare(picture, await acme.thumbnail(UIDS[0]))).not.toBe(0);
    // Seen, not measured: a picture finds what looks like it.
    const seen = await acme.search({
      like: { bytes: await acme.thumbnail(UIDS[2], { background: 'white' }), extension: '.png' },
      components: 'only',
      limit: 20,
    });
    expect(seen.total).toBe(5);
    expect(seen.hits.every(({ component, shapeMatch }) => component !== undefined && shapeMatch !== undefined)).toBe(
      true,
    );
  });

  test('tell which assemblies hold a part, and what two assemblies share', async () => {
    const holding = await acme.assemblies.holding(UIDS[2]);
    expect(
      holding.map(({ path, occurrences, components }) => [
        path,
        occurrences,
        components.map(({ name, matchClass }) => [name, matchClass]),
      ]),
    ).toEqual([
      ['whole.step', 4, [['block', 'identical']]],
      ['other.step', 1, [['Klotz', 'identical']]],
    ]);
    expect(await acme.assemblies.holding(UIDS[3])).toEqual([]);
    expect(
      (await acme.assemblies.holding({ bytes: boxStl(5, 5, 5), extension: '.stl' })).map(({ path, occurrences }) => [
        path,
        occurrences,
      ]),
    ).toEqual([['whole.step', 2]]);
    const [, block] = await acme.components(UIDS[0]);
    expect((await acme.assemblies.holding(block.uid)).map(({ path }) => path)).toEqual(['other.step']);
    const { components, assemblies } = await acme.assemblies.sharedParts(UIDS[0]);
    expect(components).toHaveLength(3);
    expect(
      assemblies.map(({ path, shared }) => [
        path,
        shared.map(({ component, held, occurrences }) => [component, held.name, occurrences]),
      ]),
    ).toEqual([['other.step', [[block.number, 'Klotz', [4, 1]]]]]);
    // It looks into stored assemblies, as the interface says, unless it is told not to.
    const inAll = await acme.searchComponents(UIDS[1], { limit: 20 });
    const held = ({ result }: (typeof inAll)[number]): string[] =>
      result.hits.flatMap(({ path, component, matchClass }) =>
        component !== undefined && matchClass === 'identical' ? [`${path}: ${component.name}`] : [],
      );
    expect(held(inAll[0]).sort()).toEqual(['other.step: Klotz', 'whole.step: block']);
    const each = await acme.searchComponents(UIDS[1], { limit: 1, components: false });
    expect(
      each.map(({ component, result }) => [component.name, result.hits[0].path, result.hits[0].matchClass]),
    ).toEqual([
      ['Klotz', 'block.stl', 'identical'],
      ['plate', expect.anything(), 'similar'],
    ]);
  });

  test('come and go with their assembly, and last', async () => {
    const like = { uid: UIDS[2] };
    const count = async (): Promise<number> => (await acme.search({ like, components: 'only' })).total;
    const again = await acme.put('third.step', stepFile(OTHER));
    expect(again.indexAssemblyComponents).toBe(false);
    expect(await count()).toBe(5);
    expect((await acme.assemblies.indexComponents(again.uid)).indexAssemblyComponents).toBe(true);
    expect(await count()).toBe(7);
    const uids = (await acme.components(again.uid)).map(({ uid }) => uid);
    await engine.reindex({ only: 'all' });
    await engine.idle();
    expect(await count()).toBe(7);
    expect((await acme.components(again.uid)).map(({ uid }) => uid)).toEqual(uids);
    // Other bytes: the wish stays. Without it the components go.
    const replaced = await acme.put(
      'third.step',
      stepFile({
        ...OTHER,
        assemblies: [{ name: 'o', places: [...OTHER.assemblies![0].places, { of: { part: 0 }, at: [40, 0, 4] }] }],
      }),
    );
    expect(replaced).toMatchObject({ uid: again.uid, indexAssemblyComponents: true });
    expect((await acme.components(again.uid)).map(({ occurrences }) => occurrences)).toEqual([2, 1]);
    await engine.close();
    engine = await Engine.open(join(folder, 'library'), { workers: 1 });
    acme = await engine.company('acme');
    expect(await count()).toBe(7);
    await acme.put('third.step', stepFile(OTHER), { indexAssemblyComponents: false });
    expect(await count()).toBe(5);
    await acme.assemblies.indexComponents(again.uid);
    expect(await count()).toBe(7);
    await acme.delete(again.uid);
    expect(await count()).toBe(5);
    await expect(acme.search({ like: { uid: uids[0] } })).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    expect((await engine.verify()).problems).toEqual([]);
    const input = await acme.putInput(stepFile(OTHER), { extension: '.step', indexAssemblyComponents: true });
    expect(
      (await acme.searchComponents(input.uid, { limit: 1, components: false })).map(
        ({ result }) => result.hits[0].path,
      ),
    ).toEqual(['block.stl', expect.anything()]);
    // Components of inputs are found by nobody.
    expect(await count()).toBe(5);
    await acme.delete(input.uid);
  });

  test('are searched again after the catalogue could not be read, and the engine closes all the same', async () => {
    const query = { like: { uid: UIDS[2] }, components: 'only' } as const;
    await engine.close();
    engine = await Engine.open(join(folder, 'library'), { workers: 1 });
    acme = await engine.company('acme');
    const once = (method: 'all' | 'idsOf' | 'one'): void =>
      void vi.spyOn(Components.prototype, method).mockRejectedValueOnce(new Error('no room'));
    once('all');
    await expect(acme.search(query)).rejects.toThrow('no room');
    expect((await acme.search(query)).total).toBe(5);
    once('idsOf');
    const late = await acme.put('late.step', stepFile(OTHER), { indexAssemblyComponents: true });
    expect((await acme.search(query)).total).toBe(7);
    await acme.delete(late.uid);
    expect((await acme.search(query)).total).toBe(5);
    await engine.close();
    engine = await Engine.open(join(folder, 'library'), { workers: 1 });
    acme = await engine.company('acme');
    once('all');
    await expect(acme.search(query)).rejects.toThrow('no room');
    await engine.close();
    engine = await Engine.open(join(folder, 'library'), { workers: 1 });
    acme = await engine.company('acme');
  });
});
