import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_EXTENSIONS } from '../../dist/index.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { stepFile } from '../fixtures/step-writer.js';
import { base64, NOWHERE, openHost, partStl, type Answer, type Host } from './host.js';

let host: Host;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const put = (
  query: Record<string, string | number | boolean>,
  bytes: Uint8Array,
  path = '/api/FileBinary',
): Promise<Answer> => host.send('PUT', path, { as: 'ada', query, bytes });
/** A stored file of acme. */
const stored = async (
  path: string,
  bytes: Uint8Array,
  more: Record<string, string | number | boolean> = {},
): Promise<string> => {
  const answer = await put({ file: path, isSearchInput: false, ...more }, bytes);
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
};
const statusOf = (fileUID: string): Promise<Answer> =>
  host.send('GET', '/api/FileStatus', { as: 'ada', query: { fileUID } });
async function settled(uid: string): Promise<Answer> {
  for (;;) {
    const answer = await statusOf(uid);
    if (answer.status !== 204) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
function expectProblem(answer: Answer, status: number, field?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(answer.json).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.stringMatching(/^\//),
  });
  expect(answer.json.traceId).toBe(answer.headers.get('x-request-id'));
  if (field !== undefined) expect(Object.keys(answer.json.errors)).toEqual([field]);
}

describe('uploads', () => {
  test('as base64 in a JSON string and as bytes give the same search input', async () => {
    const bytes = partStl(1, 2, 3);
    const text = await host.send('PUT', '/api/File', { as: 'ada', query: { file: '.stl' }, json: base64(bytes) });
    expect(text.status).toBe(200);
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.text).toMatch(GUID);
    const raw = await put({ file: '.stl' }, bytes);
    const { engine } = host;
    const acme = await engine.company('acme');
    const [one, two] = await Promise.all([text, raw].map(({ text: uid }) => acme.input(uid)));
    expect(one?.sha256).toBe(two?.sha256);
    expect(one?.owner).toBe((await engine.accounts.user('ada@acme.example'))?.uid);
    expect((await acme.list()).filter(({ uid }) => uid === text.text || uid === raw.text)).toEqual([]);
  });

  test('under every media type of JSON; others are 415', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'text/json',
      'application/json-patch+json',
      'application/vnd.x+json',
    ]) {
      expect(
        (
          await host.send('PUT', '/api/File', {
            as: 'ada',
            query: { file: '.stl' },
            json: base64(partStl(1, 1, 1)),
            headers: { 'Content-Type': type },
          })
        ).status,
      ).toBe(200);
    }
    expectProblem(
      await host.send('PUT', '/api/File', {
        as: 'ada',
        query: { file: '.stl' },
        json: base64(partStl(1, 1, 1)),
        headers: { 'Content-Type': 'text/plain' },
      }),
      415,
      'Content-Type',
    );
    expectProblem(
      await host.send('PUT', '/api/FileBinary', {
        as: 'ada',
        query: { file: '.stl' },
        bytes: partStl(1, 1, 1),
        headers: { 'Content-Type': 'image/png' },
      }),
      415,
      'Content-Type',
    );
  });

  test('answer as JSON when asked', async () => {
    const answer = await host.send('PUT', '/FileBinary', {
      as: 'ada',
      query: { file: '.stl' },
      bytes: partStl(1, 1, 1),
      headers: { Accept: 'application/json' },
    });
    expect(answer.json).toMatch(GUID);
  });

  test('with the escapes of other JSON writers, line breaks and a byte order mark', async () => {
    const bytes = partStl(1, 2, 4);
    const plain = base64(bytes);
    const escaped = plain
      .replaceAll('+', '\\u002B')
      .replaceAll('/', '\\/')
      .replace(/(.{76})/g, '$1\\r\\n');
    const body = new TextEncoder().encode(`\ufeff "${escaped}"\n`);
    const chunks = Array.from({ length: Math.ceil(body.length / 7) }, (_, i) => body.subarray(7 * i, 7 * i + 7));
    const request = new Request('http://localhost/api/File?file=.stl', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${host.tokens.ada}`, 'Content-Type': 'application/json' },
      body: new ReadableStream({
        pull: (controller) => (chunks.length === 0 ? controller.close() : controller.enqueue(chunks.shift())),
      }),
      duplex: 'half',
    } as RequestInit);
    const response = await host.handler(request);
    expect(response.status).toBe(200);
    expect(Buffer.from(await (await host.engine.company('acme')).bytes(await response.text())).equals(bytes)).toBe(
      true,
    );
  });

  test('in the company database carry attributes, category and path', async () => {
    const category = (await host.send('GET', '/api/CustomProductCategory', { as: 'ada', query: { name: 'Boxes' } }))
      .json.ID;
    const attributes = 'Material=Steel%2037&Length(mm)=3&Note=a%26b%3Dc&Half=50%&Color=red|blue';
    const uid = await stored('boxes/Ä 1.stl', partStl(1, 2, 3), { attributes, categoryId: category });
    const { json } = await host.send('GET', '/api/File', { as: 'ada', query: { fileName: 'boxes/Ä 1.stl' } });
    expect(json).toMatchObject({
      UID: uid,
      SpaceID: host.companies.acme,
      FileName: 'boxes/Ä 1.stl',
      DisplayName: 'Ä 1.stl',
      CategoryID: category,
      FileType: 3,
      Attributes: ['Material=Steel 37', 'Length(mm)=3', 'Note=a&b=c', 'Half=50%', 'Color=red|blue'],
      HasThumbnail: true,
      IndexingFinished: true,
      PDFUrl: null,
    });
    expect(json.Volume).toBeCloseTo(6.75, 4);
  });

  test('to a path that exists: replaced, numbered, or as the profile says', async () => {
    const first = await stored('twice/Gear.stl', partStl(1, 1, 1));
    expect(await stored('twice/Gear.stl', partStl(2, 1, 1), { overwriteFile: true })).toBe(first);
    const second = await stored('twice/Gear.stl', partStl(3, 1, 1), { overwriteFile: false });
    const nameOf = async (fileUID: string): Promise<string> =>
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileUID } })).json.FileName;
    expect([await nameOf(first), await nameOf(second)]).toEqual(['twice/Gear.stl', 'twice/Gear(2).stl']);
    expect(await stored('twice/Gear.stl', partStl(4, 1, 1))).toBe(first);
    await host.engine.accounts.setProfile('acme', { overwriteFiles: false });
    expect(await nameOf(await stored('twice/Gear.stl', partStl(5, 1, 1)))).toBe('twice/Gear(3).stl');
    await host.engine.accounts.setProfile('acme', { overwriteFiles: true });
  });

  test('under a UID of their own, in any spelling; an existing file with it is overwritten', async () => {
    const uid = '7F0E4C1A-1111-4222-8333-444455556666';
    expect(await stored('own/a.stl', partStl(1, 1, 1), { uid })).toBe(uid.toLowerCase());
    expect(await stored('own/b.stl', partStl(1, 1, 2), { uid: `{${uid}}` })).toBe(uid.toLowerCase());
    expect((await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid } })).json.FileName).toBe(
      'own/b.stl',
    );
    expect((await host.send('GET', '/api/File', { as: 'ada', query: { fileName: 'own/a.stl' } })).status).toBe(404);
    expectProblem(await put({ file: '.stl', uid }, partStl(1, 1, 1)), 409);
  });

  test('of gzip, of .ifz, and of what is no gzip', async () => {
    const bytes = partStl(1, 2, 3);
    const zipped = gzipSync(bytes, { level: 0 });
    const uid = await stored('packed/a.stl', zipped, { isGZipCompressed: true });
    expect(Buffer.from(await (await host.engine.company('acme')).bytes(uid)).equals(bytes)).toBe(true);
    const text = await host.send('PUT', '/api/File', {
      as: 'ada',
      query: { file: '.stl', isGZipCompressed: true },
      json: base64(zipped),
    });
    expect(text.status).toBe(200);
    await stored('packed/b.stl.ifz', zipped);
    expectProblem(await put({ file: '.stl', isGZipCompressed: true }, bytes), 400, 'body');
  });

  test('FileBinaryDirect answers with the record; text alone has no shape', async () => {
    const { status, json } = await put(
      { file: 'direct/a.stl', isSearchInput: false, textOnly: true, includeShapelets: true },
      partStl(1, 2, 3),
      '/api/FileBinaryDirect',
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      FileName: 'direct/a.stl',
      IndexingFinished: true,
      HasThumbnail: false,
      ThumbNailURLFromID: null,
      Volume: null,
      Shapelets: [],
    });
  });

  test.each([
    ['/api/FileBinary', 1023, 400],
    ['/api/FileBinary', 1024, 422],
  ])('%s of %d bytes is %d', async (path, length, status) => {
    expectProblem(
      await put({ file: '.stl' }, new Uint8Array(length).fill(1), path),
      status,
      status === 400 ? 'body' : undefined,
    );
  });

  test('the 1 024 of PUT File are counted in base64', async () => {
    const send = (length: number): Promise<Answer> =>
      host.send('PUT', '/api/File', {
        as: 'ada',
        query: { file: '.stl' },
        json: base64(new Uint8Array(length).fill(7)),
      });
    const refused = await send(765); // 1 020 characters.
    expectProblem(refused, 400, 'body');
    expect(refused.json.detail).toBe('body must have at least 1024 characters of base64, received 1020');
    expectProblem(await send(768), 422); // 1 024 characters: long enough, though no model.
    expect(await (await host.engine.company('acme')).list({ state: 'failed' })).toEqual([]);
  });

  test('priority other than 3 or 4: exact message, nothing added', async () => {
    for (const indexPriority of [2, 5, 0, -1, 3.5, 'high', 99999999999]) {
      const answer = await put({ file: 'priority/a.stl', isSearchInput: false, indexPriority }, partStl(1, 1, 1));
      expectProblem(answer, 400, 'indexPriority');
      expect(answer.json.detail).toBe('indexPriority must be 3 or 4.');
    }
    expect((await host.send('GET', '/api/File', { as: 'ada', query: { fileName: 'priority/a.stl' } })).status).toBe(
      404,
    );
    expect((await put({ file: '.stl', indexPriority: 9 }, partStl(1, 1, 1))).status).toBe(200);
    const uid = await stored('priority/b.stl', partStl(1, 1, 1), { indexPriority: 4 });
    expect((await (await host.engine.company('acme')).get(uid)).priority).toBe(4);
  });

  test.each([
    ['uid', { uid: 'not-a-guid' }],
    ['file', { file: '' }],
    ['file', { file: 'no extension' }],
    ['isSearchInput', { isSearchInput: 'maybe' }],
    ['categoryId', { categoryId: 1.5 }],
    ['categoryId', { categoryId: 99999999999 }],
    ['indexAsync', { file: '.zip', indexAsync: true }],
    ['categoryId', { isSearchInput: false, file: 'x/a.stl', categoryId: 424242 }],
    ['attributes', { isSearchInput: false, file: 'x/a.stl', attributes: 'no pair' }],
    ['attributes', { isSearchInput: false, file: 'x/a.stl', attributes: '=value' }],
    ['file', { isSearchInput: false, file: '../../etc/passwd.stl' }],
    ['file', { isSearchInput: false, file: 'a\u0000b.stl' }],
    ['file', { isSearchInput: false, file: '../categoryId/a.stl' }],
    ['file', { file: `.${'x'.repeat(2000)}` }],
  ])('a wrong %s is named', async (field, query) => {
    const answer = await put({ file: '.stl', ...query } as Record<string, string>, partStl(1, 1, 1));
    expect(answer.status, answer.text).toBe(400);
    if (!('categoryId' in query) || query.categoryId !== 424242) expectProblem(answer, 400, field);
  });

  test.each([
    ['no JSON', '{'],
    ['no string', '{"a":1}'],
    ['no end', '"AAAA'],
    ['wrong characters', '"****"'],
    ['more after it', '"AAAA" "BBBB"'],
    ['nothing', ''],
    ['a wrong escape', '"\\q"'],
  ])('a body that is %s is 400', async (_, body) => {
    const padded = body.startsWith('"AAAA') ? `"${'AAAA'.repeat(400)}${body.slice(5)}` : body;
    const answer = await host.send('PUT', '/api/File', {
      as: 'ada',
      query: { file: '.stl' },
      bytes: new TextEncoder().encode(padded),
      headers: { 'Content-Type': 'application/json' },
    });
    expectProblem(answer, 400, 'body');
  });

  test('of a file that cannot be read: 422, its status is failed for good', async () => {
    const broken = Buffer.from(`ISO-10303-21;\nHEADER;\n${'x'.repeat(2000)}`);
    const answer = await put({ file: '.step' }, broken);
    expectProblem(answer, 422);
    expect(answer.json.fileUID).toMatch(GUID);
    const status = await statusOf(answer.json.fileUID);
    expect([status.status, status.text]).toEqual([422, 'failed']);
  });
});

