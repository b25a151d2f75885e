import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../dist/options.js';
import { readContent } from '../../../dist/readers/read.js';
import { pdf } from '../../fixtures/pdf-writer.js';

const SIDE = 600;
type Color = readonly [red: number, green: number, blue: number];

/** A plate with a hole as a picture: the color of lines, and that of all else. */
const plate =
  (line: Color, ground: Color) =>
  (x: number, y: number): Color => {
    const [u, v] = [Math.abs(x - 300), Math.abs(y - 300)];
    const isEdge = (Math.abs(u - 200) < 1.5 && v < 120) || (Math.abs(v - 120) < 1.5 && u < 200);
    return isEdge || Math.abs(Math.hypot(u, v) - 60) < 1.5 ? line : ground;
  };

async function png(colorAt: (x: number, y: number) => Color, side = SIDE): Promise<Uint8Array> {
  const rgb = Uint8Array.from({ length: 3 * side * side }, (_, i) => {
    const at = Math.floor(i / 3);
    const scale = SIDE / side;
    return colorAt((at % side) * scale, Math.floor(at / side) * scale)[i % 3];
  });
  return sharp(rgb, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function read(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm', pdfsAreDrawings: true });
  if (content.kind === 'image') return content.pictures[0].gray;
  if (content.kind === 'drawing') return content.sheets[0].pictures[0].picture.gray;
  throw new Error(`became a ${content.kind}`);
}

/** Grey of the paper, and of the left edge of the plate. */
function seen(gray: Uint8Array): { paper: number; edge: number } {
  const side = Math.sqrt(gray.length);
  return { paper: gray[5 * side + 5], edge: gray[(side / 2) * side + side / 6] };
}

describe('line work on a dark ground', () => {
  test.each<[name: string, line: Color, ground: Color]>([
    ['cyan on black', [0, 255, 255], [0, 0, 0]],
    ['white on slate', [255, 255, 255], [33, 40, 48]],
    ['blue on black', [60, 60, 255], [0, 0, 0]],
    ['white on the blue of blueprints', [235, 240, 255], [0, 51, 102]],
  ])('%s is read as ink on paper', async (_, line, ground) => {
    const { paper, edge } = seen(await read(await png(plate(line, ground)), 'screen.png'));
    expect(paper).toBeGreaterThan(250);
    expect(edge).toBeLessThan(200);
  });

  test('is on paper in the finer picture as well, and in a PDF', async () => {
    const large = await readContent(await png(plate([0, 255, 0], [0, 0, 0]), 3_000), 'screen.png', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    });
    const fine = large.kind === 'image' ? large.pictures[0].fine : undefined;
    expect(fine?.gray[20]).toBe(255);
    const color = plate([255, 255, 255], [10, 10, 10]);
    const gray = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => color(i % SIDE, Math.floor(i / SIDE))[0]);
    const bytes = pdf([{ content: '', width: 600, height: 600, picture: { width: SIDE, height: SIDE, gray } }]);
    expect(seen(await read(bytes, 'screen.pdf'))).toEqual({ paper: 255, edge: 0 });
  });

  test.each<[name: string, colorAt: (x: number, y: number) => Color]>([
    [
      'a bright thing before a dark ground',
      (x, y) => (Math.hypot(x - 300, y - 300) < 150 ? [180, 180, 180] : [5, 5, 5]),
    ],
    [
      'a dark thing with bright edges',
      (x, y) =>
        plate(
          [255, 255, 255],
          Math.max(Math.abs(x - 300) - 200, Math.abs(y - 300) - 120) < 0 ? [30, 30, 30] : [0, 0, 0],
        )(x, y),
    ],
    ['lines on paper', plate([0, 0, 0], [255, 255, 255])],
    ['a dark picture without lines', () => [12, 12, 12]],
    ['a ground of many levels', (x, y) => plate([255, 255, 255], [(x + y) / 6, (x + y) / 6, (x + y) / 6])(x, y)],
  ])('%s stays as it is', async (_, colorAt) => {
    const gray = await read(await png(colorAt), 'a.png');
    for (const [x, y] of [
      [5, 5],
      [300, 300],
      [560, 40],
    ])
      expect(Math.abs(gray[y * SIDE + x] - colorAt(x, y)[0])).toBeLessThan(3);
  });
});
