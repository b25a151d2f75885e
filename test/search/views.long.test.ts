import Database from 'better-sqlite3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OLDEST_COMPARED_VIEWS, VIEWS_VERSION } from '../../src/descriptors/views.js';
import type { Company, Engine, SearchHit } from '../../dist/index.js';
import { dxfOf, svgOf, threeViews, viewOf, type Segment } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { circle, ring, turned } from '../fixtures/parts.js';
import { box, lBracket, prism, type Body } from '../fixtures/shapes.js';
import { answer, codeOf, fill, libraries } from './library.js';

/** Parts whose views differ clearly. */
const PARTS: Readonly<Record<string, Body>> = {
  angle: lBracket(60, 8, 30),
  tee: prism(
    [
      [0, 0],
      [20, 0],
      [20, 50],
      [60, 50],
      [60, 70],
      [-40, 70],
      [-40, 50],
      [0, 50],
    ],
    15,
  ),
  stairs: prism(
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
  ),
  cross: prism(
    [
      [20, 0],
      [40, 0],
      [40, 20],
      [60, 20],
      [60, 40],
      [40, 40],
      [40, 80],
      [20, 80],
      [20, 40],
      [0, 40],
      [0, 20],
      [20, 20],
    ],
    10,
  ),
  nut: ring(circle(20, 6), circle(9, 6), 12),
  pulley: turned(
    [
      [0, 0],
      [30, 0],
      [30, 4],
      [14, 10],
      [14, 20],
      [30, 26],
      [30, 30],
      [0, 30],
    ],
    48,
  ),
};
const NAMES = Object.keys(PARTS);
const FILES: readonly (readonly [string, Uint8Array])[] = [
  ...NAMES.map((name) => [`${name}.stl`, writeStlBinary(PARTS[name])] as const),
  ...NAMES.map((name) => [`${name}.dxf`, dxfOf(PARTS[name])] as const),
];

const library = libraries();
const folder = library.fresh();
let engine: Engine;
let company: Company;
let uids: ReadonlyMap<string, string>;

beforeAll(async () => {
  engine = await library.open(folder);
  company = await engine.company('acme');
  uids = new Map((await fill(company, FILES)).map(({ path, uid }) => [path, uid]));
});
afterAll(() => engine.close());

const like = (path: string): { uid: string } => ({ uid: uids.get(path)! });

/** A picture of 800 × 600 pixels of lines in a page of 400 × 300. */
async function pngOf(segments: readonly Segment[], x = 200, y = 150, scale = 1.5): Promise<Uint8Array> {
  const svg = svgOf(segments, { x, y, scale }).replace('stroke-width="0.5"', 'stroke-width="1.5"');
  return new Uint8Array(
    await sharp(Buffer.from(svg), { density: 150 }).resize(800, 600).flatten({ background: 'white' }).png().toBuffer(),
  );
}

/** Segments about their middle, y downwards. */
function centred(segments: readonly Segment[]): Segment[] {
  const xs = segments.flatMap(([a, , c]) => [a, c]),
    ys = segments.flatMap(([, b, , d]) => [b, d]);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2,
    y = (Math.min(...ys) + Math.max(...ys)) / 2;
  return segments.map(([a, b, c, d]) => [a - x, y - b, c - x, y - d]);
}

