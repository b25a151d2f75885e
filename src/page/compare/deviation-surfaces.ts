import {
  Box3,
  BufferAttribute,
  Color,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  SRGBColorSpace,
  type BufferGeometry,
  type Object3D,
} from 'three';
import { readDeviations, type FoundDeviations } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';
import { readGlbRoot } from '../viewer/shown-model.js';
import type { Attitude } from '../viewer/standard-views.js';

/**
 * Colors from no deviation to the largest one outside, in equal steps: from gray over yellow to dark red. Each is
 * darker than the one before, so that the scale can be read without color vision.
 */
export const OUTSIDE_COLORS = ['#c4d0de', '#e9dc9a', '#f0b43c', '#dd6b25', '#b3261e', '#6d0f14'] as const;
/** The same for deviations inside: from gray to dark blue. */
export const INSIDE_COLORS = ['#c4d0de', '#a5c8ea', '#6ba3dc', '#3a78c4', '#22509c', '#122a63'] as const;

const STEPS = [OUTSIDE_COLORS, INSIDE_COLORS].map((colors) =>
  colors.map((color) => new Color().setStyle(color, SRGBColorSpace)),
);

/** The surface that is colored by its distance from the other one; 'both': neither, each has one color of its own. */
export type ShownSurface = 'first' | 'second' | 'both';

/** The two aligned surfaces. */
export class DeviationSurfaces {
  readonly root: Object3D;
  readonly attitude: Attitude;
  readonly box: Box3;
  readonly #meshes: Readonly<Record<'first' | 'second', Mesh<BufferGeometry, MeshLambertMaterial>>>;
  readonly #painted = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
  readonly #glass = {
    first: glass('#c93a2b', 0.55),
    second: glass('#2b6fc9', 0.55),
    other: glass('#8a94a3', 0.18),
  };

  constructor(root: Object3D, attitude: Attitude) {
    this.root = root;
    this.attitude = attitude;
    const of = (name: string): Mesh<BufferGeometry, MeshLambertMaterial> => {
      const found = root.getObjectByName(name);
      if (!(found instanceof Mesh)) throw new Error(`The server sent no surface called ${name}.`);
      return found as Mesh<BufferGeometry, MeshLambertMaterial>;
    };
    this.#meshes = { first: of('first'), second: of('second') };
    root.updateMatrixWorld(true);
    this.box = new Box3().setFromObject(root);
  }

  /**
   * Colors the surfaces; distances from `fullMm` on get the last color. withOther: the other surface is shown
   * transparent.
   */
  show(shown: ShownSurface, fullMm: number, withOther: boolean): void {
    for (const name of ['first', 'second'] as const) {
      const mesh = this.#meshes[name];
      const isPainted = name === shown;
      mesh.visible = isPainted || shown === 'both' || withOther;
      mesh.material = isPainted ? this.#painted : shown === 'both' ? this.#glass[name] : this.#glass.other;
      mesh.renderOrder = isPainted ? 0 : 1;
      if (isPainted)
        mesh.geometry.setAttribute(
          'color',
          new BufferAttribute(deviationColors(mesh.geometry.getAttribute('_deviation'), fullMm), 3),
        );
    }
  }

  dispose(): void {
    for (const { geometry } of Object.values(this.#meshes)) geometry.dispose();
    for (const material of [this.#painted, ...Object.values(this.#glass)]) material.dispose();
  }
}

function glass(color: string, opacity: number): MeshLambertMaterial {
  return new MeshLambertMaterial({ color, side: DoubleSide, transparent: true, opacity, depthWrite: opacity > 0.5 });
}

/** Loads the surfaces from the GLB of the deviations. */
async function readDeviationSurfaces(glb: ArrayBuffer): Promise<DeviationSurfaces> {
  const { root, attitude } = await readGlbRoot(glb);
  return new DeviationSurfaces(root, attitude);
}

/** Vertex colors, f32[3 * n], linear RGB. distances: mm, negative inside; from `fullMm` on they get the last color. */
function deviationColors(distances: ReturnType<BufferGeometry['getAttribute']>, fullMm: number): Float32Array {
  const colors = new Float32Array(3 * distances.count);
  const mixed = new Color();
  for (let i = 0; i < distances.count; i++) {
    const distance = distances.getX(i),
      steps = STEPS[distance < 0 ? 1 : 0];
    const at = Math.min(1, fullMm > 0 ? Math.abs(distance) / fullMm : 0) * (steps.length - 1);
    const step = Math.min(steps.length - 2, Math.floor(at));
    mixed
      .copy(steps[step])
      .lerp(steps[step + 1], at - step)
      .toArray(colors, 3 * i);
  }
  return colors;
}

/** Deviations with the surfaces to draw them on. */
export interface ShownDeviations extends FoundDeviations {
  readonly surfaces: DeviationSurfaces;
}

/** Loads the deviations between two models. */
export function useDeviations(uid: string, otherUid: string) {
  return useLoaded<ShownDeviations>(
    async (signal) => {
      const found = await readDeviations(uid, otherUid, signal);
      return { ...found, surfaces: await readDeviationSurfaces(found.glb) };
    },
    [uid, otherUid],
    { release: ({ surfaces }) => surfaces.dispose(), failing: 'The models cannot be aligned' },
  );
}
