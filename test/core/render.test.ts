import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type EngineError, LINE, renderView, type TriangleMesh, type View } from './api.js';
import {
  box,
  bracket,
  cylinder,
  gear,
  insideOut,
  meshOf,
  motion,
  randomOf,
  shuffled,
  sphere,
  torus,
  transformed,
} from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const FRONT = { direction: [0, -1, 0], up: [0, 0, 1] } as const;
const TOP = { direction: [0, 0, 1], up: [0, 1, 0] } as const;

const areaOf = ({ mask }: View): number => mask.reduce((sum, value) => sum + value, 0);
const count = ({ lines }: View, kind: number): number =>
  lines.reduce((sum, value) => sum + (value === kind ? 1 : 0), 0);
const at = ({ size }: View, column: number, row: number): number => row * size + column;

/** Whether two views are equal to the bit. */
function same(a: View, b: View): boolean {
  const bytes = (v: View): Buffer[] =>
    [v.depthMm, v.normals, v.mask, v.lines].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    );
  const [first, second] = [bytes(a), bytes(b)];
  return a.scaleMmPerPixel === b.scaleMmPerPixel && first.every((array, i) => array.equals(second[i]));
}

/** Where a point of the mesh's frame lies in the image, in pixels from the top left, and its depth. */
function project(
  { camera, originMm, scaleMmPerPixel, size }: View,
  point: readonly number[],
): { x: number; y: number; depth: number } {
  const along = (axis: readonly number[]): number =>
    axis.reduce((sum, value, i) => sum + value * (point[i] - originMm[i]), 0);
  return {
    x: size / 2 + along(camera.right) / scaleMmPerPixel,
    y: size / 2 - along(camera.up) / scaleMmPerPixel,
    depth: -along(camera.toward),
  };
}

/** Shares of the points along a segment, its ends left out, at which a line of the kind lies within a pixel. */
function shareAlong(view: View, a: readonly number[], b: readonly number[], kind: number): number {
  let found = 0;
  const steps = 100;
  for (let i = 5; i <= steps - 5; i++) {
    const { x, y } = project(
      view,
      a.map((value, axis) => value + ((b[axis] - value) * i) / steps),
    );
    if (around(x, y).some(([column, row]) => view.lines[at(view, column, row)] === kind)) found++;
  }
  return found / (steps - 9);
}

function around(x: number, y: number): [number, number][] {
  const column = Math.floor(x),
    row = Math.floor(y);
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy): [number, number] => [column + dx, row + dy]));
}

describe('a box along an axis', () => {
  // 200 pixels a side, an eighth free at each border: 150 pixels for 30 mm.
  const render = (): View => renderView(core, box(30, 20, 10), { ...FRONT, size: 200, margin: 0.125 });

  test('mask, scale and place', () => {
    const view = render();
    expect(view.scaleMmPerPixel).toBeCloseTo(0.2, 6);
    expect(areaOf(view)).toBe(150 * 50);
    expect(view.mask[at(view, 25, 75)]).toBe(1);
    expect(view.mask[at(view, 24, 75)]).toBe(0);
    expect(view.mask[at(view, 174, 124)]).toBe(1);
    expect(view.mask[at(view, 174, 125)]).toBe(0);
    view.originMm.forEach((value, i) => expect(value).toBeCloseTo([15, 0, 5][i], 5));
  });

  test('depth and normals', () => {
    const view = render();
    for (const pixel of [at(view, 25, 75), at(view, 100, 100), at(view, 174, 124)]) {
      expect(view.depthMm[pixel]).toBeCloseTo(0, 5);
      expect([...view.normals.subarray(3 * pixel, 3 * pixel + 3)]).toEqual([0, 0, 127]);
    }
    expect(view.depthMm[0]).toBe(Infinity);
    expect([...view.normals.subarray(0, 3)]).toEqual([0, 0, 0]);
  });

  test('the rectangle and no more: the back edges lie behind the front ones, the diagonals are no edges', () => {
    const view = render();
    const corners = [
      [0, 0, 0],
      [30, 0, 0],
      [30, 0, 10],
      [0, 0, 10],
    ];
    corners.forEach((corner, i) => expect(shareAlong(view, corner, corners[(i + 1) % 4], LINE.VISIBLE)).toBe(1));
    expect(count(view, LINE.HIDDEN)).toBe(0);
    for (let row = 80; row < 120; row++)
      for (let column = 30; column < 170; column++) expect(view.lines[at(view, column, row)]).toBe(0);
    expect(count(view, LINE.VISIBLE)).toBeLessThanOrEqual(2 * 151 + 2 * 51);
  });
});

