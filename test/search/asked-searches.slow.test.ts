import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { Company, EngineOptions, SearchQuery } from '../../dist/index.js';
import { ViewLists } from '../../dist/core/view-lists.js';
import { AskedShapes } from '../../dist/search/shapes/asked-shapes.js';
import { HeldShapes } from '../../dist/search/shapes/held-shapes.js';
import { TabledViews } from '../../dist/search/views/tabled-views.js';
import { dxfOf, svgOf, viewOf } from '../fixtures/drawing-of-body.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen } from '../fixtures/parts.js';
import { box, lBracket } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { answer, fill, libraries, uidOf } from './library.js';
import { COPIES, files } from './mixed-files.js';

/**
 * A company that does not fit into the memory for searches is searched from the database. Every kind of query gives the
 * hits, totals and scores that it gives from memory, after changes too.
 */
const { fresh, open } = libraries();
/** More views than this are short vectors, in memory or not. */
const EXACT_LIMIT = 100;
/** A bound on a hang: 30 s of processor, on a machine that does much else. */
const HANG_MS = 600_000;
const ASSEMBLY = stepFile({
  parts: [
    { name: 'block', shape: { kind: 'box', x: 17, y: 13, z: 7 } },
    { name: 'cube', shape: { kind: 'box', x: 5, y: 5, z: 5 } },
  ],
  assemblies: [
    {
      name: 'pair',
      places: [
        { of: { part: 0 }, at: [0, 0, 0] },
        { of: { part: 1 }, at: [20, 0, 0] },
      ],
    },
  ],
});
/** 12 kinds of part, 38 blocks and brackets, copies; a drawing of each kind; text of some. */
const parts = files.filter((_, i) => i < 42 || (i >= 262 && i < 270) || i >= COPIES[0]);
const drawings = dozen().map((body): [string, Uint8Array] => [`drawings/${body.name}.dxf`, dxfOf(body)]);
const all: [string, Uint8Array][] = [
  ...parts.map(([path, bytes]): [string, Uint8Array] => [path, bytes]),
  ...drawings,
  ['notes.txt', Buffer.from('the stainless blocks of order 4711')],
];
const DRAWING = parts.length;

async function pngOf(from: 'front' | 'top'): Promise<Uint8Array> {
  const svg = svgOf(viewOf(dozen()[3], from), { x: 120, y: 120, scale: 1.5 }).replace('"0.5"', '"1.5"');
  const picture = sharp(Buffer.from(svg), { density: 150 }).resize(800, 600).flatten({ background: 'white' });
  return new Uint8Array(await picture.png().toBuffer());
}

async function queries(): Promise<SearchQuery[]> {
  const [front, top] = await Promise.all([pngOf('front'), pngOf('top')]);
  const picture = { bytes: front, extension: '.png' };
  return [
    { like: { uid: uidOf(3) }, limit: 60 },
    { like: { uid: uidOf(40) }, limit: 30, offset: 25 },
    { like: { uid: uidOf(parts.length - 1) }, limit: 5 },
    { like: [{ uid: uidOf(5) }, { uid: uidOf(20) }], limit: 40 },
    { like: { uid: uidOf(40) }, volume: '.3', surfaceArea: '+.5/-.2', limit: 40 },
    { like: { uid: uidOf(40) }, text: ['Material=Steel'], limit: 40, facets: true },
    { like: { uid: uidOf(40) }, text: ['blocks'], volume: '.5', limit: 40 },
    { like: { uid: uidOf(3) }, kinds: ['TwoD'], limit: 20 },
    { like: { uid: uidOf(DRAWING + 3) }, limit: 40 },
    { like: { uid: uidOf(DRAWING + 3) }, kinds: ['ThreeD'], text: ['Material=Steel'], limit: 20 },
    { like: picture, photoModels: 4, limit: 40 },
    { like: [picture, { bytes: top, extension: '.png' }], photoModels: 4, limit: 20 },
    { like: { uid: uidOf(45) }, components: true, limit: 20 },
    { like: { uid: uidOf(DRAWING + 3) }, components: 'only', limit: 20 },
    { contains: { uid: uidOf(40) }, limit: 10 },
    { text: ['blocks'], limit: 20, offset: 3 },
    { text: ['Material=Steel'], limit: 20, facets: true },
    { text: ['stainless'] },
    { kinds: ['ThreeD'], limit: 20, offset: 4 },
  ];
}

