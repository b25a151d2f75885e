import {
  Document,
  Primitive,
  VertexLayout,
  WebIO,
  type Accessor,
  type Material,
  type Mesh as GltfMesh,
  type Node,
} from '@gltf-transform/core';
import { boxOf } from '../content/boxes.js';
import { determinant, multiply } from '../content/matrix.js';
import type { Color, Component, Mesh, Model, ModelFormat } from '../content/model.js';
import { faceTriangles, type FaceTriangles } from '../descriptors/faces/face-triangles.js';
import { EngineError } from '../errors.js';
import { placeMeshes, type PlacedMesh } from '../shapelets/model/mesh.js';
import { featureEdges } from './feature-edges.js';
import { nodePlacement } from './node-placement.js';
import { shadedMesh } from './shaded-mesh.js';

/** Formats whose models have y up; in all others z is up. */
const STANDS_ALONG_Y: ReadonlySet<ModelFormat> = new Set<ModelFormat>(['gltf', 'glb', 'vrml']);

/** glTF is in metres. */
const METRES = 0.001;

/** A quarter turn about x, backwards: maps z to y. */
const Z_TO_Y: [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** Colour of parts without one, as in thumbnails, and of lines; sRGB. */
const PLAIN_COLOR: Color = [196 / 255, 208 / 255, 222 / 255];
const INK: Color = [38 / 255, 44 / 255, 54 / 255];

/** Vertices of one geometry, written once, however often it is placed and in whatever colors. */
interface Geometry {
  readonly centre: readonly [number, number, number];
  readonly position: Accessor;
  readonly normal: Accessor;
  readonly indices: Uint32Array;
  readonly lines: Accessor | undefined;
}

/** From where a model is looked at: unit vectors, towards the camera and along the axis that stands in its picture. */
export interface ShownSide {
  readonly toward: readonly [number, number, number];
  readonly up: readonly [number, number, number];
}

/** From where a mesh is looked at: first from the side of its thumbnail. */
export type SidesOf = (mesh: PlacedMesh) => readonly ShownSide[];

/**
 * A model as binary glTF 2.0. One root node (`extras`: `unit` 'mm', `up` 'y' or 'z', `sides`: {@link SidesOf}) maps
 * the model's millimetres to the metres of glTF. Below it each component is a node with its name, its placement and
 * `extras.component`, its path from the root of the product structure by numbers of children, such as `0.2.1` ('' is
 * the root); its bodies are nodes below it with `extras.body`. Each geometry is written once, moved to its centre, so
 * that single precision is enough for parts far away. Triangles have normals and colors (sRGB made linear); lines where
 * faces meet are separate primitives, and so are faces with annotations (`extras.face`: what the annotation calls it).
 * `extras.faces` of a primitive lists its triangles in their order by face: number of the face as `company.faces`
 * counts it, or -1, number of triangles, and so on. Shearing placements, which no node can hold, are applied to the
 * vertices.
 * @throws EngineError `NO_GEOMETRY` without triangles, `LIMIT_EXCEEDED` above `triangles`.
 */
export async function writeGlb(
  model: Model,
  { triangles: allowed, sidesOf }: { readonly triangles: number; readonly sidesOf: SidesOf },
): Promise<Uint8Array> {
  const found = model.meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  if (found === 0) throw new EngineError('NO_GEOMETRY', 'the model has no triangles');
  if (found > allowed) {
    throw new EngineError('LIMIT_EXCEEDED', `the model has ${found} triangles, at most ${allowed} are shown`, {
      details: { limit: 'triangles', allowed, found },
    });
  }
  return writeDocument(new SceneWriter(model, sidesOf(placeMeshes(model))).document);
}

/** A document as GLB; each attribute is stored for itself. */
export function writeDocument(document: Document): Promise<Uint8Array> {
  return new WebIO().setVertexLayout(VertexLayout.SEPARATE).writeBinary(document);
}

/** Adds numbers to the only buffer of a document. */
export function addAccessor(document: Document, type: 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array): Accessor {
  return document
    .createAccessor()
    .setType(type)
    .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>)
    .setBuffer(document.getRoot().listBuffers()[0] ?? document.createBuffer());
}

