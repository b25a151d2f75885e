import type { Component, Mesh, Model } from '../../content/model.js';
import { fileMalformed, checkLimit, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { unzip, UnpackBudget } from '../package/archive.js';
import { requireArea, rootOf, withDropped } from './model-of-pieces.js';
import { entryPath } from '../package/opc.js';
import { readModelPart, type ModelPart, type Reference, type ThreeMfObject } from './three-mf-part.js';
import { walkXml } from '../text/xml.js';
import { weld } from './weld.js';

/** Relationship from the package to its model (3MF core specification 1.3, appendix C). */
const MODEL_RELATIONSHIP = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';

/**
 * Reads a 3MF package: core specification 1.3 with the production extension (objects in other parts of the package).
 * Build items become components; an object that is placed several times is one mesh. Objects that are not built are
 * left out.
 * @throws EngineError `FILE_MALFORMED`, `FORMAT_UNSUPPORTED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export async function read3mf(bytes: Uint8Array, options: ReadOptions): Promise<Model> {
  const { limits } = options;
  const warnings: Warning[] = [];
  const entries = new Map<string, Uint8Array>();
  const wants = (path: string): boolean => /\.model$|^_rels\/\.rels$/i.test(path);
  for await (const entry of unzip(bytes, new UnpackBudget(limits), warnings, wants))
    entries.set(entryPath(entry.name), entry.bytes);
  const parts = new Map<string, ModelPart>();
  const partAt: PartAt = (path) => {
    const content = entries.get(path);
    if (!parts.has(path) && content !== undefined) parts.set(path, readModelPart(content, limits));
    return parts.get(path);
  };
  const rootPath = rootModelPath(entries, limits);
  const root = partAt(rootPath);
  if (root === undefined) {
    const found = [...entries.keys()].filter((path) => !path.endsWith('.rels')).join(', ') || 'none';
    throw fileMalformed(`a 3MF package has a model at ${rootPath}; its model parts are: ${found}`);
  }
  const assembler = new Assembler(partAt, limits);
  const placed = root.build.length > 0 ? root.build : topObjects(root);
  const children = placed.flatMap((reference) => assembler.place(reference, rootPath));
  requireArea('3mf', assembler.meshes);
  return {
    kind: 'model',
    format: '3mf',
    unit: root.unit,
    root: rootOf(children),
    meshes: assembler.meshes,
    properties: root.properties,
    warnings: withDropped(
      [...warnings, ...[...parts.values()].flatMap((part) => part.warnings), ...assembler.warnings],
      assembler.dropped,
    ),
  };
}

/** A model part by its path, read once; undefined when the package has none. */
type PartAt = (path: string) => ModelPart | undefined;

/** Path of the package's model part; the usual path when the package does not name one. */
function rootModelPath(entries: ReadonlyMap<string, Uint8Array>, limits: Limits): string {
  let target: string | undefined;
  const relations = entries.get('_rels/.rels');
  if (relations !== undefined) {
    walkXml('3MF', relations, limits, {
      open(name, attributes) {
        if (name === 'Relationship' && attributes.get('Type') === MODEL_RELATIONSHIP)
          target ??= attributes.get('Target');
      },
    });
  }
  return entryPath(target ?? '3D/3dmodel.model');
}

/** Objects that are not a component of another one; they are placed when the part has no build items. */
function topObjects(part: ModelPart): Reference[] {
  const used = new Set(
    [...part.objects.values()].flatMap(({ components }) => components.map(({ objectId }) => objectId)),
  );
  return [...part.objects.keys()]
    .filter((id) => !used.has(id))
    .map((objectId) => ({ objectId, path: undefined, transform: undefined }));
}

/** An object as a component, with the counts for one placement. */
interface Built {
  readonly component: Component;
  /** Components in it, itself included, counting every placement. */
  readonly components: number;
  /** Triangles in it, counting every placement. */
  readonly triangles: number;
}

/** Builds each object once, and counts every placement against the limits. */
class Assembler {
  readonly meshes: Mesh[] = [];
  readonly warnings: Warning[] = [];
  /** Triangles dropped by welding. */
  dropped = 0;
  readonly #partAt: PartAt;
  readonly #limits: Limits;
  readonly #built = new Map<ThreeMfObject, Built | 'open'>();
  #components = 0;
  #triangles = 0;

  constructor(partAt: PartAt, limits: Limits) {
    this.#partAt = partAt;
    this.#limits = limits;
  }

  /** The placed component; empty, with a warning, when the object does not exist. */
  place(reference: Reference, partPath: string): Component[] {
    const built = this.#resolve(reference, partPath, 1);
    if (built === undefined) return [];
    this.#count('components', (this.#components += built.components));
    this.#count('triangles', (this.#triangles += built.triangles));
    return [placedBy(reference, built.component)];
  }

  #resolve({ objectId, path }: Reference, partPath: string, depth: number): Built | undefined {
    const from = path === undefined ? partPath : entryPath(path);
    const object = this.#partAt(from)?.objects.get(objectId);
    if (object === undefined) {
      this.warnings.push(
        warning('REFERENCE_MISSING', `object ${JSON.stringify(objectId)} of ${from} is placed, but is not in the file`),
      );
      return undefined;
    }
    const known = this.#built.get(object);
    if (known === 'open')
      throw fileMalformed(`object ${JSON.stringify(objectId)} of the 3MF file is a component of itself`);
    if (known !== undefined) return known;
    this.#count('depth', depth);
    this.#built.set(object, 'open');
    const built = this.#build(object, from, depth);
    this.#built.set(object, built);
    return built;
  }

  #build(object: ThreeMfObject, partPath: string, depth: number): Built {
    let components = 1;
    const children: Component[] = [];
    const mesh = this.#mesh(object);
    let triangles = mesh === undefined ? 0 : this.meshes[mesh].indices.length / 3;
    for (const reference of object.components) {
      const inner = this.#resolve(reference, partPath, depth + 1);
      if (inner === undefined) continue;
      children.push(placedBy(reference, inner.component));
      // Counts multiply from level to level; the limits stop them long before they lose precision.
      this.#count('components', (components += inner.components));
      this.#count('triangles', (triangles += inner.triangles));
    }
    const component = {
      name: object.name,
      meshes: mesh === undefined ? [] : [mesh],
      children,
      ...(object.color && { color: object.color }),
    };
    return { component, components, triangles };
  }

  /** Index of the object's welded mesh; undefined when it has no triangle. */
  #mesh({ name, color, positions, indices }: ThreeMfObject): number | undefined {
    if (indices.length === 0) return undefined;
    const welded = weld(positions, indices);
    this.dropped += welded.dropped;
    if (welded.indices.length === 0) return undefined;
    return (
      this.meshes.push({ name, positions: welded.positions, indices: welded.indices, ...(color && { color }) }) - 1
    );
  }

  #count(limit: 'components' | 'triangles' | 'depth', found: number): void {
    checkLimit('the 3MF file', this.#limits, limit, found);
  }
}

function placedBy({ transform }: Reference, component: Component): Component {
  return transform === undefined ? component : { ...component, transform };
}
