import { afterAll, beforeAll, expect, test } from 'vitest';
import { stepFile, type StepFile } from '../fixtures/step-writer.js';
import { NOWHERE, openHost, partStl, type Answer, type Host } from './host.js';

let host: Host;
let pump: string;
let block: string;

const BLOCK = { name: 'block', shape: { kind: 'box' as const, x: 10, y: 20, z: 30 } };
const ROD = { name: 'rod', shape: { kind: 'box' as const, x: 2, y: 2, z: 80 } };
const PUMP: StepFile = {
  parts: [BLOCK, ROD],
  assemblies: [
    {
      name: 'pump',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] },
        { of: { part: 0 }, at: [40, 0, 0] },
        { of: { part: 1 }, at: [0, 50, 0] },
      ],
    },
  ],
};
const OTHER: StepFile = {
  parts: [ROD, { ...BLOCK, name: 'Klotz' }],
  assemblies: [
    {
      name: 'other',
      places: [
        { of: { part: 1 }, at: [0, 0, 0] },
        { of: { part: 0 }, at: [0, 90, 0] },
      ],
    },
  ],
};

beforeAll(async () => {
  host = await openHost();
  const put = async (file: string, bytes: Uint8Array, more = {}): Promise<string> =>
    (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false, ...more } }))
      .text;
  pump = await put('pumps/pump.step', stepFile(PUMP), { indexAssemblyComponents: true });
  block = await put('parts/block.step', stepFile({ parts: [BLOCK] }));
  await put('parts/other.stl', partStl(7, 8, 9));
  await host.engine.idle();
});
afterAll(() => host.close());

const get = (path: string, query: Record<string, string | number | boolean>): Promise<Answer> =>
  host.send('GET', path, { as: 'ada', query });
const rows = ({ json }: Answer): unknown[] =>
  json.ResultsList.map(({ FileName, ComponentName, MatchedComponent, ShapeResult }: any) => [
    FileName,
    ComponentName,
    MatchedComponent?.Name ?? null,
    ShapeResult.MatchClass,
  ]);

test('assemblies name their components, parts the assemblies that hold them, with pictures', async () => {
  const { AssemblyChildren: children, AssemblyParents } = (await get('/api/File', { fileUID: pump })).json;
  expect(children.map(({ fileName }: any) => fileName)).toEqual(['block', 'block', 'rod']);
  expect(children[0].uid).toBe(children[1].uid);
  expect(children[2].uid).not.toBe(children[1].uid);
  expect(AssemblyParents).toBeNull();
  const picture = await host.handler(new Request(children[2].thumbnailURL, { headers: { Accept: 'image/png' } }));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const { AssemblyParents: parents } = (await get('/api/File', { fileUID: block })).json;
  expect(parents).toMatchObject([{ uid: pump, fileName: 'pumps/pump.step' }]);
  expect((await get('/api/File', { fileUID: children[0].uid })).status).toBe(404);
});

test('components of stored assemblies are results for those who ask', async () => {
  const filterStr = `fileUID=${block}`;
  expect(rows(await get('/api/Search', { filterStr }))).toHaveLength(3);
  const answer = await get('/api/Search', { filterStr, includeComponents: true });
  expect(answer.json.TotalResults).toBe(5);
  expect(rows(answer)).toContainEqual(['pumps/pump.step', null, 'block', 'identical']);
  const { MatchedComponent, ThumbnailURL, ShapeResult } = answer.json.ResultsList.find(
    (entry: any) => entry.MatchedComponent?.Name === 'block',
  );
  expect(MatchedComponent).toMatchObject({ Count: 2, Place: ['block'] });
  expect(ShapeResult.Volume).toBeCloseTo(6_000, 0);
  expect(ThumbnailURL).toContain(MatchedComponent.UID);
});

