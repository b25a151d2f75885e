import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { brepBox } from '../fixtures/brep-writer.js';
import { stepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();

test('models are converted to STL and STEP and keep size and place', async () => {
  const engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const step = stepFile({ parts: [{ name: 'Küche', shape: { kind: 'box', x: 2, y: 3, z: 4 } }] });
    const zip = await acme.convert(
      [
        { name: 'a/box.step', bytes: step },
        { name: 'b/box.step', bytes: step },
      ],
      { to: 'stl' },
    );
    const files = unzipSync(zip);
    expect(Object.keys(files)).toEqual(['box.stl', 'box(2).stl']);
    const stl = await acme.put('box.stl', files['box.stl']);
    expect(stl).toMatchObject({ state: 'indexed', triangleCount: 12 });
    expect(stl.volumeMm3).toBeCloseTo(24, 4);
    const back = unzipSync(
      await acme.convert(
        [
          { name: 'two.stl', bytes: boxStl(5, 6, 7) },
          { name: 'same.step', bytes: step },
        ],
        { to: 'step' },
      ),
    );
    expect(Buffer.from(back['same.step']).equals(step)).toBe(true);
    const faceted = await acme.put('two.step', back['two.step']);
    expect(faceted).toMatchObject({ state: 'indexed', triangleCount: 12, warnings: [] });
    expect(faceted.volumeMm3).toBeCloseTo(210, 3);
    expect(faceted.surfaceAreaMm2).toBeCloseTo(214, 3);
    const open = boxStl(5, 6, 7).slice(0, 84 + 50 * 11);
    new DataView(open.buffer, open.byteOffset).setUint32(80, 11, true);
    const shell = await acme.put(
      'open.step',
      unzipSync(await acme.convert([{ name: 'open.stl', bytes: open }], { to: 'step' }))['open.step'],
    );
    expect(shell).toMatchObject({ state: 'indexed', triangleCount: 11 });
    // A body with a cavity: a box in a box, inside out.
    const hollow = new Uint8Array(84 + 50 * 24),
      hole = new DataView(boxStl(2, 2, 2).buffer),
      out = new DataView(hollow.buffer);
    hollow.set(boxStl(10, 10, 10));
    out.setUint32(80, 24, true);
    for (let t = 0; t < 12; t++) {
      for (const [to, corner] of [0, 2, 1].entries()) {
        for (let k = 0; k < 3; k++)
          out.setFloat32(
            84 + 50 * (12 + t) + 12 + 12 * to + 4 * k,
            hole.getFloat32(84 + 50 * t + 12 + 12 * corner + 4 * k, true) + 4,
            true,
          );
      }
    }
    const hollowed = await acme.put(
      'hollow.step',
      unzipSync(await acme.convert([{ name: 'hollow.stl', bytes: hollow }], { to: 'step' }))['hollow.step'],
    );
    expect(hollowed.volumeMm3).toBeCloseTo(992, 3);
    // A closed piece and an open one in one mesh: both come back.
    const whole = boxStl(5, 6, 7),
      both = new Uint8Array(84 + 50 * 23);
    both.set(whole);
    both.set(boxStl(50, 60, 70).subarray(84, 84 + 50 * 11), 84 + 50 * 12);
    new DataView(both.buffer).setUint32(80, 23, true);
    const mixed = await acme.put(
      'mixed.step',
      unzipSync(await acme.convert([{ name: 'mixed.stl', bytes: both }], { to: 'step' }))['mixed.step'],
    );
    expect(mixed).toMatchObject({ state: 'indexed', triangleCount: 23 });
    for (const [i, side] of [70, 60, 50].entries()) expect(mixed.bboxSizeMm![i]).toBeCloseTo(side, 4);
    await expect(acme.convert([{ name: 'x.stl', bytes: new Uint8Array(100) }], { to: 'step' })).rejects.toMatchObject({
      name: 'EngineError',
      details: { name: 'x.stl' },
    });
    await expect(acme.convert([], { to: 'obj' as never })).rejects.toThrow(RangeError);
  } finally {
    await engine.close();
  }
});

