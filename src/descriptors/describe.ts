import type { Component, Model } from '../content/model.js';
import { orientedBox } from '../core/box.js';
import type { Core } from '../core/core.js';
import { massProperties } from '../core/mass.js';
import { describeShape } from '../core/shape.js';
import { meshTopology, type MeshTopology } from '../core/topology.js';
import { EngineError, type Warning } from '../errors.js';
import { placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import { backgroundOf } from './background.js';
import { compactVector } from './compact.js';
import type { ShapeDescription } from './description.js';
import { encodeFine, outlineOf, withBackground, withOutline } from './fine.js';
import { loadReference, type Reference } from './reference.js';
import { encodeSurface, readSurfaceFacts } from './surface.js';

/** Turns models into what the engine keeps of their shape. Holds the learned tables; one a worker. */
export class ShapeDescriber {
  readonly #core: Core;
  readonly #reference: Reference;

  private constructor(core: Core, reference: Reference) {
    this.#core = core;
    this.#reference = reference;
  }

  /** @throws EngineError `CORE_FAILED` when the tables that came with the package are damaged. */
  static async load(core: Core): Promise<ShapeDescriber> {
    return new ShapeDescriber(core, await loadReference());
  }

  /**
   * Describes a model: all its components together, as they are placed.
   * @throws EngineError `NO_GEOMETRY` when it has no surface.
   */
  describe(model: Model): ShapeDescription {
    const core = this.#core;
    const placed = placeMeshes(model);
    if (placed.indices.length === 0) {
      throw new EngineError(
        'NO_GEOMETRY',
        `the ${model.format.toUpperCase()} file holds no triangles and no faces, so it has no shape to describe`,
      );
    }
    const mass = massProperties(core, placed);
    const topology = meshTopology(core, placed);
    // A closed mesh that is inside out is the same part: its descriptors are those of the part.
    const mesh = topology.boundaryEdges === 0 && mass.signedVolumeMm3 < 0 ? turnedRound(placed) : placed;
    const box = orientedBox(core, mesh);
    const features = describeShape(core, mesh);
    const fine = encodeFine(features);
    const surface = encodeSurface(mesh, box.sizeMm);
    return {
      triangleCount: mesh.indices.length / 3,
      componentCount: countComponents(model.root),
      volumeMm3: Math.abs(mass.signedVolumeMm3),
      surfaceAreaMm2: mass.surfaceAreaMm2,
      bboxVolumeMm3: box.volumeMm3,
      bboxSizeMm: box.sizeMm,
      descriptors: {
        compact: bytesOf(compactVector(features, this.#reference)),
        fine: withOutline(
          withBackground(fine, backgroundOf(core, fine, this.#reference)),
          outlineOf(readSurfaceFacts(surface)),
        ),
        surface,
      },
      warnings: [...model.warnings, ...warningsOf(topology, mass.signedVolumeMm3)],
    };
  }
}

/** f32 of the `compact` descriptor's bytes: little-endian, as every machine that Node runs on. */
export function compactOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** The same triangles seen from their other sides. */
function turnedRound({ indices, ...mesh }: PlacedMesh): PlacedMesh {
  const turned = indices.slice();
  for (let i = 0; i < turned.length; i += 3) {
    turned[i + 1] = indices[i + 2];
    turned[i + 2] = indices[i + 1];
  }
  return { ...mesh, indices: turned };
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
    const message = `${boundaryEdges} edges have one triangle, so the mesh encloses no volume; the volume is the absolute sum over its triangles`;
    warnings.push({ code: 'MESH_OPEN', message });
  }
  if (nonManifoldEdges + inconsistentEdges > 0) {
    const message = `${nonManifoldEdges} edges have more than two triangles and ${inconsistentEdges} have two that disagree about which side is out`;
    warnings.push({ code: 'MESH_NOT_MANIFOLD', message });
  }
  if (boundaryEdges === 0 && signedVolumeMm3 < 0) {
    warnings.push({ code: 'MESH_INSIDE_OUT', message: 'faces point inwards; the absolute volume is stored' });
  }
  return warnings;
}