async function change(acme: Company): Promise<void> {
  await acme.put(`${parts[7][0]}`, writeStlBinary(box(31, 8, 8)));
  await acme.put('new/block.stl', writeStlBinary(box(17, 13, 7.5)), { uid: uidOf(2_000) });
  await acme.put('new/drawing.dxf', dxfOf(dozen()[3]), { uid: uidOf(2_001) });
  await acme.delete(uidOf(parts.length - 2));
  await acme.delete(uidOf(DRAWING + 2));
  await acme.setAttributes(uidOf(39), ['Material=Brass']);
}

async function answers(acme: Company, asked: readonly SearchQuery[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const query of asked) found.push(await answer(acme, query));
  return found;
}

test(
  'a company that does not fit into the memory for searches gives the same hits from the database',
  async () => {
    const folder = fresh();
    const asked = await queries();
    const inMemory = [vi.spyOn(HeldShapes.prototype, 'nearest'), vi.spyOn(ViewLists.prototype, 'measured')];
    const inDatabase = [vi.spyOn(AskedShapes.prototype, 'nearest'), vi.spyOn(TabledViews.prototype, 'nearest')];
    const opened = async <T>(bound: Partial<EngineOptions>, work: (acme: Company) => Promise<T>): Promise<T> => {
      for (const spy of [...inMemory, ...inDatabase]) spy.mockClear();
      const engine = await open(folder, { exactLimit: EXACT_LIMIT, ...bound });
      try {
        return await work(await engine.company('acme'));
      } finally {
        await engine.close();
      }
    };
    const compare = (found: readonly unknown[], wanted: readonly unknown[]): void => {
      for (const [i, query] of asked.entries())
        expect(found[i], `query ${i}: ${Object.keys(query)}`).toEqual(wanted[i]);
    };
    const before = await opened({}, async (acme) => {
      await fill(acme, all);
      await acme.put('pair.step', ASSEMBLY, { uid: uidOf(1_000), indexAssemblyComponents: true });
      for (let i = 12; i < 40; i++) await acme.setAttributes(uidOf(i), [`Material=${i % 3 === 0 ? 'Steel' : 'Brass'}`]);
      return answers(acme, asked);
    });
    for (const spy of inMemory) expect(spy).toHaveBeenCalled();
    for (const spy of inDatabase) expect(spy).not.toHaveBeenCalled();
    const changed = await opened({ searchMemoryMiB: 1 }, async (acme) => {
      compare(await answers(acme, asked), before);
      await change(acme);
      return answers(acme, asked);
    });
    for (const spy of inDatabase) expect(spy).toHaveBeenCalled();
    for (const spy of inMemory) expect(spy).not.toHaveBeenCalled();
    expect(changed).not.toEqual(before);
    compare(await opened({}, (acme) => answers(acme, asked)), changed);
    // The tables as they were left, brought up to date; without what is looked for in pictures, which takes longest.
    const quick = asked.filter((query) => query.photoModels === undefined);
    const again = await opened({ searchMemoryMiB: 1 }, (acme) => answers(acme, quick));
    expect(again).toEqual(quick.map((query) => changed[asked.indexOf(query)]));
  },
  HANG_MS,
);

test('a company that outgrows the memory for searches is searched from the database from then on', async () => {
  const folder = fresh();
  const engine = await open(folder, { exactLimit: EXACT_LIMIT, searchMemoryMiB: 1 });
  const byTable = vi.spyOn(TabledViews.prototype, 'nearest');
  const acme = await engine.company('acme');
  await fill(acme, [['a.dxf', dxfOf(dozen()[3])] as const, ['a.stl', writeStlBinary(lBracket(30, 4, 20))] as const]);
  const drawing = { like: { uid: uidOf(0) }, limit: 20 } as const;
  await acme.search(drawing);
  byTable.mockClear();
  await Promise.all(dozen().map((body, i) => acme.put(`b/${i}.stl`, writeStlBinary(body), { uid: uidOf(10 + i) })));
  const bounded = await answer(acme, drawing);
  expect(byTable).toHaveBeenCalled();
  expect(bounded.hits).toHaveLength(14);
  await engine.close();
  const held = await open(folder, { exactLimit: EXACT_LIMIT });
  expect(bounded).toEqual(await answer(await held.company('acme'), drawing));
  await held.close();
});