describe('asynchronous search inputs', () => {
  test('are 204, then 200 with the time; 404 after the delete and for the second delete', async () => {
    const { text: uid, status } = await put({ file: '.stl', indexAsync: true }, partStl(6, 5, 4));
    expect(status).toBe(200);
    const waiting = await statusOf(uid);
    expect(waiting.headers.get('cache-control')).toBe('no-store');
    if (waiting.status === 204) expect(waiting.text).toBe('');
    const done = await settled(uid);
    expect(done.status).toBe(200);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.text).toBe(new Date(done.text).toISOString());
    const first = await host.send('DELETE', '/api/File', { as: 'ada', query: { fileUID: uid } });
    expect([first.status, first.json]).toEqual([200, true]);
    expectProblem(await statusOf(uid), 404);
    expectProblem(await host.send('DELETE', '/api/File', { as: 'ada', query: { fileUID: uid } }), 404);
  });

  test('that fail are 422 with the text failed, whatever is accepted', async () => {
    const { text: uid } = await put({ file: '.step', indexAsync: true }, Buffer.from('z'.repeat(2000)));
    expect((await settled(uid)).status).toBe(422);
    const asJson = await host.send('GET', '/api/FileStatus', {
      as: 'ada',
      query: { fileUID: uid },
      headers: { Accept: 'application/json' },
    });
    expect([asJson.status, asJson.text]).toEqual([422, 'failed']);
    expectProblem(await host.send('GET', '/api/FileStatus', { as: 'ada' }), 400, 'fileUID');
  });

  test('searched with before they are indexed have no matches; an assembly has -1', async () => {
    const acme = await host.engine.company('acme');
    // One worker: the second waits for the first ones.
    await Promise.all([1, 2, 3].map((size) => acme.put(`busy/${size}.stl`, partStl(size, 9, 9), { wait: false })));
    const uids = await Promise.all(
      [7, 8].map(
        async (size) =>
          (await put({ file: '.stl', indexAsync: true, indexAssemblyComponents: true }, partStl(size, size, 1))).text,
      ),
    );
    const search = (query: object): Promise<Answer> =>
      host.send('GET', '/api/Search', { as: 'ada', query: { filterStr: `fileUID=${uids[1]}`, ...query } });
    const [plain, components] = await Promise.all([search({}), search({ searchAssemblyComponents: true })]);
    if ((await statusOf(uids[1])).status === 204) {
      expect(plain.json).toMatchObject({ ResultsList: [], TotalResults: 0, InputFileUID: uids[1] });
      expect(components.json).toMatchObject({ ResultsList: [], TotalResults: -1 });
    }
    await host.engine.idle();
    const after = await search({ searchAssemblyComponents: true });
    expect(after.json.TotalResults).toBeGreaterThan(0);
    expect(plain.json.TotalResults === 0 || plain.json.ResultsList.length > 0).toBe(true);
  });
});

