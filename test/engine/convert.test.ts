import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();

test('models are converted to STL and STEP and keep size and place', async () => {
  const engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const step = stepFile({ parts: [{ name: 'Küche', shape: { kind: 'box', x: 2, y: 3, z: 4 } }] });
    const zip = await acme.convert([{ name: 'a/box.step', bytes: step }, { name: 'b/box.step', bytes: step }], { to: 'stl' });
    const files = unzipSync(zip);
    expect(Object.keys(files)).toEqual(['box.stl', 'box(2).stl']);
    const stl = await acme.put('box.stl', files['box.stl']);
    expect(stl).toMatchObject({ state: 'indexed', triangleCount: 12 });
    expect(stl.volumeMm3).toBeCloseTo(24, 4);
    const back = unzipSync(await acme.convert([{ name: 'two.stl', bytes: boxStl(5, 6, 7) }, { name: 'same.step', bytes: step }], { to: 'step' }));
    expect(Buffer.from(back['same.step']).equals(step)).toBe(true);
    const faceted = await acme.put('two.step', back['two.step']);
    expect(faceted).toMatchObject({ state: 'indexed', triangleCount: 12, warnings: [] });
    expect(faceted.volumeMm3).toBeCloseTo(210, 3);
    expect(faceted.surfaceAreaMm2).toBeCloseTo(214, 3);
    const open = boxStl(5, 6, 7).slice(0, 84 + 50 * 11);
    new DataView(open.buffer, open.byteOffset).setUint32(80, 11, true);
    const shell = await acme.put('open.step', unzipSync(await acme.convert([{ name: 'open.stl', bytes: open }], { to: 'step' }))['open.step']);
    expect(shell).toMatchObject({ state: 'indexed', triangleCount: 11 });
    await expect(acme.convert([{ name: 'x.stl', bytes: new Uint8Array(100) }], { to: 'step' })).rejects.toMatchObject({ name: 'EngineError', details: { name: 'x.stl' } });
    await expect(acme.convert([], { to: 'obj' as never })).rejects.toThrow(RangeError);
  } finally {
    await engine.close();
  }
});
