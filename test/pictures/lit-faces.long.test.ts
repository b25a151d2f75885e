import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';

// Pictures of a model with some of its faces in another color.

const library = temporaryFolder();
let engine: Engine;
let acme: Company;
let uid: string;
beforeAll(async () => {
  engine = await Engine.open(library, { workers: 1 });
  acme = await engine.company('acme');
  const red = { name: 'Block', shape: { kind: 'box', x: 60, y: 40, z: 20 }, color: [0.9, 0.1, 0.1] } as const;
  ({ uid } = await acme.put('block.step', stepFile({ parts: [red] })));
});
afterAll(() => engine.close());

/** Shares of the drawn pixels that are orange, and red. */
async function colorsOf(png: Uint8Array): Promise<{ orange: number; red: number; size: number }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  let drawn = 0,
    orange = 0,
    red = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 255) continue;
    drawn++;
    if (data[at] > 1.3 * data[at + 1] && data[at + 1] > 2 * data[at + 2]) orange++;
    if (data[at] > 3 * data[at + 1]) red++;
  }
  return { orange: orange / drawn, red: red / drawn, size: info.width };
}

test('each face of a box is seen when it is lit, wherever it lies, and nothing has its own color', async () => {
  const faces = (await acme.faces(uid))!;
  expect(faces).toHaveLength(6);
  expect((await colorsOf(await acme.thumbnail(uid))).red).toBeGreaterThan(0.8);
  for (const { number } of faces) {
    const { orange, red, size } = await colorsOf(await acme.pictures.faces(uid, [number]));
    expect(orange, `face ${number}`).toBeGreaterThan(0.1);
    expect(orange, `face ${number}`).toBeLessThan(0.75);
    expect([red, size]).toEqual([0, 256]);
  }
  const all = faces.map(({ number }) => number);
  const { orange, size } = await colorsOf(await acme.pictures.faces(uid, all, { size: 600 }));
  expect(orange).toBeGreaterThan(0.9);
  expect(size).toBe(600);
  // A number that the model lacks lights nothing.
  expect((await colorsOf(await acme.pictures.faces(uid, [77]))).orange).toBe(0);
});

test('is the same again and for the same faces in another order; bytes that are not stored are drawn too', async () => {
  const png = await acme.pictures.faces(uid, [0, 3], { size: 128, background: 'white' });
  expect(Buffer.from(await acme.pictures.faces(uid, [3, 0, 0], { size: 128, background: 'white' })).equals(png)).toBe(
    true,
  );
  const cone = stepFile({ parts: [{ name: 'Pin', shape: { kind: 'cylinder', radius: 4, height: 30 } }] });
  const drawn = await acme.pictures.faces({ bytes: cone, extension: '.step' }, [0, 1, 2]);
  expect((await colorsOf(drawn)).orange).toBeGreaterThan(0.9);
});

test('a library keeps a bounded number of them for a file', async () => {
  const kept = (): number =>
    (readdirSync(join(library, 'cache'), { recursive: true, encoding: 'utf8' }) as string[]).filter((name) =>
      /faces-256-[^/]*$/.test(name),
    ).length;
  const before = kept();
  expect(before).toBeGreaterThan(5);
  for (let i = 100; i < 310; i++) await acme.pictures.faces(uid, [i]);
  expect(kept()).toBeLessThanOrEqual(200);
  expect((await colorsOf(await acme.pictures.faces(uid, [0]))).orange).toBeGreaterThan(0.1);
});

test('a sheet of a search for a shape inside others shows the matched faces', async () => {
  const contains = { uid, faces: [0, 1, 2] };
  const result = await acme.search({ contains });
  expect(result.hits.map(({ path }) => path)).toEqual(['block.step']);
  expect((await colorsOf(await acme.pictures.results(contains, result))).orange).toBeGreaterThan(0.05);
  expect((await colorsOf(await acme.pictures.results({ uid }, result))).orange).toBeGreaterThan(0.02);
});

test('what is no model is refused, and so are wrong faces and options', async () => {
  const text = await acme.put('note.txt', new TextEncoder().encode('a note'));
  await expect(acme.pictures.faces(text.uid, [0])).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
  for (const faces of [[], [-1], [0.5], 3])
    await expect(acme.pictures.faces(uid, faces as number[])).rejects.toThrow(/faces/);
  await expect(acme.pictures.faces(uid, [0], { size: 4 })).rejects.toThrow(RangeError);
  await expect(acme.pictures.faces(uid, [0], { page: 1 } as never)).rejects.toThrow(TypeError);
  await expect(acme.pictures.faces('00000000-0000-4000-8000-000000000000', [0])).rejects.toMatchObject({
    code: 'FILE_UNKNOWN',
  });
});
