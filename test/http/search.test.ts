import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { base64, NOWHERE, openHost, partStl, type Answer, type Host } from './host.js';

let host: Host;
const uids: Record<string, string> = {};

beforeAll(async () => {
  host = await openHost();
  const files: [string, Uint8Array, string][] = [
    ['plates/a.stl', partStl(10, 20, 1), 'Material=Steel&Length(mm)=20'],
    ['plates/b.stl', partStl(10, 21, 1), 'Material=Aluminium&Length(mm)=21'],
    ['cubes/c.stl', partStl(10, 10, 10), 'Material=Steel'],
  ];
  for (const [file, bytes, attributes] of files) {
    uids[file] = (
      await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false, attributes } })
    ).text;
  }
  const text = Buffer.from(`Assembly notes for the gearbox. ${'Grease every bearing with lithium soap. '.repeat(40)}`);
  uids['notes.txt'] = (
    await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: text,
      query: { file: 'docs/notes.txt', isSearchInput: false },
    })
  ).text;
});
afterAll(() => host.close());

const get = (filterStr: string, more: Record<string, string | number | boolean> = {}): Promise<Answer> =>
  host.send('GET', '/api/Search', { as: 'ada', query: { filterStr, ...more } });
const put = (
  files: unknown,
  query: Record<string, string | number | boolean> = { fileExtension: '.stl' },
): Promise<Answer> => host.send('PUT', '/api/Search', { as: 'ada', query, json: files });
const names = ({ json }: Answer): string[] => json.ResultsList.map(({ FileName }: { FileName: string }) => FileName);

