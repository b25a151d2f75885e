import { expect, test } from 'vitest';
import { movedDescriptors } from '../../bench/support/moved-descriptors.mjs';
import { encodeFine, outlineOf, outlineOfFine, withOutline } from '../../dist/descriptors/fine.js';
import { decodeSurface, encodeSurface, readSurfaceFacts } from '../../dist/descriptors/surface.js';

/** A tetrahedron. */
const positions = new Float32Array([0, 0, 0, 30, 0, 0, 0, 20, 0, 0, 0, 10]);
const indices = new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]);
const surface = encodeSurface({ positions, indices, origin: [0, 0, 0] }, [30, 20, 10]);
const waves = (length: number): Float64Array => Float64Array.from({ length }, (_, i) => Math.sin(i));
const plain = encodeFine(
  { views: waves(248), spread: new Float64Array(136), family: waves(128) },
  new Float32Array(480).fill(0.1),
);
const fine = withOutline(plain, outlineOf(readSurfaceFacts(surface)));
const compact = new Uint8Array(new Float32Array(64).fill(0.5).buffer);

test('descriptors of benches are moved within their formats, one way a seed', () => {
  const moved = movedDescriptors({ compact, fine, surface, faces: compact }, 7);
  expect(movedDescriptors({ compact, fine, surface, faces: compact }, 7)).toEqual(moved);
  for (const [name, bytes] of Object.entries({ compact, fine, surface })) {
    expect(moved[name].length).toBe(bytes.length);
    expect(moved[name]).not.toEqual(bytes);
    expect(movedDescriptors({ compact, fine, surface }, 8)[name]).not.toEqual(moved[name]);
  }
  expect(moved.faces).toBe(compact);
  const facts = readSurfaceFacts(moved.surface);
  expect(decodeSurface(moved.surface).facts).toEqual(facts);
  expect([...facts.boxSizeMm].sort((a, b) => b - a)).toEqual(facts.boxSizeMm);
  // The fine descriptor says of its surface what the surface says, in single precision.
  expect(outlineOfFine(moved.fine).invariants).toEqual(facts.invariants.map(Math.fround));
  // A vector of zeros has no direction, so it stays one.
  expect(moved.fine.subarray(248, 248 + 136)).toEqual(new Uint8Array(136));
  expect(new Int8Array(moved.fine.slice(0, 248).buffer)).not.toContain(-128);
});
