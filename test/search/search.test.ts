import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Company, Engine, FileRecord, SearchHit, SearchQuery } from '../../dist/index.js';
import { parseTolerance, withinTolerance } from '../../dist/search/query/tolerance.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen, handedBracket, rotated } from '../fixtures/parts.js';
import { box, moved } from '../fixtures/shapes.js';
import { answer, codeOf, fill, libraries, uidOf } from './library.js';
import { COPIES, files } from './mixed-files.js';

const { fresh, open } = libraries();
let engine: Engine;
let company: Company;
let records: FileRecord[];
const library = fresh();

beforeAll(async () => {
  engine = await open(library);
  company = await engine.company('acme');
  records = await fill(company, files);
});
afterAll(() => engine.close());

const keyOf = ({ uid, score }: SearchHit): string => `${uid} ${score}`;

describe('a search', () => {
  test('for the bytes of a file is that for the file', async () => {
    for (const i of [0, 5, 100, 300]) {
      const byUid = await answer(company, { like: { uid: uidOf(i) } });
      const byBytes = await answer(company, { like: { bytes: files[i][1], extension: 'stl' } });
      expect(byBytes.hits).toEqual(byUid.hits);
      expect(byBytes.inputs[0]).toEqual({ ...byUid.inputs[0], uid: undefined });
      expect(byUid.hits[0]).toMatchObject({
        uid: uidOf(i),
        score: 0,
        similarity: 100,
        matchClass: 'identical',
        maxDeviationMm: 0,
      });
      expect(byUid.inputs[0]).toMatchObject({
        uid: uidOf(i),
        volumeMm3: records[i].volumeMm3,
        surfaceAreaMm2: records[i].surfaceAreaMm2,
      });
    }
  });

  test('takes a UID in capital letters', async () => {
    expect((await company.search({ like: { uid: uidOf(0xab).toUpperCase() } })).hits[0].uid).toBe(uidOf(0xab));
  });

  test('says of each hit what its record says', async () => {
    const { hits } = await company.search({ like: { uid: uidOf(3) }, limit: 320 });
    for (const hit of hits) {
      const { path, displayName, attributes, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } =
        records[Number.parseInt(hit.uid.slice(0, 8), 16)];
      expect(hit).toMatchObject({
        path,
        displayName,
        attributes,
        volumeMm3,
        bboxVolumeMm3,
        bboxSizeMm,
        surfaceAreaMm2,
      });
      expect(hit.transform === undefined).toBe(hit.matchClass === 'similar');
      expect(hit.scale === undefined).toBe(hit.matchClass !== 'scaled');
      const [least, most] = {
        identical: [0, 0.01],
        mirrored: [0.02, 0.02],
        scaled: [0.03, 0.04],
        similar: [0.05, Infinity],
        contains: [0, 0],
      }[hit.matchClass!];
      expect(hit.score).toBeGreaterThanOrEqual(least);
      if (hit !== hits[256] && hits.indexOf(hit) < 256) expect(hit.score).toBeLessThanOrEqual(most);
      const likeness = 100 / (1 + (Math.max(0, hit.score - 0.05) / 0.3) ** 5);
      expect(hit.similarity).toBeCloseTo(hit.matchClass === 'similar' ? Math.min(99.4, likeness) : 100, 9);
    }
  });

  test('finds copies at exactly 0, by UID', async () => {
    const { hits } = await company.search({ like: { uid: uidOf(COPIES[0] + 4) } });
    expect(hits.slice(0, 10).map(keyOf)).toEqual(Array.from({ length: 10 }, (_, i) => `${uidOf(COPIES[0] + i)} 0`));
    expect(hits[10].score).toBeGreaterThan(0);
  });

  test('says of some files what it says of them among all', async () => {
    const like = { uid: uidOf(3) };
    const { hits } = await company.search({ like, limit: 320 });
    for (const place of [0, 1, 5, 50, 199])
      expect((await company.search({ like, within: [hits[place].uid] })).hits.map(keyOf)).toEqual([keyOf(hits[place])]);
    // Farther ones are told by themselves, and never as more like than those before them.
    const within = [hits[300].uid, hits[2].uid];
    const some = (await company.search({ like, within })).hits;
    expect(some.map(({ uid }) => uid)).toEqual([hits[2].uid, hits[300].uid]);
    expect(some[1].score).toBeGreaterThanOrEqual(hits[199].score);
  });

  test('for a file that is not there, or not indexed, or for bytes that are no model says so', async () => {
    const { uid } = await company.put('bad.stl', new Uint8Array(100));
    expect(await codeOf(company.search({ like: { uid: uidOf(9999) } }))).toBe('FILE_UNKNOWN');
    expect(await codeOf(company.search({ like: { uid: 'no such thing' } }))).toBe('FILE_UNKNOWN');
    expect(await codeOf(company.search({ like: { uid } }))).toBe('FILE_NOT_INDEXED');
    expect(await codeOf(company.search({ like: [{ uid: uidOf(1) }, { uid }] }))).toBe('FILE_NOT_INDEXED');
    expect(await codeOf(company.search({ like: { bytes: new Uint8Array(0), extension: 'stl' } }))).toBe(
      'FILE_MALFORMED',
    );
    expect(await codeOf(company.search({ like: { bytes: new Uint8Array(50), extension: '' } }))).toMatch(
      /FORMAT_UNSUPPORTED|FILE_MALFORMED/,
    );
    expect(
      await codeOf(company.search({ like: { bytes: files[0][1], extension: 'stl' }, signal: AbortSignal.abort() })),
    ).toBe('ABORTED');
    expect(await codeOf(company.search({ kinds: ['ThreeD'], signal: AbortSignal.abort() }))).toBe('ABORTED');
    expect(await codeOf(company.search({ text: 'block', signal: AbortSignal.abort() }))).toBe('ABORTED');
    await company.delete(uid);
    expect(await codeOf(company.search({ like: { uid } }))).toBe('FILE_UNKNOWN');
    expect((await company.search({ like: { uid: uidOf(1) } })).total).toBe(files.length);
  });
});

