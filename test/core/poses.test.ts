import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { followPoses, measurePoses, type GrayPicture } from '../../dist/core/poses.js';
import { photoFits, photoFitsTable } from '../../dist/core/photo-fits.js';
import { fitPose, follow } from '../../dist/search/views/photos/pose-fit.js';
import { EngineError } from './api.js';
import { box, bracket, meshOf } from './shapes.js';

let core: Core;
let table: Uint8Array;
beforeAll(async () => {
  core = await Core.load();
  table = await photoFitsTable();
});

/** Seen from the front, from far away. */
const FRONT = [1, 0, 0, 0, 0, 1, 0, -1, 0];
/** From a corner. */
const CORNER = [0.8, 0.6, 0, -0.36, 0.48, 0.8, 0.48, -0.64, 0.6];

const square = (level: (x: number, y: number) => number): GrayPicture => ({
  size: 32,
  gray: Float32Array.from({ length: 1024 }, (_, i) => {
    const x = i % 32,
      y = Math.floor(i / 32);
    return x >= 1 && x < 31 && y >= 1 && y < 31 ? level(x, y) : -1;
  }),
});

describe('a pose', () => {
  test('of a cube from the front covers a square; one light explains an even face and nothing that is painted on it', () => {
    const poses = Float64Array.of(...FRONT, 0);
    const [both, either, left, spread] = measurePoses(
      core,
      box(10, 10, 10),
      square(() => 0.5),
      poses,
    );
    expect([both, either]).toEqual([900, 900]);
    expect(left).toBeLessThan(0.02);
    expect(spread).toBeCloseTo(0, 3);
    const painted = measurePoses(
      core,
      box(10, 10, 10),
      square((x) => (x < 16 ? 0.2 : 0.8)),
      poses,
    );
    expect(painted[3]).toBeCloseTo(900 * 0.09, 1);
    expect(painted[2]).toBeGreaterThan(0.98 * painted[3]);
  });

  test('turned covers other pixels; faces of three directions are explained by one light', () => {
    const mesh = box(10, 10, 10);
    const [both, either] = measurePoses(
      core,
      mesh,
      square(() => 0.5),
      Float64Array.of(...CORNER, 0.2),
    );
    expect(either - both).toBeGreaterThan(100);
    const picture = pictureOf(mesh, CORNER, 0.2);
    const [seen, all, left, spread] = measurePoses(core, mesh, picture, Float64Array.of(...CORNER, 0.2));
    expect(seen / all).toBeGreaterThan(0.97);
    expect(left / spread).toBeLessThan(0.08);
  });

  test('that is somewhat off is found again', () => {
    const mesh = bracket(40, 25, 4, 8);
    const picture = pictureOf(mesh, CORNER, 0.2);
    const [cos, sin] = [Math.cos(0.25), Math.sin(0.25)];
    // Turned about the camera's up.
    const off = [0, 1, 2]
      .map((i) => cos * CORNER[i] + sin * CORNER[6 + i])
      .concat(
        CORNER.slice(3, 6),
        [0, 1, 2].map((i) => cos * CORNER[6 + i] - sin * CORNER[i]),
      );
    const [start] = follow(core, mesh, picture, { poses: [{ rows: off, nearness: 0.2 }], rounds: 0 });
    const found = fitPose(core, mesh, picture, start, [0.2, 0.12, 0.07, 0.04]);
    expect(found.cost).toBeLessThan(0.5 * start.cost);
    const along = [0, 1, 2].reduce((sum, i) => sum + found.rows[6 + i] * CORNER[6 + i], 0);
    expect(along).toBeGreaterThan(Math.cos(0.08));
  });

  test('that is farther off follows the outline in fewer renderings than steps need, and stays a rotation', () => {
    const mesh = bracket(40, 25, 4, 8);
    const picture = pictureOf(mesh, CORNER, 0.2);
    const [cos, sin] = [Math.cos(0.45), Math.sin(0.45)];
    // Turned about the camera's axis and up.
    const rolled = [0, 1, 2]
      .map((i) => cos * CORNER[i] + sin * CORNER[3 + i])
      .concat(
        [0, 1, 2].map((i) => cos * CORNER[3 + i] - sin * CORNER[i]),
        CORNER.slice(6),
      );
    const [found] = follow(core, mesh, picture, { poses: [{ rows: rolled, nearness: 0.1 }], rounds: 6 });
    const [start] = follow(core, mesh, picture, { poses: [{ rows: rolled, nearness: 0.1 }], rounds: 0 });
    expect(found.cost).toBeLessThan(0.3 * start.cost);
    for (const row of [0, 3, 6])
      expect([0, 1, 2].reduce((sum, i) => sum + found.rows[row + i] * CORNER[row + i], 0)).toBeGreaterThan(
        Math.cos(0.15),
      );
    for (const [row, other] of [
      [0, 3],
      [3, 6],
      [6, 0],
    ]) {
      expect(Math.hypot(...found.rows.slice(row, row + 3))).toBeCloseTo(1, 9);
      expect([0, 1, 2].reduce((sum, i) => sum + found.rows[row + i] * found.rows[other + i], 0)).toBeCloseTo(0, 9);
    }
    // An object of one pixel and none at all leave the pose as it is.
    for (const own of [square(() => -1), square((x, y) => (x === 16 && y === 16 ? 0.5 : -1))]) {
      const [same] = follow(core, mesh, own, { poses: [{ rows: CORNER, nearness: 0.1 }], rounds: 2 });
      expect(same.rows.every(Number.isFinite)).toBe(true);
      expect(same.cost).toBeGreaterThan(0.9);
    }
  });

  test('shows the object of a picture more surely than a pose turned away, and than a part that lacks an arm', () => {
    const mesh = bracket(40, 25, 4, 8);
    const picture = pictureOf(mesh, CORNER, 0.2, 64);
    const poses = Float64Array.of(...CORNER, 0.2, ...FRONT, 0.2);
    const sure = (shown: ReturnType<typeof box>): Float32Array => photoFits(core, shown, picture, poses, table);
    const [here, away] = sure(mesh);
    expect(here).toBeGreaterThan(away + 2);
    expect(here).toBeGreaterThan(sure(box(40, 25, 8))[0] + 2);
    expect(sure(mesh)).toEqual(Float32Array.of(here, away));
    // Light counts as well as outlines: a picture of the same outline without any shading is less sure.
    const even = { ...picture, gray: picture.gray.map((value) => (value < 0 ? -1 : 0.5)) };
    expect(photoFits(core, mesh, even, poses, table)[0]).toBeLessThan(here);
  });

  test('is the same with a vertex that no triangle uses, wherever that lies', () => {
    const mesh = bracket(40, 25, 4, 8);
    const picture = pictureOf(mesh, CORNER, 0.2, 64),
      poses = Float64Array.of(...FRONT, 0.2);
    for (const away of [1e3, 1e30, Infinity, NaN]) {
      const more = { ...mesh, positions: Float32Array.of(...mesh.positions, away, -away, away) };
      expect(followPoses(core, more, picture, { poses, rounds: 2 })).toEqual(
        followPoses(core, mesh, picture, { poses, rounds: 2 }),
      );
      expect(photoFits(core, more, picture, poses, table)).toEqual(photoFits(core, mesh, picture, poses, table));
    }
  });

  test('of a picture with another number of pixels is refused', () => {
    const mesh = bracket(40, 25, 4, 8),
      poses = Float64Array.of(...FRONT, 0);
    const short = { size: 64, gray: new Float32Array(4095) };
    expect(() => measurePoses(core, mesh, short, poses)).toThrow(/64 × 64 pixels, received 4095/);
    expect(() => photoFits(core, mesh, short, poses, table)).toThrow(RangeError);
    const small = square(() => 0.5);
    expect(() => photoFits(core, mesh, small, poses, table)).toThrow(/64 pixels a side, received 32/);
  });

  test('of a damaged mesh is refused', () => {
    const picture = square(() => 0.5),
      poses = Float64Array.of(...FRONT, 0);
    const codeOf = (run: () => unknown): string | undefined => {
      try {
        run();
      } catch (error) {
        if (error instanceof EngineError) return error.code;
      }
      return undefined;
    };
    expect(codeOf(() => measurePoses(core, meshOf([0, 0, 0], [0, 0, 9]), picture, poses))).toBe('FILE_MALFORMED');
    expect(codeOf(() => measurePoses(core, meshOf([], []), picture, poses))).toBe('NO_GEOMETRY');
    const large = { size: 64, gray: new Float32Array(4096) };
    expect(codeOf(() => photoFits(core, meshOf([], []), large, poses, table))).toBe('NO_GEOMETRY');
    expect(codeOf(() => followPoses(core, meshOf([0, 0, 0], [0, 0, 9]), picture, { poses, rounds: 1 }))).toBe(
      'FILE_MALFORMED',
    );
  });
});

