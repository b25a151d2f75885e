import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServedCompany } from '../../dist/index.js';
import { stepFile } from '../fixtures/step-writer.js';
import { NOWHERE, openHost, partStl, type Host } from './host.js';

// What HTTP answers, a host in the same process gets by one call of `engine.served(name)`.

let host: Host;
let served: ServedCompany;
let part: string;
let pump: string;
let ada: string;

const BLOCK = { name: 'block', shape: { kind: 'box' as const, x: 10, y: 20, z: 30 } };
const PUMP = stepFile({
  parts: [BLOCK],
  assemblies: [{ name: 'pump', places: [0, 40].map((x) => ({ of: { part: 0 }, at: [x, 0, 0] as const })) }],
});

beforeAll(async () => {
  host = await openHost();
  served = await host.engine.served('acme');
  ada = (await host.engine.accounts.user('ada@acme.example'))!.uid;
  part = (await served.put('a.stl', partStl(7, 8, 9), { attributes: ['Length(mm)=7', 'Color=red'] })).uid;
  await served.put('b.stl', partStl(7, 8, 9.5));
  await served.put('block.step', stepFile({ parts: [BLOCK] }));
  pump = (await served.putInput(PUMP, { extension: '.step', owner: ada })).uid;
});
afterAll(() => host.close());

const set = (fields: object): Promise<unknown> => host.engine.accounts.setProfile('acme', fields);
const asked = async (query: Record<string, string | boolean>): Promise<any> =>
  (await host.send('GET', '/api/Search', { as: 'ada', query })).json;

test('a search has the defaults and bounds of the profile, as HTTP has', async () => {
  await set({
    maxVisualSearchResults: 2,
    exactVolumeTolerance: 0.5,
    exactScoreTolerance: 9,
    shapeOnlyDuplicates: true,
    listedAttributes: 'color',
    decimalPlaces: 0,
  });
  const { hits, total } = await served.search({ like: { uid: part } });
  expect(hits.map(({ path, matchClass, isDuplicate }) => [path, matchClass, isDuplicate])).toEqual([
    ['a.stl', 'identical', false],
    ['b.stl', 'identical', true],
  ]);
  expect(hits[0].attributes).toEqual(['Color=red']);
  expect(hits[0].volumeMm3).toBe(567);
  const { ResultsList, TotalResults } = await asked({ filterStr: `fileUID=${part}` });
  expect(TotalResults).toBe(total);
  expect(
    ResultsList.map(({ ShapeResult: { UID, Score, MatchClass, IsDuplicate, Volume } }: any) => [
      UID,
      Score,
      MatchClass,
      IsDuplicate,
      Volume,
    ]),
  ).toEqual(
    hits.map(({ uid, score, matchClass, isDuplicate, volumeMm3 }) => [uid, score, matchClass, isDuplicate, volumeMm3]),
  );
  await set({ scoreThreshold: 0 });
  expect((await served.search({ like: { uid: part } })).hits.map(({ path }) => path)).toEqual(['a.stl']);
  expect(
    (await host.engine.company('acme').then((acme) => acme.search({ like: { uid: part } }))).hits[1].matchClass,
  ).not.toBe('identical');
  await set({
    scoreThreshold: null,
    exactVolumeTolerance: null,
    exactScoreTolerance: null,
    maxVisualSearchResults: 100,
  });
});

test('results of components are one list', async () => {
  const { hits } = await served.search({ like: { uid: pump } }, { byComponents: true });
  expect([hits[0].path, hits[0].matchClass, hits[0].asked?.name]).toEqual(['block.step', 'identical', 'block']);
  const { ResultsList } = await asked({ filterStr: `fileUID=${pump}`, searchAssemblyComponents: true });
  expect(ResultsList.map(({ FileUID }: any) => FileUID)).toEqual(hits.map(({ uid }) => uid));
  await expect(
    served.search({ like: { uid: pump }, limit: 10_000, offset: 1 }, { byComponents: true }),
  ).rejects.toThrow(RangeError);
});