test('an assembly is searched with component by component', async () => {
  const { text: fileUID } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile(OTHER),
    query: { file: '.step', indexAssemblyComponents: true },
  });
  const filterStr = `fileUID=${fileUID}`;
  const whole = await get('/api/Search', { filterStr });
  expect(rows(whole).every((row: any) => row[1] === null)).toBe(true);
  const each = await get('/api/Search', { filterStr, searchAssemblyComponents: true });
  // Two components; each finds three files and the two components of the stored pump.
  expect(each.json).toMatchObject({ TotalResults: 10, InputFileUID: fileUID, Message: null });
  const identical = rows(each).filter((row: any) => row[3] === 'identical');
  expect(identical).toHaveLength(3);
  expect(identical).toContainEqual(['parts/block.step', 'Klotz', null, 'identical']);
  expect(identical).toContainEqual(['pumps/pump.step', 'Klotz', 'block', 'identical']);
  expect(identical).toContainEqual(['pumps/pump.step', 'rod', 'rod', 'identical']);
  expect(new Set(rows(each).map((row: any) => row[1]))).toEqual(new Set(['Klotz', 'rod']));
  expectRising(each);
  const pages = await Promise.all(
    [0, 4, 8].map((offset) => get('/api/Search', { filterStr, searchAssemblyComponents: true, offset, limit: 4 })),
  );
  pages.forEach(expectRising);
  expect(pages.flatMap(rows).sort()).toEqual(rows(each).sort());
  const far = await get('/api/Search', { filterStr, searchAssemblyComponents: true, offset: 9_999 });
  expect([far.status, Object.keys(far.json.errors)]).toEqual([400, ['offset']]);
  // Put without: indexed when they are wanted.
  const { text: late } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile(OTHER),
    query: { file: '.step' },
  });
  expect(rows(await get('/api/Search', { filterStr: `fileUID=${late}`, searchAssemblyComponents: true }))).toEqual(
    rows(each),
  );
  const pending = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile({ ...OTHER, unit: 'in' }),
    query: { file: '.step', indexAsync: true, indexAssemblyComponents: true },
  });
  const early = await get('/api/Search', { filterStr: `fileUID=${pending.text}`, searchAssemblyComponents: true });
  expect([-1, 10]).toContain(early.json.TotalResults);
});

test('a single part finds the stored assemblies that hold it', async () => {
  const single = await get('/api/Search', { filterStr: `fileUID=${block}`, searchAssemblyComponents: true });
  expect(rows(single)).toHaveLength(5);
  expect(rows(single).slice(0, 2)).toContainEqual(['parts/block.step', null, null, 'identical']);
  expect(rows(single).slice(0, 2)).toContainEqual(['pumps/pump.step', null, 'block', 'identical']);
});

test('each component of an assembly has its best result on the first page, however short', async () => {
  const { text: fileUID } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile(OTHER),
    query: { file: '.step', indexAssemblyComponents: true },
  });
  const asked = { filterStr: `fileUID=${fileUID}`, searchAssemblyComponents: true };
  const all = rows(await get('/api/Search', asked));
  // One result each: the second component is not pushed out by the equal results of the first.
  const one = await get('/api/Search', { ...asked, limit: 1 });
  expect(rows(one).map((row: any) => [row[1], row[3]])).toEqual(
    expect.arrayContaining([
      ['Klotz', 'identical'],
      ['rod', 'identical'],
    ]),
  );
  expect(rows(one)).toHaveLength(2);
  const two = await get('/api/Search', { ...asked, limit: 2 });
  expect(new Set(rows(two).map((row: any) => row[1]))).toEqual(new Set(['Klotz', 'rod']));
  // The pages that follow a lengthened one leave out what it held.
  const pages = await Promise.all(all.map((_, offset) => get('/api/Search', { ...asked, limit: 1, offset })));
  expect(pages.slice(1).every((page) => rows(page).length <= 1)).toBe(true);
  expect(pages.flatMap(rows).sort()).toEqual(all.sort());
});

