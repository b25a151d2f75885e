import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Picture } from '../../dist/content/sheet.js';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import { SHAPELET_SIZE, SHAPELET_SPAN, type Shapelet } from '../../dist/shapelets/shapelet.js';
import { seeded } from '../fixtures/random.js';
import { draw, drawingPage, scanned, VIEWS, type DrawnBox } from './drawn-page.js';
import { runs } from '../fixtures/runs.js';

const boxOf = ({ place }: Shapelet, { widthPx, heightPx }: Picture): DrawnBox => {
  if (place.kind !== 'page') throw new Error('a view of a page was expected');
  return {
    x: place.box.x * widthPx,
    y: place.box.y * heightPx,
    width: place.box.width * widthPx,
    height: place.box.height * heightPx,
  };
};

/** Area that two boxes share, as a share of what they cover together. */
function overlap(a: DrawnBox, b: DrawnBox): number {
  const shared =
    Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
  return shared / (a.width * a.height + b.width * b.height - shared);
}

function expectViews(picture: Picture, wanted: readonly DrawnBox[], least: number): void {
  const found = splitPicture(picture, 1).map((shapelet) => boxOf(shapelet, picture));
  expect(found).toHaveLength(wanted.length);
  for (const view of wanted) expect(Math.max(...found.map((box) => overlap(box, view)))).toBeGreaterThan(least);
}

/** How much of its box a mask covers. */
function fillOf({ mask, size }: Shapelet): number {
  const [width, height] = size.map((side) => (SHAPELET_SPAN * side) / Math.max(...size));
  return mask.reduce((sum, cover) => sum + cover, 0) / 255 / (width * height);
}

describe('a page of line work', () => {
  it('gives its views, without frame, title block, dimensions and text', async () => {
    expectViews(await draw(drawingPage(), 1_700, 1_200), VIEWS, 0.95);
  });

  it('whose lines are all of one width too', async () => {
    expectViews(await draw(drawingPage(3, 3), 1_700, 1_200), VIEWS, 0.95);
  });

  it.each([-5, -2.3, 0.6, 4])('scanned, turned by %s°, with noise and uneven light', async (deg) => {
    const picture = scanned(await draw(drawingPage(), 1_700, 1_200), deg, 6, seeded(3));
    const turn = (deg * Math.PI) / 180;
    const turned = VIEWS.map(({ x, y, width, height }) => {
      const corners = [
        [x, y],
        [x + width, y],
        [x, y + height],
        [x + width, y + height],
      ].map(([px, py]) => [px - 850, py - 600]);
      const xs = corners.map(([u, v]) => u * Math.cos(turn) - v * Math.sin(turn) + 850),
        ys = corners.map(([u, v]) => u * Math.sin(turn) + v * Math.cos(turn) + 600);
      return {
        x: Math.min(...xs),
        y: Math.min(...ys),
        width: Math.max(...xs) - Math.min(...xs),
        height: Math.max(...ys) - Math.min(...ys),
      };
    });
    expectViews(picture, turned, 0.85);
  });

  it('turned and straight has the same masks', async () => {
    const page = await draw(drawingPage(), 1_700, 1_200);
    const straight = splitPicture(page, 1),
      turned = splitPicture(scanned(page, 3.5, 3, seeded(9)), 1);
    expect(turned).toHaveLength(straight.length);
    const alike = turned.map(({ mask }) => Math.max(...straight.map((other) => tanimoto(mask, other.mask))));
    expect(Math.min(...alike)).toBeGreaterThan(0.9);
  });

  it('fills outlines, centres them and draws what is inside as lines', async () => {
    const [plate] = splitPicture(await draw(drawingPage(), 1_700, 1_200), 7);
    expect(plate.place).toMatchObject({ kind: 'page', page: 7 });
    expect(plate).toMatchObject({ isToScale: false, hiddenLines: new Uint8Array() });
    // The step takes 300 × 80 of 500 × 300.
    expect(fillOf(plate)).toBeCloseTo(0.84, 1);
    const at = (picture: Uint8Array, x: number, y: number): number =>
      picture[Math.round(y) * SHAPELET_SIZE + Math.round(x)];
    expect(at(plate.mask, 32, 40)).toBe(255);
    expect(at(plate.mask, 55, 16)).toBe(0);
    expect(plate.lines.some((cover) => cover > 100)).toBe(true);
    // The circle about 420, 600 stands 120 of 500 from the left, 200 of 300 from the top.
    const [left, top] = [2 + (70 / 500) * 60, 14 + (200 / 500) * 60];
    expect(Math.max(...[-1, 0, 1].map((d) => at(plate.lines, left + d, top)))).toBeGreaterThan(40);
  });
});