describe('across kinds', () => {
  test.each(NAMES)('the drawing of the %s finds its model, and the model its drawing', async (name) => {
    const [model] = (await company.search({ like: like(`${name}.dxf`), kinds: ['ThreeD'] })).hits;
    expect(model.path).toBe(`${name}.stl`);
    expect(model).toMatchObject({ matchClass: 'similar', shapeMatch: { input: 0, page: null } });
    const [drawing] = (await company.search({ like: like(`${name}.stl`), kinds: ['TwoD'] })).hits;
    expect(drawing.path).toBe(`${name}.dxf`);
    expect(drawing.shapeMatch).toMatchObject({ input: 0, page: 1 });
    // Where it stands on the page is that shapelet's box; a view of a model stands on none.
    const place = (await company.shapelets(drawing.uid))[drawing.shapeMatch!.shapelet].place;
    expect(drawing.shapeMatch!.box).toEqual(place.kind === 'page' ? place.box : undefined);
    expect(model.shapeMatch!.box).toBeUndefined();
    expect(drawing.position, 'a model lies on no page').toBeUndefined();
  });

  test('one list of all kinds: same bytes first with 0, rising scores, exact total and facets', async () => {
    for (const path of ['tee.dxf', 'tee.stl']) {
      const { hits, total, facets, inputs } = await company.search({ like: like(path), facets: true, limit: 100 });
      expect(total).toBe(FILES.length);
      expect(hits).toHaveLength(FILES.length);
      expect(hits[0]).toMatchObject({ path, score: 0, matchClass: 'identical', similarity: 100 });
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => a - b));
      expect(facets!.kinds).toMatchObject({ ThreeD: NAMES.length, TwoD: NAMES.length });
      expect(inputs[0]).toMatchObject(path === 'tee.dxf' ? { kind: 'TwoD', volumeMm3: null } : { kind: 'ThreeD' });
    }
  });

  test('models are ranked as they are without drawings', async () => {
    const alone = await library.open(library.fresh());
    const models = await alone.company('models');
    await fill(models, FILES.slice(0, NAMES.length));
    const { hits: wanted } = await models.search({ like: { bytes: FILES[0][1], extension: '.stl' }, limit: 100 });
    const { hits: found } = await company.search({
      like: { bytes: FILES[0][1], extension: '.stl' },
      limit: 100,
      kinds: ['ThreeD'],
    });
    const facts = (hits: readonly SearchHit[]): unknown =>
      hits.map(({ path, score, matchClass }) => ({ path, score, matchClass }));
    expect(facts(found)).toEqual(facts(wanted));
    await alone.close();
  });

  test('pages never overlap, `within` and tolerances hold, words go along', async () => {
    const query = { like: like('angle.dxf') };
    const whole = (await company.search({ ...query, limit: 100 })).hits.map(({ uid }) => uid);
    const pages: string[] = [];
    for (let offset = 0; offset < whole.length; offset += 5)
      pages.push(...(await company.search({ ...query, offset, limit: 5 })).hits.map(({ uid }) => uid));
    expect(pages).toEqual(whole);
    const within = [uids.get('nut.stl')!, uids.get('tee.dxf')!];
    expect((await company.search({ ...query, within })).hits.map(({ uid }) => uid).sort()).toEqual([...within].sort());
    // Each is as like the drawing as among all files.
    const similarities = (hits: readonly SearchHit[]): unknown => hits.map(({ uid, similarity }) => [uid, similarity]);
    const { hits: all } = await company.search({ ...query, limit: 100 });
    for (const hit of all.filter((_, i) => i % 6 === 1))
      expect(similarities((await company.search({ ...query, within: [hit.uid] })).hits)).toEqual(similarities([hit]));
    // Between models a tolerance says something, for drawings nothing.
    const { hits } = await company.search({ like: like('angle.stl'), volume: '.01', limit: 100 });
    expect(hits.filter(({ kind }) => kind === 'ThreeD').map(({ path }) => path)).toEqual(['angle.stl']);
    expect(hits.filter(({ kind }) => kind === 'TwoD')).toHaveLength(NAMES.length);
    expect((await company.search({ ...query, text: 'nut' })).hits.map(({ path }) => path).sort()).toEqual([
      'nut.dxf',
      'nut.stl',
    ]);
  });

  test('the order in which files came changes nothing', async () => {
    const other = await library.open(library.fresh());
    const turned_ = await other.company('acme');
    await fill(turned_, FILES, 'backwards');
    for (const path of ['stairs.dxf', 'stairs.stl'])
      expect(await answer(turned_, { like: like(path) })).toEqual(await answer(company, { like: like(path) }));
    await other.close();
  });

  // All views are read as short vectors, or by lists.
  test.each([300, 0])(
    'a library of more than %i views finds the same, also of views that were kept or changed since',
    async (exactLimit) => {
      const fresh = library.fresh();
      const paths = ['stairs.dxf', 'stairs.stl', 'tee.dxf'];
      for (const what of ['filled', 'kept', 'changed', 'damaged']) {
        // Above `exactLimit`, vectors are in a graph as well.
        const other = await library.open(fresh, { exactLimit });
        const listed = await other.company('acme');
        if (what === 'filled') await fill(listed, FILES);
        for (const path of paths)
          expect(await answer(listed, { like: like(path) }), what).toEqual(await answer(company, { like: like(path) }));
        const bytes = (path: string): Uint8Array => FILES.find(([name]) => name === path)![1];
        // What is kept of the tee is of before.
        if (what === 'kept') for (const path of ['nut.stl', 'tee.stl']) await listed.put('tee.stl', bytes(path));
        await other.close();
        const cache = join(fresh, 'cache', 'views-1');
        const [body] = readdirSync(cache).filter((name) => name.startsWith('body'));
        if (what === 'changed') writeFileSync(join(cache, body), readFileSync(join(cache, body)).reverse());
      }
    },
  );

  test('a file that is deleted or replaced is not found by what it was', async () => {
    const { uid } = await company.put('extra.dxf', dxfOf(PARTS.tee));
    const paths = async (): Promise<string[]> =>
      (await company.search({ like: like('tee.stl'), kinds: ['TwoD'], limit: 2 })).hits.map(({ path }) => path).sort();
    expect(await paths()).toEqual(['extra.dxf', 'tee.dxf']);
    await company.put('extra.dxf', dxfOf(box(10, 10, 10)));
    expect(await paths()).not.toContain('extra.dxf');
    await company.delete(uid);
    expect((await company.search({ like: like('tee.stl'), limit: 100 })).hits.map(({ path }) => path)).not.toContain(
      'extra.dxf',
    );
  });

  test('an image of a view finds the model; several images are views of one part', async () => {
    const one = await pngOf(centred(viewOf(PARTS.stairs, 'top')));
    expect((await company.search({ like: { bytes: one, extension: '.png' }, kinds: ['ThreeD'] })).hits[0].path).toBe(
      'stairs.stl',
    );
    const views = await Promise.all(
      (['front', 'top', 'side'] as const).map((from) => pngOf(centred(viewOf(PARTS.stairs, from)), 200, 150, 1)),
    );
    const { hits, inputs } = await company.search({
      like: views.map((bytes) => ({ bytes, extension: '.png' })),
      kinds: ['ThreeD'],
    });
    expect(hits[0].path).toBe('stairs.stl');
    expect(inputs.map(({ kind }) => kind)).toEqual(['Image', 'Image', 'Image']);
  });

  test('pictures of two whole drawings bring both drawings to the top', async () => {
    const pages = await Promise.all(
      ['stairs', 'pulley'].map(async (name) => ({
        bytes: await pngOf(centred(threeViews(PARTS[name])), 200, 150, 0.8),
        extension: '.png',
      })),
    );
    const { hits } = await company.search({ like: pages, kinds: ['TwoD'] });
    expect(
      hits
        .slice(0, 2)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['pulley.dxf', 'stairs.dxf']);
    expect(
      hits
        .slice(0, 2)
        .map(({ path, input }) => [path, input])
        .sort(),
    ).toEqual([
      ['pulley.dxf', 1],
      ['stairs.dxf', 0],
    ]);
    // With the bytes of two stored drawings both are identical, and no other file comes before them.
    const copies = ['stairs', 'pulley'].map((name) => ({ bytes: dxfOf(PARTS[name]), extension: '.dxf' }));
    expect(
      (await company.search({ like: copies, limit: 2 })).hits.map(({ score, matchClass }) => [score, matchClass]),
    ).toEqual([
      [0, 'identical'],
      [0, 'identical'],
    ]);
  });

  test('copies of two models come first, before every drawing', async () => {
    const { hits } = await company.search({ like: [like('tee.stl'), like('pulley.stl')], limit: 100 });
    expect(hits.slice(0, 2).map(({ path, score }) => [path, score])).toEqual([
      ['tee.stl', 0],
      ['pulley.stl', 0],
    ]);
    // Their drawings are like one of them; that of the cross is like the tee.
    const drawings = hits.filter(({ kind }) => kind === 'TwoD').map(({ path }) => path);
    expect(drawings.slice(0, 3)).toEqual(expect.arrayContaining(['pulley.dxf', 'tee.dxf']));
  });

  test('a second view of a part, even one that shows little, does not lower the part', async () => {
    const front = await pngOf(centred(viewOf(PARTS.stairs, 'top')));
    const edge = await pngOf(centred(viewOf(PARTS.stairs, 'side')));
    const placeOf = async (pictures: readonly Uint8Array[]): Promise<number> =>
      (
        await company.search({ like: pictures.map((bytes) => ({ bytes, extension: '.png' })), kinds: ['TwoD'] })
      ).hits.findIndex(({ path }) => path === 'stairs.dxf');
    expect([await placeOf([front]), await placeOf([front, edge]), await placeOf([edge, front])]).toEqual([0, 0, 0]);
  });

  test('a file without shape or with text alone is not searched with', async () => {
    const text = await company.put('note.txt', new TextEncoder().encode('tee'));
    const bare = await company.put('bare.dxf', dxfOf(PARTS.tee), { textOnly: true });
    expect(await codeOf(company.search({ like: { uid: text.uid } }))).toBe('NO_GEOMETRY');
    expect(await codeOf(company.search({ like: { uid: bare.uid } }))).toBe('NO_GEOMETRY');
    expect(await company.shapelets(bare.uid)).toEqual([]);
    await company.delete(text.uid);
    await company.delete(bare.uid);
  });
});

