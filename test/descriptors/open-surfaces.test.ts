import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import type { PartFeatures } from '../../dist/descriptors/features/part-features.js';
import { plate } from '../search/plates.js';

// Features of meshes that do not close: their normals say which side is out, or nothing is said.

let describer: ShapeDescriber;
beforeAll(async () => {
  describer = await ShapeDescriber.load(await Core.load());
});

const OUTLINE = [
  [-40, -30],
  [40, -30],
  [40, 30],
  [-40, 30],
] as const;
const HOLES = [
  { x: 25, y: 15, diameter: 6.5, segments: 24 },
  { x: -25, y: 15, diameter: 6.5, segments: 24 },
  { x: 0, y: -10, diameter: 20, segments: 48 },
];
const drilled = plate(OUTLINE, 6, HOLES);

/** The features of the triangles that are kept, turned inside out or not. */
function featuresOf(keeps: (triangle: number) => boolean, { isFlipped = false } = {}): PartFeatures {
  const kept: number[] = [];
  for (let t = 0; t < drilled.indices.length / 3; t++) {
    const [a, b, c] = drilled.indices.subarray(3 * t, 3 * t + 3);
    if (keeps(t)) kept.push(a, ...(isFlipped ? [c, b] : [b, c]));
  }
  const mesh = { name: '', positions: Float64Array.from(drilled.positions), indices: Uint32Array.from(kept) };
  return describer.describe({
    format: 'stl',
    root: { name: '', meshes: [0], children: [] },
    meshes: [mesh],
    properties: [],
    warnings: [],
  } as unknown as Parameters<ShapeDescriber['describe']>[0]).features!;
}

const heightOf = (triangle: number): number[] =>
  [0, 1, 2].map((k) => drilled.positions[3 * drilled.indices[3 * triangle + k] + 2]);
const isLevel = (triangle: number): boolean => new Set(heightOf(triangle)).size === 1;
/** A triangle of the outline's wall: not level, and far from the middle. */
const isRim = (triangle: number): boolean =>
  !isLevel(triangle) &&
  [0, 1, 2].every((k) => {
    const vertex = drilled.indices[3 * triangle + k];
    return Math.abs(drilled.positions[3 * vertex]) > 39 || Math.abs(drilled.positions[3 * vertex + 1]) > 29;
  });

describe('a drilled plate that does not close', () => {
  test('has its holes still, where a triangle is missing', () => {
    let missing = 0;
    const features = featuresOf((triangle) => !(isRim(triangle) && missing++ === 0));
    expect(missing).toBeGreaterThan(1);
    expect(features.features).toMatchObject([
      { kind: 'hole', count: 2, diameterMm: 6.5 },
      { kind: 'hole', count: 1, diameterMm: 20 },
    ]);
    // Whether a hole ends at a floor is not known of faces that may lack neighbours.
    for (const feature of features.features!) expect(feature.isThrough).toBeUndefined();
    expect(featuresOf(() => true).features![0]).toMatchObject({ kind: 'hole', isThrough: true });
  });

  test('has none that could be pins: inside out, or one side of it alone', () => {
    let missing = 0;
    expect(featuresOf((triangle) => !(isRim(triangle) && missing++ === 0), { isFlipped: true }).features).toBeNull();
    const isBelow = (triangle: number): boolean => isLevel(triangle) && heightOf(triangle)[0] < 1;
    expect(featuresOf((triangle) => !isBelow(triangle) && !isRim(triangle)).features).toBeNull();
  });
});
