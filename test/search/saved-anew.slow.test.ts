import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Engine, SearchHit } from '../../dist/index.js';
import { pdfOf } from '../../bench/parts/drawings/page-pdf.mjs';
import {
  dxfOf,
  movedBy,
  revisionOf,
  siblingsOf,
  svgOf,
  type DrawnPage,
} from '../../bench/parts/drawings/saved-anew.mjs';
import { svgOf as svgOfViews, threeViews } from '../fixtures/drawing-of-body.js';
import { circle, ring, turned } from '../fixtures/parts.js';
import { box, lBracket, type Body } from '../fixtures/shapes.js';
import { seeded } from '../fixtures/random.js';
import { fill, libraries } from './library.js';

// A drawing that another program wrote is the same drawing; a revision of it is not.

/** A sheet of three views with a frame, a dimension of each of two sides, and a note. */
function pageOf(body: Body, [length, height]: readonly [number, number], note: string): DrawnPage {
  const line = (width: number, ...points: (readonly [number, number])[]): object => ({ points, width });
  const views = threeViews(body).map(([a, b, c, d]) => line(0.5, [60 + a, 160 - b], [60 + c, 160 - d]));
  const ticks = Array.from({ length: 40 }, (_, i) => line(0.25, [15 + 6.8 * i, 5], [15 + 6.8 * i, 10]));
  const hole = Array.from({ length: 33 }, (_, i) => {
    const angle = (Math.PI * i) / 16;
    return [90 + 3 * Math.cos(angle), 120 + 3 * Math.sin(angle)] as const;
  });
  const frame = line(0.7, [10, 10], [287, 10], [287, 200], [10, 200], [10, 10]);
  return {
    widthMm: 297,
    heightMm: 210,
    items: [
      frame,
      ...ticks,
      ...views,
      line(0.5, ...hole),
      { ...line(0.25, [66, 155], [66 + height / 2, 155]), dash: [2, 1] },
      line(0.18, [60, 162], [60, 178]),
      line(0.18, [60 + length, 162], [60 + length, 178]),
      line(0.18, [60, 176], [60 + length, 176]),
      { text: String(length), x: 60 + length / 2 - 3, y: 175, height: 3.5 },
      { text: String(height), x: 40, y: 160 - height / 2, height: 3.5 },
      { text: note, x: 200, y: 192, height: 3.5 },
      ...['SCALE 1:1', 'DRAWN MEYER', 'CHECKED BAUER', 'MATERIAL'].map((text, i) => {
        return { text, x: 240, y: 174 + 6 * i, height: 3.5 };
      }),
    ],
  };
}

const PAGES: Readonly<Record<string, DrawnPage>> = {
  angle: pageOf(lBracket(60, 8, 30), [60, 30], 'STEEL S235'),
  washer: pageOf(ring(circle(20, 12), circle(11, 12), 4), [40, 4], 'BRASS'),
  block: pageOf(box(50, 30, 20), [50, 20], 'STEEL C45'),
  'longer block': pageOf(box(55, 30, 20), [55, 20], 'STEEL C45'),
};
const NAMES = Object.keys(PAGES);

const library = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await library.open(library.fresh());
  company = await engine.company('acme');
  await fill(
    company,
    NAMES.map((name) => [`${name}.pdf`, pdfOf(PAGES[name])] as const),
  );
});
afterAll(() => engine.close());

async function search(bytes: Uint8Array, extension: string, limit = 10): Promise<readonly SearchHit[]> {
  return (await company.search({ like: { bytes, extension }, limit })).hits;
}

