import { describe, expect, test } from 'vitest';
import { inkApart } from '../../src/page/compare/ink-apart.js';
import { pairViews } from '../../src/page/compare/pair-views.js';
import type { PageView } from '../../src/page/api/endpoints.js';

const view = (index: number, x: number, y: number, width: number, height: number, page = 1): PageView => ({
  index,
  page,
  box: { x, y, width, height },
});

describe('pairViews', () => {
  const views = [view(0, 0.1, 0.1, 0.3, 0.2), view(1, 0.1, 0.5, 0.3, 0.1), view(2, 0.6, 0.1, 0.1, 0.2)];

  test('views of a drawing that was moved and scaled have their partners, whatever their order', () => {
    const moved = views.map(({ index, box }) =>
      view(2 - index, 0.05 + 0.8 * box.x, 0.1 + 0.8 * box.y, 0.8 * box.width, 0.8 * box.height),
    );
    const { pairs, alone } = pairViews(views, moved, [views[2], moved[2]]);
    expect(pairs.map(({ first, second }) => [first.index, second.index])).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ]);
    expect(alone).toEqual([[], []]);
  });

  test('a view that is only on one of them, or on another page, has none', () => {
    const others = [views[0], view(1, 0.6, 0.6, 0.3, 0.1), view(2, 0.6, 0.1, 0.1, 0.2, 2)];
    const { pairs, alone } = pairViews(views, others, [views[0], others[0]]);
    expect(pairs.map(({ first }) => first.index)).toEqual([0]);
    expect(alone.map((list) => list.map(({ index }) => index))).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

describe('pairViews, where the known views tell a wrong place', () => {
  const views = [view(0, 0.1, 0.1, 0.3, 0.2), view(1, 0.1, 0.5, 0.3, 0.1), view(2, 0.6, 0.1, 0.1, 0.2)];
  const [, first, second] = views;
  const far = view(3, 0.75, 0.7, 0.2, 0.25);

  test.each([
    ['one of them grew', [view(0, 0.1, 0.1, 0.45, 0.2), first, second, far]],
    ['it stands elsewhere', [view(0, 0.1, 0.75, 0.3, 0.2), first, second, far]],
    [
      'the sheet is turned by a quarter',
      [...views, far].map(({ index, box: { x, y, width, height } }) => view(index, 1 - y - height, x, height, width)),
    ],
    ['it is flat', [view(0, 0.1, 0.1, 0.3, 0), first, second, far]],
  ])('%s', (_, others) => {
    const { pairs, alone } = pairViews([...views, far], others, [views[0], others[0]]);
    expect(new Set(pairs.map((pair) => `${pair.first.index} ${pair.second.index}`))).toEqual(
      new Set(['0 0', '1 1', '2 2', '3 3']),
    );
    expect(alone).toEqual([[], []]);
  });
});

describe('inkApart', () => {
  const size = 60;
  /** Level lines of one pixel, by their rows: red ones of the first file, blue ones of the second. */
  const picture = (reds: readonly number[], blues: readonly number[]): Uint8ClampedArray => {
    const rgba = new Uint8ClampedArray(4 * size * size).fill(255);
    for (const [rows, color] of [
      [reds, [214, 30, 36]],
      [blues, [24, 84, 214]],
    ] as const)
      for (const row of rows)
        for (let x = 10; x < 50; x++)
          for (let channel = 0; channel < 3; channel++) {
            const at = 4 * (row * size + x) + channel;
            rgba[at] = (rgba[at] * color[channel]) / 255;
          }
    return rgba;
  };

  test('is the ink of each that lies on none of the other', () => {
    expect(inkApart(picture([20], [20]), size, size)).toBe(0);
    expect(inkApart(picture([20], [22]), size, size)).toBe(0);
    expect(inkApart(picture([20], [23]), size, size)).toBe(80);
    expect(inkApart(picture([20, 40], [20]), size, size)).toBe(40);
    expect(inkApart(picture([20], [20, 2, 57]), size, size)).toBe(80);
    expect(inkApart(picture([], []), size, size)).toBe(0);
  });
});
