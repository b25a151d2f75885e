import { Document, VertexLayout, WebIO } from '@gltf-transform/core';
import type { ModelFormat } from '../content/model.js';
import type { WideMesh } from './refine-mesh.js';
import { shadedMesh } from './shaded-mesh.js';
import { addModelRoot } from './write-glb.js';

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
  { origin, format }: { readonly origin: readonly [number, number, number]; readonly format: ModelFormat },
): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const root = addModelRoot(document, 'deviations', format);
  surfaces.forEach(({ mesh, distances }, i) => {
    const { positions, normals, indices, sourceOf } = shadedMesh(mesh, [0, 0, 0]);
    const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(array as Float32Array<ArrayBuffer>)
        .setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', positions))
      .setAttribute('NORMAL', accessor('VEC3', normals))
      .setAttribute(
        '_DEVIATION',
        accessor(
          'SCALAR',
          Float32Array.from(sourceOf, (vertex) => distances[vertex]),
        ),
      )
      .setIndices(accessor('SCALAR', indices));
    root.addChild(
      document
        .createNode(NAMES[i])
        .setTranslation([...origin])
        .setMesh(document.createMesh(NAMES[i]).addPrimitive(primitive)),
    );
  });
  return new WebIO().setVertexLayout(VertexLayout.SEPARATE).writeBinary(document);
}
