import type { Component, Model } from '../../content/model.js';
import { EngineError } from '../../errors.js';

/** A part or sub-assembly of an assembly, however often it stands there. */
export interface DistinctComponent {
  /** Its place among the distinct components, in the order of the tree. */
  readonly number: number;
  /** The name that most of its placements have; '' when none has one. */
  readonly name: string;
  /** Names from below the root to its first placement. */
  readonly place: readonly string[];
  /** Placements in the whole assembly, those in repeated sub-assemblies counted each time. */
  readonly occurrences: number;
  /** True: it is made of several components. */
  readonly isAssembly: boolean;
  /** Its first placement. */
  readonly component: Component;
}

/** The distinct components of a model, and where they stand. */
export interface ComponentList {
  readonly components: readonly DistinctComponent[];
  /** The number of the distinct component that stands at a node; absent at the root and at nodes without geometry. */
  readonly numbers: ReadonlyMap<Component, number>;
}

/** Digits of a placement that must agree, mm and cosines, for two sub-assemblies to be one. */
const PLACE_DIGITS = 6;

/** What is the same at all placements of one thing. */
interface Kind {
  readonly isAssembly: boolean;
  readonly names: Map<string, number>;
  occurrences: number;
  first?: { readonly component: Component; readonly place: readonly string[] };
  number?: number;
}

/**
 * Lists the parts and sub-assemblies of an assembly, each once. Two are one when they hold the same meshes in the same
 * places, whatever their names are. A node that only holds another one is that one: exporters wrap parts so. None of a
 * model that is a single part.
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
      // The wrapped node is counted when the walk comes to it.
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
 * One component of a model as a model of its own, in its own frame.
 * @throws EngineError `NO_GEOMETRY` when the model has no component of this number.
 */
export function componentModel(model: Model, number: number): Model {
  const wanted = distinctComponents(model).components.at(number);
  if (wanted === undefined || number < 0) throw new EngineError('NO_GEOMETRY', `the model has no component ${number}`);
  return modelOf(model, wanted);
}

/** A distinct component as a model of its own. What was said of the whole file is not said of it. */
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

/** Tells what nodes hold; equal contents are one object. */
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
  // Adding 0 makes 0 of -0.
  return transform === undefined
    ? ''
    : Array.from(transform, (value) => Number(value.toFixed(PLACE_DIGITS)) + 0).join(' ');
}
