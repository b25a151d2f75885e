import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { contactSheet } from '../../dist/pictures/contact-sheet.js';
import { SHEET_PICTURE_LIMITS, sheetPdf } from '../../dist/pictures/sheet-pdf.js';
import { thumbnail } from '../../dist/pictures/thumbnail.js';
import { Core, type TriangleMesh } from '../../dist/core-entry.js';
import { Engine } from '../../dist/index.js';
import { bracket, box, cylinder, motion, transformed } from '../core/shapes.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();
let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Columns and rows between the first and the last pixel that the part covers. */
function extentOf({ data, width, height }: Pixels): { wide: number; high: number; covered: number } {
  let left = width,
    right = -1,
    top = height,
    bottom = -1,
    covered = 0;
  for (let i = 0; i < width * height; i++) {
    if (data[4 * i + 3] < 128) continue;
    left = Math.min(left, i % width);
    right = Math.max(right, i % width);
    top = Math.min(top, Math.floor(i / width));
    bottom = Math.max(bottom, Math.floor(i / width));
    covered++;
  }
  return { wide: right - left + 1, high: bottom - top + 1, covered };
}

describe('thumbnail', () => {
  const PARTS: Record<string, TriangleMesh> = {
    bar: box(10, 80, 6),
    pin: cylinder(4, 60, 48),
    bracket: bracket(40, 25, 4, 15),
  };

  test.each(Object.keys(PARTS))(
    '%s: fills the picture from side to side and lies flat, however the file has it turned',
    async (name) => {
      for (const turn of [
        [1, 0, 0, 0],
        [0.3, 0.5, -0.2, 0.7],
        [0, 1, 1, 0],
      ]) {
        const pixels = await pixelsOf(await thumbnail(core, transformed(PARTS[name], motion(turn)), { size: 128 }));
        expect(pixels).toMatchObject({ width: 128, height: 128, channels: 4 });
        const { wide, high, covered } = extentOf(pixels);
        expect(wide).toBeGreaterThan(112);
        expect(wide).toBeLessThanOrEqual(128);
        expect(high).toBeLessThan(wide);
        expect(covered).toBeGreaterThan(0.08 * 128 * 128);
      }
    },
  );

  test('lines are dark, the faces of a box differ in light, and edges are smooth', async () => {
    const { data } = await pixelsOf(await thumbnail(core, box(30, 20, 15), { size: 200 }));
    const greys = new Map<number, number>();
    let smooth = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) greys.set(data[i + 1], (greys.get(data[i + 1]) ?? 0) + 1);
      else if (data[i + 3] > 0) smooth++;
    }
    const [first, second, third] = [...greys].sort((a, b) => b[1] - a[1]);
    for (const [, count] of [first, second, third]) expect(count).toBeGreaterThan(1000);
    const lights = [first, second, third].map(([grey]) => grey).sort((a, b) => a - b);
    expect(lights[0]).toBeGreaterThan(80);
    expect(Math.min(lights[1] - lights[0], lights[2] - lights[1])).toBeGreaterThan(10);
    expect([...greys.keys()].some((grey) => grey < 60)).toBe(true);
    expect(smooth).toBeGreaterThan(100);
  });

  test('triangles have their own colors, the others are grey, and lines are seen on dark ones', async () => {
    const part = box(30, 20, 15);
    const tinted = (colorOf: (triangle: number) => readonly number[]): Uint8Array =>
      Uint8Array.from({ length: (4 * part.indices.length) / 3 }, (_, i) => colorOf(Math.floor(i / 4))[i % 4]);
    const colorsOf = async (tints: Uint8Array | undefined): Promise<number[][]> => {
      const { data } = await pixelsOf(await thumbnail(core, { ...part, tints }, { size: 128 }));
      return Array.from({ length: data.length / 4 }, (_, i) => [...data.subarray(4 * i, 4 * i + 4)]).filter(
        ([, , , opacity]) => opacity === 255,
      );
    };
    const plain = await colorsOf(undefined);
    expect(await colorsOf(tinted(() => [0, 0, 0, 0]))).toEqual(plain);
    const isRed = ([red, green, blue]: readonly number[]): boolean => red > 60 && green < red / 3 && blue < red / 3;
    const isGreen = ([red, green, blue]: readonly number[]): boolean =>
      green > 60 && red < green / 3 && blue < green / 3;
    const red = await colorsOf(tinted(() => [230, 30, 30, 255]));
    expect(red.filter(isRed).length).toBeGreaterThan(0.8 * plain.length);
    // Two triangles a face: some faces that are seen are red, others green, and none is both.
    const mixed = await colorsOf(
      tinted((triangle) => (triangle < part.indices.length / 6 ? [230, 30, 30, 255] : [30, 230, 30, 255])),
    );
    expect(mixed.filter(isRed).length).toBeGreaterThan(500);
    expect(mixed.filter(isGreen).length).toBeGreaterThan(500);
    const dark = await colorsOf(tinted(() => [30, 30, 30, 255]));
    expect(dark.filter(([value]) => value < 45).length).toBeGreaterThan(0.8 * plain.length);
    expect(dark.filter(([value]) => value > 100).length).toBeGreaterThan(100);
    await expect(thumbnail(core, { ...part, tints: new Uint8Array(7) })).rejects.toThrow(/tints.*7/);
  });

  test('a model has the colors of its file, those of faces, parts and placements', async () => {
    const engine = await Engine.open(join(folder, 'colors'), { workers: 1 });
    try {
      const acme = await engine.company('acme');
      const step = stepFile({
        parts: [
          { name: 'red', shape: { kind: 'box', x: 30, y: 20, z: 15 }, color: [1, 0, 0] },
          { name: 'plain', shape: { kind: 'box', x: 30, y: 20, z: 15 } },
        ],
        assemblies: [
          {
            name: 'both',
            places: [
              { of: { part: 0 }, at: [0, 0, 0] },
              { of: { part: 1 }, at: [40, 0, 0] },
            ],
          },
        ],
      });
      const { uid } = await acme.put('both.step', step);
      const { data } = await pixelsOf(await acme.thumbnail(uid, { size: 256 }));
      let red = 0,
        grey = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 255) continue;
        if (data[i] > 70 && data[i + 1] < data[i] / 2) red++;
        else if (data[i + 2] >= data[i] && data[i] > 70) grey++;
      }
      expect(red).toBeGreaterThan(2_000);
      expect(grey).toBeGreaterThan(2_000);
    } finally {
      await engine.close();
    }
  });

  test('white where it is asked for; the same bytes again; wrong options are named', async () => {
    const white = await pixelsOf(await thumbnail(core, PARTS['bar'], { size: 64, background: 'white' }));
    expect([...white.data.subarray(0, 3)]).toEqual([255, 255, 255]);
    expect(white.channels).toBe(3);
    const twice = await Promise.all([thumbnail(core, PARTS['bar']), thumbnail(core, PARTS['bar'])]);
    expect(Buffer.from(twice[0]).equals(Buffer.from(twice[1]))).toBe(true);
    await expect(thumbnail(core, PARTS['bar'], { size: 8 })).rejects.toThrow(/size/);
    await expect(thumbnail(core, PARTS['bar'], { background: 'red' as 'white' })).rejects.toThrow(/background/);
  });
});