describe('pages', () => {
  test.each([
    [0, [7, 256]],
    [280, [100, 255]],
    [315, [257, 320]],
  ])('of any length put together are the whole list (%i)', async (i, limits) => {
    const like = { uid: uidOf(i) };
    const whole = (await company.search({ like, limit: 10_000 })).hits;
    expect(whole).toHaveLength(files.length);
    expect(new Set(whole.map(({ uid }) => uid)).size).toBe(files.length);
    whole.forEach((hit, k) => {
      if (k === 0) return;
      expect(hit.score).toBeGreaterThanOrEqual(whole[k - 1].score);
      if (hit.score === whole[k - 1].score && k !== 256) expect(hit.uid > whole[k - 1].uid).toBe(true);
    });
    for (const limit of limits) {
      const pages: SearchHit[] = [];
      for (let offset = 0; offset < files.length; offset += limit) {
        const { hits, total } = await company.search({ like, limit, offset });
        expect(total).toBe(files.length);
        expect(hits).toHaveLength(Math.min(limit, files.length - offset));
        pages.push(...hits);
      }
      expect(pages).toEqual(whole);
      if (limit === 7) expect((await company.search({ like, limit, offset: 319 })).hits).toEqual(whole.slice(319));
    }
    expect((await company.search({ like, offset: files.length })).hits).toEqual([]);
    expect((await company.search({ like, offset: Number.MAX_SAFE_INTEGER })).hits).toEqual([]);
  });
});

