import type { Core } from '../core/core.js';
import type { BytesSource } from '../core/load-bytes.js';
import { massProperties, type MassProperties } from '../core/mass.js';
import { checkMesh } from '../core/mesh.js';
import { arrangementTables, describeShape, type ShapeFeatures } from '../core/shape.js';
import { meshTopology, type MeshTopology } from '../core/topology.js';
import { limitExceeded } from '../errors.js';
import { placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import { faceStatistics } from './faces/face-statistics.js';
import { faceTableOf } from './faces/face-table.js';
import type { FaceTable } from './faces/part-face.js';
import { backgroundOf } from './shape-distance.js';
import {
  hogOrbits,
  imageOrbits,
  PlaneProjection,
  representations,
  SPREAD_PLANES,
  VIEW_PLANES,
} from './cube-harmonics.js';
import { compactVector, familyVector } from './family.js';
import { encodeFine, outlineOf, withBackground, withOutline, type FineVectors } from './fine.js';
import { gridSurface, type GriddedSurface } from './gridded-surface.js';
import { loadReference, type Reference } from './reference.js';

/**
 * Largest surface area of a mesh, in squares of its box's diagonal: a surface that lies over itself takes as long to
 * draw as it has area. Of 773 parts of machines and toys the largest has 4.5; a stack of 5,000 sheets has this. It
 * takes some seconds.
 */
const MOST_DIAGONAL_SQUARES = 5_000;

/** A mesh to be described. */
export interface DescribableMesh {
  /** f32 or f64[3 * vertexCount], mm, anywhere in space. */
  readonly positions: Float32Array | Float64Array;
  /** u32[3 * triangleCount], counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
}

/** The descriptors of a mesh, in the versions that `DESCRIPTORS` states. */
export interface MeshDescription {
  /** f32[64]: its Euclidean distance to that of another mesh finds candidates. */
  readonly compact: Float32Array;
  /** u8[1024]: what the finer comparison of two parts reads; see `fine.ts` for its layout. */
  readonly fine: Uint8Array;
}

/**
 * Computes the `compact` and `fine` descriptors of meshes, in Node or a browser. Holds a core and the learned tables
 * (3 MB). The same mesh gives the same bits on every machine, and those that the engine stores for a model of this
 * mesh.
 */
export class MeshDescriber {
  readonly #core: Core;
  readonly #reference: Reference;
  /** Made when the first mesh is described: it takes some 60 ms, and most files have none. */
  #vectors: VectorMaker | undefined;

  private constructor(core: Core, reference: Reference) {
    this.#core = core;
    this.#reference = reference;
  }

  /**
   * Loads the learned tables.
   * @param tables the bytes or the address of `reference.bin`; by default the file of this package, in Node and with
   *   bundlers that understand `new URL(…, import.meta.url)`.
   * @throws EngineError `CORE_FAILED` when the tables are missing or damaged, or of another version.
   */
  static async load(core: Core, tables?: BytesSource): Promise<MeshDescriber> {
    return new MeshDescriber(core, await loadReference(tables));
  }

  /**
   * Describes a mesh. The engine's readers weld the vertices of a file first (no two have the same place); a mesh that
   * is to get the stored bits must be welded in the same way.
   * @throws RangeError when an array's length is not a multiple of three.
   * @throws EngineError `NO_GEOMETRY` without area, `FILE_MALFORMED` for a bad index or a coordinate that is not
   *   finite, `LIMIT_EXCEEDED` for a surface that lies over itself thousands of times.
   */
  describe(mesh: DescribableMesh): MeshDescription {
    checkMesh(mesh);
    const positions = Float64Array.from(mesh.positions);
    const model = {
      root: { name: '', meshes: [0], children: [] },
      meshes: [{ name: '', positions, indices: mesh.indices }],
    };
    const { compact, fine } = this.describePlaced(placeMeshes(model), () => faceTableOf(model));
    return { compact, fine };
  }

  /**
   * @internal Describes a mesh that is centred at the origin, and returns what was computed on the way. findFaces: its
   * faces, in any place; called once the mesh is known to be fit to be described.
   */
  describePlaced(placed: PlacedMesh, findFaces: () => FaceTable): PlacedDescription {
    const core = this.#core;
    const mass = massProperties(core, placed);
    checkArea(placed, mass.surfaceAreaMm2);
    const topology = meshTopology(core, placed);
    // A closed mesh whose normals point inwards is the same part, so it gets the descriptors of the part.
    const mesh = topology.boundaryEdges === 0 && mass.signedVolumeMm3 < 0 ? reversed(placed) : placed;
    const features = describeShape(core, mesh);
    const gridded = gridSurface(mesh);
    const faces = findFaces();
    const vectors = (this.#vectors ??= vectorMaker(core, this.#reference))(features, faceStatistics(faces));
    const bare = encodeFine(vectors, features.plainPairs);
    const fine = withOutline(
      withBackground(bare, backgroundOf(core, bare, this.#reference)),
      outlineOf(gridded.measures),
    );
    return { mesh, mass, topology, gridded, faces, compact: compactVector(vectors.family), fine };
  }
}

type VectorMaker = (features: ShapeFeatures, faces: Float32Array) => FineVectors;

/** Prepares the projections, so that each part needs only their products. */
export function vectorMaker(core: Core, reference: Pick<Reference, 'views' | 'spread' | 'family'>): VectorMaker {
  const tables = arrangementTables(core);
  const kinds = representations(tables);
  const views = new PlaneProjection(reference.views, VIEW_PLANES, hogOrbits(tables), kinds);
  const spread = new PlaneProjection(reference.spread, SPREAD_PLANES, imageOrbits(tables), kinds);
  return (features, faces) => ({
    views: views.project(features.hog),
    spread: spread.project(features.images),
    family: familyVector(features, faces, reference),
  });
}

/** A description with its intermediate results. */
interface PlacedDescription extends MeshDescription {
  /** The mesh that was described: closed meshes have their normals outwards. */
  readonly mesh: PlacedMesh;
  /** Of the mesh as it was given. */
  readonly mass: MassProperties;
  readonly topology: MeshTopology;
  readonly gridded: GriddedSurface;
  readonly faces: FaceTable;
}

/** The kernels draw the part stretched to a cube too, and check that by themselves. */
function checkArea({ positions, indices }: PlacedMesh, surfaceAreaMm2: number): void {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const vertex of indices) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], positions[3 * vertex + axis]);
      high[axis] = Math.max(high[axis], positions[3 * vertex + axis]);
    }
  }
  const squares = surfaceAreaMm2 / Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) ** 2;
  if (squares <= MOST_DIAGONAL_SQUARES) return;
  const limit = "the area of its surface by the square of its box's diagonal";
  throw limitExceeded('the model', limit, MOST_DIAGONAL_SQUARES, Math.round(squares));
}

/** The same triangles with their normals reversed. */
function reversed({ indices, ...mesh }: PlacedMesh): PlacedMesh {
  const turned = indices.slice();
  for (let i = 0; i < turned.length; i += 3) {
    turned[i + 1] = indices[i + 2];
    turned[i + 2] = indices[i + 1];
  }
  return { ...mesh, indices: turned };
}
