import type { Model } from '../../dist/content/model.js';
import { compareFine, FINE_TERMS, type FineTerm } from '../../dist/core/compare.js';
import { Core, type TriangleMesh } from '../../dist/core-entry.js';
import { compactOf, ShapeDescriber } from '../../dist/descriptors/describe.js';
import type { ShapeDescription } from '../../dist/descriptors/description.js';
import { loadReference } from '../../dist/descriptors/reference.js';
import { triangulated, type Body } from '../fixtures/shapes.js';

/** One core and describer for a test file. */
export const core = await Core.load();
export const describer = await ShapeDescriber.load(core);

/** A model of one mesh. */
export function modelOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Model {
  const mesh = { name: 'part', positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
  return {
    kind: 'model',
    format: 'stl',
    unit: 'mm',
    root: { name: 'part', meshes: [0], children: [] },
    meshes: [mesh],
    warnings: [],
  };
}

export function modelOfBody(body: Body): Model {
  const { vertices, faces } = triangulated(body);
  return modelOf(vertices.flat(), faces.flat());
}

export function meshOfBody(body: Body): TriangleMesh {
  const { vertices, faces } = triangulated(body);
  return { positions: Float32Array.from(vertices.flat()), indices: Uint32Array.from(faces.flat()) };
}

export function describeBody(body: Body): ShapeDescription {
  return describer.describe(modelOfBody(body));
}

const { termMeans } = await loadReference();

/**
 * Of each term of the finer comparison, and of the compact vectors (0 to 2 apart).
 */
export type Apart = Record<'compact' | FineTerm, number>;

/** How far two descriptions are apart, term by term; of the finer comparison, 1 is what unrelated parts are apart. */
export function apart(a: ShapeDescription, b: ShapeDescription): Apart {
  const fine = compareFine(core, a.descriptors.fine, b.descriptors.fine);
  const [x, y] = [compactOf(a.descriptors.compact), compactOf(b.descriptors.compact)];
  return {
    compact: Math.hypot(...x.map((value, i) => value - y[i])),
    ...(Object.fromEntries(FINE_TERMS.map((term) => [term, fine[term][0] / termMeans[term]])) as Record<
      FineTerm,
      number
    >),
  };
}