describe('filters', () => {
  const FIELD = { volume: 'volumeMm3', bboxVolume: 'bboxVolumeMm3', surfaceArea: 'surfaceAreaMm2' } as const;
  type Filter = keyof typeof FIELD;

  test.each<[Partial<Record<Filter, string>>]>([
    [{ volume: '.1' }],
    [{ volume: '+.5' }],
    [{ volume: '-.5' }],
    [{ bboxVolume: '+0.3/-0.4' }],
    [{ surfaceArea: '.25' }],
    [{ volume: '0' }],
    [{ volume: '.5', bboxVolume: '.3', surfaceArea: '+1/-.2' }],
    [{ volume: '1000', surfaceArea: '.05' }],
    [{ bboxVolume: '9' }],
  ])('%o let through what a plain loop lets through', async (filters) => {
    for (const inputs of [[4], [60], [280], [60, 280, 2]]) {
      const { hits, total } = await company.search({
        like: inputs.map((i) => ({ uid: uidOf(i) })),
        ...filters,
        limit: 10_000,
      });
      const expected = records.filter((record) =>
        Object.entries(filters).every(([name, text]) =>
          inputs.some((i) =>
            withinTolerance(
              record[FIELD[name as Filter]]!,
              records[i][FIELD[name as Filter]]!,
              parseTolerance(name, text),
            ),
          ),
        ),
      );
      expect(hits.map(({ uid }) => uid).sort()).toEqual(expected.map(({ uid }) => uid));
      expect(total).toBe(expected.length);
    }
  });

  test('within: only these, whatever their order, however often, unknown ones passed over', async () => {
    const within = [uidOf(40), uidOf(3), uidOf(40).toUpperCase(), uidOf(77), uidOf(5_000), 'nonsense'];
    const like = { uid: uidOf(3) };
    const { hits, total } = await company.search({ like, within });
    expect(hits.map(({ uid }) => uid).sort()).toEqual([uidOf(3), uidOf(40), uidOf(77)]);
    expect(total).toBe(3);
    expect(await company.search({ like, within: [...within].reverse() })).toMatchObject({ hits, total });
    expect((await company.search({ like, within: [] })).total).toBe(0);
    expect((await company.search({ like, within: [uidOf(77)], volume: '0' })).hits).toEqual([]);
    expect(await codeOf(company.search({ like, volume: 'about' }))).toBe('QUERY_INVALID');
  });

  test('pages behind a filter put together are the whole list', async () => {
    const query = { like: { uid: uidOf(30) }, surfaceArea: '3' };
    const whole = (await company.search({ ...query, limit: 1_000 })).hits;
    expect(whole.length).toBeGreaterThan(150);
    const pages: SearchHit[] = [];
    for (let offset = 0; offset < whole.length; offset += 40)
      pages.push(...(await company.search({ ...query, limit: 40, offset })).hits);
    expect(pages).toEqual(whole);
  });
});

