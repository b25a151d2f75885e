import { determinant, multiply } from '../../content/matrix.js';
import type { TriangleMesh } from '../../core/mesh.js';
import type { Color, Component, Mesh, Model } from '../../content/model.js';

/** The product structure and the meshes of a model. */
export type ModelParts = Pick<Model, 'root' | 'meshes'>;

/** A whole model as one mesh, moved so that its bounding box is centred at the origin. */
export interface PlacedMesh extends TriangleMesh {
  /** What was subtracted: the centre of the model's axis-aligned box in the model's frame, mm. */
  readonly origin: readonly [number, number, number];
}

/**
 * Places every component of a model and joins all meshes into one. A placement that mirrors also reverses the order of
 * the vertices in each triangle, so that normals keep pointing outwards. Coordinates are computed in double precision
 * and rounded to single precision at the end.
 */
export function placeMeshes(model: ModelParts): PlacedMesh {
  const placements = placementsOf(model);
  let vertexCount = 0;
  let triangleCount = 0;
  for (const { mesh } of placements) {
    vertexCount += mesh.positions.length / 3;
    triangleCount += mesh.indices.length / 3;
  }
  const placed = new Float64Array(3 * vertexCount);
  const indices = new Uint32Array(3 * triangleCount);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let vertex = 0;
  let corner = 0;
  for (const { mesh, matrix: m } of placements) {
    const first = vertex;
    const { positions } = mesh;
    for (let i = 0; i < positions.length; i += 3, vertex++) {
      const x = positions[i],
        y = positions[i + 1],
        z = positions[i + 2];
      for (let axis = 0; axis < 3; axis++) {
        const value = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
        placed[3 * vertex + axis] = value;
        if (value < low[axis]) low[axis] = value;
        if (value > high[axis]) high[axis] = value;
      }
    }
    const mirrors = determinant(m) < 0;
    for (let i = 0; i < mesh.indices.length; i += 3, corner += 3) {
      indices[corner] = first + mesh.indices[i];
      indices[corner + 1] = first + mesh.indices[i + (mirrors ? 2 : 1)];
      indices[corner + 2] = first + mesh.indices[i + (mirrors ? 1 : 2)];
    }
  }
  const origin =
    vertexCount === 0
      ? ([0, 0, 0] as const)
      : ([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2] as const);
  const positions = new Float32Array(3 * vertexCount);
  for (let i = 0; i < placed.length; i++) positions[i] = placed[i] - origin[i % 3];
  return { positions, indices, origin };
}

/** One placement of a mesh. */
export interface PlacedPiece {
  readonly mesh: Mesh;
  /** f64[16], column-major, into the model's frame. */
  readonly matrix: Float64Array;
  /** The color of the mesh, or of its component, or of the nearest parent component that has one. */
  readonly color: Color | undefined;
}

/** Every placement of every mesh, in the order of the product structure (depth first). */
export function placementsOf(model: ModelParts): PlacedPiece[] {
  const placements: PlacedPiece[] = [];
  const pending: { component: Component; above: Float64Array; colorAbove: Color | undefined }[] = [
    { component: model.root, above: identity(), colorAbove: undefined },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { component, above, colorAbove } = next;
    const color = component.color ?? colorAbove;
    const matrix = component.transform === undefined ? above : multiply(above, component.transform);
    for (const index of component.meshes)
      placements.push({ mesh: model.meshes[index], matrix, color: model.meshes[index].color ?? color });
    for (let i = component.children.length - 1; i >= 0; i--)
      pending.push({ component: component.children[i], above: matrix, colorAbove: color });
  }
  return placements;
}

function identity(): Float64Array {
  return new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
}
