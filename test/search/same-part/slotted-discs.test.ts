import Module from 'manifold-3d';
import { expect, test } from 'vitest';
import { Core, type TriangleMesh } from '../../../dist/core-entry.js';
import { decodeSurface, encodeSurface } from '../../../dist/descriptors/surface.js';
import { comparePart } from '../../../dist/search/shapes/same-part/compare-part.js';
import { PartSurface } from '../../../dist/search/shapes/same-part/part-surface.js';

// A disc with a slot milled across its top is its own mirror image, so every export of it is identical. Its triangles
// are not their own mirror image: a pose may just fail, and the one that a symmetry of the solid makes of it may pass.

const core = await Core.load();
const kernel = await Module();
kernel.setup();

/** Lengths in mm; the circle has so many corners. */
function slottedDisc({ radius, height, width, depth }: Record<string, number>, corners: number): TriangleMesh {
  const slot = kernel.Manifold.cube([3 * radius, width, 2 * depth], true).translate([0, 0, height / 2]);
  const { vertProperties, triVerts } = kernel.Manifold.cylinder(height, radius, radius, corners, true)
    .subtract(slot)
    .getMesh();
  return { positions: vertProperties, indices: triVerts };
}

function mirroredAndTurned({ positions, indices }: TriangleMesh): TriangleMesh {
  const [cos, sin] = [Math.cos(0.7), Math.sin(0.7)];
  const moved = positions.map((value, i) => {
    const [x, z] = [-positions[i - (i % 3)], positions[i - (i % 3) + 2]];
    return i % 3 === 0 ? cos * x - sin * z : i % 3 === 2 ? sin * x + cos * z : value;
  });
  return { positions: moved, indices: indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]) };
}

const part = (mesh: TriangleMesh): PartSurface =>
  new PartSurface(decodeSurface(encodeSurface({ ...mesh, origin: [0, 0, 0] }, [0, 0, 0])));

test.each([
  [{ radius: 10, height: 6, width: 3, depth: 2 }, [96, 128]],
  [{ radius: 20, height: 5, width: 4, depth: 2 }, [48]],
  [{ radius: 15, height: 20, width: 3, depth: 8 }, [48, 96]],
  [{ radius: 12, height: 4, width: 1.5, depth: 2 }, [48]],
])('%o is identical in the mirror and with %j corners', (sizes, corners) => {
  const disc = part(slottedDisc(sizes, 64));
  for (const count of corners) {
    const { matchClass } = comparePart(core, disc, part(mirroredAndTurned(slottedDisc(sizes, count))));
    expect(matchClass, `${count} corners`).toBe('identical');
  }
});