describe('contact sheet', () => {
  test('pictures lie in rows, texts are drawn as they are', async () => {
    const red = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const tiles = Array.from({ length: 5 }, (_, i) => ({
      png: i === 3 ? undefined : red,
      title: `<${i}> & a very long name of a file`,
      caption: '×\u0007"',
    }));
    const { data, width, height, channels } = await pixelsOf(await contactSheet(tiles, { columns: 3, tileSize: 40 }));
    expect(width).toBe(16 + 3 * 56);
    expect(height).toBe(16 + 2 * 90);
    const at = (x: number, y: number): number[] => [
      ...data.subarray(channels * (y * width + x), channels * (y * width + x) + 3),
    ];
    for (const [x, y] of [
      [36, 36],
      [92, 36],
      [148, 36],
      [92, 126],
    ])
      expect(at(x, y)).toEqual([255, 0, 0]);
    expect(at(36, 126)).toEqual([255, 255, 255]);
    expect(at(8, 8)).toEqual([255, 255, 255]);
    const dark = Array.from({ length: 40 * 18 }, (_, i) => at(16 + (i % 40), 56 + Math.floor(i / 40))).filter(
      ([r]) => r < 120,
    );
    expect(dark.length).toBeGreaterThan(10);
  });

  test('no tile and too many are refused', async () => {
    await expect(contactSheet([])).rejects.toThrow(/number of tiles/);
    await expect(contactSheet(Array.from({ length: 501 }, () => ({ title: '', caption: '' })))).rejects.toThrow(
      /number of tiles/,
    );
  });
});

