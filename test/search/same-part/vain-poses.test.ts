import { expect, test, vi } from 'vitest';
import { Core, type TriangleMesh } from '../../../dist/core-entry.js';
import { decodeSurface, encodeSurface } from '../../../dist/descriptors/surface.js';
import { PartSurface } from '../../../dist/search/shapes/same-part/part-surface.js';
import { poseOf, type Pose } from '../../../dist/search/shapes/same-part/pose.js';
import { VainPoses } from '../../../dist/search/shapes/same-part/vain-poses.js';
import { box } from '../../core/shapes.js';
import { plate } from '../plates.js';

const core = await Core.load();
const part = (mesh: TriangleMesh): PartSurface =>
  new PartSurface(decodeSurface(encodeSurface({ ...mesh, origin: [0, 0, 0] }, [0, 0, 0])));
const along = (x: number, y: number, z: number): Pose => poseOf([x, 0, 0, 0, y, 0, 0, 0, z]);

test('of a block all eight poses along its axes are one, and each is looked at once', () => {
  const block = part(box(30, 20, 8));
  const vain = new VainPoses(core, block);
  expect(vain.has(along(1, 1, 1))).toBe(false);
  vain.add(along(1, 1, 1));
  const others = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => along(x, y, z))));
  expect(others.map((pose) => vain.has(pose))).toEqual(others.map(() => true));
  // Another part may fail in any of them, and its mirrored twin: the block is the same.
  const again = new VainPoses(core, block);
  again.add(along(-1, 1, 1));
  const asked = vi.spyOn(core, 'call');
  expect(others.every((pose) => again.has(pose))).toBe(true);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(again.has(poseOf([0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1]))).toBe(false);
});

test('a hole off the middle by a thousandth of the length leaves only the mirror planes that it lies in', () => {
  const outline = [
    [-30, -20],
    [30, -20],
    [30, 20],
    [-30, 20],
  ] as const;
  const vain = new VainPoses(core, part(plate(outline, 6, [{ x: 0.06, y: 0, diameter: 4 }])));
  vain.add(along(1, 1, 1));
  expect(vain.has(along(1, -1, 1))).toBe(true);
  expect(vain.has(along(-1, 1, 1))).toBe(false);
  expect(vain.has(along(-1, -1, 1))).toBe(false);
});
