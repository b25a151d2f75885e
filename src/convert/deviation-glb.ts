import { Document } from '@gltf-transform/core';
import type { ModelFormat } from '../content/model.js';
import type { WideMesh } from './refine-mesh.js';
import { shadedMesh } from './shaded-mesh.js';
import { addAccessor, addModelRoot, writeDocument, type ShownSide } from './write-glb.js';

/** A surface with the distance of each vertex from the other surface, f32[vertexCount], mm. */
export interface DeviatingSurface {
  readonly mesh: WideMesh;
  readonly distances: Float32Array;
}

/** Names of the nodes, in the order of the surfaces. */
const NAMES = ['first', 'second'] as const;

/**
 * Two surfaces as binary glTF, laid out as {@link import('./deviation-options.js').DeviationModel.glb} describes.
 * @param origin of the surfaces in the second model's frame, mm.
 */
export async function writeDeviationGlb(
  surfaces: readonly DeviatingSurface[],
  {
    origin,
    ...look
  }: {
    readonly origin: readonly [number, number, number];
    readonly format: ModelFormat;
    readonly sides: readonly ShownSide[];
  },
): Promise<Uint8Array> {
  const document = new Document();
  const root = addModelRoot(document, 'deviations', look);
  surfaces.forEach(({ mesh, distances }, i) => {
    const { positions, normals, indices, sourceOf } = shadedMesh(mesh, [0, 0, 0]);
    const found = Float32Array.from(sourceOf, (vertex) => distances[vertex]);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', addAccessor(document, 'VEC3', positions))
      .setAttribute('NORMAL', addAccessor(document, 'VEC3', normals))
      .setAttribute('_DEVIATION', addAccessor(document, 'SCALAR', found))
      .setIndices(addAccessor(document, 'SCALAR', indices));
    root.addChild(
      document
        .createNode(NAMES[i])
        .setTranslation([...origin])
        .setMesh(document.createMesh(NAMES[i]).addPrimitive(primitive)),
    );
  });
  return writeDocument(document);
}