describe('several inputs', () => {
  test('of one part are like that part', async () => {
    const turned = writeStlBinary(rotated(handedBracket(), [1, 2, 3, 4]));
    const { hits, inputs } = await company.search({ like: [{ uid: uidOf(7) }, { bytes: turned, extension: '.stl' }] });
    expect(hits[0]).toMatchObject({ uid: uidOf(7), matchClass: 'identical' });
    expect(hits[0].score).toBeLessThanOrEqual(0.01);
    expect(inputs.map(({ uid }) => uid)).toEqual([uidOf(7), undefined]);
  });

  test('of unlike parts bring both to the top, each with the score that it has alone', async () => {
    const uids = [1, 280].map(uidOf);
    const { hits } = await company.search({ like: uids.map((uid) => ({ uid })), limit: 320 });
    expect(hits.slice(0, 2)).toMatchObject(
      uids.map((uid, input) => ({ uid, input, score: 0, matchClass: 'identical', maxDeviationMm: 0 })),
    );
    expect(hits).toHaveLength(320);
    const again = await company.search({ like: [{ uid: uidOf(280) }, { uid: uidOf(1) }], limit: 320 });
    expect(again.hits.map(({ uid, score }) => [uid, score])).toEqual(hits.map(({ uid, score }) => [uid, score]));
  });

  test('place the other files between the nearest of their scores alone and the farthest', async () => {
    const like = [1, 280].map((number) => ({ uid: uidOf(number) }));
    const scoresOf = async (inputs: SearchQuery['like']): Promise<ReadonlyMap<string, SearchHit>> =>
      new Map((await company.search({ like: inputs, limit: 320 })).hits.map((hit) => [hit.uid, hit]));
    const [both, first, second] = await Promise.all([scoresOf(like), scoresOf(like[0]), scoresOf(like[1])]);
    // Scores alone are of other candidates, which moves them, those of unlike parts most.
    const slack = 0.2;
    for (const [uid, { score, matchClass, input }] of both) {
      const alone = [first.get(uid)!, second.get(uid)!].map((hit) => hit.score);
      if (matchClass !== 'similar') expect(score).toBe(Math.min(...alone));
      expect(score).toBeGreaterThanOrEqual(Math.min(...alone) - slack);
      expect(score).toBeLessThanOrEqual(Math.max(...alone) + slack);
      expect(alone[input!]).toBeLessThanOrEqual(Math.min(...alone) + slack);
    }
  });

  test('that are the same file are that file', async () => {
    const like = { uid: uidOf(9) };
    expect((await answer(company, { like: [like, like, like] })).hits).toMatchObject(
      (await answer(company, { like })).hits.map(({ uid }) => ({ uid })),
    );
  });
});

test('files with the same bytes have the same score, whatever the neighbours say', async () => {
  // Few parts, so that a twin is often the most similar one, which is kept first.
  const engine = await open(fresh());
  try {
    const acme = await engine.company('twins');
    const once = dozen().map((part) => [`${part.name}.stl`, writeStlBinary(part)] as const);
    await fill(acme, [...once, ...once.map(([path, bytes]) => [`again/${path}`, bytes] as const)], 'backwards');
    for (const [i, [, bytes]] of once.entries()) {
      const within = Array.from({ length: 2 * once.length }, (_, file) => uidOf(file)).filter(
        (_, file) => file % once.length !== i,
      );
      const { hits } = await acme.search({ like: { bytes, extension: '.stl' }, within, limit: 100 });
      expect(hits).toHaveLength(within.length);
      for (let first = 0; first < hits.length; first += 2) {
        const [one, twin] = hits.slice(first, first + 2);
        expect([twin.sha256, twin.score]).toEqual([one.sha256, one.score]);
        expect(one.uid < twin.uid).toBe(true);
      }
    }
  } finally {
    await engine.close();
  }
});