describe('GET Search', () => {
  test('by a file of the company', async () => {
    const answer = await get(`fileUID=${uids['plates/a.stl']}`);
    expect(answer.status, answer.text).toBe(200);
    expect(names(answer).slice(0, 2)).toEqual(['plates/a.stl', 'plates/b.stl']);
    const [first, second] = answer.json.ResultsList;
    expect(first.ShapeResult).toMatchObject({
      UID: uids['plates/a.stl'],
      Score: 0,
      MatchClass: 'identical',
      Similarity: 100,
      FileHasThumbnail: true,
      Attributes: ['Material=Steel', 'Length(mm)=20'],
    });
    expect(first).toMatchObject({
      FileUID: uids['plates/a.stl'],
      FileType: 3,
      CompanyName: 'acme',
      CompanySpaceID: host.companies.acme,
      CategoryID: -1,
    });
    expect(first.ShapeResult.FileHash).toMatch(/^[0-9a-f]{64}$/);
    expect(second.ShapeResult.Score).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({
      TotalResults: 3,
      InputFileUID: uids['plates/a.stl'],
      InputUnits: 'mm',
      SearchFilters: `fileUID=${uids['plates/a.stl']}`,
    });
    expect(answer.json.SearchTime).toMatch(/^\d\d:\d\d:\d\d\.\d{7}$/);
    expect(answer.json.InputVolume).toBeCloseTo(225, 1);
    expect((await host.send('GET', answer.json.InputThumbnail)).status).toBe(200);
  });

  test('with tolerances, a plus sign encoded', async () => {
    const like = `fileUID=${uids['plates/a.stl']}`;
    expect(names(await get(`${like}&v=.1`))).toEqual(['plates/a.stl', 'plates/b.stl']);
    expect(names(await get(`${like}&v=-.5`))).toEqual(['plates/a.stl']);
    expect(names(await get(`${like}&v=+0.3/-0.4`))).toEqual(['plates/a.stl', 'plates/b.stl']);
    expect((await get(`${like}&v=much`)).json.errors).toHaveProperty('v');
    for (const nothing of [await get('v=.1'), await host.send('PUT', '/api/Search', { as: 'ada' })]) {
      expect([nothing.status, Object.keys(nothing.json.errors)]).toEqual([400, ['filterStr']]);
      expect(nothing.json.detail).toContain('fileUID, FT or resultFileType');
    }
  });

  test('by text, encoded twice, and by attributes', async () => {
    const answer = await get(`FT=${encodeURIComponent('lithium soap')}`);
    expect(names(answer)).toEqual(['docs/notes.txt']);
    expect(answer.json.ResultsList[0].FileType).toBe(0);
    expect(answer.json.ResultsList[0].TextHighlights.join(' ')).toContain('lithium');
    expect(answer.json.ResultsList[0].TextHighlightLocations).toHaveLength(
      answer.json.ResultsList[0].TextHighlights.length,
    );
    const ofSteel = await get(`FT=${encodeURIComponent('material=steel')}`);
    expect(names(ofSteel).sort()).toEqual(['cubes/c.stl', 'plates/a.stl']);
    expect(ofSteel.json.ResultsList[0]).toMatchObject({
      TextHighlights: ['Material=Steel'],
      TextHighlightLocations: [{ Field: 'attribute', Page: null, Ranges: [{ Start: 9, End: 14 }], Boxes: [] }],
    });
    expect(names(await get(`FT=${encodeURIComponent('material=[aluminium]')}`))).toEqual(['plates/b.stl']);
    expect(names(await get(`FT=${encodeURIComponent('material=ste*')}&FT=${encodeURIComponent('length=20')}`))).toEqual(
      ['plates/a.stl'],
    );
    expect(names(await get(`fileUID=${uids['plates/b.stl']}&FT=${encodeURIComponent('material=steel')}`))).toEqual([
      'plates/a.stl',
      'cubes/c.stl',
    ]);
    expect(names(await get('resultFileType=Text&FT=gearbox'))).toEqual(['docs/notes.txt']);
    expect((await get('resultFileType=ThreeD&FT=gearbox')).json).toMatchObject({
      TotalResults: 0,
      InputFileUID: null,
      Message: null,
    });
    expect((await get(`FT=${encodeURIComponent('length>2kg')}`)).json).toMatchObject({
      TotalResults: 0,
      Message: expect.stringContaining('asks for quantities of mass'),
    });
    expect((await get(`FT=${encodeURIComponent('length>2 flurbs')}`)).json).toMatchObject({
      status: 400,
      detail: expect.stringContaining('"flurbs" is not a known unit'),
    });
  });

  test('by values of any text, put with an upload or afterwards, and read back as they were', async () => {
    const values = [
      'a=b',
      'a&b',
      'x\\|y',
      '"q" \'s\'',
      'two\r\nlines\tand a tab',
      '😀👩‍🔧',
      'שלום مرحبا',
      'C:\\parts',
      '50% +1',
      '%41+%26',
      '[x]',
      'x*',
      '>5',
      ' around ',
      '#a?b=1;c',
      '\u202Ertl',
    ];
    const attributes = values.map((value, i) => `Odd${i}=${value}`);
    const stored = await host.send('PUT', '/api/FileBinary', {
      as: 'ada',
      bytes: partStl(7, 7, 7),
      query: {
        file: 'odd/ä&=.stl',
        isSearchInput: false,
        attributes: values.map((value, i) => `Odd${i}=${encodeURIComponent(value)}`).join('&'),
      },
    });
    expect(stored.status, stored.text).toBe(200);
    const now = async (): Promise<string[]> =>
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileName: 'odd/ä&=.stl' } })).json.Attributes;
    expect(await now()).toEqual(attributes);
    expect(
      (
        await host.send('PUT', '/FileAttributes', {
          as: 'ada',
          query: { fileUID: stored.text },
          json: JSON.stringify(await now()),
        })
      ).json,
    ).toBe(true);
    expect(await now()).toEqual(attributes);
    for (const [i, value] of values.entries()) {
      const plain = value.replace('x\\|y', 'x|y');
      expect((await host.send('GET', '/AttributeValues', { as: 'ada', query: { attribute: `odd${i}` } })).json).toEqual(
        [{ name: plain, count: 1 }],
      );
      // Written as the record shows it, the whole value finds the file.
      expect(names(await get(`FT=${encodeURIComponent(`Odd${i}=[${value}]`)}`)), value).toEqual(['odd/ä&=.stl']);
    }
    expect((await host.send('DELETE', '/api/File', { as: 'admin', query: { fileUID: stored.text } })).status).toBe(200);
  });

  test('page by page', async () => {
    const like = `fileUID=${uids['plates/a.stl']}`;
    const all = names(await get(like));
    expect(names(await get(like, { limit: 1 }))).toEqual(all.slice(0, 1));
    expect(names(await get(like, { limit: 2, offset: 1 }))).toEqual(all.slice(1, 3));
  });

  test.each([
    ['', 'filterStr'],
    ['color=red', 'color'],
    ['fileUID=7', 'fileUID'],
    ['resultFileType=Film', 'resultFileType'],
    ['FT=%zz', 'FT'],
    ['v=.1', 'filterStr'],
    ['FT=%20', 'FT'],
    ['FT=Length%3Elong', 'FT'],
    ['FT=a%3D', 'FT'],
    ['FT=material%3Da%7C', 'FT'],
    ['bbv=1e3', 'bbv'],
  ])('%j is 400 and names %s', async (filterStr, field) => {
    const answer = await get(filterStr);
    expect(answer.status, answer.text).toBe(400);
    expect(Object.keys(answer.json.errors ?? {})).toEqual([field]);
  });

  test('by an unknown input is 404, the same for one of another company', async () => {
    const foreign = await host.send('GET', '/api/Search', {
      as: 'stranger',
      query: { filterStr: `fileUID=${uids['plates/a.stl']}` },
    });
    const unknown = await host.send('GET', '/api/Search', {
      as: 'stranger',
      query: { filterStr: `fileUID=${NOWHERE}` },
    });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const bare = ({ json }: Answer): object => ({
      ...json,
      traceId: '',
      detail: json.detail.replaceAll(/[0-9a-f-]{36}/g, ''),
    });
    expect(bare(foreign)).toEqual(bare(unknown));
  });

  test('answers the same bytes to the same query', async () => {
    const bare = ({ json }: Answer): string =>
      JSON.stringify({ ...json, SearchTime: '' }).replaceAll(/token=[^&"]+/g, '');
    expect(bare(await get(`fileUID=${uids['cubes/c.stl']}`))).toBe(bare(await get(`fileUID=${uids['cubes/c.stl']}`)));
  });
});