/** The mesh of flat faces as rays meet it, by brute force: brightness from a light at the upper left. */
function pictureOf(
  { positions, indices }: ReturnType<typeof box>,
  rows: readonly number[],
  nearness: number,
  size = 32,
): GrayPicture {
  const low = [0, 1, 2].map((axis) => Math.min(...positions.filter((_, i) => i % 3 === axis))),
    high = [0, 1, 2].map((axis) => Math.max(...positions.filter((_, i) => i % 3 === axis)));
  const radius = Math.hypot(...[0, 1, 2].map((axis) => high[axis] - low[axis])) / 2;
  const placed = Array.from({ length: positions.length / 3 }, (_, v) => {
    const p = [0, 1, 2].map((axis) => (positions[3 * v + axis] - (low[axis] + high[axis]) / 2) / radius);
    const [x, y, z] = [0, 3, 6].map((row) => rows[row] * p[0] + rows[row + 1] * p[1] + rows[row + 2] * p[2]);
    const larger = 1 / (1 - nearness * z);
    return { image: [x * larger, -y * larger, larger], seen: [x, y, z] };
  });
  const used = [...new Set(indices)].map((i) => placed[i].image);
  const [left, right] = [Math.min(...used.map(([x]) => x)), Math.max(...used.map(([x]) => x))],
    [top, bottom] = [Math.min(...used.map(([, y]) => y)), Math.max(...used.map(([, y]) => y))];
  const scale = Math.max(right - left, bottom - top) / ((30 * size) / 32);
  const gray = new Float32Array(size * size).fill(-1),
    depth = new Float32Array(size * size);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => placed[indices[t + k]]);
    const u = b.seen.map((value, i) => value - a.seen[i]),
      v = c.seen.map((value, i) => value - a.seen[i]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    const facing = normal[2] < 0 ? -1 : 1;
    const level = 0.4 + (facing * (-0.2 * normal[0] + 0.25 * normal[1] + 0.1 * normal[2])) / length;
    const area =
      (b.image[0] - a.image[0]) * (c.image[1] - a.image[1]) - (b.image[1] - a.image[1]) * (c.image[0] - a.image[0]);
    if (Math.abs(area) < 1e-12) continue;
    for (let at = 0; at < size * size; at++) {
      const x = ((at % size) + 0.5 - size / 2) * scale + (left + right) / 2,
        y = (Math.floor(at / size) + 0.5 - size / 2) * scale + (top + bottom) / 2;
      const wb = ((x - a.image[0]) * (c.image[1] - a.image[1]) - (y - a.image[1]) * (c.image[0] - a.image[0])) / area;
      const wc = ((b.image[0] - a.image[0]) * (y - a.image[1]) - (b.image[1] - a.image[1]) * (x - a.image[0])) / area;
      if (wb < 0 || wc < 0 || wb + wc > 1) continue;
      const near = (1 - wb - wc) * a.image[2] + wb * b.image[2] + wc * c.image[2];
      if (near <= depth[at]) continue;
      depth[at] = near;
      gray[at] = level;
    }
  }
  return { size, gray };
}