const ANEW: readonly (readonly [how: string, of: (page: DrawnPage) => Uint8Array, extension: string])[] = [
  ['SVG', svgOf, 'svg'],
  ['DXF', dxfOf, 'dxf'],
  ['PDF, moved on its paper', (page) => pdfOf(movedBy(page, { x: 4.3, y: -2.7 })), 'pdf'],
  ['PDF on larger paper', (page) => pdfOf(movedBy(page, { scale: Math.SQRT2, paper: Math.SQRT2 })), 'pdf'],
  ['PDF, at the same places of larger paper', (page) => pdfOf(movedBy(page, { paper: Math.SQRT2 })), 'pdf'],
  ['SVG, at the same places of larger paper', (page) => svgOf(movedBy(page, { paper: 2 })), 'svg'],
  ['PDF, fitted into a margin', (page) => pdfOf(movedBy(page, { scale: 0.96, x: 6, y: 4 })), 'pdf'],
];

test.each(ANEW)('a drawing that was saved as %s is the same drawing', async (_, of, extension) => {
  for (const name of NAMES) {
    const hits = await search(of(PAGES[name]), extension);
    expect(hits[0], name).toMatchObject({
      path: `${name}.pdf`,
      matchClass: 'identical',
      score: 0.01,
      similarity: 100,
      because: [{ code: 'same-drawing' }],
    });
    for (const hit of hits.slice(1)) expect(hit, `${name} -> ${hit.path}`).toMatchObject({ matchClass: 'similar' });
    // However many hits are asked for.
    expect((await search(of(PAGES[name]), extension, 1))[0]).toEqual(hits[0]);
  }
});

/** Revisions that state or show another size. */
const SIZED = ['number', 'swapped', 'hole'];

test.each(['number', 'swapped', 'word', 'line', 'hole', 'moved', 'solid'])(
  'a revision with another %s is near, and not the same',
  async (how) => {
    let count = 0;
    for (const [i, name] of NAMES.entries()) {
      const revised = revisionOf(PAGES[name], how, seeded(i + 1));
      if (revised === undefined) continue;
      count++;
      const hits = await search(pdfOf(revised), 'pdf');
      for (const { path, matchClass } of hits) expect([path, matchClass]).toEqual([path, 'similar']);
      expect(hits[0].path, name).toBe(`${name}.pdf`);
      // Another size is another part, by as much as the size differs of the few that these sheets state.
      expect(hits[0].similarity, name).toBeGreaterThan(SIZED.includes(how) ? 65 : 95);
    }
    expect(count).toBeGreaterThan(1);
  },
);

/** The page with other texts: those of the same list of words, exchanged. */
function withTexts(page: DrawnPage, texts: readonly (readonly [text: string, x: number, y: number])[]): DrawnPage {
  return { ...page, items: [...page.items, ...texts.map(([text, x, y]) => ({ text, x, y, height: 3.5 }))] };
}

test.each([
  [
    'two sizes change places',
    [
      ['81', 150, 60],
      ['52', 200, 90],
    ],
    [
      ['52', 150, 60],
      ['81', 200, 90],
    ],
  ],
  ['upper and lower deviation', [['80 +0.2 -0.1', 150, 60]], [['80 +0.1 -0.2', 150, 60]]],
  ['the order of datums', [['0.1 A B C', 150, 60]], [['0.1 B A C', 150, 60]]],
  [
    'fits of two sizes',
    [
      ['80 H7', 150, 60],
      ['16 g6', 200, 90],
    ],
    [
      ['80 g6', 150, 60],
      ['16 H7', 200, 90],
    ],
  ],
  ['a hole to a shaft', [['25 H7', 150, 60]], [['25 h7', 150, 60]]],
  ['the letters of a note', [['WELD THE RIM', 150, 60]], [['WELD TIRE HM', 150, 60]]],
] as const)('a revision that changes %s is not the same', async (how, texts, others) => {
  const own = await engine.company(how.replaceAll(' ', '-'));
  await fill(own, [['first.svg', svgOf(withTexts(PAGES.angle, texts))]]);
  const asked = async (page: DrawnPage): Promise<SearchHit> =>
    (await own.search({ like: { bytes: pdfOf(page), extension: 'pdf' } })).hits[0];
  expect(await asked(withTexts(PAGES.angle, texts))).toMatchObject({ matchClass: 'identical', score: 0.01 });
  expect(await asked(withTexts(PAGES.angle, others))).toMatchObject({ matchClass: 'similar' });
});