/** A page is ordered by score. */
function expectRising({ json }: Answer): void {
  const scores = json.ResultsList.map((entry: any) => entry.ShapeResult.Score);
  expect([...scores].sort((a, b) => a - b)).toEqual(scores);
}

test('additions list components, index them later, and tell what assemblies share', async () => {
  const { text: other } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile(OTHER),
    query: { file: 'pumps/other.step', isSearchInput: false },
  });
  await host.engine.idle();
  expect((await get('/api/SharedParts', { fileUID: other })).status).toBe(409);
  const indexed = await host.send('PUT', '/api/Components', { as: 'ada', query: { fileUID: other } });
  expect(indexed.json.map(({ name }: any) => name)).toEqual(['Klotz', 'rod']);
  expect((await get('/api/Components', { fileUID: other })).json).toEqual(indexed.json);
  const shared = (await get('/api/SharedParts', { fileUID: other })).json;
  expect(
    shared.assemblies.map(({ path, shared: parts }: any) => [
      path,
      parts.map(({ held, occurrences }: any) => [held.name, occurrences]),
    ]),
  ).toEqual([
    [
      'pumps/pump.step',
      [
        ['block', [1, 2]],
        ['rod', [1, 1]],
      ],
    ],
  ]);
  expect(
    (await get('/api/AssembliesWith', { fileUID: block })).json.map(({ path, occurrences }: any) => [
      path,
      occurrences,
    ]),
  ).toEqual([
    ['pumps/pump.step', 2],
    ['pumps/other.step', 1],
  ]);
  expect((await get('/api/AssembliesWith', { fileUID: NOWHERE })).status).toBe(404);
  const found = await get('/api/Find', {
    query: JSON.stringify({ like: { uid: indexed.json[0].uid }, components: 'only', limit: 1 }),
  });
  expect(found.json.hits[0].component.name).toMatch(/block|Klotz/);
});

test('an assembly that was put without components is asked with by each, and they are found by nobody', async () => {
  const { text: plain } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile({ ...OTHER, unit: 'in' }),
    query: { file: 'pumps/plain.step', isSearchInput: false },
  });
  await host.engine.idle();
  const ofParts = async (): Promise<number> =>
    (await get('/api/Search', { filterStr: `fileUID=${block}`, searchAssemblyComponents: true })).json.TotalResults;
  const before = await ofParts();
  const asked = { filterStr: `fileUID=${plain}`, searchAssemblyComponents: true };
  const first = await get('/api/Search', { ...asked, limit: 1 });
  expect(first.json).toMatchObject({ Message: null, InputFileUID: plain, TotalResults: 2 * before });
  expect(rows(first).map((row: any) => row[1])).toEqual(expect.arrayContaining(['Klotz', 'rod']));
  const again = await get('/api/Search', { ...asked, limit: 1 });
  expect(again.json.ResultsList).toEqual(first.json.ResultsList);
  // The stored file keeps its wish: its components are no results of others.
  expect(await ofParts()).toBe(before);
  expect((await get('/api/Components', { fileUID: plain })).json).toEqual([]);
});

test('the same bytes with and without components have one score, and fall by their UID', async () => {
  const twin = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile(PUMP),
    query: { file: 'pumps/twin.step', isSearchInput: false },
  });
  const input = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: stepFile({ ...OTHER, unit: 'in' }),
    query: { file: '.step' },
  });
  const { ResultsList } = (await get('/api/Search', { filterStr: `fileUID=${input.text}` })).json;
  const twins = ResultsList.filter(({ FileName }: any) => ['pumps/pump.step', 'pumps/twin.step'].includes(FileName));
  expect(twins.map(({ FileUID }: any) => FileUID)).toEqual([pump, twin.text].sort());
  expect(twins[0].ShapeResult.Score).toBeGreaterThan(0.01);
  expect(twins[0].ShapeResult.Score).toBe(twins[1].ShapeResult.Score);
});