describe('a box from a corner', () => {
  const edges = (a: number, b: number, c: number): [number[], number[]][] => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0]);
    return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
      [1, 2, 4].filter((bit) => !(i & bit)).map((bit): [number[], number[]] => [corners[i], corners[i | bit]]),
    );
  };

  test('nine edges are seen, and the three at the far corner are hidden', () => {
    const view = renderView(core, box(30, 20, 10), { direction: [1, 0.8, 0.6], size: 512 });
    for (const [a, b] of edges(30, 20, 10)) {
      const isHidden = a.every((value) => value === 0);
      expect(shareAlong(view, a, b, isHidden ? LINE.HIDDEN : LINE.VISIBLE)).toBe(1);
      expect(shareAlong(view, a, b, isHidden ? LINE.VISIBLE : LINE.HIDDEN)).toBeLessThan(0.12);
    }
  });

  test('the area is that of three faces as the camera sees them; depth and normals are those of the planes', () => {
    const view = renderView(core, box(30, 20, 10), { direction: [1, 1, 1], size: 512 });
    const expected = (30 * 20 + 20 * 10 + 30 * 10) / Math.sqrt(3);
    expect((areaOf(view) * view.scaleMmPerPixel ** 2) / expected).toBeCloseTo(1, 2);
    for (const point of [
      [30, 12, 4],
      [9, 20, 7],
      [16, 6, 10],
    ]) {
      const { x, y, depth } = project(view, point);
      const pixel = at(view, Math.floor(x), Math.floor(y));
      // Half a pixel aside on a plane that falls away by the square root of two.
      expect(Math.abs(view.depthMm[pixel] - depth)).toBeLessThan(1.5 * view.scaleMmPerPixel);
      const normal = [0, 1, 2].map((i) => (point[i] === [30, 20, 10][i] ? 1 : 0));
      [view.camera.right, view.camera.up, view.camera.toward].forEach((axis, i) =>
        expect(
          Math.abs(view.normals[3 * pixel + i] - 127 * axis.reduce((sum, value, k) => sum + value * normal[k], 0)),
        ).toBeLessThan(1),
      );
    }
  });
});

describe('round shapes', () => {
  test('a sphere: a disc with its outline and not a line inside', () => {
    const view = renderView(core, sphere(10, 64, 128), { direction: [1, 2, 3], size: 512 });
    const radius = 10 / view.scaleMmPerPixel;
    expect(areaOf(view) / (Math.PI * radius ** 2)).toBeCloseTo(1, 2);
    const outline = new Set<number>();
    view.lines.forEach((kind, pixel) => {
      if (kind === LINE.NONE) return;
      const x = (pixel % 512) + 0.5 - 256,
        y = Math.floor(pixel / 512) + 0.5 - 256;
      expect(Math.abs(Math.hypot(x, y) - radius)).toBeLessThan(0.03 * radius);
      outline.add(Math.floor((Math.atan2(y, x) + Math.PI) / (Math.PI / 180)));
    });
    expect(outline.size).toBeGreaterThanOrEqual(360);
    const middle = at(view, 256, 256);
    expect(view.depthMm[middle]).toBeLessThan(0.1);
    expect(view.normals[3 * middle + 2]).toBeGreaterThan(125);
  });

  test('a cylinder: both circles, its silhouettes, and no line between facets', () => {
    const mesh = cylinder(10, 40, 64);
    const view = renderView(core, mesh, { direction: [1, 0, 0.5], up: [0, 0, 1], size: 512 });
    const circle = (z: number, angle: number): number[] => [10 * Math.cos(angle), 10 * Math.sin(angle), z];
    for (let i = 0; i < 64; i++) {
      const [a, b] = [(2 * Math.PI * i) / 64, (2 * Math.PI * (i + 1)) / 64];
      expect(shareAlong(view, circle(40, a), circle(40, b), LINE.VISIBLE)).toBe(1);
      const isFront = Math.cos((a + b) / 2) > 0;
      // At the rim the hidden half goes over into the seen one.
      if (Math.abs(Math.cos(a)) > 0.2)
        expect(shareAlong(view, circle(0, a), circle(0, b), isFront ? LINE.VISIBLE : LINE.HIDDEN)).toBe(1);
    }
    for (const y of [-10, 10]) expect(shareAlong(view, [0, y, 0], [0, y, 40], LINE.VISIBLE)).toBe(1);
    for (let i = 1; i < 16; i++) {
      const { x, y } = project(view, [10 * Math.cos(i / 16), 10 * Math.sin(i / 16), 12]);
      for (const [column, row] of around(x, y)) expect(view.lines[at(view, column, row)]).toBe(LINE.NONE);
    }
    // With less patience for creases every facet has its edges.
    const faceted = renderView(core, mesh, { direction: [1, 0, 0.5], up: [0, 0, 1], size: 512, creaseRad: 0.05 });
    expect(shareAlong(faceted, circle(0, (2 * Math.PI) / 64), circle(40, (2 * Math.PI) / 64), LINE.VISIBLE)).toBe(1);
  });

  test('a bore seen along its axis is its circles alone', () => {
    const view = renderView(core, torus(20, 6, 64, 48), { ...TOP, size: 256 });
    const inner = 14 / view.scaleMmPerPixel,
      outer = 26 / view.scaleMmPerPixel;
    expect(areaOf(view) / (Math.PI * (outer ** 2 - inner ** 2))).toBeCloseTo(1, 2);
    view.lines.forEach((kind, pixel) => {
      if (kind !== LINE.VISIBLE) return;
      const radius = Math.hypot((pixel % 256) + 0.5 - 128, Math.floor(pixel / 256) + 0.5 - 128);
      expect(Math.min(Math.abs(radius - inner), Math.abs(radius - outer))).toBeLessThan(2);
    });
  });

  test('surfaces that cut through each other without a common edge have an outline where one ends', () => {
    const plate = box(40, 40, 2);
    const post = transformed(cylinder(5, 30, 48), motion([1, 0, 0, 0], [20, 20, -15]));
    const both = meshOf(
      [...plate.positions, ...post.positions],
      [...plate.indices, ...[...post.indices].map((i) => i + plate.positions.length / 3)],
    );
    const view = renderView(core, both, { direction: [0, -1, 0.4], size: 400 });
    const { x, y } = project(view, [20, 20, 15]);
    expect(view.lines[at(view, Math.floor(x), Math.floor(y))]).toBe(LINE.NONE);
    for (const side of [-5, 5]) expect(shareAlong(view, [20 + side, 20, 4], [20 + side, 20, 15], LINE.VISIBLE)).toBe(1);
  });
});

