import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHost, partStl, type Host } from './host.js';

let host: Host;

beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

const put = async (path: string, size: number): Promise<string> =>
  (await host.send('PUT', '/api/Record', { as: 'admin', query: { path }, bytes: partStl(size, 5, 3) })).json.uid;

test.each([
  ['deleted', async (uid: string) => host.send('DELETE', '/api/File', { as: 'admin', query: { fileUID: uid } })],
  [
    'replaced',
    async () => host.send('PUT', '/api/Record', { as: 'admin', query: { path: 'goes.stl' }, bytes: partStl(8, 5, 3) }),
  ],
])(
  'a file that is %s while its picture waits to be drawn is unknown, and the library not damaged',
  async (_, leave) => {
    const stays = await put('stays.stl', 9);
    const goes = await put('goes.stl', 7);
    await host.engine.idle();
    const get = (path: string, query: Record<string, string | number>) => host.send('GET', path, { as: 'ada', query });
    // The one reading process is busy with these.
    const before = Array.from({ length: 6 }, (_, i) => get('/api/PageImage', { fileUID: stays, width: 2_000 + i }));
    const late = [
      get('/api/PageImage', { fileUID: goes, width: 333 }),
      get('/api/Model', { fileUID: goes }),
      get('/api/Overlay', { queryUID: stays, fileUID: goes, size: 32 }),
      get('/api/Deviations', { fileUID: stays, otherUID: goes }),
      get('/api/FacesImage', { fileUID: goes, faces: '1' }),
    ];
    // All of them have been looked up by now: each request is looked up before its answer can come.
    await before[0];
    expect((await leave(goes)).status).toBe(200);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set((await Promise.all(before)).map(({ status }) => status))).toEqual(new Set([200]));
  },
);