test('what has surfaces keeps them in STEP, what has none says so', async () => {
  const engine = await Engine.open(join(folder, 'exact'), { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const step = stepFile({ parts: [{ name: 'rod', shape: { kind: 'cylinder', radius: 5, height: 40 } }] });
    const [brep, mesh, packed] = await acme.convertFiles(
      [
        { name: 'box.brep', bytes: brepBox(3, 4, 5) },
        { name: 'box.stl', bytes: boxStl(3, 4, 5) },
        { name: 'rod.stp.gz', bytes: new Uint8Array(gzipSync(step)) },
      ],
      { to: 'step' },
    );
    expect([brep, mesh, packed].map(({ faceted }) => faceted)).toEqual([false, true, false]);
    expect(Buffer.from(packed.bytes).equals(step)).toBe(true);
    // Six faces, not twelve triangles: what the modeller wrote is what it read.
    const back = await acme.put('brep.step', brep.bytes);
    expect(back).toMatchObject({ state: 'indexed', faceCount: 6, warnings: [] });
    expect(back.volumeMm3).toBeCloseTo(60, 6);
    expect((await acme.put('mesh.step', mesh.bytes)).faceCount).toBe(12);
    expect(Buffer.from(mesh.bytes).toString('latin1')).toContain("FILE_DESCRIPTION(('faceted");
    const [again] = await acme.convertFiles([{ name: 'box.brep', bytes: brepBox(3, 4, 5) }], { to: 'step' });
    expect(Buffer.compare(again.bytes, brep.bytes)).toBe(0);

    const count = async (toleranceMm?: number): Promise<number> =>
      new DataView(
        (await acme.convertFiles([{ name: 'rod.step', bytes: new Uint8Array(step) }], { to: 'stl', toleranceMm }))[0]
          .bytes.buffer,
      ).getUint32(80, true);
    const [rod] = await acme.convertFiles([{ name: 'rod.step', bytes: new Uint8Array(step) }], { to: 'stl' });
    // Of the cylinder itself, not of the triangles that stand for it.
    const { volumeMm3 } = await acme.put('rod.stl', rod.bytes);
    expect(Math.abs(volumeMm3! / (1_000 * Math.PI) - 1)).toBeLessThan(1e-3);
    const usual = await count();
    expect(await count(0.0005)).toBeGreaterThan(2 * usual);
    expect(await count(1)).toBeLessThanOrEqual(usual);
    await expect(count(0)).rejects.toThrow(RangeError);
  } finally {
    await engine.close();
  }
});

test('names are safe, and no two the same', async () => {
  const engine = await Engine.open(join(folder, 'names'), { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const names = [
      '../../etc/passwd.stl',
      'C:\\parts\\nul.stl',
      'A.stl',
      'b/a.stl',
      'a?*.STL',
      '...stl',
      '...',
      ' tail. .stl',
      `${'é'.repeat(300)}.stl`,
    ];
    const converted = await acme.convertFiles(
      names.map((name) => ({ name, bytes: boxStl(1, 2, 3) })),
      { to: 'step' },
    );
    expect(converted.map(({ name }) => name).slice(0, 8)).toEqual([
      'passwd.step',
      '_nul.step',
      'A.step',
      'a(2).step',
      'a__.step',
      'stl.step',
      'file.step',
      'tail.step',
    ]);
    expect(Buffer.byteLength(converted[8].name)).toBeLessThanOrEqual(255);
    expect(converted.map(({ from }) => from)).toEqual(names);
    const zip = Buffer.from(await acme.convert([{ name: 'a.stl', bytes: boxStl(1, 2, 3) }], { to: 'step' })).toString(
      'latin1',
    );
    expect(zip).toContain('faceted');
  } finally {
    await engine.close();
  }
});
