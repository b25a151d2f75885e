import {
  AlwaysStencilFunc,
  BackSide,
  DecrementWrapStencilOp,
  DoubleSide,
  FrontSide,
  IncrementWrapStencilOp,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  Plane,
  PlaneGeometry,
  ReplaceStencilOp,
  Vector3,
  type BufferGeometry,
  type Object3D,
  type Side,
  type StencilOp,
} from 'three';
import type { ShownModel } from './shown-model.js';
import type { Stage } from './stage.js';

/** The plane that cuts a model. */
export interface SectionPlane {
  /** Where its direction comes from: an axis, the view when it was set, or a face that was picked. */
  readonly across: 'x' | 'y' | 'z' | 'view' | 'face';
  /** Unit vector square to the plane, in the model's frame. */
  readonly direction: readonly [number, number, number];
  /** From 0, where the model's bounding box begins along the direction, to 1, where it ends. */
  readonly position: number;
  /** True: the other half is removed. */
  readonly isFlipped: boolean;
}

/** Color of the filled cut. */
const CAP_COLOR = '#c9634a';
/** With more bodies the cut is not filled: each body costs two more draw calls. */
const MOST_CAPPED_BODIES = 3_000;

/**
 * Cuts a model open and fills the cut of closed bodies: the stencil buffer counts how many surfaces lie behind each
 * pixel of the cut.
 */
export class Section {
  readonly #stage: Stage;
  readonly #model: ShownModel;
  readonly #plane = new Plane();
  #counters: Mesh[] = [];
  #cap: Mesh | undefined;

  constructor(stage: Stage, model: ShownModel) {
    this.#stage = stage;
    this.#model = model;
  }

  /** The cutting plane; undefined if there is no cut. Its normal points to the half that stays. */
  get plane(): Plane | undefined {
    return this.#cap === undefined ? undefined : this.#plane;
  }

  /** Position of the plane along its direction, from the origin of the model's frame, mm. */
  positionMm({ direction, position }: SectionPlane): number {
    const normal = new Vector3(...direction);
    const { min, max } = this.#model.box;
    const corners = Array.from({ length: 8 }, (_, i) =>
      new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).dot(normal),
    );
    const low = Math.min(...corners);
    return low + position * (Math.max(...corners) - low);
  }

  set(section: SectionPlane | undefined): void {
    if (section === undefined) {
      this.dispose();
      this.#model.clip(undefined);
    } else {
      const normal = new Vector3(...section.direction).multiplyScalar(section.isFlipped ? 1 : -1);
      this.#plane.set(normal, (section.isFlipped ? -1 : 1) * this.positionMm(section));
      if (this.#cap === undefined) this.#add();
      const middle = this.#model.box.getCenter(new Vector3());
      this.#cap?.position.copy(this.#plane.projectPoint(middle, new Vector3()));
      this.#cap?.lookAt(this.#cap.position.clone().add(normal));
    }
    this.#stage.invalidate();
  }

  #add(): void {
    const { surfaces } = this.#model;
    const isCapped = surfaces.length <= MOST_CAPPED_BODIES;
    const back = counting(BackSide, IncrementWrapStencilOp, this.#plane),
      front = counting(FrontSide, DecrementWrapStencilOp, this.#plane);
    for (const surface of isCapped ? surfaces : [])
      this.#counters.push(addTo(surface, surface.geometry, back), addTo(surface, surface.geometry, front));
    const side = 4 * this.#stage.radius;
    const material = new MeshBasicMaterial({
      color: CAP_COLOR,
      side: DoubleSide,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      ...always(ReplaceStencilOp),
    });
    this.#cap = new Mesh(new PlaneGeometry(side, side), material);
    this.#cap.renderOrder = 1;
    this.#cap.visible = isCapped;
    this.#cap.onAfterRender = (renderer) => renderer.clearStencil();
    this.#stage.scene.add(this.#cap);
    this.#model.clip(this.#plane);
  }

  dispose(): void {
    for (const counter of this.#counters.splice(0)) {
      counter.removeFromParent();
      (counter.material as MeshBasicMaterial).dispose();
    }
    this.#cap?.removeFromParent();
    this.#cap?.geometry.dispose();
    (this.#cap?.material as MeshBasicMaterial | undefined)?.dispose();
    this.#cap = undefined;
  }
}

/** A material that draws nothing but counts, per pixel, the surfaces of one side, hidden ones too. */
function counting(side: Side, operation: StencilOp, plane: Plane): MeshBasicMaterial {
  return new MeshBasicMaterial({
    side,
    depthWrite: false,
    depthTest: false,
    colorWrite: false,
    stencilWrite: true,
    stencilFunc: AlwaysStencilFunc,
    ...always(operation),
    clippingPlanes: [plane],
  });
}

function always(operation: StencilOp) {
  return { stencilFail: operation, stencilZFail: operation, stencilZPass: operation };
}

function addTo(parent: Object3D, geometry: BufferGeometry, material: MeshBasicMaterial): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = 0;
  // Not pickable: it duplicates a surface that is.
  mesh.raycast = () => undefined;
  parent.add(mesh);
  return mesh;
}