describe('company', () => {
  test('draws a file, bytes and a result; a failed file says why', async () => {
    const engine = await Engine.open(`${folder}/library`, { workers: 1 });
    try {
      const acme = await engine.company('acme');
      const bar = await acme.put('bar.stl', boxStl(10, 80, 6));
      await acme.put('cube.stl', boxStl(5, 5, 5));
      const png = await acme.thumbnail(bar.uid, { size: 100 });
      expect(await pixelsOf(png)).toMatchObject({ width: 100, height: 100, channels: 4 });
      const ofBytes = await acme.thumbnail({ bytes: boxStl(10, 80, 6), extension: '.stl' }, { size: 100 });
      expect(Buffer.from(ofBytes).equals(png)).toBe(true);

      const like = { uid: bar.uid };
      const result = await acme.search({ like });
      const sheet = await pixelsOf(await acme.pictures.results(like, result));
      expect(sheet.width).toBe(16 + 3 * 216);
      await acme.delete(result.hits[1].uid);
      expect((await pixelsOf(await acme.pictures.results(like, result))).width).toBe(sheet.width);

      const broken = await acme.put('broken.stl', new TextEncoder().encode('solid x\nfacet'));
      await expect(acme.thumbnail(broken.uid)).rejects.toMatchObject({ code: broken.error?.code });
      await expect(acme.thumbnail('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
        code: 'FILE_UNKNOWN',
      });
      await expect(acme.thumbnail(bar.uid, { size: 5000 })).rejects.toThrow(RangeError);
      await expect(acme.thumbnail({ bytes: 'x', extension: '' } as never)).rejects.toThrow(/part must be/);
    } finally {
      await engine.close();
    }
  });
});

describe('the picture of a sheet', () => {
  /** The x of the corners of each path that draws one line of `corners` corners to and fro across the sheet. */
  const pathsOf = (corners: number): number[][] => {
    const points = Float32Array.from({ length: 2 * corners }, (_, i) =>
      i % 2 === 0 ? 100 * ((i / 2) % 2) : (100 * (i - 1)) / (2 * corners),
    );
    const strokes = {
      count: 1,
      points,
      starts: Uint32Array.of(0, corners),
      styles: Uint16Array.of(0),
      groups: Uint32Array.of(0),
      annotations: Int32Array.of(-1),
    };
    const styles = [{ layer: '', width: 0.1, dash: [], color: 0, isFill: false }];
    const page = { number: 1, width: 100, height: 100, unitMm: 1, space: 'paper' } as const;
    const pdf = sheetPdf(
      { ...page, styles, strokes, arcs: [], texts: [], annotations: [], pictures: [] },
      { widthPx: 1_024, heightPx: 1_024 },
    );
    const file = Buffer.from(pdf!);
    const from = file.indexOf('stream\n') + 'stream\n'.length;
    const content = inflateSync(file.subarray(from)).toString('latin1');
    const paths = content.split('S\n').slice(0, -1);
    return paths.map((path) => [...path.matchAll(/^([\d.-]+) [\d.-]+ [ml]$/gm)].map(([, x]) => Number(x)));
  };

  test('draws a long line in parts that join, because the time for one path grows with its square', () => {
    const paths = pathsOf(15_000);
    expect(Math.max(...paths.map(({ length }) => length))).toBeLessThan(12_000);
    expect(paths.length).toBeGreaterThan(1);
    expect(paths[1][0]).toBe(paths[0].at(-1));
    expect(paths.reduce((sum, { length }) => sum + length, 0)).toBe(15_000 + paths.length - 1);
  });

  test('ends where its lines pass each pixel many times', () => {
    const corners = pathsOf(60_000).reduce((sum, { length }) => sum + length, 0);
    expect(corners).toBeLessThan(60_000);
    expect(1_024 * corners).toBeGreaterThan(SHEET_PICTURE_LIMITS.linePx);
  });
});