test('an error about an option names it, and the figures of its message', async () => {
  await set({ hasFileCategories: true });
  const acme = await host.engine.company('acme');
  const byComponents = served.search({ like: { uid: pump }, limit: 10_000, offset: 1 }, { byComponents: true });
  for (const [call, details] of [
    [byComponents, { option: 'offset', offset: 1, limit: 10_000, allowed: 10_000 }],
    [served.put('c.stl', partStl(1, 2, 3)), { option: 'categoryId' }],
    [acme.put('c.stl', partStl(1, 2, 3), { attributes: ['a=1', 'b'] }), { option: 'attributes' }],
    [acme.duplicates.find({ near: 2 }), { option: 'near' }],
    [acme.list({ limit: 0 }), { option: 'limit' }],
    [served.putRfq({ fileName: '', bytes: partStl(1, 2, 3) }), { option: 'fileName' }],
    [served.putRfq({ fileName: 'a', bytes: partStl(1, 2, 3), chunk: { number: 4, total: 3 } }), { option: 'number' }],
  ] as const) {
    const cause: unknown = await call.then(String, (error: unknown) => error);
    expect(cause).toBeInstanceOf(Error);
    expect((cause as { details?: object }).details).toEqual(details);
  }
});

test('an input that failed finds nothing and says why', async () => {
  const { uid } = await served.putInput(Buffer.from('solid nothing'), { extension: '.stl' });
  expect(await served.search({ like: { uid } })).toMatchObject({
    hits: [],
    total: 0,
    isWaiting: false,
    notes: [expect.stringContaining(uid)],
  });
});

test('uploads have the defaults of the profile, deletions ask who may', async () => {
  await set({ hasFileCategories: true, textOnly: true });
  await expect(served.put('c.stl', partStl(1, 2, 3))).rejects.toThrow('categoryId must be given');
  const { uid, volumeMm3 } = await served.put('c.stl', partStl(1, 2, 3), { categoryId: null });
  expect(volumeMm3).toBeNull();
  const member = { kind: 'user', userUid: ada, role: 'member', companyName: 'acme', tokenId: '' } as const;
  await expect(served.delete(uid, member)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await expect(served.delete(NOWHERE, member)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
  await served.delete(pump, member);
  await served.delete(uid, { ...member, role: 'admin' });
});

test('what was extracted, texts page by page and feedback are one call each', async () => {
  const plain = await served.put('plain.txt', Buffer.from('a red pump'), { categoryId: null, textOnly: false });
  expect(await served.extracted(plain.uid)).toEqual({ attributes: plain.extractedAttributes, pmi: undefined });
  expect(await served.text(plain.uid, { from: 1, characters: 1, words: 'pump' })).toMatchObject({
    pages: [{ number: 1, text: 'a red pump', ranges: [{ start: 6, end: 10 }] }],
    nextPage: null,
  });
  const feedback = { feedback: 'right', attributes: ['a=1'] };
  await expect(served.putExtractedFeedback({ fileUid: NOWHERE, ...feedback })).rejects.toMatchObject({
    code: 'FILE_UNKNOWN',
  });
  expect(await served.putExtractedFeedback({ fileUid: plain.uid, ...feedback })).toHaveLength(36);
});

test('a conversion of too many files is refused', async () => {
  const files = Array.from({ length: served.limits.filesToConvert + 1 }, (_, i) => ({
    name: `${i}.stl`,
    bytes: new Uint8Array(1),
  }));
  await expect(served.convert(files, { to: 'stl' })).rejects.toThrow('files must be at most 100, received 101');
});

test('what is used is counted', async () => {
  const { accounts } = host.engine;
  const before = (await accounts.usage('acme', {}))!.tokens;
  await served.rawSearch({ text: 'red' });
  await served.convert([{ name: 'a.stl', bytes: partStl(1, 2, 3) }], { to: 'step' });
  const { textSearch, convert3d, visualSearch } = (await accounts.usage('acme', {}))!.tokens;
  expect([textSearch - before.textSearch, convert3d - before.convert3d, visualSearch - before.visualSearch]).toEqual([
    1, 1, 0,
  ]);
});