test('a digit drawn as a filled area counts, and a drawing without any text is never told the same', async () => {
  const bar = (x: number, y: number, width: number, height: number): string =>
    `<path d="M${x} ${y}h${width}v${height}h${-width}Z" fill="black"/>`;
  const one = bar(150, 60, 0.6, 3.5),
    seven = `${one}${bar(148, 60, 2, 0.6)}`;
  const withFills = (page: DrawnPage, fills: string): Buffer =>
    Buffer.from(Buffer.from(svgOf(page)).toString().replace('</svg>', `${fills}</svg>`));
  const isText = (item: object): boolean => 'text' in item;
  const bare = { ...PAGES.angle, items: PAGES.angle.items.filter((item) => !isText(item)) };
  const own = await engine.company('outlines');
  await fill(own, [
    ['texts.svg', withFills(PAGES.angle, one)],
    ['bare.svg', withFills(bare, one)],
  ]);
  const classOf = async (bytes: Uint8Array, path: string): Promise<SearchHit['matchClass'] | undefined> =>
    (await own.search({ like: { bytes, extension: 'svg' } })).hits.find((hit) => hit.path === path)?.matchClass;
  expect(await classOf(withFills(PAGES.angle, `${one} `), 'texts.svg')).toBe('identical');
  expect(await classOf(withFills(PAGES.angle, seven), 'texts.svg')).toBe('similar');
  expect(await classOf(withFills(bare, `${one} `), 'bare.svg')).toBe('similar');
});

test('each of two files finds the other, however many copies there are', async () => {
  const own = await engine.company('copies');
  const files: [string, Uint8Array][] = [
    ['angle.dxf', dxfOf(PAGES.angle)],
    ['angle.pdf', pdfOf(PAGES.angle)],
    ...Array.from({ length: 40 }, (_, i): [string, Uint8Array] => [
      `angle-${i}.svg`,
      Buffer.concat([svgOf(PAGES.angle), Buffer.from(`<!-- ${i} -->`)]),
    ]),
    ['washer.svg', svgOf(PAGES.washer)],
  ];
  await fill(own, files);
  for (const [path, bytes] of files.filter(([path]) => !/[1-9]/.test(path))) {
    const { hits } = await own.search({ like: { bytes, extension: path.slice(-3) }, limit: 50 });
    const same = hits.filter(({ matchClass }) => matchClass === 'identical').map((hit) => hit.path);
    const alike = files.map(([other]) => other).filter((other) => other.startsWith(path.slice(0, 3)));
    expect(same.sort(), path).toEqual(alike.sort());
    expect(same.length).toBe(path.startsWith('angle') ? 42 : 1);
  }
});

test('a copy is told and a revision is near, however many sheets of the family stand beside them', async () => {
  const own = await engine.company('family');
  const siblings = siblingsOf(PAGES.angle, 60)!.map((page, i): [string, Uint8Array] => [`hole-${i}.pdf`, pdfOf(page)]);
  await fill(own, [['angle.pdf', pdfOf(PAGES.angle)], ...siblings]);
  for (const [bytes, extension] of [
    [svgOf(PAGES.angle), 'svg'],
    [dxfOf(PAGES.angle), 'dxf'],
    [pdfOf(movedBy(PAGES.angle, { x: 4.3, y: -2.7 })), 'pdf'],
  ] as const) {
    const { hits } = await own.search({ like: { bytes, extension }, limit: 70 });
    expect(hits[0]).toMatchObject({ path: 'angle.pdf', matchClass: 'identical', score: 0.01 });
    expect(hits.filter(({ matchClass }) => matchClass === 'identical')).toHaveLength(1);
    // On another page of the same search it is as it was.
    const later = await own.search({ like: { bytes, extension }, limit: 10, offset: 10 });
    expect(later.hits.map(({ path }) => path)).toEqual(hits.slice(10, 20).map(({ path }) => path));
  }
  for (const how of ['number', 'word', 'line', 'moved']) {
    const like = { bytes: pdfOf(revisionOf(PAGES.angle, how, seeded(3))!), extension: 'pdf' };
    const { hits } = await own.search({ like, limit: 70 });
    for (const { path, matchClass } of hits) expect([how, path, matchClass]).toEqual([how, path, 'similar']);
    const { similarity } = hits.find(({ path }) => path === 'angle.pdf')!;
    expect(similarity, how).toBeGreaterThan(SIZED.includes(how) ? 65 : 80);
  }
});

