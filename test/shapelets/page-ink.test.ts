import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { packInks, unpackInks } from '../../dist/descriptors/page-inks.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { INK_SIDE, withBoxes, type PageInk } from '../../dist/shapelets/page-ink.js';
import { inkOfPicture, inkOfSheet } from '../../dist/shapelets/page-layout.js';
import { seeded } from '../fixtures/random.js';
import { draw, drawingPage, scanned, VIEWS } from './drawn-page.js';

const WIDTH = 1_700,
  HEIGHT = 1_200;
const LINES = drawingPage().replace(/<text.*?<\/text>/g, '');

/** Share of the ink of one that lies within a cell of ink of the other. */
function covered(a: PageInk, b: PageInk): number {
  let near = 0,
    all = 0;
  for (let y = 1; y + 1 < a.height; y++) {
    for (let x = 1; x + 1 < a.width; x++) {
      if (a.bits[y * a.width + x] === 0) continue;
      all++;
      const around = [-1, 0, 1].some((v) => [-1, 0, 1].some((u) => b.bits[(y + v) * b.width + x + u] === 1));
      if (around) near++;
    }
  }
  return near / all;
}

describe('where the ink of a page is', () => {
  it('is the same of its lines, of its picture and of a skewed scan', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${LINES}</svg>`;
    const { sheets } = (await readContent(new TextEncoder().encode(svg), 'page.svg', {
      limits: DEFAULT_LIMITS,
      defaultUnit: 'mm',
    })) as Drawing;
    const drawn = inkOfSheet(sheets[0]).ink!;
    expect([drawn.width, drawn.height, drawn.skewRad]).toEqual([INK_SIDE, Math.ceil((INK_SIDE * HEIGHT) / WIDTH), 0]);
    const picture = await draw(LINES, WIDTH, HEIGHT);
    const seen = inkOfPicture(picture).ink!,
      scan = inkOfPicture(scanned(picture, 3, 4, seeded(2))).ink!;
    expect((180 / Math.PI) * scan.skewRad).toBeCloseTo(3, 1);
    for (const other of [seen, scan]) {
      expect(covered(drawn, other)).toBeGreaterThan(0.97);
      expect(covered(other, drawn)).toBeGreaterThan(0.97);
    }
  });

  it('has the boxes of views and of pieces that are no frame', async () => {
    const { ink } = inkOfPicture(await draw(LINES, WIDTH, HEIGHT));
    const shares = VIEWS.map(({ x, y, width, height }) => ({
      x: x / WIDTH,
      y: y / HEIGHT,
      width: width / WIDTH,
      height: height / HEIGHT,
    }));
    const { boxes } = withBoxes(ink!, 1, shares);
    const cell = WIDTH / INK_SIDE;
    for (const [i, view] of VIEWS.entries()) {
      expect(boxes[i].x).toBeCloseTo(view.x / cell, 3);
      expect(boxes[i].height).toBeCloseTo(view.height / cell, 3);
    }
    // So have views that are thinner than a cell, or stand where another one does: by their number they are told apart.
    const [front] = shares;
    const close = withBoxes(ink!, 1, [front, { ...front, height: 1e-4 }, front]).boxes.slice(0, 3);
    expect(close.map(({ height }) => Math.round(height))).toEqual([300, cell, 300].map((px) => Math.round(px / cell)));
    // The side view stands alone, whether or not views were found.
    const found = withBoxes(ink!, 1, []).boxes;
    expect(found.some(({ x, width }) => Math.abs(x - 1000 / cell) < 2 && Math.abs(width - 160 / cell) < 3)).toBe(true);
    expect(found.every(({ width, height }) => width < 0.9 * INK_SIDE || height < 0.9 * INK_SIDE)).toBe(true);
  });

  it('is kept with its page, and torn bytes give fewer pages', async () => {
    const ink = withBoxes(inkOfPicture(await draw(LINES, WIDTH, HEIGHT)).ink!, 3, []);
    const packed = packInks([undefined, ink]);
    const [none, kept] = unpackInks(packed);
    expect(none).toBeUndefined();
    expect(kept).toMatchObject({ number: 3, width: ink.width, height: ink.height });
    expect(kept!.bits).toEqual(ink.bits);
    for (const [i, box] of ink.boxes.entries())
      for (const side of ['x', 'y', 'width', 'height'] as const) expect(kept!.boxes[i][side]).toBeCloseTo(box[side], 3);
    expect(packed.length).toBeLessThan(8_000);
    for (let length = 0; length < packed.length; length += 97)
      expect(unpackInks(packed.subarray(0, length)).length).toBeLessThanOrEqual(2);
    const flipped = packed.slice();
    for (let i = 0; i < flipped.length; i += 13) {
      flipped[i] ^= 0x5a;
      expect(unpackInks(flipped).length).toBeLessThan(100_000);
    }
  });

  it('is not read if its numbers are those of no ink', () => {
    const packed = (change: (head: DataView) => void, { boxes = 1, side = 8, copies = 1 } = {}): Uint8Array => {
      const bytes = new Uint8Array(36 + 16 * boxes + Math.ceil((side * side) / 8)).fill(255, 36 + 16 * boxes);
      const head = new DataView(bytes.buffer);
      [0, 0, 1, 1, 1, 1, 0].forEach((value, i) => head.setFloat32(4 * i, value, true));
      [side, side, boxes, 1].forEach((value, i) => head.setUint16(28 + 2 * i, value, true));
      for (let i = 0; i < boxes; i++) [1, 1, 2, 2].forEach((v, k) => head.setFloat32(36 + 16 * i + 4 * k, v, true));
      change(head);
      return new Uint8Array(deflateRawSync(Buffer.concat(Array.from({ length: copies }, () => bytes))));
    };
    const nothing = (): void => {};
    expect(unpackInks(packed(nothing))).toHaveLength(1);
    expect(unpackInks(packed(nothing, { copies: 4 }))).toHaveLength(4);
    expect(unpackInks(packed(nothing, { copies: 5 }))).toEqual([]);
    expect(unpackInks(packed(nothing, { boxes: 31 }))).toEqual([]);
    expect(unpackInks(packed(nothing, { side: INK_SIDE + 1 }))).toEqual([]);
    expect(unpackInks(packed((head) => head.setFloat32(8, NaN, true)))).toEqual([]);
    expect(unpackInks(packed((head) => head.setFloat32(12, -1, true)))).toEqual([]);
    expect(unpackInks(packed((head) => head.setFloat32(24, Infinity, true)))).toEqual([]);
    expect(unpackInks(packed((head) => head.setFloat32(44, 0, true)))).toEqual([]);
  });
});
