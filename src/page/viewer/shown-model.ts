import {
  Box3,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type BufferGeometry,
  type Material,
  type MeshStandardMaterial,
  type Object3D,
  type Plane,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { FaceRuns } from './face-runs.js';
import type { Attitude, Side } from './standard-views.js';

/** Colors of the selected surfaces, and of all others while something is selected. */
const CHOSEN = '#f08a1d';
const FADED = '#8a94a3';
/** Color of edges; the parts are light in both themes. */
const INK = '#262c36';

/** What is highlighted: a component, or else faces with annotations, or else lit faces. */
export interface Highlight {
  /** Path of the component; undefined or '' (the root): none. */
  readonly component?: string;
  readonly annotated?: readonly number[];
  readonly lit?: { readonly faces: readonly number[]; readonly fades: boolean };
}

/** A model on the screen, in its own frame, mm. */
export class ShownModel {
  readonly root: Object3D;
  readonly attitude: Attitude;
  readonly box: Box3;
  readonly surfaces: readonly Mesh<BufferGeometry, Material | Material[]>[];
  readonly lines: readonly LineSegments<BufferGeometry, Material | Material[]>[];
  /** Whether it tells which triangles belong to which faces. */
  readonly hasFaces: boolean;
  /** Components by path. */
  readonly components = new Map<string, Object3D>();
  /** Surfaces of the faces that annotations refer to, by face number. */
  readonly faces = new Map<number, Object3D[]>();
  readonly #own = new Map<Mesh | LineSegments, Material>();
  readonly #runs = new Map<BufferGeometry, FaceRuns>();
  readonly #chosen = surfaceMaterial(CHOSEN);
  readonly #faded = surfaceMaterial(FADED);
  readonly #fadedLines = new LineBasicMaterial({ color: INK, transparent: true, opacity: 0.12 });
  readonly #byColor = new Map<string, Material>();

  constructor(root: Object3D, attitude: Attitude) {
    this.root = root;
    this.attitude = attitude;
    Object.assign(this.#faded, { transparent: true, opacity: 0.16, depthWrite: false });
    const surfaces: Mesh<BufferGeometry, Material | Material[]>[] = [],
      lines: LineSegments<BufferGeometry, Material | Material[]>[] = [];
    root.traverse((object) => {
      if (typeof object.userData['component'] === 'string') this.components.set(object.userData['component'], object);
      if (object instanceof LineSegments) {
        object.material = this.#shared('lines', () => new LineBasicMaterial({ color: INK }));
        lines.push(object);
      } else if (object instanceof Mesh) {
        const { color } = object.material as MeshStandardMaterial;
        object.material = this.#shared(color.getHexString(), () => surfaceMaterial(`#${color.getHexString()}`));
        surfaces.push(object);
        const face: unknown = object.geometry.userData['face'];
        const runs = FaceRuns.of(object.geometry);
        if (runs !== undefined) this.#runs.set(object.geometry, runs);
        if (typeof face === 'number') this.faces.set(face, [...(this.faces.get(face) ?? []), object]);
      } else return;
      // The counters (0) and the filled faces (1) of a section are drawn before.
      object.renderOrder = 2;
      this.#own.set(object, object.material as Material);
    });
    this.surfaces = surfaces;
    this.lines = lines;
    this.hasFaces = [...this.#runs.values()].some(({ all }) => all.some(({ number }) => number >= 0));
    root.updateMatrixWorld(true);
    this.box = new Box3().setFromObject(root);
  }

  /** The path of the component that contains an object. */
  pathOf(object: Object3D): string | undefined {
    for (let at: Object3D | null = object; at !== null; at = at.parent) {
      if (typeof at.userData['component'] === 'string') return at.userData['component'];
    }
    return undefined;
  }

  /** The bounding box of a component, or of the whole model if there is no such component; mm. */
  boxOf(path: string | undefined): Box3 {
    const component = path === undefined ? undefined : this.components.get(path);
    return component === undefined ? this.box : new Box3().setFromObject(component);
  }

  /** The numbers of the faces of a component, once each, rising. */
  facesOf(path: string): readonly number[] {
    const numbers = new Set<number>();
    this.components.get(path)?.traverse((object) => {
      for (const { number } of this.runsOf(object)?.all ?? []) if (number >= 0) numbers.add(number);
    });
    return [...numbers].sort((a, b) => a - b);
  }

  /** Which triangles of a surface belong to which faces; undefined if the model does not tell. */
  runsOf(surface: Object3D): FaceRuns | undefined {
    return surface instanceof Mesh ? this.#runs.get(surface.geometry as BufferGeometry) : undefined;
  }

  /** Highlights something and fades everything else, except around picked faces. */
  highlight({ component: path, annotated = [], lit }: Highlight): void {
    const component = path === undefined || path === '' ? undefined : this.components.get(path);
    const inside = new Set<Object3D>();
    component?.traverse((object) => inside.add(object));
    if (component === undefined)
      for (const object of annotated.flatMap((face) => this.faces.get(face) ?? [])) inside.add(object);
    if (inside.size === 0 && lit !== undefined) return this.#light(new Set(lit.faces), lit.fades);
    const isAny = inside.size > 0;
    for (const [object, own] of this.#own) {
      const isLine = object instanceof LineSegments;
      object.material =
        !isAny || (isLine && inside.has(object))
          ? own
          : isLine
            ? this.#fadedLines
            : inside.has(object)
              ? this.#chosen
              : this.#faded;
      object.renderOrder = isAny && !inside.has(object) ? 3 : 2;
    }
  }

  #light(lit: ReadonlySet<number>, fades: boolean): void {
    const shares = new Map([...this.#runs].map(([geometry, runs]) => [geometry, runs.light(geometry, lit)]));
    for (const [object, own] of this.#own) {
      const isLine = object instanceof LineSegments;
      const rest = !fades ? own : isLine ? this.#fadedLines : this.#faded;
      const share = isLine ? 'none' : (shares.get(object.geometry as BufferGeometry) ?? 'none');
      object.material = share === 'all' ? this.#chosen : share === 'some' ? [rest, this.#chosen] : rest;
      object.renderOrder = fades && share === 'none' ? 3 : 2;
    }
  }

  /** Paints faces and everything else, without lines. Returns a function that takes the paint away. */
  paint(faces: ReadonlySet<number>, { lit, rest }: { readonly lit: Material; readonly rest: Material }): () => void {
    const before = new Map([...this.#own.keys()].map((object) => [object, [object.material, object.visible] as const]));
    const shares = new Map([...this.#runs].map(([geometry, runs]) => [geometry, runs.light(geometry, faces)]));
    for (const line of this.lines) line.visible = false;
    for (const surface of this.surfaces) {
      const share = shares.get(surface.geometry) ?? 'none';
      surface.material = share === 'all' ? lit : share === 'some' ? [rest, lit] : rest;
    }
    return () => {
      for (const [object, [material, visible]] of before) Object.assign(object, { material, visible });
    };
  }

  showLines(shows: boolean): void {
    for (const line of this.lines) line.visible = shows;
  }

  /** Hides everything behind the plane; undefined: hides nothing. */
  clip(plane: Plane | undefined): void {
    const planes = plane === undefined ? null : [plane];
    for (const material of [this.#chosen, this.#faded, this.#fadedLines, ...this.#byColor.values()]) {
      material.clippingPlanes = planes;
      material.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const { geometry } of [...this.surfaces, ...this.lines]) geometry.dispose();
    for (const material of [this.#chosen, this.#faded, this.#fadedLines, ...this.#byColor.values()]) material.dispose();
  }

  #shared<Kind extends Material>(key: string, make: () => Kind): Material {
    const known = this.#byColor.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#byColor.set(key, made);
    return made;
  }
}

/** Loads a model from the GLB that the engine writes. */
export async function readShownModel(glb: ArrayBuffer): Promise<ShownModel> {
  const { root, attitude } = await readGlbRoot(glb);
  return new ShownModel(root, attitude);
}

/** Parses a GLB that the engine writes. Returns its root in the model's own frame, mm, and how it is looked at. */
export async function readGlbRoot(glb: ArrayBuffer): Promise<{ readonly root: Object3D; readonly attitude: Attitude }> {
  const { scene } = await new GLTFLoader().parseAsync(glb, '');
  const root = scene.children[0];
  // The root's transform converts to glTF's metres and y up; it is dropped to keep the model's millimetres and axes.
  root.position.set(0, 0, 0);
  root.rotation.set(0, 0, 0);
  root.scale.set(1, 1, 1);
  scene.remove(root);
  const { up, sides = [] } = root.userData as { readonly up?: unknown; readonly sides?: readonly Side[] };
  return { root, attitude: { up: up === 'y' ? 'y' : 'z', sides } };
}

/**
 * A material for surfaces. It draws both sides, so that open and wrongly oriented surfaces are visible; the offset puts
 * edges in front.
 */
export function surfaceMaterial(color: string): MeshLambertMaterial {
  return new MeshLambertMaterial({
    color,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}
