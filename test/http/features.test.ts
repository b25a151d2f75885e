import { afterAll, beforeAll, expect, test } from 'vitest';
import { becauseText } from '../../dist/index.js';
import { threeViews } from '../fixtures/drawing-of-body.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { disc, gear } from '../fixtures/parts.js';
import { lBracket, type Body } from '../fixtures/shapes.js';
import { plate } from '../search/plates.js';
import { NOWHERE, openHost, type Host } from './host.js';

// Features of parts over HTTP, by the engine, as attributes and as reasons of a hit.

/** A square plate of a side with six holes of 6.5 mm on a circle and a bore of 20 mm. */
function flange(side: number, circleMm: number): Uint8Array {
  const h = side / 2;
  const outline = [
    [-h, -h],
    [h, -h],
    [h, h],
    [-h, h],
  ] as const;
  const bolts = Array.from({ length: 6 }, (_, i) => {
    const angle = (i * Math.PI) / 3;
    return { x: (circleMm / 2) * Math.cos(angle), y: (circleMm / 2) * Math.sin(angle), diameter: 6.5 };
  });
  const { positions, indices } = plate(outline, 8, [...bolts, { x: 0, y: 0, diameter: 20 }]);
  const threes = (values: ArrayLike<number>): [number, number, number][] =>
    Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
  const body: Body = { name: 'flange', vertices: threes(positions), faces: threes(indices) };
  return writeStlBinary(body);
}

let host: Host;
const uids: string[] = [];
beforeAll(async () => {
  host = await openHost();
  for (const [file, bytes] of [
    ['flange.stl', flange(80, 50)],
    ['wide.stl', flange(110, 50)],
    ['note.txt', Buffer.from('no part '.repeat(200))],
  ] as const) {
    const query = { file, isSearchInput: false };
    uids.push((await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query })).text);
  }
  await host.engine.idle();
}, 60_000);
afterAll(() => host.close());

const get = (fileUID: string) => host.send('GET', '/api/Features', { as: 'ada', query: { fileUID } });

test('GET /Features answers what the engine found, null for what is no part, 404 for what is not there', async () => {
  const { status, json } = await get(uids[0]);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    shape: 'milled',
    wallMm: null,
    faces: 13,
    features: [
      {
        kind: 'hole',
        count: 6,
        diameterMm: 6.5,
        depthMm: 8,
        isThrough: true,
        pattern: { kind: 'circle', diameterMm: 50 },
      },
      { kind: 'hole', count: 1, diameterMm: 20, isThrough: true },
    ],
  });
  expect(json.features.map(({ faces }: any) => faces.length)).toEqual([6, 1]);
  const acme = await host.engine.company('acme');
  expect(await acme.features(uids[0])).toEqual(json);
  expect((await get(uids[2])).json).toBeNull();
  expect((await get(NOWHERE)).status).toBe(404);
});

test('features are attributes that files are found by, and reasons of hits', async () => {
  const acme = await host.engine.company('acme');
  expect((await acme.get(uids[0])).extractedAttributes).toEqual(
    expect.arrayContaining(['Shape=milled', 'Holes=7', 'Hole diameter(mm)=6.5|20', 'Bolt circle(mm)=50']),
  );
  for (const text of ['Holes=7', 'Hole diameter=6.5', 'Hole diameter=20', 'Bolt circle=5cm', 'Shape=milled'])
    expect((await acme.search({ text: [text] })).total, text).toBe(2);
  expect((await acme.search({ text: ['Holes=6'] })).total).toBe(0);
  const { hits } = await acme.search({ like: { uid: uids[0] } });
  const reasons = hits.find(({ uid }) => uid === uids[1])!.because!.map(becauseText);
  expect(reasons).toContain('both have 6 holes on a bolt circle of ⌀50');
  expect(reasons).toContain('both have 6 holes of ⌀6.5 each and 1 hole of ⌀20');
});

