import { Box3, Matrix3, Mesh, Vector3, type Object3D } from 'three';
import type { ShownModel } from './shown-model.js';
import { outlinePoints, type Stage } from './stage.js';

/** A component is moved by this multiple of its distance from the middle of what it belongs to, at full spread. */
const FULL_SPREAD = 1.5;

interface Movable {
  readonly component: Object3D;
  /** Its place in the assembly, in the frame of its parent. */
  readonly home: Vector3;
  /** Away from the middle of its parent, in the frame of its parent. */
  readonly away: Vector3;
}

/** Which components of a model are shown, and how far apart they are drawn. */
export class Arrangement {
  readonly #stage: Stage;
  readonly #model: ShownModel;
  #movables: readonly Movable[] | undefined;
  #spread = 0;

  constructor(stage: Stage, model: ShownModel) {
    this.#stage = stage;
    this.#model = model;
  }

  /** Hides these components and what is in them, and shows all others. */
  hide(hidden: ReadonlySet<string>): void {
    for (const [path, component] of this.#model.components) component.visible = !hidden.has(path);
    this.#tell();
    this.#stage.invalidate();
  }

  /** Moves components apart, each out of what it belongs to. share: 0, as assembled, to 1. */
  spread(share: number): void {
    if (share === this.#spread) return;
    this.#spread = share;
    // Where everything stands at home is measured before the first move.
    this.#movables ??= movablesOf(this.#model);
    for (const { component, home, away } of this.#movables)
      component.position.copy(home).addScaledVector(away, FULL_SPREAD * share);
    this.#model.root.updateMatrixWorld(true);
    this.#tell();
    this.#stage.fit();
  }

  /** Tells the stage what there is to see. */
  #tell(): void {
    const { root } = this.#model;
    const box = new Box3();
    root.traverseVisible((object) => {
      if (object instanceof Mesh) box.expandByObject(object);
    });
    if (!box.isEmpty()) this.#stage.setContent(box, outlinePoints(root));
  }
}

function movablesOf({ components }: ShownModel): Movable[] {
  const movables: Movable[] = [];
  for (const [path, component] of components) {
    const parent = component.parent;
    if (path === '' || parent === null) continue;
    const away = middleOf(component).sub(middleOf(components.get(pathAbove(path)) ?? parent));
    movables.push({
      component,
      home: component.position.clone(),
      away: away.applyMatrix3(new Matrix3().setFromMatrix4(parent.matrixWorld).invert()),
    });
  }
  return movables;
}

function middleOf(object: Object3D): Vector3 {
  return new Box3().setFromObject(object).getCenter(new Vector3());
}

/** The path of what a component belongs to. */
function pathAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/**
 * What is hidden when only one component is shown: of each thing that it lies in, all the others.
 * all: the paths of the model's components.
 */
export function othersThan(path: string, all: Iterable<string>): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const other of all)
    if (other !== '' && other !== path && holds(pathAbove(other), path) && !holds(other, path)) hidden.add(other);
  return hidden;
}

/** Whether a component is another one or lies above it. */
function holds(above: string, path: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}.`);
}
