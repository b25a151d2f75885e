import type { Component, Model } from '../../content/model.js';
import { EngineError } from '../../errors.js';

/** A distinct part or sub-assembly of an assembly, with all its placements. */
export interface DistinctComponent {
  /** Its number among the distinct components, in the order of the tree. */
  readonly number: number;
  /** The most frequent name of its placements; '' when none has a name. */
  readonly name: string;
  /** Names on the path from below the root to its first placement. */
  readonly place: readonly string[];
  /** Number of placements in the whole assembly; those in repeated sub-assemblies count each time. */
  readonly occurrences: number;
  /** True: it consists of several components. */
  readonly isAssembly: boolean;
  /** Its first placement. */
  readonly component: Component;
}

/** The distinct components of a model, and the nodes at which they are placed. */
export interface ComponentList {
  readonly components: readonly DistinctComponent[];
  /** The number of the distinct component at each node; the root and nodes without geometry have none. */
  readonly numbers: ReadonlyMap<Component, number>;
}

/** Number of decimal digits of a placement (mm and cosines) that must agree for two sub-assemblies to be the same. */
const PLACE_DIGITS = 6;

/** The properties shared by all placements of one component. */
interface Kind {
  readonly isAssembly: boolean;
  readonly names: Map<string, number>;
  occurrences: number;
  first?: { readonly component: Component; readonly place: readonly string[] };
  number?: number;
}

/**
 * Lists the distinct parts and sub-assemblies of an assembly. Two are the same when they hold the same meshes at the
 * same positions, regardless of their names. A node that only contains one other node counts as that node, because
 * exporters wrap parts in this way. A model that is a single part has no components.
 */
export function distinctComponents({ root }: Model): ComponentList {
  const contents = new Contents();
  contents.of(root);
  const components: DistinctComponent[] = [];
  const numbers = new Map<Component, number>();
  const found: Kind[] = [];
  const whole = contents.of(root);
  const walk = (node: Component, place: readonly string[]): void => {
    for (const child of node.children) {
      const kind = contents.of(child);
      if (kind === undefined || kind === whole) {
        walk(child, place);
        continue;
      }
      const here = child.name === '' ? place : [...place, child.name];
      if (kind.number === undefined) {
        kind.number = found.length;
        found.push(kind);
      }
      numbers.set(child, kind.number);
      const inner = wrapped(child);
      // The wrapped node is counted when the traversal reaches it.
      if (inner === undefined) {
        kind.occurrences++;
        if (child.name !== '') kind.names.set(child.name, (kind.names.get(child.name) ?? 0) + 1);
        kind.first ??= { component: child, place: here };
      }
      walk(child, here);
    }
  };
  walk(root, []);
  for (const [number, { names, first, occurrences, isAssembly }] of found.entries()) {
    const [name = ''] = [...names].sort(([, a], [, b]) => b - a)[0] ?? [];
    components.push({ number, name, occurrences, isAssembly, place: first!.place, component: first!.component });
  }
  return { components, numbers };
}

/**
 * One component of a model as a model of its own, in its own coordinate system.
 * @throws EngineError `NO_GEOMETRY` when the model has no component with this number.
 */
export function componentModel(model: Model, number: number): Model {
  const wanted = distinctComponents(model).components.at(number);
  if (wanted === undefined || number < 0) throw new EngineError('NO_GEOMETRY', `the model has no component ${number}`);
  return modelOf(model, wanted);
}

/** A distinct component as a model of its own. Properties of the whole file are left out. */
export function modelOf(model: Model, { component, name }: DistinctComponent): Model {
  return { ...model, root: { ...component, name, transform: undefined }, properties: [], warnings: [] };
}

/** The only child of a node that holds nothing else. */
function wrapped({ meshes, children }: Component): Component | undefined {
  if (meshes.length > 0) return undefined;
  const held = children.filter(hasMesh);
  return held.length === 1 ? held[0] : undefined;
}

function hasMesh({ meshes, children }: Component): boolean {
  return meshes.length > 0 || children.some(hasMesh);
}

/** Determines what nodes contain; equal contents are the same object. */
class Contents {
  readonly #kinds = new Map<string, Kind & { readonly id: number }>();
  readonly #ofNode = new Map<Component, (Kind & { readonly id: number }) | undefined>();

  /** Undefined for a node without geometry. */
  of(node: Component): (Kind & { readonly id: number }) | undefined {
    if (this.#ofNode.has(node)) return this.#ofNode.get(node);
    const kind = this.#read(node);
    this.#ofNode.set(node, kind);
    return kind;
  }

  #read({ meshes, children }: Component): (Kind & { readonly id: number }) | undefined {
    const held = children.map((child) => ({ child, kind: this.of(child) })).filter(({ kind }) => kind !== undefined);
    if (meshes.length === 0 && held.length === 0) return undefined;
    if (meshes.length === 0 && held.length === 1) return held[0].kind;
    const places = held.map(({ child, kind }) => `${kind!.id}@${placeOf(child)}`).sort();
    const key = `${[...meshes].sort((a, b) => a - b).join(',')};${places.join(';')}`;
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      kind = { id: this.#kinds.size, isAssembly: held.length > 0, names: new Map(), occurrences: 0 };
      this.#kinds.set(key, kind);
    }
    return kind;
  }
}

function placeOf({ transform }: Component): string {
  // Adding 0 turns -0 into 0.
  return transform === undefined
    ? ''
    : Array.from(transform, (value) => Number(value.toFixed(PLACE_DIGITS)) + 0).join(' ');
}
