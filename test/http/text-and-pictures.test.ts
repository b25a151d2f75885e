import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { prism } from '../fixtures/shapes.js';
import { NOWHERE, openHost, type Answer, type Host, type Who } from './host.js';

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
const BOOK = `Order 4711: twenty flanges AB-123/4 of stainless steel.\n${'All the rest is filler. '.repeat(60)}\nSteel again.`;
const SHEET =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><rect x="50" y="50" width="80" height="60" fill="none" stroke="black"/><text x="40" y="160" font-size="12">Material: stainless steel</text></svg>`.padEnd(
    1100,
  );
const FILES: readonly (readonly [string, Uint8Array])[] = [
  ['stairs.stl', writeStlBinary(STAIRS)],
  ['stairs.dxf', dxfOf(STAIRS)],
  ['sheet.svg', Buffer.from(SHEET)],
  ['order.txt', Buffer.from(BOOK)],
  ['long.txt', Buffer.from('steel plate '.repeat(30_000))],
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

const get = (
  name: string,
  query: Record<string, string | number | boolean>,
  headers: Record<string, string> = {},
  as: Who = 'ada',
): Promise<Answer> => host.send('GET', `/api/${name}`, { as, query, headers });
/** The picture itself: `send` reads text. */
const picture = async (name: string, query: Record<string, string | number>): Promise<Buffer> => {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  const response = await host.handler(
    new Request(`http://localhost/api/${name}?${search}`, { headers: { Authorization: `Bearer ${host.tokens.ada}` } }),
  );
  expect(response.headers.get('content-type')).toBe('image/png');
  return Buffer.from(await response.arrayBuffer());
};

describe('Text', () => {
  test('pages, and where words are in them', async () => {
    const { pages, nextPage } = (await get('Text', { fileUID: uids['order.txt'], words: 'steel ab1234' })).json;
    expect(nextPage).toBe(null);
    expect(pages).toHaveLength(1);
    const [{ number, text, isCut, ranges }] = pages;
    expect([number, isCut, text.slice(0, 10)]).toEqual([1, false, 'Order 4711']);
    expect(ranges.map(({ start, end }: any) => text.slice(start, end))).toEqual(['AB-123/4', 'steel', 'Steel']);
    expect((await get('Text', { fileUID: uids['order.txt'] })).json.pages[0].ranges).toEqual([]);
    expect((await get('Text', { fileUID: uids['order.txt'], words: 'Material=steel' })).json.pages[0].ranges).toEqual(
      [],
    );
  });

  test('of a drawing, with places on its page', async () => {
    const {
      pages: [plain],
    } = (await get('Text', { fileUID: uids['sheet.svg'] })).json;
    expect(plain).not.toHaveProperty('runs');
    const {
      pages: [page],
    } = (await get('Text', { fileUID: uids['sheet.svg'], words: 'steel', includeRuns: true })).json;
    expect(page.runs.length).toBeGreaterThan(0);
    const [{ x, y, width, height }, ...more] = page.boxes;
    expect(more).toEqual([]);
    // Behind the middle of the line that begins at a tenth of the page, four fifths down.
    expect(x).toBeGreaterThan(0.15);
    expect(y).toBeGreaterThan(0.7);
    expect(y + height).toBeLessThan(0.85);
    expect(x + width).toBeLessThan(0.6);
  });

  test('what is long is cut, and says so', async () => {
    const {
      pages: [{ text, isCut, ranges }],
      nextPage,
    } = (await get('Text', { fileUID: uids['long.txt'], words: 'plate' })).json;
    expect([text.length, isCut, nextPage]).toEqual([200_000, true, null]);
    expect(ranges.at(-1).end).toBeLessThanOrEqual(200_000);
  });

  test('refuses what makes no sense', async () => {
    expect((await get('Text', { fileUID: uids['order.txt'], words: '—' })).status).toBe(400);
    expect((await get('Text', { fileUID: uids['order.txt'], page: 0 })).status).toBe(400);
    expect((await get('Text', { fileUID: NOWHERE })).status).toBe(404);
    expect((await get('Text', { fileUID: uids['order.txt'] }, {}, 'stranger')).status).toBe(404);
    expect((await host.send('GET', '/api/Text', { query: { fileUID: uids['order.txt'] } })).status).toBe(401);
  });
});

