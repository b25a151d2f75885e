import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dxfOf, svgOf, viewOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { lBracket, prism } from '../fixtures/shapes.js';
import { base64, openHost, type Answer, type Host } from './host.js';

const STAIRS = prism(
  [
    [0, 0],
    [90, 0],
    [90, 15],
    [60, 15],
    [60, 30],
    [30, 30],
    [30, 45],
    [0, 45],
  ],
  40,
);
const FILES: readonly (readonly [string, Uint8Array])[] = [
  ['stairs.stl', writeStlBinary(STAIRS)],
  ['stairs.dxf', dxfOf(STAIRS)],
  ['angle.stl', writeStlBinary(lBracket(60, 8, 30))],
  ['angle.dxf', dxfOf(lBracket(60, 8, 30))],
];
let host: Host;
const uids: Record<string, string> = {};

beforeAll(async () => {
  host = await openHost();
  for (const [file, bytes] of FILES)
    uids[file] = (
      await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false } })
    ).text;
});
afterAll(() => host.close());

const record = async (query: Record<string, string | boolean>): Promise<any> =>
  (await host.send('GET', '/api/File', { as: 'ada', query })).json;
const search = async (filterStr: string, more: Record<string, string | boolean> = {}): Promise<any> =>
  (await host.send('GET', '/api/Search', { as: 'ada', query: { filterStr, ...more } })).json;