describe('PUT Search', () => {
  test('with files, serialized twice, once, and gzipped', async () => {
    const bytes = partStl(10, 20, 1);
    for (const [body, query] of [
      [JSON.stringify([base64(bytes)]), { fileExtension: '.stl' }],
      [[base64(bytes)], { fileExtension: 'stl' }],
      [JSON.stringify([base64(gzipSync(bytes))]), { fileExtension: '.stl', isGZipCompressed: true }],
    ] as const) {
      const answer = await put(body, query);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.ResultsList[0].ShapeResult).toMatchObject({ UID: uids['plates/a.stl'], Score: 0 });
      // The input can be searched with again.
      expect(names(await get(`fileUID=${answer.json.InputFileUID}`))).toEqual(names(answer));
    }
  });

  test('with several files and a fileUID: one UID for each input', async () => {
    const answer = await put(JSON.stringify([base64(partStl(10, 20, 1)), base64(partStl(10, 21, 1))]), {
      fileExtension: '.stl',
      filterStr: `fileUID=${uids['cubes/c.stl']}`,
    });
    const inputs = answer.json.InputFileUID.split(',');
    expect(inputs).toHaveLength(3);
    expect(inputs[0]).toBe(uids['cubes/c.stl']);
  });

  test('within targetFids, and by filters alone', async () => {
    const target = await put(JSON.stringify([base64(partStl(10, 20, 1))]), {
      fileExtension: '.stl',
      targetFids: `${uids['cubes/c.stl']},${uids['plates/b.stl']}`,
    });
    expect(names(target)).toEqual(['plates/b.stl', 'cubes/c.stl']);
    expect(names(await host.send('PUT', '/api/Search', { as: 'ada', query: { filterStr: 'FT=gearbox' } }))).toEqual([
      'docs/notes.txt',
    ]);
  });

  test('deprecated parameters are accepted', async () => {
    const answer = await put(JSON.stringify([base64(partStl(10, 20, 1))]), {
      fileExtension: '.stl',
      cropX: 1,
      cropY: 1,
      cropW: 5,
      cropH: 5,
      customAPI: 3,
      crawl_parameter: 'x',
    });
    expect(answer.status).toBe(200);
  });

  test.each<[string, unknown, Record<string, string>, number, string | undefined]>([
    [
      'eleven files',
      JSON.stringify(Array.from({ length: 11 }, () => base64(partStl(1, 1, 1)))),
      { fileExtension: '.stl' },
      400,
      'body',
    ],
    ['no extension', JSON.stringify([base64(partStl(1, 1, 1))]), {}, 400, 'fileExtension'],
    ['no base64', JSON.stringify(['%%']), { fileExtension: '.stl' }, 400, 'body'],
    ['a number in the list', JSON.stringify([1]), { fileExtension: '.stl' }, 400, 'body'],
    [
      'a wrong target',
      JSON.stringify([base64(partStl(1, 1, 1))]),
      { fileExtension: '.stl', targetFids: 'x' },
      400,
      'targetFids',
    ],
    [
      'an unreadable file',
      JSON.stringify([base64(Buffer.from('solid x'.repeat(40)))]),
      { fileExtension: '.step' },
      422,
      undefined,
    ],
    ['nothing to search for', undefined, {}, 400, 'filterStr'],
  ])('%s', async (_, body, query, status, field) => {
    const answer = await host.send('PUT', '/api/Search', { as: 'ada', query, json: body });
    if (status === 422) expect([415, 422]).toContain(answer.status);
    else expect(answer.status, answer.text).toBe(status);
    if (field !== undefined) expect(Object.keys(answer.json.errors)).toEqual([field]);
  });

  test('with an input that has no shape finds nothing and says so', async () => {
    const answer = await put(JSON.stringify([base64(Buffer.from('words '.repeat(300)))]), { fileExtension: '.txt' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ ResultsList: [], TotalResults: 0 });
    expect(answer.json.Message).toContain('no shape');
  });
});