describe('PageImage', () => {
  test('a page at the wanted width, drawn once for who keeps it', async () => {
    for (const width of [300, 1_500]) {
      expect(
        (await sharp(await picture('PageImage', { fileUID: uids['stairs.dxf'], page: 1, width })).metadata()).width,
      ).toBe(width);
    }
    const { headers } = await get('PageImage', { fileUID: uids['stairs.dxf'], page: 1, width: 300 });
    const etag = headers.get('etag')!;
    const again = await get(
      'PageImage',
      { fileUID: uids['stairs.dxf'], page: 1, width: 300 },
      { 'If-None-Match': `W/${etag}` },
    );
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(
      (await get('PageImage', { fileUID: uids['stairs.dxf'], page: 1, width: 301 }, { 'If-None-Match': etag })).status,
    ).toBe(200);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, max-age=300',
      'Accept, Authorization',
    ]);
  });

  test('boxes of views lie about what the page shows', async () => {
    const { Shapelets } = (await get('File', { fileUID: uids['stairs.dxf'], includeShapelets: true })).json;
    const {
      data,
      info: { width, height },
    } = await sharp(await picture('PageImage', { fileUID: uids['stairs.dxf'], page: 1, width: 800 }))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const ink = { left: Infinity, top: Infinity, right: 0, bottom: 0 };
    data.forEach((value, i) => {
      if (value > 128) return;
      const x = i % width,
        y = Math.floor(i / width);
      ink.left = Math.min(ink.left, x);
      ink.right = Math.max(ink.right, x + 1);
      ink.top = Math.min(ink.top, y);
      ink.bottom = Math.max(ink.bottom, y + 1);
    });
    const boxes: { X: number; Y: number; Width: number; Height: number }[] = Shapelets.map(({ Box }: any) => Box);
    for (const [found, drawn] of [
      [Math.min(...boxes.map(({ X }) => X)) * width, ink.left],
      [Math.min(...boxes.map(({ Y }) => Y)) * height, ink.top],
      [Math.max(...boxes.map(({ X, Width }) => X + Width)) * width, ink.right],
      [Math.max(...boxes.map(({ Y, Height }) => Y + Height)) * height, ink.bottom],
    ])
      expect(Math.abs(found - drawn)).toBeLessThan(3);
  });

  test('refuses pages and widths that are not there', async () => {
    expect((await get('PageImage', { fileUID: uids['stairs.dxf'], page: 7 })).status).toBe(404);
    expect((await get('PageImage', { fileUID: uids['stairs.dxf'], width: 5_000 })).status).toBe(400);
    expect((await get('PageImage', { fileUID: NOWHERE })).status).toBe(404);
    expect((await get('PageImage', { fileUID: uids['stairs.dxf'] }, {}, 'stranger')).status).toBe(404);
  });
});

describe('Overlay', () => {
  test('lays a found view over that of the query, red and blue', async () => {
    const company = await host.engine.company('acme');
    const {
      hits: [hit],
    } = await company.search({ like: { uid: uids['stairs.dxf'] }, kinds: ['ThreeD'] });
    const { queryShapelet, shapelet } = hit.shapeMatch!;
    const png = await picture('Overlay', {
      queryUID: uids['stairs.dxf'],
      queryShapelet,
      fileUID: uids['stairs.stl'],
      shapelet,
      size: 200,
    });
    expect(png).toEqual(Buffer.from(await company.pictures.overlay({ uid: uids['stairs.dxf'] }, hit, { size: 200 })));
    const { data } = await sharp(png).flatten({ background: 'white' }).raw().toBuffer({ resolveWithObject: true });
    let red = 0,
      blue = 0;
    for (let at = 0; at < data.length; at += 3) {
      if (data[at] > data[at + 2] + 60) red++;
      if (data[at + 2] > data[at] + 60) blue++;
    }
    expect(red + blue).toBeGreaterThan(50);
  });

  test('refuses views that are not there', async () => {
    expect(
      (await get('Overlay', { queryUID: uids['stairs.dxf'], fileUID: uids['stairs.stl'], shapelet: 9_999 })).status,
    ).toBe(404);
    expect((await get('Overlay', { queryUID: NOWHERE, fileUID: uids['stairs.stl'] })).status).toBe(404);
    expect((await get('Overlay', { queryUID: uids['stairs.dxf'], fileUID: uids['stairs.stl'], size: 5 })).status).toBe(
      400,
    );
  });
});

describe('Download and Converted', () => {
  const saved = async (name: string, query: Record<string, string>): Promise<{ bytes: Buffer; headers: Headers }> => {
    const response = await host.handler(
      new Request(`http://localhost/api/${name}?${new URLSearchParams(query)}`, {
        headers: { Authorization: `Bearer ${host.tokens.ada}` },
      }),
    );
    expect(response.status).toBe(200);
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
  };

  test('the bytes as they were put, under their name', async () => {
    const file = 'a/Größe "5" (1).stl';
    const fileUID = (
      await host.send('PUT', '/api/FileBinary', {
        as: 'ada',
        bytes: FILES[0][1],
        query: { file, isSearchInput: false },
      })
    ).text;
    const { bytes, headers } = await saved('Download', { fileUID });
    expect(bytes.equals(FILES[0][1])).toBe(true);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e _5_ (1).stl"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%225%22%20%281%29.stl`,
    );
  });

  test('a model in another format', async () => {
    const { bytes, headers } = await saved('Converted', { fileUID: uids['stairs.stl'], to: 'STEP' });
    expect(headers.get('content-disposition')).toContain('filename="stairs-step.zip"');
    const { 'stairs.step': step } = unzipSync(bytes);
    expect(Buffer.from(step).toString('latin1', 0, 12)).toBe('ISO-10303-21');
    expect((await get('Converted', { fileUID: uids['stairs.stl'], to: 'dwg' })).json.detail).toBe(
      'to must be stl or step, received "dwg"',
    );
    expect((await get('Converted', { fileUID: uids['order.txt'], to: 'stl' })).status).toBe(422);
    expect((await get('Download', { fileUID: NOWHERE })).status).toBe(404);
  });
});

test('Categories: listed, given to a file and taken away', async () => {
  const {
    json: { ID },
  } = await get('CustomProductCategory', { name: 'Brackets' });
  const give = (categoryId: number): Promise<Answer> =>
    host.send('PUT', '/api/FileCategory', { as: 'ada', query: { fileUID: uids['stairs.stl'], categoryId } });
  expect((await give(ID)).json).toBe(true);
  expect((await get('Categories', {})).json).toEqual([
    { id: ID, name: 'Brackets', parentId: null, imageUrl: null, count: 1 },
  ]);
  expect((await get('File', { fileUID: uids['stairs.stl'] })).json.CategoryID).toBe(ID);
  expect((await give(-1)).json).toBe(true);
  expect((await get('Categories', {})).json[0].count).toBe(0);
  expect((await give(77)).status).toBe(400);
});