test('a long part is found by a drawing that breaks it off', async () => {
  // A flat bar along x with an outline at each end.
  const bar = (
    low: readonly (readonly [number, number])[],
    high: readonly (readonly [number, number])[],
    length: number,
  ): Body => {
    const upper = [...low, ...[...high].reverse().map(([x, y]) => [length - x, y] as const)];
    return prism([...upper.map(([x, y]) => [x, -y] as const), ...[...upper].reverse()], 6);
  };
  const plug = [
      [0, 10],
      [18, 10],
      [18, 7],
      [30, 7],
      [30, 3],
    ] as const,
    cone = [
      [0, 9],
      [24, 3],
    ] as const,
    head = [
      [0, 10],
      [24, 10],
      [24, 3],
    ] as const;
  const parts: Readonly<Record<string, Body>> = {
    'cable.stl': bar(plug, cone, 700),
    // As long as it is drawn, with other ends.
    'dumbbell.stl': bar(head, head, 95),
    'cones.stl': bar(cone, cone, 95),
  };
  const other = await engine.company('long parts');
  await fill(
    other,
    Object.entries(parts).map(([path, body]) => [path, writeStlBinary(body)] as const),
  );
  const {
    hits: [hit],
  } = await other.search({ like: { bytes: dxfOf(bar(plug, cone, 95)), extension: '.dxf' } });
  expect(hit.path).toBe('cable.stl');
  const { place, size } = (await other.shapelets(hit.uid))[hit.shapeMatch!.shapelet];
  expect(place).toMatchObject({ kind: 'camera', brokenOff: { axis: 0, shows: 'both ends' } });
  expect(Math.max(...size)).toBeLessThan(200);
  // Drawn as it was matched: as a whole it would be 2 pixels high.
  const { data } = await sharp(
    await other.pictures.shapelet(hit.uid, hit.shapeMatch!.shapelet, { size: 240, background: 'white' }),
  )
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rows = Array.from({ length: 240 }, (_, y) => y).filter((y) =>
    data.subarray(240 * y, 240 * (y + 1)).some((value) => value < 128),
  );
  expect(rows.at(-1)! - rows[0]).toBeGreaterThan(10);
});