describe('invariants', () => {
  const SHAPES: Record<string, TriangleMesh> = {
    bracket: bracket(30, 20, 3, 10),
    gear: gear(13, 20, 8),
    cylinder: cylinder(5, 12, 48),
    sphere: sphere(10, 24, 32),
  };
  const differing = (a: Uint8Array, b: Uint8Array): number =>
    a.reduce((sum, value, i) => sum + (value === b[i] ? 0 : 1), 0);

  test.each(Object.keys(SHAPES))('%s: turning the camera is turning the part', (name) => {
    const random = randomOf(5);
    const mesh = SHAPES[name];
    for (let turn = 0; turn < 6; turn++) {
      const m = motion([random() + 0.1, random(), random(), random()], [5, -3, 2]);
      const rotate = (v: readonly number[]): [number, number, number] =>
        [0, 4, 8].map((row) => m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2]) as [number, number, number];
      const direction = [random() - 0.5, random() - 0.5, random() + 0.2] as const;
      const still = renderView(core, mesh, { direction, up: [0, 1, 0], size: 160 });
      const turned = renderView(core, transformed(mesh, m), {
        direction: rotate(direction),
        up: rotate([0, 1, 0]),
        size: 160,
      });
      expect(turned.scaleMmPerPixel / still.scaleMmPerPixel).toBeCloseTo(1, 5);
      expect(differing(still.mask, turned.mask)).toBeLessThanOrEqual(0.002 * areaOf(still));
      expect(differing(still.lines, turned.lines)).toBeLessThanOrEqual(0.03 * count(still, LINE.VISIBLE) + 4);
      const depths = Array.from(still.depthMm, (depth, i) =>
        still.mask[i] === 1 && turned.mask[i] === 1 ? Math.abs(depth - turned.depthMm[i]) : 0,
      );
      expect(depths.filter((difference) => difference > 1e-3).length).toBeLessThanOrEqual(0.002 * areaOf(still));
    }
  });

  test('the same bits again, in a fresh core too; the order of triangles and the side that is called outside do not matter', async () => {
    const mesh = gear(13, 20, 8);
    const first = renderView(core, mesh, { size: 200 });
    for (const again of [renderView(core, mesh, { size: 200 }), renderView(await Core.load(), mesh, { size: 200 })])
      expect(same(again, first)).toBe(true);
    const mixed = renderView(core, shuffled(mesh, 3), { size: 200 });
    expect(differing(mixed.mask, first.mask)).toBe(0);
    expect(differing(mixed.lines, first.lines)).toBeLessThan(10);
    const turned = renderView(core, insideOut(mesh), { size: 200 });
    expect(same({ ...turned, lines: first.lines }, first)).toBe(true);
    expect(differing(turned.lines, first.lines)).toBeLessThan(10);
  });

  test('a mesh that is not welded has the same lines', () => {
    const mesh = gear(13, 20, 8);
    const loose = meshOf(
      [...mesh.indices].flatMap((i) => [...mesh.positions.subarray(3 * i, 3 * i + 3)]),
      [...mesh.indices].map((_, i) => i),
    );
    expect(same(renderView(core, loose, { size: 200 }), renderView(core, mesh, { size: 200 }))).toBe(true);
  });

  test('small and large images agree: 181 pixels is the last size with narrow arithmetic', () => {
    const mesh = bracket(30, 20, 3, 10);
    const share = (size: number): number => areaOf(renderView(core, mesh, { size })) / size ** 2;
    for (const size of [180, 181, 182, 183, 600, 2048])
      expect(Math.abs(share(size) / share(1024) - 1)).toBeLessThan(0.01);
  });
});

