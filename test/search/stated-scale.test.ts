import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { threeViews } from '../fixtures/drawing-of-body.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { lBracket } from '../fixtures/shapes.js';

const [LEG, THICKNESS, WIDTH] = [80, 12, 33] as const;

/** Three views of the bracket in half its size, with the sizes that are stated. */
function drawing(stated: readonly number[]): Uint8Array {
  const lines = threeViews(lBracket(LEG, THICKNESS, WIDTH)).map(([a, b, c, d]) => line(a / 2, b / 2, c / 2, d / 2));
  const header = [
    [9, '$INSUNITS'],
    [70, 4],
  ] as const;
  return dxf({
    header: header.map(([code, value]) => [code, value]),
    entities: [...lines, ...stated.map((size, i) => text(String(size), 12 * i, -14))],
  });
}

test('models in other sizes are less like a drawing that states the sides of its views', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-scale-'));
  const engine = await Engine.open(folder);
  try {
    const company = await engine.company('scale');
    for (const times of [1, 1.25])
      await company.put(`${times}.stl`, writeStlBinary(lBracket(times * LEG, times * THICKNESS, times * WIDTH)));
    const said = async (stated: readonly number[]): Promise<Record<string, number>> => {
      const { uid } = await company.putInput(drawing(stated), { extension: '.dxf' });
      const { hits } = await company.search({ like: { uid } });
      return Object.fromEntries(hits.map(({ path, similarity }) => [path, similarity ?? 0]));
    };
    const all = await said([LEG, WIDTH, THICKNESS]);
    expect(all['1.stl']).toBeGreaterThan(95);
    expect(all['1.25.stl']).toBeLessThan(all['1.stl'] - 10);
    // Where a side is not stated, nobody knows the scale.
    const some = await said([LEG, THICKNESS]);
    expect(some['1.25.stl']).toBeGreaterThan(all['1.25.stl'] + 5);
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
});