/** Adds a scene with a root node that maps millimetres, in the frame of the format's models, to glTF's frame. */
export function addModelRoot(
  document: Document,
  name: string,
  { format, sides }: { readonly format: ModelFormat; readonly sides: readonly ShownSide[] },
): Node {
  const isUpY = STANDS_ALONG_Y.has(format);
  const root = document
    .createNode(name)
    .setScale([METRES, METRES, METRES])
    .setExtras({
      unit: 'mm',
      up: isUpY ? 'y' : 'z',
      sides: sides.map(({ toward, up }) => ({ toward: [...toward], up: [...up] })),
    });
  if (!isUpY) root.setRotation(Z_TO_Y);
  document.getRoot().setDefaultScene(document.createScene(name).addChild(root));
  document.getRoot().getAsset().generator = 'shapedex';
  return root;
}

class SceneWriter {
  readonly document = new Document();
  readonly #model: Model;
  readonly #faces: ReadonlyMap<Mesh, readonly FaceTriangles[]>;
  readonly #geometries = new Map<number, Geometry>();
  /** By geometry and color of the component. */
  readonly #meshes = new Map<string, GltfMesh>();
  readonly #materials = new Map<string, Material>();

  constructor(model: Model, sides: readonly ShownSide[]) {
    this.#model = model;
    this.#faces = faceTriangles(model);
    const root = addModelRoot(this.document, model.root.name || 'model', { format: model.format, sides });
    this.#place(model.root, '', root, undefined, undefined);
  }

