import {
  Box3,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  OrthographicCamera,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
  type BufferGeometry,
  WebGLRenderTarget,
  type Intersection,
  type Material,
  type Object3D,
  type Plane,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { sideOf, type Attitude, type Side, type ViewName } from './standard-views.js';

/** Margin around the fitted model, as a factor. */
const MARGIN = 1.08;
/** Rotation per key press, rad, and movement per key press, as a share of the visible height. */
export const KEY_TURN_RAD = Math.PI / 12;
const KEY_PAN = 0.08;
/** Most device pixels per CSS pixel: more costs time without a visible gain. */
const MOST_PIXEL_RATIO = 2;

/** A camera pose that can be applied to a model at another place. */
export interface CameraPose {
  /** Unit vector from the target to the camera. */
  readonly direction: Vector3;
  /** The axis around which the view turns, upwards in it. */
  readonly up: Vector3;
  /** The target relative to the model's centre, mm. */
  readonly target: Vector3;
  /** Half of the visible height, mm. */
  readonly halfHeightMm: number;
}

/** Most points that are used to fit a model. */
const MOST_POINTS = 30_000;

/** A regular sample of the vertices shown below an object, in the frame of the scene: f32[3 * n]. */
export function outlinePoints(root: Object3D): Float32Array {
  const meshes: Mesh[] = [];
  let count = 0;
  root.traverseVisible((object) => {
    if (!(object instanceof Mesh)) return;
    meshes.push(object);
    count += (object.geometry as BufferGeometry).getAttribute('position').count;
  });
  const step = Math.max(1, Math.ceil(count / MOST_POINTS));
  const points: number[] = [];
  const at = new Vector3();
  let next = 0;
  for (const mesh of meshes) {
    const positions = (mesh.geometry as BufferGeometry).getAttribute('position');
    for (; next < positions.count; next += step)
      points.push(...at.fromBufferAttribute(positions, next).applyMatrix4(mesh.matrixWorld).toArray());
    next -= positions.count;
  }
  return Float32Array.from(points);
}

/** A scene with orthographic camera, lights and controls that is drawn in a canvas, only when something has changed. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = new OrthographicCamera();
  readonly renderer: WebGLRenderer;
  readonly canvas: HTMLCanvasElement;
  readonly #attitude: Attitude;
  #controls: OrbitControls;
  readonly #sizes: ResizeObserver;
  readonly #onDraw = new Set<() => void>();
  readonly #onMove = new Set<() => void>();
  #box = new Box3();
  #points: Float32Array = new Float32Array(0);
  /** What is seen at least, from the middle to the upper and to the right side, mm. */
  #sight = { up: 1, across: 0 };
  #frame: number | undefined;

  /** @throws Error if the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement, attitude: Attitude) {
    this.canvas = canvas;
    this.#attitude = attitude;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.localClippingEnabled = true;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXEL_RATIO));
    this.camera.up.set(0, 0, 1);
    const lamp = new DirectionalLight('#ffffff', 1.5),
      key = new DirectionalLight('#ffffff', 1.1);
    key.position.set(-0.9, 1.5, 1);
    lamp.position.set(0, 0, 1);
    this.camera.add(lamp, key, lamp.target, key.target);
    lamp.target.position.set(0, 0, -1);
    key.target.position.set(0, 0, -1);
    this.scene.add(this.camera, new HemisphereLight('#ffffff', '#b8bec8', 1.0));
    this.#controls = this.#newControls();
    // A driver may drop the context, for example when a laptop wakes up; three.js rebuilds everything when it is
    // restored.
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(canvas.parentElement ?? canvas);
  }

  /** Sets what is looked at. points: f32[3 * n], sample of its surface, from which {@link fit} finds its outline. */
  setContent(box: Box3, points: Float32Array): void {
    this.#box = box;
    this.#points = points;
    const radius = this.radius;
    // With an orthographic camera what lies behind it is drawn too: near is negative.
    this.camera.near = -10 * radius;
    this.camera.far = 20 * radius;
  }

  /** Half of the diagonal of the bounding box, mm. */
  get radius(): number {
    return Math.max(1e-6, this.#box.getSize(new Vector3()).length() / 2);
  }

  /**
   * Calls `tell` after each drawing, or after each movement of the camera by the user. Returns a function that ends
   * this.
   */
  on(event: 'draw' | 'move', tell: () => void): () => void {
    const set = event === 'draw' ? this.#onDraw : this.#onMove;
    set.add(tell);
    return () => set.delete(tell);
  }

  /** Draws at the next frame. */
  invalidate(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.draw();
    });
  }

  /** Draws now. */
  draw(): void {
    this.renderer.render(this.scene, this.camera);
    for (const tell of this.#onDraw) tell();
  }

  /**
   * Draws the scene without showing it. material: for everything, instead of its own. Returns u8[width * height][4],
   * rows from below; all 0 where nothing is drawn.
   */
  readBack(
    { width, height }: { readonly width: number; readonly height: number },
    material: Material | null = null,
  ): Uint8Array {
    const target = new WebGLRenderTarget(width, height);
    this.scene.overrideMaterial = material;
    this.renderer.setRenderTarget(target);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    const pixels = new Uint8Array(4 * width * height);
    this.renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
    this.renderer.setRenderTarget(null);
    this.scene.overrideMaterial = null;
    target.dispose();
    return pixels;
  }

  /** Whether dragging turns and moves the view. */
  set turns(turns: boolean) {
    this.#controls.enabled = turns;
  }

  /** Shows the whole model in a standard view, or from a side. */
  look(from: ViewName | Side): void {
    const { toward, up } = typeof from === 'string' ? sideOf(from, this.#attitude) : from;
    this.#stand(new Vector3(...up));
    this.camera.position.copy(new Vector3(...toward).normalize());
    this.#controls.target.set(0, 0, 0);
    this.fit();
  }

  /** Moves and zooms, without rotating, so that the whole model fills the canvas. */
  fit(): void {
    const direction = this.#direction();
    this.#place(direction, this.#box.getCenter(new Vector3()));
    this.camera.updateMatrixWorld(true);
    const seen = new Box3();
    const at = new Vector3();
    for (let i = 0; i < this.#points.length; i += 3)
      seen.expandByPoint(at.fromArray(this.#points, i).applyMatrix4(this.camera.matrixWorldInverse));
    const middle = seen.getCenter(new Vector3());
    middle.z = -4 * this.radius;
    this.#place(direction, middle.applyMatrix4(this.camera.matrixWorld));
    const { x, y } = seen.getSize(at);
    this.#see(Math.max(1e-6, (MARGIN * y) / 2), (MARGIN * x) / 2);
    this.#moved();
  }

  /** Rotates the camera around the target, to the right and up, rad. */
  turn(rightRad: number, upRad: number): void {
    const { target } = this.#controls;
    const offset = this.camera.position.clone().sub(target);
    offset.applyAxisAngle(this.camera.up, rightRad);
    const aside = new Vector3().crossVectors(this.camera.up, offset).normalize();
    const angle = offset.angleTo(this.camera.up);
    offset.applyAxisAngle(aside, -Math.min(Math.max(upRad, angle - Math.PI + 1e-4), angle - 1e-4));
    this.camera.position.copy(target).add(offset);
    this.#moved();
  }

  /** Moves the view: multiples of {@link KEY_PAN} of the visible height. */
  pan(right: number, up: number): void {
    const height = (2 * this.camera.top) / this.camera.zoom;
    const shift = new Vector3(right * KEY_PAN * height, up * KEY_PAN * height, 0).applyQuaternion(
      this.camera.quaternion,
    );
    this.camera.position.sub(shift);
    this.#controls.target.sub(shift);
    this.#moved();
  }

  zoom(factor: number): void {
    this.camera.zoom *= factor;
    this.camera.updateProjectionMatrix();
    this.#moved();
  }

  get pose(): CameraPose {
    return {
      direction: this.#direction(),
      up: this.camera.up.clone(),
      target: this.#controls.target.clone().sub(this.#box.getCenter(new Vector3())),
      halfHeightMm: this.camera.top / this.camera.zoom,
    };
  }

  /** Applies the pose of another stage, without a 'move' event. */
  set pose({ direction, up, target, halfHeightMm }: CameraPose) {
    this.#stand(up);
    this.#place(direction, this.#box.getCenter(new Vector3()).add(target));
    this.#see(halfHeightMm, halfHeightMm * this.#aspect());
    this.invalidate();
  }

  /**
   * The intersections under a place of the canvas (CSS pixels), nearest first, without those that a section plane has
   * cut off and those of hidden objects.
   */
  hits(x: number, y: number, objects: readonly Object3D[], plane: Plane | undefined): Intersection[] {
    const { clientWidth, clientHeight } = this.canvas;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), this.camera);
    return caster
      .intersectObjects([...objects], false)
      .filter(({ point, object }) => (plane === undefined || plane.distanceToPoint(point) >= 0) && isShown(object));
  }

  /** Where a point is drawn, CSS pixels from the upper left of the canvas. */
  project(point: Vector3): { x: number; y: number } {
    const at = point.clone().project(this.camera);
    return { x: ((at.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - at.y) / 2) * this.canvas.clientHeight };
  }

  /** Unit vector away from the viewer. */
  get viewDirection(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }

  /** Millimetres per CSS pixel. */
  get mmPerPixel(): number {
    return (2 * this.camera.top) / this.camera.zoom / Math.max(1, this.canvas.clientHeight);
  }

  dispose(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#sizes.disconnect();
    this.#controls.dispose();
    this.renderer.dispose();
    // Browsers allow few contexts at a time.
    this.renderer.forceContextLoss();
  }

  #newControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => {
      this.invalidate();
      for (const tell of this.#onMove) tell();
    });
    return controls;
  }

  /** Sets the axis around which the view turns. The controls read it only when they are made. */
  #stand(up: Vector3): void {
    if (this.camera.up.distanceToSquared(up) < 1e-12) return;
    this.camera.up.copy(up);
    const { target, enabled } = this.#controls;
    this.#controls.dispose();
    this.#controls = this.#newControls();
    this.#controls.enabled = enabled;
    this.#controls.target.copy(target);
  }

  #direction(): Vector3 {
    return this.camera.position.clone().sub(this.#controls.target).normalize();
  }

  #place(direction: Vector3, target: Vector3): void {
    this.#controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, 4 * this.radius);
    this.camera.lookAt(target);
  }

  #moved(): void {
    this.#controls.update();
    this.invalidate();
    for (const tell of this.#onMove) tell();
  }

  /** Sets what is seen at least, from the middle to the upper and to the right side, mm. */
  #see(up: number, across: number): void {
    this.#sight = { up, across };
    this.camera.zoom = 1;
    this.camera.top = Math.max(up, across / this.#aspect());
    this.#shape();
  }

  /** Sets the other sides of the frustum from its top and the aspect ratio. */
  #shape(): void {
    const { camera } = this;
    camera.bottom = -camera.top;
    camera.right = camera.top * this.#aspect();
    camera.left = -camera.right;
    camera.updateProjectionMatrix();
  }

  #aspect(): number {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    return clientHeight === 0 ? 1 : Math.max(0.05, clientWidth / clientHeight);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    // What was seen across and up stays in sight, whichever side of the canvas has become the shorter one.
    const { up, across } = this.#sight;
    this.camera.top = Math.max(up, across / this.#aspect());
    this.#shape();
    this.draw();
  }
}

/** Whether neither an object nor anything that it lies in is hidden. */
export function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) if (!at.visible) return false;
  return true;
}