describe('deleting', () => {
  test('members delete what they uploaded to search with, admins the rest', async () => {
    const input = (await put({ file: '.stl' }, partStl(2, 2, 1))).text;
    const file = await stored('delete/a.stl', partStl(2, 2, 1));
    const del = async (as: 'ada' | 'bob' | 'admin' | 'stranger', fileUID: string): Promise<[number, unknown]> => {
      const answer = await host.send('DELETE', '/api/File', { as, query: { fileUID } });
      return [answer.status, answer.status === 404 ? undefined : answer.json];
    };
    expect(await del('bob', input)).toEqual([403, false]);
    expect(await del('ada', file)).toEqual([403, false]);
    expect(await del('stranger', input)).toEqual([404, undefined]);
    expect(await del('stranger', file)).toEqual([404, undefined]);
    expect(await del('ada', input)).toEqual([200, true]);
    expect(await del('admin', file)).toEqual([200, true]);
    expect(await del('admin', file)).toEqual([404, undefined]);
    expectProblem(await host.send('DELETE', '/api/File', { as: 'ada' }), 400, 'fileUID');
    expectProblem(await host.send('DELETE', '/api/File', { as: 'ada', query: { fileUID: 'x' } }), 400, 'fileUID');
  });
});

describe('records and pictures', () => {
  test('GET File wants a name or a UID; the UID wins', async () => {
    const uid = await stored('records/a.stl', partStl(1, 2, 5));
    const answer = await host.send('GET', '/api/File', { as: 'ada' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json.errors)).toEqual(['fileUID', 'fileName']);
    expect(
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid, fileName: 'nothing/here.stl' } })).json
        .UID,
    ).toBe(uid);
    expectProblem(await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: NOWHERE } }), 404);
    expectProblem(
      await host.send('GET', '/api/File', { as: 'ada', query: { fileName: '../up.stl' } }),
      400,
      'fileName',
    );
  });

  test('an assembly names what is directly below it, each placement once', async () => {
    const part = (side: number) => ({
      name: `cube ${side}`,
      shape: { kind: 'box' as const, x: side, y: side, z: side },
    });
    const pair = {
      name: 'pair',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] as const },
        { of: { part: 0 }, at: [9, 0, 0] as const },
      ],
    };
    const whole = {
      name: 'whole',
      places: [
        { of: { assembly: 0 }, at: [0, 0, 0] as const },
        { of: { part: 1 }, at: [0, 9, 0] as const },
        { of: { part: 1 }, at: [0, 0, 9] as const },
      ],
    };
    const uid = await stored('records/whole.step', stepFile({ parts: [part(2), part(3)], assemblies: [pair, whole] }));
    await settled(uid);
    const { json } = await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid } });
    const item = (fileName: string) => ({ uid: null, fileName, thumbnailURL: null, viewerURL: null });
    expect(json.AssemblyChildren).toEqual([item('pair'), item('cube 3'), item('cube 3')]);
    const single = await stored('records/single.stl', partStl(1, 2, 5));
    await settled(single);
    expect(
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: single } })).json.AssemblyChildren,
    ).toBeNull();
  });

  test('pictures come by their link without another token, for that one file', async () => {
    const uid = await stored('pictures/a.stl', partStl(1, 2, 5));
    const other = await stored('pictures/b.stl', partStl(1, 2, 6));
    const { ThumbNailURLFromID: small, PNGURLFromID: large } = (
      await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid } })
    ).json;
    const png = (answer: Answer): boolean => Buffer.from(answer.text, 'base64').subarray(1, 4).toString() === 'PNG';
    const picture = await host.send('GET', small, { headers: { Accept: 'text/plain' } });
    expect(picture.status).toBe(200);
    expect(png(picture)).toBe(true);
    expect(png({ ...picture, text: (await host.send('GET', large)).json })).toBe(true);
    const raw = await host.handler(new Request(small, { headers: { Accept: 'image/avif,image/*,*/*;q=0.8' } }));
    expect(raw.headers.get('content-type')).toBe('image/png');
    expect((await host.send('GET', small.replace(uid, other))).status).toBe(401);
    expect((await host.send('GET', small.replace(/token=[^&]+/, 'token=x'))).status).toBe(401);
    expect((await host.send('GET', '/api/Image', { as: 'ada', query: { fid: uid, token: 'x', type: 1 } })).status).toBe(
      200,
    );
    expectProblem(await host.send('GET', '/api/Image', { as: 'ada', query: { fid: uid } }), 400, 'token');
    expectProblem(
      await host.send('GET', '/api/Image', { as: 'ada', query: { fid: uid, token: 'x', type: 3 } }),
      400,
      'type',
    );
    expectProblem(await host.send('GET', '/api/Image', { as: 'stranger', query: { fid: uid, token: 'x' } }), 404);
  });

  test('pictures of pages: the one that lgFileNumber names, with a tag to ask whether it is still that', async () => {
    const uid = await stored(
      'pictures/pages.pdf',
      pdf([{ content: textAt('one', 50, 500, 100) }, { content: textAt('two', 50, 500, 100) }]),
    );
    const fileMap = async (lgFileNumber?: number): Promise<Record<string, any>> =>
      (await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: uid, lgFileNumber } })).json;
    const [first, second] = [await fileMap(), await fileMap(2)];
    expect(first).toMatchObject({ HasThumbnail: true, PageCount: 2 });
    const raw = async (
      link: string,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; tag: string | null; bytes: Buffer }> => {
      const response = await host.handler(new Request(link, { headers: { Accept: 'image/png', ...headers } }));
      return {
        status: response.status,
        tag: response.headers.get('etag'),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const [one, two] = [await raw(first.ThumbNailURLFromID), await raw(second.ThumbNailURLFromID)];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.bytes.equals(two.bytes)).toBe(false);
    expect(one.bytes.readUInt32BE(20)).toBe(256);
    expect((await raw(first.PNGURLFromID)).bytes.readUInt32BE(20)).toBe(1024);
    const again = await raw(first.ThumbNailURLFromID, { 'If-None-Match': `"other", ${one.tag}` });
    expect(again).toMatchObject({ status: 304, tag: one.tag });
    expect(again.bytes.length).toBe(0);
    expect((await raw(first.ThumbNailURLFromID, { 'If-None-Match': two.tag! })).status).toBe(200);
    expectProblem(
      await host.send('GET', '/api/Image', { as: 'ada', query: { fid: uid, token: 'x', lgFileNumber: 3 } }),
      404,
    );
    expectProblem(
      await host.send('GET', '/api/Image', { as: 'ada', query: { fid: uid, token: 'x', lgFileNumber: 0 } }),
      400,
      'lgFileNumber',
    );
  });

  test('PMIData holds what was extracted', async () => {
    const uid = await stored('pmi/a.stl', partStl(1, 2, 5));
    const { json } = await host.send('GET', '/api/PMIData', { as: 'ada', query: { fileUID: uid } });
    expect(json).toEqual({
      ExtractedAttributes: (await (await host.engine.company('acme')).get(uid)).extractedAttributes,
      PMI: '',
    });
    // Lines enough that it is a drawing.
    const lines = Array.from({ length: 400 }, (_, i) => `${100 + i} 300 m ${101 + i} 500 l S\n`).join('');
    const drawing = await stored(
      'pmi/drawing.pdf',
      pdf([{ content: `${lines}${textAt('R28 \xb10,1', 208, 600)}${textAt('31.25', 300, 700, 12, 45)}` }]),
    );
    const answer = await host.send('GET', '/api/PMIData', { as: 'ada', query: { fileUID: drawing } });
    const pmi = JSON.parse(answer.json.PMI as string) as { BEVersion: string; pages: object[] };
    const found = { type_id: 35, group: 'Measurement', text: 'R28', tol: ['±0,1'] };
    const slanted = { text: '31.25', orientedBox: expect.objectContaining({ angleDeg: -45 }) };
    expect(pmi).toMatchObject({
      BEVersion: expect.any(String),
      pages: [
        {
          page: 1,
          ImageSize: [expect.any(Number), 3000],
          objects: expect.arrayContaining([expect.objectContaining(found), expect.objectContaining(slanted)]),
        },
      ],
    });
    const own = await (await host.engine.company('acme')).pmi(drawing);
    expect(pmi.pages).toHaveLength(own?.pages.length ?? -1);
    expect(Object.keys(pmi.pages[0])).toEqual(['page', 'ImageSize', 'objects']);
    expect(answer.json.ExtractedAttributes).toEqual(
      (await (await host.engine.company('acme')).get(drawing)).extractedAttributes,
    );
  });

  test('ValidUploadFileTypes lists what the engine reads', async () => {
    const { json } = await host.send('GET', '/api/ValidUploadFileTypes', { as: 'app' });
    expect(json).toEqual(FILE_EXTENSIONS);
    expect(json).toEqual(
      expect.arrayContaining(['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.dxf', '.dwg', '.step', '.stp', '.stl']),
    );
  });
});