  /** @param worked placement that is applied to the vertices from here on, because a placement above shears. */
  #place(
    component: Component,
    path: string,
    parent: Node,
    worked: Float64Array | undefined,
    above: Color | undefined,
  ): void {
    const { name, occurrence, transform, meshes, children } = component;
    const color = component.color ?? above;
    const node = this.document
      .createNode(occurrence ?? name)
      .setExtras({ component: path, name, ...(occurrence === undefined ? {} : { occurrence }) });
    parent.addChild(node);
    let matrix = worked;
    if (transform !== undefined) {
      const placement = worked === undefined ? nodePlacement(transform) : undefined;
      if (placement === undefined) matrix = worked === undefined ? transform : multiply(worked, transform);
      else node.setTranslation(placement.translation).setRotation(placement.rotation).setScale(placement.scale);
    }
    for (const index of meshes) {
      const geometry =
        matrix === undefined ? this.#shared(index) : this.#geometry(moved(this.#model.meshes[index], matrix));
      const body = this.document
        .createNode(this.#model.meshes[index].name)
        .setExtras({ body: index })
        .setTranslation([...geometry.centre]);
      node.addChild(body.setMesh(this.#mesh(index, geometry, color, matrix === undefined)));
    }
    children.forEach((child, i) => this.#place(child, path === '' ? `${i}` : `${path}.${i}`, node, matrix, color));
  }

  #shared(index: number): Geometry {
    const known = this.#geometries.get(index);
    if (known !== undefined) return known;
    const geometry = this.#geometry(this.#model.meshes[index]);
    this.#geometries.set(index, geometry);
    return geometry;
  }

  #geometry(mesh: Mesh): Geometry {
    const centre = centreOf(mesh.positions);
    const { positions, normals, indices, vertexOf } = shadedMesh(mesh, centre);
    const lines = featureEdges(mesh).map((vertex) => vertexOf[vertex]);
    return {
      centre,
      position: addAccessor(this.document, 'VEC3', positions),
      normal: addAccessor(this.document, 'VEC3', normals),
      indices,
      lines: lines.length === 0 ? undefined : addAccessor(this.document, 'SCALAR', lines),
    };
  }

  #mesh(index: number, geometry: Geometry, above: Color | undefined, isShared: boolean): GltfMesh {
    const source = this.#model.meshes[index];
    const color = source.color ?? above;
    const key = `${index} ${String(color)}`;
    const known = isShared ? this.#meshes.get(key) : undefined;
    if (known !== undefined) return known;
    const mesh = this.document.createMesh(source.name);
    const faces = this.#faces.get(source) ?? [];
    for (const run of runsByLook(source, color, { indices: geometry.indices, faces })) {
      const { color: runColor, face, numbers, indices } = run;
      mesh.addPrimitive(
        this.document
          .createPrimitive()
          .setExtras({ ...(face === undefined ? {} : { face }), faces: numbers })
          .setAttribute('POSITION', geometry.position)
          .setAttribute('NORMAL', geometry.normal)
          .setIndices(addAccessor(this.document, 'SCALAR', indices))
          .setMaterial(this.#material(runColor)),
      );
    }
    if (geometry.lines !== undefined) {
      mesh.addPrimitive(
        this.document
          .createPrimitive()
          .setMode(Primitive.Mode.LINES)
          .setAttribute('POSITION', geometry.position)
          .setIndices(geometry.lines)
          .setMaterial(this.#material(INK)),
      );
    }
    if (isShared) this.#meshes.set(key, mesh);
    return mesh;
  }

  #material(color: Color | undefined): Material {
    const key = String(color);
    let material = this.#materials.get(key);
    if (material === undefined) {
      const [red, green, blue] = (color ?? PLAIN_COLOR).map(linear);
      material = this.document
        .createMaterial(color === undefined ? 'plain' : color === INK ? 'lines' : '')
        .setBaseColorFactor([red, green, blue, 1])
        .setMetallicFactor(0)
        .setRoughnessFactor(0.7);
      this.#materials.set(key, material);
    }
    return material;
  }
}

/** Triangles that are drawn together. */
interface Run {
  readonly color: Color | undefined;
  /** What annotations call the face. */
  readonly face: number | undefined;
  /** Of its triangles in their order: number of the face, how many triangles, and so on. */
  readonly numbers: number[];
  readonly indices: Uint32Array;
}

/** Most faces with annotations that become separate primitives: each is one draw call. */
const MOST_ANNOTATED = 2_000;

/** The triangles of each color: of faces or runs that have one, and of the rest; annotated faces separately. */
function runsByLook(
  mesh: Mesh,
  color: Color | undefined,
  { indices, faces }: { readonly indices: Uint32Array; readonly faces: readonly FaceTriangles[] },
): Run[] {
  const count = indices.length / 3;
  const looks: (Run & { length: number })[] = [];
  const byKey = new Map<string, number>();
  const lookFor = (own: Color | undefined, face: number | undefined): number => {
    const key = `${String(own)} ${face}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    byKey.set(key, looks.length);
    return looks.push({ color: own, face, numbers: [], indices: new Uint32Array(0), length: 0 }) - 1;
  };
  const lookOf = new Uint32Array(count);
  const colored = mesh.faces ?? mesh.colorRuns ?? [{ first: 0, count }];
  const isSeparate = colored.filter(({ id }) => id !== undefined).length <= MOST_ANNOTATED;
  for (const run of colored)
    lookOf.fill(lookFor(run.color ?? color, isSeparate ? run.id : undefined), run.first, run.first + run.count);
  for (let t = 0; t < count; t++) looks[lookOf[t]].length++;
  const runs = looks.map((look) => ({ ...look, indices: new Uint32Array(3 * look.length), length: 0 }));
  const add = (t: number, number: number): void => {
    const run = runs[lookOf[t]];
    for (let k = 0; k < 3; k++) run.indices[run.length++] = indices[3 * t + k];
    const { numbers } = run;
    if (numbers.length > 0 && numbers[numbers.length - 2] === number) numbers[numbers.length - 1]++;
    else numbers.push(number, 1);
  };
  const isAdded = new Uint8Array(count);
  for (const { number, triangles } of faces)
    for (const t of triangles) {
      isAdded[t] = 1;
      add(t, number);
    }
  for (let t = 0; t < count; t++) if (isAdded[t] === 0) add(t, -1);
  return runs.filter(({ length }) => length > 0);
}

/** The middle of the axis-aligned box. */
function centreOf(positions: Float64Array): [number, number, number] {
  const { low, high } = boxOf(positions);
  return positions.length === 0 ? [0, 0, 0] : [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
}

/** A mesh transformed by a matrix; a mirroring matrix reverses the triangles. */
function moved(mesh: Mesh, m: Float64Array): Mesh {
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = mesh.positions.subarray(i, i + 3);
    for (let axis = 0; axis < 3; axis++)
      positions[i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
  }
  const indices = mesh.indices.slice();
  if (determinant(m) < 0)
    for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { ...mesh, positions, indices };
}

/** sRGB to linear (IEC 61966-2-1). */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
