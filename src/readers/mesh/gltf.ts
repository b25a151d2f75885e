import type { Color, Component, Mesh, Model } from '../../content/model.js';
import type { Property } from '../../content/text.js';
import { MILLIMETRES } from '../../content/units.js';
import { checkLimit, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { colorOfLinear } from '../geometry/colors.js';
import { GltfFile, listOf, malformed, numbersOf, objectOf, type JsonObject } from './gltf-file.js';
import { FARTHEST_MM, requireArea, rootOf, withDropped } from './model-of-pieces.js';
import { PropertyList } from '../metadata/property-list.js';
import { compose, isIdentity, isUsable, scaling, translation } from '../geometry/transforms.js';
import { weld } from './weld.js';

/** glTF 2.0 is in metres. */
const SCALE = MILLIMETRES.m;

/** Primitive modes that hold triangles (glTF 2.0, 3.7.2.1). */
const TRIANGLES = 4,
  TRIANGLE_STRIP = 5,
  TRIANGLE_FAN = 6;

/**
 * Reads glTF 2.0, as GLB or as JSON with embedded buffers. Nodes become components; a mesh that several nodes use is
 * one mesh; the primitives of a mesh are joined, so that a body in several materials stays closed. Materials give their
 * base colour. Left out with a warning: points and lines. Not read: textures, morph targets, skins, animations,
 * instancing extensions.
 *
 * @throws EngineError `FILE_MALFORMED`, `FORMAT_UNSUPPORTED` (glTF 1, compressed vertices), `REFERENCE_MISSING`
 * (buffers in other files), `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export async function readGltf(bytes: Uint8Array, format: 'gltf' | 'glb', options: ReadOptions): Promise<Model> {
  const file = new GltfFile(bytes, format, options.limits);
  const reader = new SceneReader(file, options.limits);
  const root = reader.root();
  requireArea(format, reader.meshes);
  const { skipped } = reader;
  const warnings: Warning[] =
    skipped === 0 ? [] : [warning('CONTENT_SKIPPED', `${skipped} primitives of points or lines were skipped`)];
  return {
    kind: 'model',
    format,
    unit: 'm',
    root,
    meshes: reader.meshes,
    properties: propertiesOf(file),
    warnings: withDropped(warnings, reader.dropped),
  };
}

/** Properties of the asset: program, copyright and the writer's extras (title, author, licence …). */
function propertiesOf({ json }: GltfFile): readonly Property[] {
  const list = new PropertyList();
  const { generator, copyright, extras } = objectOf(json['asset'], 'asset');
  if (typeof generator === 'string') list.add('Originating system', generator);
  if (typeof copyright === 'string') list.add('Copyright', copyright);
  if (typeof extras !== 'object' || extras === null) return list.properties;
  for (const [name, value] of Object.entries(extras)) {
    if (typeof value === 'string' || typeof value === 'number')
      list.add(`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`, value);
  }
  return list.properties;
}

class SceneReader {
  readonly meshes: Mesh[] = [];
  /** Triangles left out by welding. */
  dropped = 0;
  /** Primitives of points or lines. */
  skipped = 0;
  readonly #file: GltfFile;
  readonly #limits: Limits;
  /** Index in {@link meshes} by the file's mesh index; −1 for a mesh without triangles. */
  readonly #places = new Map<number, number>();
  #components = 0;
  #placedTriangles = 0;
  #vertices = 0;

  constructor(file: GltfFile, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** The default scene, or all nodes without a parent when the file has no scene. */
  root(): Component {
    const { json } = this.#file;
    const scenes = listOf(json['scenes'], 'scenes');
    const scene = scenes.length === 0 ? {} : this.#file.item('scenes', json['scene'] ?? 0);
    const nodes = scenes.length === 0 ? this.#topNodes() : listOf(scene['nodes'], 'nodes of a scene');
    const children = nodes.flatMap((node) => this.#component(node, 1));
    return rootOf(children, nameOf(scene));
  }

  #topNodes(): unknown[] {
    const nodes = listOf(this.#file.json['nodes'], 'nodes');
    const inner = new Set(nodes.flatMap((node, i) => listOf(objectOf(node, `nodes[${i}]`)['children'], 'children')));
    return [...nodes.keys()].filter((index) => !inner.has(index));
  }

  /** The node as a component; empty for a node without a mesh, such as a camera or light. */
  #component(index: unknown, depth: number): Component[] {
    const node = this.#file.item('nodes', index);
    this.#count('depth', depth);
    this.#count('components', ++this.#components);
    const place = node['mesh'] === undefined ? -1 : this.#mesh(node['mesh']);
    if (place >= 0) this.#count('triangles', (this.#placedTriangles += this.meshes[place].indices.length / 3));
    const children = listOf(node['children'], 'children').flatMap((child) => this.#component(child, depth + 1));
    if (place < 0 && children.length === 0) return [];
    const transform = transformOf(node);
    const name = nameOf(node) || (place < 0 ? '' : this.meshes[place].name);
    return [{ name, meshes: place < 0 ? [] : [place], children, ...(transform && { transform }) }];
  }

  #mesh(index: unknown): number {
    const definition = this.#file.item('meshes', index);
    let place = this.#places.get(index as number);
    if (place === undefined) {
      place = this.#readMesh(definition);
      this.#places.set(index as number, place);
    }
    return place;
  }

  #readMesh(definition: JsonObject): number {
    const positions: Float64Array[] = [];
    const indices: Uint32Array[] = [];
    /** First vertex in the joined mesh, by position accessor: primitives often share one. */
    const starts = new Map<unknown, { first: number; count: number }>();
    let vertices = 0;
    let triangles = 0;
    let color: { of: Color | undefined; triangles: number } | undefined;
    for (const item of listOf(definition['primitives'], 'primitives')) {
      const primitive = objectOf(item, 'primitive');
      const mode = primitive['mode'] ?? TRIANGLES;
      const accessor = objectOf(primitive['attributes'], 'attributes')['POSITION'];
      if (mode !== TRIANGLES && mode !== TRIANGLE_STRIP && mode !== TRIANGLE_FAN) {
        this.skipped++;
        continue;
      }
      if (accessor === undefined) continue;
      let start = starts.get(accessor);
      if (start === undefined) {
        const places = this.#file.numbers(accessor, 'VEC3');
        for (let i = 0; i < places.length; i++)
          places[i] = Math.abs(places[i]) <= FARTHEST_MM / SCALE ? places[i] * SCALE : NaN;
        start = { first: vertices, count: places.length / 3 };
        starts.set(accessor, start);
        positions.push(places);
        vertices += start.count;
        // Several meshes may use one large accessor; each copy counts.
        this.#vertices += start.count;
        this.#count('triangles', Math.ceil(this.#vertices / 3));
      }
      const corners =
        primitive['indices'] === undefined ? undefined : this.#file.numbers(primitive['indices'], 'SCALAR');
      const run = trianglesOf(mode, corners, start);
      triangles += run.length / 3;
      this.#count('triangles', triangles);
      indices.push(run);
      if (color === undefined || run.length / 3 > color.triangles)
        color = { of: this.#colorOf(primitive), triangles: run.length / 3 };
    }
    const welded = weld(join(new Float64Array(3 * vertices), positions), join(new Uint32Array(3 * triangles), indices));
    this.dropped += welded.dropped;
    if (welded.indices.length === 0) return -1;
    const mesh = {
      name: nameOf(definition),
      positions: welded.positions,
      indices: welded.indices,
      ...(color?.of && { color: color.of }),
    };
    return this.meshes.push(mesh) - 1;
  }

  #colorOf(primitive: JsonObject): Color | undefined {
    if (primitive['material'] === undefined) return undefined;
    const surface = objectOf(
      this.#file.item('materials', primitive['material'])['pbrMetallicRoughness'] ?? {},
      'pbrMetallicRoughness',
    );
    if (surface['baseColorFactor'] === undefined) return undefined;
    const [red, green, blue] = numbersOf(surface['baseColorFactor'], 4, 'a baseColorFactor');
    return colorOfLinear(red, green, blue);
  }

  #count(limit: 'components' | 'depth' | 'triangles', found: number): void {
    checkLimit('the glTF file', this.#limits, limit, found);
  }
}

/**
 * A primitive as separate triangles, with vertex numbers in the joined mesh; an index without a vertex becomes
 * 0xffffffff.
 */
function trianglesOf(
  mode: number,
  corners: Float64Array | undefined,
  { first, count }: { first: number; count: number },
): Uint32Array {
  const length = corners === undefined ? count : corners.length;
  const vertex = (i: number): number => {
    const corner = corners === undefined ? i : corners[i];
    return corner < count ? first + corner : 0xffffffff;
  };
  const triangles = mode === TRIANGLES ? Math.floor(length / 3) : Math.max(0, length - 2);
  const run = new Uint32Array(3 * triangles);
  for (let i = 0; i < triangles; i++) {
    // Every second triangle of a strip has the opposite winding (glTF 2.0, 3.7.2.1).
    const [a, b, c] =
      mode === TRIANGLES
        ? [3 * i, 3 * i + 1, 3 * i + 2]
        : mode === TRIANGLE_FAN
          ? [i + 1, i + 2, 0]
          : [i, i + 1 + (i % 2), i + 2 - (i % 2)];
    run[3 * i] = vertex(a);
    run[3 * i + 1] = vertex(b);
    run[3 * i + 2] = vertex(c);
  }
  return run;
}

function join<T extends Float64Array | Uint32Array>(into: T, runs: readonly T[]): T {
  let at = 0;
  for (const run of runs) {
    into.set(run, at);
    at += run.length;
  }
  return into;
}

/** The node's placement in its parent, f64[16], translation in mm; undefined for the identity. */
function transformOf(node: JsonObject): Float64Array | undefined {
  let matrix: Float64Array;
  if (node['matrix'] !== undefined) {
    matrix = new Float64Array(numbersOf(node['matrix'], 16, 'a matrix'));
    for (let i = 12; i < 15; i++) matrix[i] *= SCALE;
  } else {
    const [x, y, z] = numbersOf(node['translation'] ?? [0, 0, 0], 3, 'a translation');
    const [sx, sy, sz] = numbersOf(node['scale'] ?? [1, 1, 1], 3, 'a scale');
    const turn = quaternionMatrix(numbersOf(node['rotation'] ?? [0, 0, 0, 1], 4, 'a rotation'));
    matrix = compose(translation(SCALE * x, SCALE * y, SCALE * z), turn, scaling(sx, sy, sz));
  }
  if (!isUsable(matrix, FARTHEST_MM)) throw malformed(`places a node farther away than ${FARTHEST_MM} mm`);
  return isIdentity(matrix) ? undefined : matrix;
}

/** Rotation matrix of a quaternion (x, y, z, w), which is normalized first. */
function quaternionMatrix(quaternion: readonly number[]): Float64Array {
  const length = Math.hypot(...quaternion);
  if (!(length > 0)) throw malformed('has a rotation of length 0');
  const [x, y, z, w] = quaternion.map((value) => value / length);
  return new Float64Array([
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    0,
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    0,
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
    0,
    0,
    0,
    0,
    1,
  ]);
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}