describe('ConvertFiles', () => {
  const convert = (query: Record<string, string>, files: unknown): Promise<Answer> =>
    host.send('PUT', '/api/ConvertFiles', { as: 'ada', query, json: files });

  test('gives a ZIP of the files, once and twice serialized', async () => {
    const stl = base64(partStl(1, 2, 3));
    for (const body of [JSON.stringify([stl, stl]), [stl, stl]]) {
      const answer = await convert({ fileNames: 'a.stl, sub/b.stl', conversionExtension: 'step' }, body);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const files = unzipSync(Buffer.from(answer.text, 'base64'));
      expect(Object.keys(files)).toEqual(['a.step', 'b.step']);
      expect(Buffer.from(files['a.step']).toString()).toMatch(/^ISO-10303-21;/);
    }
  });

  test('names what is wrong', async () => {
    const stl = base64(partStl(1, 2, 3));
    expectProblem(
      await convert({ fileNames: 'a.stl,b.stl', conversionExtension: 'stl' }, JSON.stringify([stl])),
      400,
      'fileNames',
    );
    expectProblem(
      await convert({ fileNames: 'a.stl', conversionExtension: 'iges' }, JSON.stringify([stl])),
      400,
      'conversionExtension',
    );
    expectProblem(
      await convert({ fileNames: 'a.stl', conversionExtension: 'stl' }, JSON.stringify(['*'])),
      400,
      'body',
    );
    expectProblem(await convert({ fileNames: 'a.stl', conversionExtension: 'stl' }, 'no array'), 400, 'body');
    expectProblem(
      await convert(
        { fileNames: 'a.txt', conversionExtension: 'stl' },
        JSON.stringify([base64(Buffer.from('just words'))]),
      ),
      422,
    );
  });
});
