import { determinant } from '../content/matrix.js';
import type { Component, Model } from '../content/model.js';
import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import type { VolumeAndArea } from '../core/mass.js';
import type { MeshTopology } from '../core/topology.js';
import { EngineError, type Warning } from '../errors.js';
import { placementsOf, placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import { exactBox } from './box/exact-box.js';
import { MeshDescriber } from './describe-mesh.js';
import { encodeFaces } from './faces/encode-faces.js';
import { faceTableOf } from './faces/face-table.js';
import { encodeWords, faceWords } from './faces/face-words.js';
import { areSidesKnown } from './features/known-sides.js';
import { partFeatures, type KnownSides } from './features/part-features.js';
import type { ShapeDescription } from './description.js';
import { encodeSurface } from './surface.js';

/** Computes what the engine stores of a model's shape. Holds the learned tables; each worker has one. */
export class ShapeDescriber {
  readonly #core: Core;
  readonly #meshes: MeshDescriber;

  private constructor(core: Core, meshes: MeshDescriber) {
    this.#core = core;
    this.#meshes = meshes;
  }

  /** @throws EngineError `CORE_FAILED` when the tables of the package are missing or damaged. */
  static async load(core: Core): Promise<ShapeDescriber> {
    return new ShapeDescriber(core, await MeshDescriber.load(core));
  }

  /**
   * Describes a model: all its components together, as they are placed.
   * @throws EngineError `NO_GEOMETRY` when it has no surface, `LIMIT_EXCEEDED` when its surface lies over itself too
   *   often.
   */
  describe(model: Model): ShapeDescription {
    const placed = placeMeshes(model);
    if (placed.indices.length === 0) {
      throw new EngineError(
        'NO_GEOMETRY',
        `the ${model.format.toUpperCase()} file holds no triangles and no faces, so it has no shape to describe`,
      );
    }
    const { mesh, mass, topology, gridded, faces, compact, fine } = this.#meshes.describePlaced(placed, () =>
      faceTableOf(model),
    );
    const box = orientedBox(this.#core, mesh);
    const exact = exactBox(model, faces, box);
    const componentCount = countComponents(model.root);
    return {
      triangleCount: mesh.indices.length / 3,
      componentCount,
      features: componentCount > 1 ? null : partFeatures(faces, sidesOf(mesh, topology)),
      ...exactFigures(model, mass),
      bboxVolumeMm3: exact.volumeMm3,
      bboxSizeMm: exact.sizeMm,
      descriptors: {
        compact: bytesOf(compact),
        fine,
        surface: encodeSurface(mesh, box.sizeMm, gridded),
        faces: encodeFaces(faces),
        faceWords: encodeWords(faceWords(faces)),
      },
      warnings: [...model.warnings, ...warningsOf(topology, mass.signedVolumeMm3)],
    };
  }
}

function sidesOf(mesh: PlacedMesh, { boundaryEdges }: MeshTopology): KnownSides {
  if (boundaryEdges === 0) return 'closed';
  return areSidesKnown(mesh) ? 'outwards' : 'unknown';
}

/** Most that curved surfaces add to volume or area; more is no estimate but a fault of the file. */
const MOST_SURPLUS = 0.02;

/** Volume and area of the exact surfaces, where the file has such; those of the triangles else. */
function exactFigures(
  model: Model,
  { signedVolumeMm3, surfaceAreaMm2 }: VolumeAndArea,
): Pick<ShapeDescription, 'volumeMm3' | 'surfaceAreaMm2'> {
  let volume = 0,
    area = 0;
  for (const { mesh, matrix } of placementsOf(model)) {
    const scale = Math.cbrt(Math.abs(determinant(matrix)));
    volume += (mesh.curved?.volumeMm3 ?? 0) * scale ** 3;
    area += (mesh.curved?.areaMm2 ?? 0) * scale ** 2;
  }
  const isSmall = Math.abs(volume) <= MOST_SURPLUS * Math.abs(signedVolumeMm3) && area <= MOST_SURPLUS * surfaceAreaMm2;
  return {
    volumeMm3: Math.abs(signedVolumeMm3 + (isSmall ? volume : 0)),
    surfaceAreaMm2: surfaceAreaMm2 + (isSmall ? area : 0),
  };
}

/**
 * The `compact` vector of its stored bytes, f32 little endian, which is also the byte order of all machines that run
 * Node.
 */
export function compactOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function bytesOf(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 * vector.length);
  const view = new DataView(bytes.buffer);
  vector.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return bytes;
}

function countComponents(root: Component): number {
  let count = 0;
  const pending = [root];
  for (let component = pending.pop(); component !== undefined; component = pending.pop()) {
    if (component.meshes.length > 0) count++;
    pending.push(...component.children);
  }
  return count;
}

function warningsOf(
  { boundaryEdges, nonManifoldEdges, inconsistentEdges }: MeshTopology,
  signedVolumeMm3: number,
): Warning[] {
  const warnings: Warning[] = [];
  if (boundaryEdges > 0) {
    const message =
      `${boundaryEdges} edges have one triangle, so the mesh encloses no volume; ` +
      'the volume is the absolute sum over its triangles';
    warnings.push({ code: 'MESH_OPEN', message });
  }
  if (nonManifoldEdges + inconsistentEdges > 0) {
    const message =
      `${nonManifoldEdges} edges have more than two triangles and ` +
      `${inconsistentEdges} have two that disagree about which side is out`;
    warnings.push({ code: 'MESH_NOT_MANIFOLD', message });
  }
  if (boundaryEdges === 0 && signedVolumeMm3 < 0) {
    warnings.push({ code: 'MESH_INSIDE_OUT', message: 'faces point inwards; the absolute volume is stored' });
  }
  return warnings;
}