test('reasons are said as a machinist would, in the answer of a search', async () => {
  const bodies: Readonly<Record<string, Body>> = {
    'washer.stl': disc(10, 2, 5.25),
    'wide-washer.stl': disc(15, 2, 8.5),
    'bush.stl': disc(11, 20, 5),
    'long-bush.stl': disc(11, 30, 5),
    'thick-bush.stl': disc(13, 30, 8),
    'gear-18.stl': gear(18, 20, 10, 5),
    'gear-24.stl': gear(24, 26, 10, 5),
    'gear-24-wide.stl': gear(24, 26, 15, 5),
    'wide-bush.stl': disc(17, 20, 5),
    'angle.stl': lBracket(60, 5, 40),
  };
  const put = async (file: string, bytes: Uint8Array): Promise<string> =>
    (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false } })).text;
  const uidOf: Record<string, string> = {};
  for (const [file, body] of Object.entries(bodies)) uidOf[file] = await put(file, writeStlBinary(body));
  const lines = threeViews(lBracket(60, 5, 40)).map((segment) => line(...segment));
  const words = ['60', '40', '4711'].map((word, i) => text(word, 10 + 20 * i, -30, 3));
  const millimetres: [number, string | number][] = [
    [9, '$INSUNITS'],
    [70, 4],
  ];
  uidOf['angle.dxf'] = await put('angle.dxf', dxf({ header: millimetres, entities: [...lines, ...words] }));
  await host.engine.idle();
  const said = async (from: string, to: string): Promise<string[]> => {
    const query = { filterStr: `fileUID=${uidOf[from]}`, limit: 50 };
    const { json } = await host.send('GET', '/api/Search', { as: 'ada', query });
    const hit = json.ResultsList.find(({ FileName }: any) => FileName === to);
    return hit.ShapeResult.Because.map(({ Text }: any) => Text);
  };
  expect(await said('washer.stl', 'wide-washer.stl')).toEqual([
    '⌀29.96 instead of ⌀19.98, same thickness, 2 mm',
    '1 hole of ⌀17 instead of ⌀10.5',
    'both are turned parts',
  ]);
  const turned = 'both are turned parts';
  expect(await said('bush.stl', 'long-bush.stl')).toEqual([
    '×1.5 longer (30 instead of 20 mm), same ⌀21.97',
    'both have 1 hole of ⌀10',
    turned,
  ]);
  expect(await said('bush.stl', 'thick-bush.stl')).toEqual([
    '⌀25.97 instead of ⌀21.97, 30 instead of 20 mm long',
    '1 hole of ⌀16 instead of ⌀10',
    turned,
  ]);
  // A shorter bush that is wider: its length is that along the axis, though its box is longer across it.
  expect(await said('long-bush.stl', 'wide-bush.stl')).toEqual([
    '⌀33.96 instead of ⌀21.97, 20 instead of 30 mm long',
    'both have 1 hole of ⌀10',
    turned,
  ]);
  expect(await said('gear-18.stl', 'gear-24.stl')).toEqual([
    '⌀51.98 instead of ⌀39.97, same thickness, 10 mm',
    '24 instead of 18 teeth',
  ]);
  expect(await said('gear-24.stl', 'gear-24-wide.stl')).toEqual([
    '×1.5 thicker (15 instead of 10 mm), same ⌀51.98',
    'both have 24 teeth of module 2',
  ]);
  // The smallest box of an angle lies aslant; the drawing states its legs.
  const legs = "the drawing states the model's sizes 60 and 40 mm";
  expect(await said('angle.dxf', 'angle.stl')).toEqual([legs, 'a view of it is like the query']);
  expect(await said('angle.stl', 'angle.dxf')).toEqual([legs, 'a view on page 1 is like the query']);
});

test('GET /Faces answers the faces of the engine, GET /FacesImage a picture with some of them in orange', async () => {
  const acme = await host.engine.company('acme');
  const faces = await host.send('GET', '/api/Faces', { as: 'ada', query: { fileUID: uids[0] } });
  expect(faces.json).toHaveLength(13);
  expect(faces.json).toEqual(JSON.parse(JSON.stringify(await acme.faces(uids[0]))));
  expect((await host.send('GET', '/api/Faces', { as: 'ada', query: { fileUID: uids[2] } })).json).toBeNull();
  expect((await host.send('GET', '/api/Faces', { as: 'ada', query: { fileUID: NOWHERE } })).status).toBe(404);

  const image = (query: Record<string, string | number>, ifNoneMatch?: string) =>
    host.send('GET', '/api/FacesImage', {
      as: 'ada',
      query: { fileUID: uids[0], ...query },
      headers: ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch },
    });
  const found = await image({ faces: '6-8,10', size: 64 });
  expect(found.status).toBe(200);
  expect(found.headers.get('content-type')).toBe('image/png');
  expect((await image({ faces: '10,8,7,6', size: 64 }, found.headers.get('etag')!)).status).toBe(304);
  for (const wrong of ['', 'a', '3-', '0-10000', '9-8'])
    expect((await image({ faces: wrong })).status, wrong).toBe(400);
  expect((await image({ fileUID: uids[2], faces: '1' })).status).toBe(404);
});
