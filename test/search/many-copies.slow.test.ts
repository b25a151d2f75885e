import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Engine } from '../../dist/index.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { writeObj, writeStlBinary } from '../fixtures/mesh-writers.js';
import { dozen, rotated, scaled } from '../fixtures/parts.js';
import { fill, libraries } from './library.js';

// A standard part has more copies than are compared at a time (96), beside an input of another kind.

const { fresh, open } = libraries();
const parts = new Map(dozen().map((body) => [body.name, body]));
const washer = parts.get('washer M8')!;
const COPIES = 150;
let engine: Engine, company: Company;

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('copies');
  await fill(company, [
    ...Array.from({ length: COPIES }, (_, i) => {
      const body = i % 2 === 0 ? rotated(washer, [0.3, i / 100, 0.7, 0.2]) : scaled(washer, 1 + (i + 1) / 50);
      return [`washer ${i}.stl`, writeStlBinary(body)] as const;
    }),
    ...[...parts.values()].map((body) => [`${body.name}.stl`, writeStlBinary(body)] as const),
    ['wedge.dxf', dxfOf(parts.get('wedge')!)],
  ]);
}, 300_000);
afterAll(() => engine.close());

test('copies of a model stay copies, and the drawing that is an input is found before them', async () => {
  const { uid } = await company.putInput(writeObj(washer), { extension: '.obj' });
  const like = [{ uid }, { bytes: dxfOf(parts.get('wedge')!), extension: '.dxf' }];
  for (const limit of [10, 60, 200]) {
    const { hits } = await company.search({ like, limit });
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => a! - b!));
    expect(hits.slice(0, 10).map(({ path }) => path)).toContain('wedge.dxf');
    for (const { score, matchClass } of hits) {
      if (matchClass === 'identical') expect(score).toBeLessThanOrEqual(0.01);
      if (matchClass === 'similar') expect(score).toBeGreaterThanOrEqual(0.05);
    }
    const identical = hits.filter(({ matchClass }) => matchClass === 'identical').length;
    // Every second one, the washer itself, and the drawing.
    expect(identical).toBe(Math.min(limit, COPIES / 2 + 2));
  }
}, 120_000);