describe('a picture of an object', () => {
  const ring = '<path d="M200 120h240v260h-240zM270 190v120h100v-120z" fill="#777" fill-rule="evenodd"/>';
  const wanted = { x: 200, y: 120, width: 240, height: 260 };

  it.each([
    ['white', 'white'],
    ['grey', '#c8c8c8'],
    ['dark', '#202020'],
  ])('on a %s background, its holes left free', async (_name, background) => {
    const picture = await draw(ring, 640, 500, background);
    const [object, ...more] = splitPicture(picture, 1);
    expect(more).toEqual([]);
    expect(overlap(boxOf(object, picture), wanted)).toBeGreaterThan(0.93);
    expect(fillOf(object)).toBeCloseTo(1 - (100 * 120) / (240 * 260), 1);
  });

  it('on a background that grows darker, with a soft shadow', async () => {
    const soft =
      '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f4f4f4"/><stop offset="1" stop-color="#b8b8b8"/></linearGradient>' +
      '<filter id="b" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="22"/></filter></defs>' +
      '<rect width="640" height="500" fill="url(#g)"/><ellipse cx="330" cy="390" rx="130" ry="26" fill="#000" opacity="0.35" filter="url(#b)"/>';
    const picture = await draw(
      `${soft}<rect x="200" y="120" width="240" height="260" fill="#556"/><rect x="200" y="120" width="90" height="260" fill="#99a"/>`,
      640,
      500,
    );
    const [object, ...more] = splitPicture(picture, 1);
    expect(more).toEqual([]);
    expect(overlap(boxOf(object, picture), wanted)).toBeGreaterThan(0.85);
    // The edge between the two faces is a line inside.
    expect(object.lines[32 * SHAPELET_SIZE + Math.round(4 + (90 / 260) * 60) + 0]).toBeGreaterThan(0);
  });

  it('keeps even faces darker than the background, beside a shadow', async () => {
    const soft =
      '<defs><filter id="b" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="20"/></filter></defs>' +
      '<rect width="640" height="500" fill="#e0e0e0"/><rect x="230" y="170" width="240" height="250" fill="#000" opacity="0.25" filter="url(#b)"/>';
    const picture = await draw(
      `${soft}<rect x="200" y="120" width="240" height="260" fill="#8a8a8a"/><rect x="200" y="120" width="240" height="90" fill="#c4c4c4"/>`,
      640,
      500,
    );
    const [object, ...more] = splitPicture(picture, 1);
    expect(more).toEqual([]);
    expect(overlap(boxOf(object, picture), wanted)).toBeGreaterThan(0.9);
    expect(fillOf(object)).toBeGreaterThan(0.95);
    // Its brightness is kept: the upper face, then the lower one.
    const grayAt = (x: number, y: number): number => object.gray![y * SHAPELET_SIZE + x];
    expect(grayAt(32, 10)).toBeCloseTo(0xc4, -1);
    expect(grayAt(32, 50)).toBeCloseTo(0x8a, -1);
    expect(grayAt(0, 0)).toBe(0);
  });

  it('is the same wherever it stands, however large and bright it is', async () => {
    const first = splitPicture(await draw(ring, 640, 500, '#ddd'), 1)[0];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -150, max: 150 }),
        fc.integer({ min: -80, max: 80 }),
        fc.double({ min: 0.6, max: 1.15, noNaN: true }),
        fc.integer({ min: 0x20, max: 0x98 }),
        async (dx, dy, scale, level) => {
          const tone = level.toString(16).padStart(2, '0');
          const moved = `<g transform="translate(${320 + dx * 0.6} ${250 + dy * 0.6}) scale(${scale}) translate(-320 -250)">${ring.replace('#777', `#${tone}${tone}${tone}`)}</g>`;
          const found = splitPicture(await draw(moved, 640, 500, '#ddd'), 1);
          expect(found).toHaveLength(1);
          expect(tanimoto(found[0].mask, first.mask)).toBeGreaterThan(0.9);
        },
      ),
      { numRuns: runs(12), seed: 4 },
    );
  });
});

describe('a sketch', () => {
  it('with gaps in its outline is filled', async () => {
    const strokes =
      '<path d="M205 160Q320 152 430 161M448 166Q441 250 449 338M440 352Q300 344 214 351M203 345Q211 300 202 262M204 240Q197 200 204 176M300 250q30 -40 60 2q-20 40 -52 10" fill="none" stroke="#333" stroke-width="3"/>';
    const picture = await draw(strokes, 640, 500, '#f2f2f2');
    const [shape, ...more] = splitPicture(picture, 1);
    expect(more).toEqual([]);
    expect(overlap(boxOf(shape, picture), { x: 200, y: 155, width: 249, height: 197 })).toBeGreaterThan(0.9);
    expect(fillOf(shape)).toBeGreaterThan(0.88);
  });
});

describe('pictures with nothing on them, and hostile ones', () => {
  it.each<[string, number, number, (i: number) => number]>([
    ['white', 300, 200, () => 255],
    ['black', 300, 200, () => 0],
    ['of one pixel', 1, 1, () => 0],
    ['very narrow', 2_400, 3, (i) => i % 256],
    [
      'of noise',
      600,
      400,
      (() => {
        const random = seeded(2);
        return () => Math.floor(256 * random());
      })(),
    ],
    ['chequered', 900, 900, (i) => (((i % 900) + Math.floor(i / 900)) % 2) * 255],
  ])('%s', (name, widthPx, heightPx, level) => {
    const picture = { widthPx, heightPx, gray: Uint8Array.from({ length: widthPx * heightPx }, (_, i) => level(i)) };
    const found = splitPicture(picture, 1);
    if (/white|black/.test(name)) expect(found).toEqual([]);
    for (const { place, mask, lines } of found) {
      expect([mask.length, lines.length]).toEqual([SHAPELET_SIZE ** 2, SHAPELET_SIZE ** 2]);
      if (place.kind !== 'page') throw new Error('a page was expected');
      for (const [start, length] of [
        [place.box.x, place.box.width],
        [place.box.y, place.box.height],
      ]) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThan(0);
        expect(start + length).toBeLessThanOrEqual(1 + 1e-9);
      }
    }
    expect(splitPicture(picture, 1)).toEqual(found);
  });
});

function tanimoto(a: Uint8Array, b: Uint8Array): number {
  let dot = 0,
    squares = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i];
    squares += a[i] * a[i] + b[i] * b[i];
  }
  return dot / (squares - dot);
}
