import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import { layOver, layPicture } from '../../dist/core/laid-pictures.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

/** Lines of a figure without symmetry, moved, turned and scaled about the middle. */
function drawn(x: number, y: number, rotationRad: number, scale: number): Uint8Array {
  const lines = new Float64Array(64 * 64);
  const corners = [
    [-18, -12],
    [16, -12],
    [16, 2],
    [4, 2],
    [4, 14],
    [-18, 14],
    [-18, -12],
  ];
  const cos = scale * Math.cos(rotationRad),
    sin = scale * Math.sin(rotationRad);
  for (let k = 0; k < corners.length - 1; k++)
    for (let t = 0; t < 1; t += 0.004) {
      const px = corners[k][0] + t * (corners[k + 1][0] - corners[k][0]),
        py = corners[k][1] + t * (corners[k + 1][1] - corners[k][1]);
      const column = 31.5 + x + cos * px - sin * py,
        row = 31.5 + y + sin * px + cos * py;
      // Ink goes to the four pixels around.
      const [left, top] = [Math.floor(column), Math.floor(row)];
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ])
        lines[64 * (top + dy) + left + dx] += (1 - Math.abs(column - left - dx)) * (1 - Math.abs(row - top - dy));
    }
  const most = Math.max(...lines);
  return Uint8Array.from(lines, (ink) => Math.round((255 * ink) / most));
}

test.each([
  [0, 0, 0, 1],
  [3.25, -2.5, 0.1, 1],
  [-2, 1.5, Math.PI / 2, 0.9],
  [1, 1, -2.5, 1.1],
  [0.5, -3, Math.PI, 0.75],
])('a picture moved by %f, %f, turned by %f and scaled by %f is laid so', (x, y, rotationRad, scale) => {
  const laid = layOver(core, layPicture(core, drawn(x, y, rotationRad, scale))!, layPicture(core, drawn(0, 0, 0, 1))!);
  expect(Math.abs(laid.x - x)).toBeLessThan(0.1);
  expect(Math.abs(laid.y - y)).toBeLessThan(0.1);
  expect(Math.cos(laid.rotationRad - rotationRad)).toBeGreaterThan(0.9999);
  expect(Math.abs(laid.scale - scale)).toBeLessThan(0.01);
});

test('a picture at the edge is laid as well; the same twice gives the same bits', () => {
  const [onto, from] = [drawn(12, 14, 0.2, 0.9), drawn(-12, -14, 0, 0.9)].map((lines) => layPicture(core, lines)!);
  const laid = layOver(core, onto, from);
  expect(Math.abs(laid.rotationRad - 0.2)).toBeLessThan(0.02);
  expect(layOver(core, onto, from)).toEqual(laid);
});

test('a picture without lines, and one of another size', () => {
  expect(layPicture(core, new Uint8Array(64 * 64))).toBe(undefined);
  expect(() => layPicture(core, new Uint8Array(64 * 63))).toThrow(RangeError);
});