test('File: shapes with boxes or cameras and pictures, of one page or view', async () => {
  expect(await record({ fileUID: uids['stairs.dxf'] })).not.toHaveProperty('Shapelets');
  const { Shapelets: onPage } = await record({ fileUID: uids['stairs.dxf'], includeShapelets: true });
  expect(onPage.map(({ Index, Page }: { Index: number; Page: number }) => [Index, Page])).toEqual([
    [0, 1],
    [1, 1],
    [2, 1],
  ]);
  expect(Object.keys(onPage[0])).toEqual(['Index', 'Page', 'Box', 'ThumbnailURL']);
  expect(Object.keys(onPage[0].Box)).toEqual(['X', 'Y', 'Width', 'Height']);
  const { Shapelets: ofModel } = await record({ fileUID: uids['stairs.stl'], includeShapelets: true });
  expect(Object.keys(ofModel[0])).toEqual(['Index', 'Scale', 'Camera', 'ThumbnailURL']);
  expect(ofModel.length).toBeGreaterThanOrEqual(30);
  expect((await record({ fileUID: uids['stairs.dxf'], includeShapelets: true, lgFileNumber: '2' })).Shapelets).toEqual(
    [],
  );
  expect(
    (await record({ fileUID: uids['stairs.dxf'], includeShapelets: true, lgFileNumber: '1' })).Shapelets,
  ).toHaveLength(3);
  expect(
    (await record({ fileUID: uids['stairs.stl'], includeShapelets: true, lgFileNumber: '4' })).Shapelets.map(
      ({ Index }: { Index: number }) => Index,
    ),
  ).toEqual([3]);

  const picture = await host.send('GET', onPage[1].ThumbnailURL);
  expect(picture.status, picture.text).toBe(200);
  const { width, height } = await sharp(Buffer.from(picture.text.replace(/"/g, ''), 'base64')).metadata();
  expect([width, height]).toEqual([256, 256]);
  expect(
    (
      await host.send('GET', '/api/Image', {
        as: 'ada',
        query: { fid: uids['stairs.dxf'], token: 'x', type: 2, shapeIndex: 9 },
      })
    ).status,
  ).toBe(404);
});

test('FileBinaryDirect answers with the shapes', async () => {
  const { json } = await host.send('PUT', '/api/FileBinaryDirect', {
    as: 'ada',
    bytes: FILES[1][1],
    query: { file: '.dxf', includeShapelets: true },
  });
  expect(json.Shapelets).toHaveLength(3);
});

test('Search: a drawing finds the model and says by which shape', async () => {
  const { ResultsList, InputVolume, InputShapeSizes } = await search(
    `fileUID=${uids['stairs.dxf']}&resultFileType=ThreeD`,
    { includeShapelets: true },
  );
  expect(ResultsList[0].FileName).toBe('stairs.stl');
  const { FirstShapeMatchIndex, FirstShapeMatchPageNum, MatchPosition, Shapelets } = ResultsList[0].ShapeResult;
  expect(FirstShapeMatchIndex).toMatch(/^\d+$/);
  expect([FirstShapeMatchPageNum, MatchPosition]).toEqual([null, null]);
  expect(Shapelets[Number(FirstShapeMatchIndex)]).toHaveProperty('Camera');
  expect([InputVolume, InputShapeSizes]).toEqual([null, null]);
  const drawings = await search(`fileUID=${uids['stairs.stl']}&resultFileType=TwoD`);
  expect(drawings.ResultsList[0]).toMatchObject({
    FileName: 'stairs.dxf',
    FileType: 2,
    ShapeResult: { FirstShapeMatchPageNum: '1', MatchPosition: null, Shapelets: null },
  });
});

test('Search: between drawings the position, offsets, degrees and scale', async () => {
  const query = Buffer.from(svgOf(viewOf(STAIRS, 'top'), { x: 100, y: 100 }).padEnd(1100));
  const copy = Buffer.from(svgOf(viewOf(STAIRS, 'top'), { x: 220, y: 60, degrees: 90, scale: 2 }).padEnd(1100));
  await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes: copy,
    query: { file: 'copy.svg', isSearchInput: false },
  });
  const { json } = await host.send('PUT', '/api/Search', {
    as: 'ada',
    json: JSON.stringify([base64(query)]),
    query: { fileExtension: '.svg', filterStr: 'resultFileType=TwoD' },
  });
  const hit = json.ResultsList.find(({ FileName }: { FileName: string }) => FileName === 'copy.svg').ShapeResult;
  const [x, y, degrees, scale] = hit.MatchPosition.split(',').map(Number);
  expect(degrees).toBeCloseTo(-90, 0);
  expect(scale).toBeCloseTo(0.5, 2);
  // The corner of the view, at 220, 60 on the copy, lies on that at 100, 100; the pages are 400 wide.
  expect(x + 0.5 * (60 / 400)).toBeCloseTo(100 / 400, 2);
  expect(y - 0.5 * (220 / 400)).toBeCloseTo(100 / 400, 2);
});

test('Search: only the crop of an input counts', async () => {
  const two = svgOf(
    [
      ...viewOf(STAIRS, 'top'),
      ...viewOf(lBracket(60, 8, 30), 'top').map(([a, b, c, d]): [number, number, number, number] => [
        a + 200,
        b,
        c + 200,
        d,
      ]),
    ],
    { x: 30, y: 100 },
  ).replace('stroke-width="0.5"', 'stroke-width="1.5"');
  const png = await sharp(Buffer.from(two), { density: 150 })
    .resize(800, 600)
    .flatten({ background: 'white' })
    .png()
    .toBuffer();
  for (const [cropX, file] of [
    [0, 'stairs.stl'],
    [400, 'angle.stl'],
  ] as const) {
    const { json } = await host.send('PUT', '/api/Search', {
      as: 'ada',
      json: JSON.stringify([base64(png)]),
      query: { fileExtension: '.png', filterStr: 'resultFileType=ThreeD', cropX, cropY: 0, cropW: 400, cropH: 600 },
    });
    expect(json.ResultsList[0].FileName).toBe(file);
  }
});

test('Search: a corner of a stored file, which shows nothing of its part, is not that file', async () => {
  const bytes = await sharp(Buffer.from(svgOf(viewOf(STAIRS, 'top'), { x: 100, y: 100 })))
    .resize(800, 600)
    .flatten({ background: 'white' })
    .png()
    .toBuffer();
  const { text: fileUID } = await host.send('PUT', '/api/FileBinary', {
    as: 'ada',
    bytes,
    query: { file: 'corners/whole.png', isSearchInput: false },
  });
  await host.engine.idle();
  const askFor = (crop: object): Promise<Answer> =>
    host.send('PUT', '/api/Search', {
      as: 'ada',
      json: JSON.stringify([base64(bytes)]),
      query: { fileExtension: '.png', ...crop },
    });
  const corner = await askFor({ cropX: 0, cropY: 0, cropW: 90, cropH: 70 });
  const own = corner.json.ResultsList?.find(({ FileUID }: { FileUID: string }) => FileUID === fileUID);
  if (own !== undefined) expect([own.ShapeResult.Score >= 0.05, own.ShapeResult.MatchClass]).toEqual([true, 'similar']);
  else expect([corner.status, corner.json.TotalResults ?? 0]).toEqual([200, 0]);
  expect((await askFor({})).json.ResultsList[0]).toMatchObject({ FileUID: fileUID, ShapeResult: { Score: 0 } });
});