test('a stored drawing finds its copy, and a part of its page is not the same', async () => {
  const own = await engine.company('other');
  const [pdf, svg] = await fill(own, [
    ['angle.pdf', pdfOf(PAGES.angle)],
    ['angle.svg', svgOf(PAGES.angle)],
  ]);
  const { hits } = await own.search({ like: { uid: pdf.uid } });
  expect(hits.map(({ uid, matchClass, score }) => [uid, matchClass, score])).toEqual([
    [pdf.uid, 'identical', 0],
    [svg.uid, 'identical', 0.01],
  ]);
  const crop = { x: 100, y: 200, width: 700, height: 500 };
  const parts = await own.search({ like: { uid: pdf.uid, crop } });
  expect(parts.hits.map(({ matchClass }) => matchClass)).toEqual(['similar', 'similar']);
});

test('a picture of a drawing is near it, however its views are found', async () => {
  const png = async (svg: Uint8Array | string): Promise<Uint8Array> =>
    new Uint8Array(await sharp(Buffer.from(svg), { density: 96 }).flatten({ background: 'white' }).png().toBuffer());
  for (const name of ['angle', 'washer']) {
    const [first] = await search(await png(svgOf(PAGES[name])), 'png');
    expect(first, name).toMatchObject({ path: `${name}.pdf`, matchClass: 'similar' });
    expect(first.similarity, name).toBeGreaterThan(97);
  }
  // Views without a frame, of which the picture shows others than the lines: 3 % before all ink was compared.
  const own = await engine.company('views');
  const screw = turned(
    [
      [0, 0],
      [4.25, 0],
      [4.25, 5],
      [2.5, 5],
      [2.5, 25],
      [0, 25],
    ],
    32,
  );
  const bodies: Readonly<Record<string, Body>> = { screw, block: box(50, 30, 20) };
  const svg = (body: Body, x: number): string =>
    svgOfViews(
      threeViews(body).map(([a, b, c, d]) => [a, -b, c, -d] as const),
      { x, y: 180, scale: 2.5 },
    );
  await fill(
    own,
    Object.entries(bodies).map(([name, body]) => [`${name}.svg`, Buffer.from(svg(body, 60))] as const),
  );
  for (const [name, body] of Object.entries(bodies)) {
    const like = { bytes: await png(svg(body, 67)), extension: 'png' };
    const [first, other] = (await own.search({ like })).hits;
    expect(first.path).toBe(`${name}.svg`);
    expect(first.similarity, name).toBeGreaterThan(70);
    expect(other.similarity, name).toBeLessThan(20);
  }
});

test('of two drawings it is told whether their lines are the same, whatever their dimensions say', async () => {
  const [block, longer] = await Promise.all(['block.pdf', 'longer block.pdf'].map((path) => company.find(path)));
  expect(await company.compareLines(block!.uid, block!.uid)).toBe('same');
  expect(await company.compareLines(block!.uid, await company.drawnLines(longer!.uid))).toBe('differ');
  const compared = await company.comparePmi(block!.uid, longer!.uid);
  expect(compared).toMatchObject({ lines: 'differ' });
  expect(compared.note).toBe('only dimensions and texts were compared; their lines differ');
});