describe('input', () => {
  test.each<[string, TriangleMesh, string]>([
    ['no triangle', meshOf([], []), 'NO_GEOMETRY'],
    ['a point', meshOf([1, 2, 3], [0, 0, 0]), 'NO_GEOMETRY'],
    ['a bad index', meshOf([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 3]), 'FILE_MALFORMED'],
    ['not a number', meshOf([0, 0, 0, 1, NaN, 0, 0, 1, 0], [0, 1, 2]), 'FILE_MALFORMED'],
  ])('%s', (_, mesh, code) => {
    expect(() => renderView(core, mesh)).toThrow(expect.objectContaining({ code }) as EngineError);
  });

  test('a plate seen from its edge is a line, and collapsed triangles are none', () => {
    const plate = meshOf([0, 0, 0, 4, 0, 0, 4, 3, 0, 0, 3, 0], [0, 1, 2, 0, 2, 3, 0, 0, 1, 2, 2, 2]);
    const edge = renderView(core, plate, { ...FRONT, size: 100 });
    expect(areaOf(edge)).toBe(0);
    expect(Math.abs(count(edge, LINE.VISIBLE) - 93)).toBeLessThanOrEqual(1);
    expect(
      new Set(
        Array.from(edge.lines.keys())
          .filter((pixel) => edge.lines[pixel] > 0)
          .map((pixel) => Math.floor(pixel / 100)),
      ).size,
    ).toBe(1);
    const face = renderView(core, plate, { ...TOP, size: 100 });
    expect(shareAlong(face, [0, 0, 0], [4, 0, 0], LINE.VISIBLE)).toBe(1);
    const middle = project(face, [2, 1.5, 0]);
    expect(face.lines[at(face, Math.floor(middle.x), Math.floor(middle.y))]).toBe(LINE.NONE);
  });

  test('a vertex on the edge of a neighbour makes no line within a face, and a slit does', () => {
    // Two squares side by side; the right one is cut in two at the middle of the common edge.
    const squares = (gap: number): TriangleMesh =>
      meshOf(
        [0, 0, 0, 10, 0, 0, 10, 10, 0, 0, 10, 0, 10 + gap, 0, 0, 20, 0, 0, 20, 10, 0, 10 + gap, 10, 0, 10 + gap, 5, 0],
        [0, 1, 2, 0, 2, 3, 4, 5, 8, 5, 6, 8, 6, 7, 8],
      );
    const closed = renderView(core, squares(0), { ...TOP, size: 200 });
    expect(shareAlong(closed, [10, 0, 0], [10, 10, 0], LINE.VISIBLE)).toBeLessThan(0.05);
    expect(shareAlong(closed, [20, 0, 0], [20, 10, 0], LINE.VISIBLE)).toBe(1);
    const open = renderView(core, squares(1), { ...TOP, size: 200 });
    expect(shareAlong(open, [10, 0, 0], [10, 10, 0], LINE.VISIBLE)).toBe(1);
    expect(shareAlong(open, [11, 0, 0], [11, 10, 0], LINE.VISIBLE)).toBe(1);
  });

  test('options out of range are named', () => {
    const mesh = box(1, 1, 1);
    expect(() => renderView(core, mesh, { size: 2049 })).toThrow(/size/);
    expect(() => renderView(core, mesh, { margin: 0.5 })).toThrow(/margin/);
    expect(() => renderView(core, mesh, { creaseRad: NaN })).toThrow(/creaseRad/);
    expect(() => renderView(core, mesh, { direction: [0, 0, 0] })).toThrow(/direction/);
    expect(() => renderView(core, mesh, { direction: [0, 0, 2], up: [0, 0, 1] })).toThrow(/up/);
  });
});