test('a page without a view says so', async () => {
  const blank = new Uint8Array(
    await sharp({ create: { width: 400, height: 300, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
  );
  const { uid, warnings } = await company.put('blank.png', blank);
  expect(warnings.map(({ code }) => code)).toContain('VIEWS_MISSING');
  expect(await codeOf(company.search({ like: { uid } }))).toBe('NO_GEOMETRY');
  expect(
    (await company.put('seen.png', await pngOf(centred(viewOf(PARTS.tee, 'top'))))).warnings.map(({ code }) => code),
  ).not.toContain('VIEWS_MISSING');
  for (const path of ['blank.png', 'seen.png'])
    await company.delete((await company.list({ limit: 100 })).find((record) => record.path === path)!.uid);
});

test('the bytes of a file make it identical only when nothing of it is cropped away', async () => {
  const frame: Segment[] = [
    [-120, -90, 120, -90],
    [120, -90, 120, 90],
    [120, 90, -120, 90],
    [-120, 90, -120, -90],
    [-115, -85, 115, -85],
    [115, -85, 115, 85],
    [115, 85, -115, 85],
    [-115, 85, -115, -85],
  ];
  const png = await pngOf([...centred(viewOf(PARTS.cross, 'top')), ...frame]);
  const { uid } = await company.put('framed.png', png);
  const search = async (crop: { x: number; y: number; width: number; height: number }): Promise<SearchHit[] | string> =>
    company
      .search({ like: { uid, crop }, limit: 100 })
      .then(({ hits }) => [...hits])
      .catch((cause: unknown) => (cause as { code: string }).code);
  const all = await search({ x: 0, y: 0, width: 800, height: 600 });
  expect((all as SearchHit[])[0]).toMatchObject({ uid, score: 0, matchClass: 'identical' });
  // A corner of paper and frame shows no part: there is nothing to search with, or nothing identical.
  const corner = await search({ x: 0, y: 0, width: 200, height: 150 });
  if (typeof corner === 'string') expect(corner).toBe('NO_GEOMETRY');
  else expect(corner.every(({ score, matchClass }) => score > 0.05 && matchClass === 'similar')).toBe(true);
  // The view itself finds its file first, by what it shows.
  const view = (await search({ x: 200, y: 100, width: 400, height: 400 })) as SearchHit[];
  expect(view[0]).toMatchObject({ uid, matchClass: 'similar' });
  expect(view[0].score).toBeLessThan(view[1].score);
  await company.delete(uid);
});

test('only what lies in the crop counts', async () => {
  const both = await pngOf(
    [
      ...centred(viewOf(PARTS.stairs, 'top')).map(([a, b, c, d]): Segment => [a - 70, b, c - 70, d]),
      ...centred(viewOf(PARTS.tee, 'top')).map(([a, b, c, d]): Segment => [a + 70, b, c + 70, d]),
    ],
    200,
    150,
    1,
  );
  const input = await company.putInput(both, { extension: '.png' });
  for (const [x, path] of [
    [0, 'stairs.stl'],
    [400, 'tee.stl'],
  ] as const) {
    const crop = { x, y: 0, width: 400, height: 600 };
    for (const source of [{ bytes: both, extension: '.png' }, { uid: input.uid }]) {
      const { hits } = await company.search({ like: { ...source, crop }, kinds: ['ThreeD'], limit: 1 });
      expect(hits[0].path, `${x}`).toBe(path);
    }
  }
  await expect(company.search({ like: { uid: input.uid, crop: { x: 0, y: 0, width: 0, height: 5 } } })).rejects.toThrow(
    /crop\.width/,
  );
});

describe('position', () => {
  const drawn = centred(viewOf(PARTS.tee, 'top'));

  test.each([
    [0, 1, 200, 150],
    [0, 0.6, 120, 90],
    [90, 1, 210, 140],
    [30, 1.2, 190, 160],
    [-117, 0.8, 150, 150],
    [180, 1.5, 220, 150],
    [5, 1, 200, 150],
  ])('a copy turned by %d degrees and scaled by %d is laid over the query', async (degrees, scale, x, y) => {
    const query = { x: 180, y: 140 };
    const encode = (svg: string): Uint8Array => new TextEncoder().encode(svg);
    const { uid } = await company.put('copy.svg', encode(svgOf(drawn, { degrees, scale, x, y })));
    const { hits } = await company.search({
      like: { bytes: encode(svgOf(drawn, query)), extension: '.svg' },
      within: [uid],
    });
    const { position, shapeMatch } = hits[0];
    expect(shapeMatch).toMatchObject({ queryShapelet: 0, shapelet: 0, page: 1 });
    const turn = (-degrees * Math.PI) / 180;
    const found = position!.rotationRad - turn;
    expect(Math.abs(Math.atan2(Math.sin(found), Math.cos(found)))).toBeLessThan(Math.PI / 180);
    expect(position!.scale * scale).toBeCloseTo(1, 2);
    // To 1 % of the view's size, where the view is.
    const size = 100 / 400;
    const place = [x / 400, y / 400];
    const cos = position!.scale * Math.cos(position!.rotationRad),
      sin = position!.scale * Math.sin(position!.rotationRad);
    const laid = [cos * place[0] - sin * place[1] + position!.x, sin * place[0] + cos * place[1] + position!.y];
    expect(Math.hypot(laid[0] - query.x / 400, laid[1] - query.y / 400)).toBeLessThan(0.01 * size);
    await company.delete(uid);
  });
});

describe('shapelets', () => {
  test('have places: boxes on pages, cameras about models', async () => {
    const onPage = await company.shapelets(uids.get('stairs.dxf')!);
    expect(onPage).toHaveLength(3);
    for (const { place, size, isToScale } of onPage) {
      if (place.kind !== 'page') throw new Error('a view of a drawing lies on a page');
      expect(place.page).toBe(1);
      expect(place.box.x).toBeGreaterThanOrEqual(0);
      expect(place.box.x + place.box.width).toBeLessThanOrEqual(1 + 1e-6);
      expect(isToScale).toBe(true);
      expect([90, 45, 40].some((length) => Math.abs(size[0] - length) < 1)).toBe(true);
    }
    const ofModel = await company.shapelets(uids.get('stairs.stl')!);
    expect(ofModel.length).toBeGreaterThanOrEqual(30);
    for (const { place } of ofModel) {
      if (place.kind !== 'camera') throw new Error('a view of a model has a camera');
      expect(Math.hypot(...place.direction)).toBeCloseTo(1, 6);
      expect(place.scaleMmPerPixel).toBeGreaterThan(0);
    }
    const {
      hits: [hit],
    } = await company.search({ like: like('stairs.dxf'), shapelets: true, limit: 1 });
    expect(hit.shapelets).toEqual(onPage);
    expect((await engine.stats()).shapelets).toBeGreaterThan(150);
  });

  test('are drawn, and laid over each other in red and blue', async () => {
    for (const path of ['stairs.dxf', 'stairs.stl']) {
      const png = await company.pictures.shapelet(uids.get(path)!, 0, { size: 128, background: 'white' });
      const { data, info } = await sharp(png).grayscale().raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([128, 128]);
      expect(data.filter((value) => value < 200).length).toBeGreaterThan(100);
    }
    expect(await codeOf(company.pictures.shapelet(uids.get('stairs.dxf')!, 99))).toBe('NO_GEOMETRY');
    const {
      hits: [hit, other],
    } = await company.search({ like: like('stairs.dxf'), kinds: ['ThreeD'], limit: 2 });
    const colorsOf = async (of: SearchHit): Promise<Record<'red' | 'blue' | 'dark', number>> => {
      const { data, info } = await sharp(await company.pictures.overlay(uids.get('stairs.dxf')!, of, { size: 200 }))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const count = { red: 0, blue: 0, dark: 0 };
      for (let i = 0; i < data.length; i += info.channels) {
        if (data[i] > 180 && data[i + 2] < 110) count.red++;
        if (data[i + 2] > 180 && data[i] < 110) count.blue++;
        if (data[i] < 110 && data[i + 2] < 110) count.dark++;
      }
      return count;
    };
    // The same view lies exactly on the other; of another part lines of both are seen.
    const [same, apart] = [await colorsOf(hit), await colorsOf(other)];
    expect(same.red + same.blue).toBeLessThan(20);
    expect(same.dark).toBeGreaterThan(100);
    expect(apart.red + apart.blue).toBeGreaterThan(50);
    await expect(company.pictures.overlay(uids.get('stairs.dxf')!, { uid: hit.uid })).rejects.toThrow(TypeError);
  });
});

test('a library of before is read again in the background; what was found is found meanwhile', async () => {
  const old = library.fresh();
  const before = await library.open(old);
  await fill(
    await before.company('acme'),
    FILES.filter(([path]) => /^(tee|nut)/.test(path)),
  );
  await before.close();
  const database = new Database(join(old, 'catalog.sqlite'));
  const version = database.pragma('user_version', { simple: true }) as number;
  // Views, assemblies, PMI, duplicates, components, watched files, weights of terms, layouts of pages, lists of
  // attributes, sign-ups, features, ink of pages, faces, keys and the log of changes, packed views, makers, views
  // that are stored once came in this order.
  database.exec(`
    DROP TABLE views;
    DROP TABLE assembly;
    DROP TABLE pmi;
    DROP TABLE duplicate_decision;
    DROP TABLE compared_pair;
    DROP TABLE component;
    DROP TABLE watched_file;
    DROP TABLE attribute_pairs;
    DROP TABLE known_source;
    DROP INDEX user_waiting;
    DROP TABLE faces;
    DROP TABLE faceWords;
    DROP TABLE api_key;
    DROP TABLE audit;
    ALTER TABLE user DROP COLUMN waiting;
    ALTER TABLE rfq DROP COLUMN owner;
    ALTER TABLE search_input DROP COLUMN kept_by;
    ALTER TABLE category DROP COLUMN made_by;
    ALTER TABLE file DROP COLUMN components;
    ALTER TABLE file DROP COLUMN error_details;
    ALTER TABLE file DROP COLUMN features;
    ALTER TABLE term_row DROP COLUMN weights;
    DELETE FROM setting WHERE name IN ('descriptors', 'attribute pairs');
    PRAGMA user_version = ${version - 17};
  `);
  database.close();
  const after = await library.open(old);
  const acme = await after.company('acme');
  const query = { like: { bytes: FILES[1][1], extension: '.stl' } };
  expect((await acme.list()).map(({ state }) => state)).toEqual(['indexed', 'indexed', 'indexed', 'indexed']);
  expect((await acme.search({ ...query, kinds: ['ThreeD'] })).hits[0]).toMatchObject({ path: 'tee.stl', score: 0 });
  await after.idle();
  expect((await acme.search({ ...query, kinds: ['TwoD'] })).hits[0].path).toBe('tee.dxf');
  expect((await after.verify({ repair: false })).problems).toEqual([]);
  await after.close();
});

test('views of the version before are searched until their files are described again', async () => {
  const old = library.fresh();
  const before = await library.open(old);
  await fill(
    await before.company('acme'),
    FILES.filter(([path]) => /^(tee|nut)/.test(path)),
  );
  const query = { like: { bytes: FILES[1][1], extension: '.stl' }, kinds: ['TwoD'] } as const;
  const found = (await (await before.company('acme')).search(query)).hits.map(({ path, score }) => [path, score]);
  expect(found[0][0]).toBe('tee.dxf');
  await before.close();
  const database = new Database(join(old, 'catalog.sqlite'));
  const setBack = (version: number): void => {
    database.prepare('UPDATE views SET version = ?').run(version);
    database.exec(`DELETE FROM setting WHERE name = 'descriptors'`);
  };
  setBack(OLDEST_COMPARED_VIEWS);
  const after = await library.open(old);
  const now = await (await after.company('acme')).search(query);
  expect(now.hits.map(({ path, score }) => [path, score])).toEqual(found);
  await after.idle();
  expect(database.prepare('SELECT DISTINCT version FROM views').pluck().all()).toEqual([VIEWS_VERSION]);
  setBack(OLDEST_COMPARED_VIEWS);
  expect(await after.reindex()).toBe(found.length + 2);
  await after.idle();
  database.close();
  await after.close();
});

test('three views of a body stand apart', () => {
  expect(threeViews(PARTS.stairs).length).toBeGreaterThan(20);
});