describe('many searches at a time', () => {
  const queries = Array.from({ length: 24 }, (_, i) => ({ like: { uid: uidOf(13 * i) }, limit: 5 }));

  test('let the process do other things between any two of them, and find the same', async () => {
    const expected = [];
    for (const query of queries) expected.push(await answer(company, query));
    let turns = 0,
      isRunning = true;
    const count = (): void => {
      turns++;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    const ended: number[] = [];
    const found = await Promise.all(
      queries.map(async (query) => {
        const result = await answer(company, query);
        ended.push(turns);
        return result;
      }),
    );
    isRunning = false;
    expect(found).toEqual(expected);
    expect(new Set(ended).size).toBe(queries.length);
  });

  test('end with a code when the engine is closed or their signal is', async () => {
    const other = await open(fresh());
    const acme = await other.company('acme');
    await fill(acme, files.slice(0, 12));
    const controller = new AbortController();
    const aborted = codeOf(acme.search({ like: { uid: uidOf(1) }, signal: controller.signal }));
    controller.abort();
    expect(await aborted).toBe('ABORTED');
    const codes = Promise.all(queries.map(() => codeOf(acme.search({ like: { uid: uidOf(2) } }))));
    await other.close();
    expect(new Set(await codes)).toContain('ENGINE_CLOSED');
    for (const code of await codes) expect(code).toMatch(/^(ENGINE_CLOSED|resolved)$/);
  });
});

describe('while files come and go', () => {
  test('every answer is whole', async () => {
    const acme = await engine.company('busy');
    await fill(acme, files.slice(0, 40));
    let isRunning = true;
    const change = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        const path = `moving/${i % 7}.stl`;
        const { uid } = await acme.put(path, writeStlBinary(moved(box(5 + (i % 9), 6, 7), i, 0, 0)), {
          wait: i % 2 === 0,
        });
        if (i % 3 === 0) await acme.delete(uid);
      }
    };
    const changes = change().finally(() => {
      isRunning = false;
    });
    let answers = 0;
    while (isRunning) {
      const { hits, total } = await acme.search({ like: { uid: uidOf(answers % 40) }, limit: 60 });
      answers++;
      expect(new Set(hits.map(({ uid }) => uid)).size).toBe(hits.length);
      expect(hits[0]).toMatchObject({ score: 0, matchClass: 'identical' });
      expect(total).toBeGreaterThanOrEqual(40);
      // A file that went while the search was under way is counted, but not shown.
      expect(total - hits.length).toBeGreaterThanOrEqual(0);
      expect(total - hits.length).toBeLessThanOrEqual(3);
      expect(hits.every(({ score }, i) => i === 0 || score >= hits[i - 1].score)).toBe(true);
    }
    await changes;
    await engine.idle();
    expect(answers).toBeGreaterThan(3);
    const present = (await acme.list())
      .filter(({ state }) => state === 'indexed')
      .map(({ uid }) => uid)
      .sort();
    const { hits } = await acme.search({ like: { uid: uidOf(0) }, limit: 100 });
    expect(hits.map(({ uid }) => uid).sort()).toEqual(present);
  });

  test('answers the same after warming up and without memory for descriptors', async () => {
    const like = { uid: uidOf(200) };
    const { hits } = await company.search({ like, limit: 50 });
    await expect(company.warmUp({ searches: -1 })).rejects.toThrow(RangeError);
    await company.warmUp({ searches: 5 });
    expect((await company.search({ like, limit: 50 })).hits).toEqual(hits);
    await expect(company.warmUp({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    await engine.close();
    await expect(company.warmUp()).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
    engine = await open(library, { fineCacheMiB: 0 });
    company = await engine.company('acme');
    expect((await company.search({ like, limit: 50 })).hits).toEqual(hits);
    await engine.close();
    // What is kept of a file goes with it.
    engine = await open(library);
    company = await engine.company('acme');
    const { uid } = await company.put('blocks/other.stl', files[210][1]);
    const found = async (): Promise<string[]> =>
      (await company.search({ like: { uid: uidOf(210) }, limit: 3 })).hits.map((hit) => hit.uid);
    expect(await found()).toContain(uid);
    await company.put('blocks/other.stl', files[3][1]);
    expect(
      (await company.search({ like: { uid: uidOf(210) }, limit: 3 })).hits.find((hit) => hit.uid === uid)?.matchClass,
    ).not.toBe('identical');
    await company.delete(uid);
    expect(await found()).not.toContain(uid);
  });

  test('a file of a graph is found in pages as well', async () => {
    // Above the limit of the exact scan a graph proposes candidates; every page is of one order all the same.
    await engine.close();
    engine = await open(library, { exactLimit: 100 });
    company = await engine.company('acme');
    const like = { uid: uidOf(200) };
    const whole = (await company.search({ like, limit: 1_000 })).hits;
    expect(new Set(whole.map(({ uid }) => uid)).size).toBe(whole.length);
    expect(whole).toHaveLength(files.length);
    expect((await company.search({ like, limit: 100 })).hits).toEqual(whole.slice(0, 100));
  });
});