describe('what the profile says', () => {
  const like = (): string => `fileUID=${uids['plates/a.stl']}`;
  const withProfile = async (fields: object, check: () => Promise<void>): Promise<void> => {
    const before = await host.engine.accounts.profile('acme');
    await host.engine.accounts.setProfile('acme', fields);
    try {
      await check();
    } finally {
      await host.engine.accounts.setProfile(
        'acme',
        Object.fromEntries(Object.keys(fields).map((name) => [name, before[name as keyof typeof before]])),
      );
    }
  };

  test('maxVisualSearchResults', () =>
    withProfile({ maxVisualSearchResults: 1 }, async () => {
      const answer = await get(like());
      expect([answer.json.ResultsList.length, answer.json.TotalResults]).toEqual([1, 3]);
    }));
  test('volumeTolerance and bboxVolumeTolerance, unless the filter says otherwise', async () => {
    await withProfile({ volumeTolerance: '.1' }, async () => {
      expect(names(await get(like()))).toEqual(['plates/a.stl', 'plates/b.stl']);
      expect(names(await get(`${like()}&v=9`))).toHaveLength(3);
    });
    await withProfile({ bboxVolumeTolerance: '.01' }, async () =>
      expect(names(await get(like()))).toEqual(['plates/a.stl']),
    );
  });
  test('scoreThreshold', () =>
    withProfile({ scoreThreshold: 0.001 }, async () =>
      expect((await get(like())).json).toMatchObject({ TotalResults: 1 }),
    ));
  test('exactScoreTolerance, exactVolumeTolerance, exactBboxVolumeTolerance', async () => {
    const classes = async (): Promise<string[]> =>
      (await get(like())).json.ResultsList.map(({ ShapeResult }: any) => ShapeResult.MatchClass);
    await withProfile({ exactScoreTolerance: 100 }, async () =>
      expect(await classes()).toEqual(['identical', 'identical', 'identical']),
    );
    await withProfile({ exactScoreTolerance: 100, exactVolumeTolerance: 0.06 }, async () =>
      expect(await classes()).toEqual(['identical', 'identical', 'similar']),
    );
    await withProfile({ exactScoreTolerance: 100, exactBboxVolumeTolerance: 0.01 }, async () =>
      expect(await classes()).toEqual(['identical', 'similar', 'similar']),
    );
  });
  test('decimalPlaces', () =>
    withProfile({ decimalPlaces: 0 }, async () => expect((await get(like())).json.InputVolume).toBe(225)));
  test('listedAttributes and priorityAttributes', async () => {
    const shown = async (): Promise<string[]> => (await get(like())).json.ResultsList[0].Attributes;
    await withProfile({ listedAttributes: 'length' }, async () => expect(await shown()).toEqual(['Length(mm)=20']));
    await withProfile({ priorityAttributes: 'Length' }, async () =>
      expect(await shown()).toEqual(['Length(mm)=20', 'Material=Steel']),
    );
  });
  test('useTextHighlighting', () =>
    withProfile({ useTextHighlighting: false }, async () =>
      expect((await get('FT=gearbox')).json.ResultsList[0]).toMatchObject({
        TextHighlights: null,
        TextHighlightLocations: null,
      }),
    ));
  test('useNumericTextSearch', async () => {
    const found = async (): Promise<number> => (await get(`FT=${encodeURIComponent('20.0')}`)).json.TotalResults;
    expect(await found()).toBe(1);
    await withProfile({ useNumericTextSearch: false }, async () => expect(await found()).toBe(0));
  });
  test('usesFileTextForSearch', async () => {
    const found = async (text: string): Promise<string[]> => names(await get(`FT=${encodeURIComponent(text)}`));
    expect(await found('gearbox')).toEqual(['docs/notes.txt']);
    await withProfile({ usesFileTextForSearch: false }, async () => {
      expect([await found('gearbox'), await found('gear*'), await found('"lithium soap"')]).toEqual([[], [], []]);
      expect(await found('notes')).toEqual(['docs/notes.txt']);
      expect((await found('steel')).sort()).toEqual(['cubes/c.stl', 'plates/a.stl']);
      expect(names(await get(`${like()}&FT=gearbox`))).toEqual([]);
      expect(names(await get(`${like()}&FT=aluminium`))).toEqual(['plates/b.stl']);
    });
  });
  test('shapeOnlyDuplicates, attributesOnlyDuplicates, shapeAndAttributesDuplicates', async () => {
    const upload = (file: string, bytes: Uint8Array, attributes: string): Promise<Answer> =>
      host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false, attributes } });
    const copies = await Promise.all([
      upload('dups/both.stl', partStl(10, 20, 1), 'length(mm)=20&material=steel'),
      upload('dups/shape.stl', partStl(10, 20, 1), 'Material=Brass'),
      upload('dups/attrs.stl', partStl(10, 10, 9), 'Material=Steel&Length(mm)=20'),
    ]);
    const duplicates = async (): Promise<Record<string, boolean | null>> =>
      Object.fromEntries(
        (await get(like())).json.ResultsList.map(({ FileName, ShapeResult }: any) => [
          FileName,
          ShapeResult.IsDuplicate,
        ]),
      );
    try {
      expect(new Set(Object.values(await duplicates()))).toEqual(new Set([null]));
      const others = { 'plates/a.stl': false, 'plates/b.stl': false, 'cubes/c.stl': false };
      await withProfile({ shapeOnlyDuplicates: true }, async () =>
        expect(await duplicates()).toEqual({
          ...others,
          'dups/both.stl': true,
          'dups/shape.stl': true,
          'dups/attrs.stl': false,
        }),
      );
      await withProfile({ attributesOnlyDuplicates: true }, async () =>
        expect(await duplicates()).toEqual({
          ...others,
          'dups/both.stl': true,
          'dups/shape.stl': false,
          'dups/attrs.stl': true,
        }),
      );
      await withProfile({ shapeAndAttributesDuplicates: true }, async () =>
        expect(await duplicates()).toEqual({
          ...others,
          'dups/both.stl': true,
          'dups/shape.stl': false,
          'dups/attrs.stl': false,
        }),
      );
    } finally {
      for (const { text } of copies) await host.send('DELETE', '/api/File', { as: 'admin', query: { fileUID: text } });
    }
  });
  test('usesPublicUrl and publicUrl', () =>
    withProfile({ usesPublicUrl: true, publicUrl: 'https://acme.example' }, async () =>
      expect((await get(like())).json.ResultsList[0].PublicURL).toBe('https://acme.example'),
    ));
  test('showMatchingShapes', async () => {
    const shapelets = async (): Promise<unknown> =>
      (await get(like(), { includeShapelets: true })).json.ResultsList[0].ShapeResult.Shapelets;
    expect(await shapelets()).toContainEqual(expect.objectContaining({ Index: 0, Camera: expect.any(Object) }));
    await withProfile({ showMatchingShapes: false }, async () => expect(await shapelets()).toBeNull());
  });
  test('filePriority, textOnly, hasFileCategories of uploads', async () => {
    const upload = (file: string, more: object = {}): Promise<Answer> =>
      host.send('PUT', '/api/FileBinary', {
        as: 'ada',
        bytes: partStl(3, 3, 1),
        query: { file, isSearchInput: false, ...more },
      });
    const acme = await host.engine.company('acme');
    await withProfile({ filePriority: 4 }, async () =>
      expect((await acme.get((await upload('profile/a.stl')).text)).priority).toBe(4),
    );
    await withProfile({ textOnly: true }, async () => {
      expect((await acme.get((await upload('profile/b.stl')).text)).textOnly).toBe(true);
      expect((await acme.get((await upload('profile/c.stl', { textOnly: false })).text)).textOnly).toBe(false);
    });
    await withProfile({ hasFileCategories: true }, async () => {
      const refused = await upload('profile/d.stl');
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, ['categoryId']]);
    });
  });
  test('preferredUnits: of files that have none, stored and searched with', () =>
    withProfile({ preferredUnits: 'in' }, async () => {
      const upload = (query: object): Promise<Answer> =>
        host.send('PUT', '/api/FileBinaryDirect', {
          as: 'ada',
          bytes: partStl(1, 1, 1),
          query: { file: '.stl', ...query },
        });
      const expected = 25.4 ** 3 * 1.125;
      expect((await upload({})).json.Volume / expected).toBeCloseTo(1, 5);
      expect((await upload({ file: 'inches.stl', isSearchInput: false })).json.Volume / expected).toBeCloseTo(1, 5);
      expect((await put(JSON.stringify([base64(partStl(1, 1, 1))]))).json.InputVolume / expected).toBeCloseTo(1, 3);
    }));
  test('publiclyAccessible: records and pictures without a token', async () => {
    const read = (): Promise<Answer> =>
      host.send('GET', '/api/File', { query: { fileUID: uids['plates/a.stl'], accountName: 'acme' } });
    expect((await read()).status).toBe(401);
    await withProfile({ publiclyAccessible: true }, async () => {
      const answer = await read();
      expect(answer.status).toBe(200);
      expect((await host.send('GET', answer.json.ThumbNailURLFromID)).status).toBe(200);
      expect(
        (await host.send('GET', '/api/File', { query: { fileUID: uids['plates/a.stl'], accountName: 'nobody' } }))
          .status,
      ).toBe(401);
    });
  });
});
